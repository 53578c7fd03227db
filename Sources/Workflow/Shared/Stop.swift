import Foundation
import Matching
import Reading
package import Billing
import Ledger

/// What ended a command before it had a result: the exit status it asks for, what happened, and
/// what to do.
package struct Stop: Error, Sendable {
  package enum Status: Int32, Sendable {
    case badInput = 2
    case ledger = 3
  }

  package var status: Status
  package var message: Wording
  package var help: Wording

  package init(_ status: Status, _ message: Wording, help: Wording) {
    self.status = status
    self.message = message
    self.help = help
  }

  /// The stop that an error of one of the rooms means for the command; nil for a diagnostic, which
  /// has its own place and format, and for an error that nobody foresaw.
  package init?(_ error: any Error) {
    switch error {
    case let stop as Stop: self = stop
    case let error as LedgerError:
      self.init(error.exitStatus, error.message, help: error.help)
    case let error as SystemError: self.init(.badInput, error.message, help: error.help)
    default: return nil
    }
  }
}

extension LedgerError {
  /// The exit status of the error: a ledger that is not there, or empty, is a wrong path; all else
  /// is about the ledger itself.
  fileprivate var exitStatus: Stop.Status {
    switch self {
    case .missing, .empty: .badInput
    default: .ledger
    }
  }
}

/// Somebody wants an import to end: thrown through a file's transaction, so that it is taken back.
struct ImportStopped: Error {}
