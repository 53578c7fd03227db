package import Billing
import Languages
import Ledger
import Reporting

/// A closed month whose inputs changed since: what it comes to now is booked in the earliest open
/// month after it.
package struct ChangedClose: Hashable, Sendable {
  package var record: CloseRecord
  /// Kinds of inputs, as JSON names them; empty where the close kept nothing to tell it by.
  package var kinds: [String]
  package var bookedIn: Period?
}

/// The closed months whose inputs changed since, the earliest first, each with the open month that
/// books the change.
func changedCloses(_ ledger: Ledger, _ settings: Settings) throws -> [ChangedClose] {
  let book = try CloseBook(ledger)
  let inputs = try ClosedInputs(book, ledger, carryMax: settings.carryMax)
  return try book.closed.compactMap { close in
    guard let change = try inputs.change(of: close) else { return nil }
    return ChangedClose(
      record: close, kinds: change.kinds, bookedIn: book.openMonth(after: close.period))
  }
}

extension ChangedClose {
  /// The sentence that says which kinds of inputs changed after the close, and which month books
  /// the change.
  var wording: Wording {
    let month = bookedIn?.description ?? ""
    if kinds.isEmpty {
      return "@status.closed-close-no-files \(record.period) \(record.number) \(month)"
    }
    let names = kinds.map { kind -> Wording in
      if kind == InputDigests.earlierPayments {
        return "@status.earlier-payments-or-exchange-rates"
      }
      return InputKind(rawValue: kind)?.wording ?? "@status.days-without-sales"
    }
    return """
      @status.closed-close-no-changed-since \(record.period) \(record.number) \
      \(names.joined(separator: ", ")) \(month)
      """
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.string("period", record.period.description)
    writer.integer("close", record.number)
    writer.strings("kinds", kinds)
    writer.string("booked_in", bookedIn?.description)
  }
}
