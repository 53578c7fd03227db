package import Billing
import GRDB
import GRDBSQLite

/// Thrown where a row would need an id that does not fit `RowID`.
struct RowLimit: Error {}

extension ResultCode {
  /// Of what was read and is not what was written: SQLite's own for a checksum that does not hold.
  static let damaged = ResultCode(rawValue: GRDBSQLite.SQLITE_IOERR | (32 << 8))
}

/// Thrown where the ledger holds what this program never writes.
struct StrangeValue: Error {
  /// As it may be shown: its first characters, none of which steers a terminal.
  let text: String

  /// Quotes at most 40 characters of the value.
  init(_ value: some StringProtocol) { text = String(reflecting: String(value.prefix(40))) }
}

/// What keeps a command from using the ledger at all.
package enum LedgerError: Error, Hashable, Sendable {
  /// Another process writes to it.
  case locked(path: String)
  /// The file is no ledger, or it is damaged; it was left as it was.
  case corrupt(path: String, detail: String)
  /// It is a ledger, and what is in it is not what was written.
  case damaged(path: String)
  /// An older version of the program wrote it; it was left as it was.
  case older(path: String, version: Int)
  /// It was to be upgraded, and is of this version.
  case current(path: String, version: Int)
  /// A newer version of the program wrote it; it was left as it was.
  case newer(path: String, version: Int, supported: Int)
  /// A table of it has more rows than ids of 32 bits can name, or would have them with what was to
  /// be added; it was left as it was.
  case full(path: String)
  /// Nothing is in it yet: its first import runs, or was ended before it had a table.
  case empty(path: String)
  /// The system's SQLite, which is of this version, is older than 3.37.
  case oldSQLite(version: String)
  /// There is no such file.
  case missing(path: String)
  /// The file or its folder cannot be read or written.
  case unreadable(path: String, detail: String)

  /// What is wrong, in lower case without a full stop.
  package var message: Wording {
    switch self {
    case .locked(let path):
      "@ledger-error.ledger-is-in-use-by \(path)"
    case .corrupt(let path, let detail) where detail.isEmpty:
      "@ledger-error.expected-a-ledger \(path)"
    case .corrupt(let path, let detail):
      "@ledger-error.expected-a-ledger-found-something \(path) \(detail)"
    case .damaged(let path):
      "@ledger-error.ledger-is-damaged-a-page \(path)"
    case .older(let path, let version):
      "@ledger-error.ledger-has-older-version \(version) \(path)"
    case .current(let path, let version):
      "@ledger-error.ledger-has-this-version \(version) \(path)"
    case .newer(let path, let version, let supported):
      "@ledger-error.ledger-has-version-this-program \(version) \(supported) \(path)"
    case .full(let path):
      "@ledger-error.ledger-has-reached-the-number \(path)"
    case .empty(let path):
      "@ledger-error.nothing-is-imported-into \(path)"
    case .oldSQLite(let version):
      "@ledger-error.sqlite-is-too-old \(version)"
    case .missing(let path):
      "@ledger-error.there-is-no-ledger \(path)"
    case .unreadable(let path, let detail):
      "@ledger-error.ledger-cannot-be-read \(path) \(detail)"
    }
  }

  /// What to do about it.
  package var help: Wording {
    switch self {
    case .locked:
      "@ledger-error.wait-until-the-other-import"
    case .corrupt:
      "@ledger-error.name-another-file-with-ledger"
    case .damaged:
      "@ledger-error.tieout-verify-says-what-is"
    case .older(let path, _):
      "@ledger-error.upgrade-it \(path)"
    case .current:
      "@ledger-error.use-it-as-it-is"
    case .newer:
      "@ledger-error.install-the-version-of-tieout"
    case .full:
      "@ledger-error.import-further-months-into-another"
    case .empty:
      "@ledger-error.import-something-first-or-wait"
    case .oldSQLite:
      "@ledger-error.install-sqlite"
    case .missing:
      "@ledger-error.import-something-first-or-name"
    case .unreadable:
      "@ledger-error.check-the-path-its-permissions"
    }
  }

  /// The error that SQLite's result code means for the ledger at `path`.
  init(_ error: DatabaseError, path: String) {
    let detail = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    guard error.extendedResultCode != .damaged else {
      self = .damaged(path: path)
      return
    }
    self =
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED: .locked(path: path)
      case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_FORMAT, .SQLITE_ERROR, .SQLITE_CONSTRAINT,
        .SQLITE_MISMATCH, .SQLITE_TOOBIG:
        .corrupt(path: path, detail: detail)
      case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_READONLY, .SQLITE_IOERR,
        .SQLITE_FULL, .SQLITE_NOLFS:
        .unreadable(path: path, detail: detail)
      default:
        preconditionFailure("the ledger's own SQL failed: \(error)")
      }
  }
}
