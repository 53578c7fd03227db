package import Billing
import Languages
import Ledger
import Reporting

/// The closes and reopenings of a ledger, and what each close kept.
package struct CloseHistory: Sendable {
  package struct Entry: Sendable {
    package var record: CloseRecord
    package var isInForce: Bool
    package var signatures: Signatures
    package var accepted: [Acceptance]
    package var documents: [(name: String, sha256: String)]
    /// Earlier periods whose changes it booked.
    package var booked: [String]
  }

  /// In the order in which they were made.
  package var entries: [Entry]

  /// Reads the closes and reopenings of a ledger, and what each close kept.
  ///
  /// - Parameter period: only its own; nil for all.
  package init(ledgerPath: String, period: Period? = nil) throws {
    entries = try stopping {
      try Ledger.reading(ledgerPath) { ledger in
        let book = try CloseBook(ledger)
        return try book.records
          .filter { period == nil || $0.period.description == period!.description }
          .map { record in
            Entry(
              record: record, isInForce: book.close(of: record.period)?.number == record.number,
              signatures: book.signatures(of: record),
              accepted: try ledger.acceptances(ofClose: record.number),
              documents: try ledger.documents(ofClose: record.number),
              booked: book.bookings
                .filter { $0.close == record.number && $0.period != record.period.description }
                .map(\.period))
          }
      }
    }
  }

  /// The closes and reopenings with what each kept, for a person.
  package var text: String {
    guard !entries.isEmpty else { return say("@close.nothing-was-closed") + "\n" }
    return entries.map(\.text).joined()
  }

  /// The closes and reopenings with what each kept, for a script: one JSON document.
  package var json: String {
    jsonDocument { $0.objects("closes", of: entries) { $1.writeFields(to: &$0) } }
  }
}

extension CloseHistory.Entry {
  /// The entry in lines: who closed or reopened when, and below it acceptances, bookings and
  /// documents.
  fileprivate var text: String {
    var below: [String] = []
    if let second = signatures.second {
      below.append(say("@close.confirmed-by \(second.by) \(second.at) \(second.asOf)"))
    }
    below += accepted.map { say($0.wording) }
    if !booked.isEmpty {
      below.append(say("@close.books-changes \(booked.asList)"))
    }
    below += documents.map { "\($0.name)  sha256 \($0.sha256)" }
    return "\(record.number)  \(record.period)  \(say(headline))\n"
      + below.map { "     \($0)\n" }.joined()
  }

  /// Who closed, signed or reopened the period, and when.
  private var headline: Wording {
    let (by, at) = (record.by, record.at)
    guard record.action == .close else {
      return "@close.reopened-by-2 \(by) \(at) \(record.reason)"
    }
    if isInForce, signatures == .awaited {
      return "@close.signed-by-awaiting \(by) \(at) \(record.asOf) \(record.version)"
    }
    return isInForce
      ? "@close.closed-by \(by) \(at) \(record.asOf) \(record.version)"
      : "@close.closed-by-at-as-of-version \(by) \(at) \(record.asOf) \(record.version)"
  }

  fileprivate func writeFields(to writer: inout JSONWriter) {
    record.writeFields(to: &writer)
    writer.bool("in_force", isInForce)
    writer.write(isInForce ? signatures : signatures.withdrawn)
    writer.objects("accepted", of: accepted) { writer, acceptance in
      writer.string("id", acceptance.finding)
      writer.string("code", acceptance.code)
      writer.string("reason", acceptance.reason)
    }
    writer.strings("books", booked)
    writer.objects("documents", of: documents) { writer, document in
      writer.string("name", document.name)
      writer.string("sha256", document.sha256)
    }
  }
}

extension Signatures {
  /// The signatures of a close that was reopened: nobody is awaited.
  fileprivate var withdrawn: Signatures { self == .awaited ? .one : self }
}

extension JSONWriter {
  /// Writes the members `awaiting_second_signature` and `second_signature`.
  mutating func write(_ signatures: Signatures) {
    bool("awaiting_second_signature", signatures == .awaited)
    object("second_signature", signatures.second) { writer, second in
      writer.string("by", second.by)
      writer.string("at", second.at.description)
      writer.string("as_of", second.asOf.description)
      writer.string("version", second.version)
    }
  }
}

extension Acceptance {
  /// The line that names the finding that may stand, and the reason.
  var wording: Wording { "@close.accepted \(code) \(finding) \(reason)" }
}

extension CloseRecord {
  func writeFields(to writer: inout JSONWriter) {
    writer.integer("number", number)
    writer.string("action", action.rawValue)
    writer.string("period", period.description)
    writer.string("at", at.description)
    writer.string("by", by)
    writer.string("reason", reason)
    writer.string("as_of", asOf.description)
    writer.string("version", version)
  }
}

/// The bytes of a document that a close keeps.
///
/// - Parameter number: of the close; nil for the one in force.
/// - Throws: a ``Stop`` where there is no such close or document.
package func closeDocument(
  _ name: String, of period: Period, number: Int64?, ledgerPath: String
) throws -> [UInt8] {
  try stopping {
    try Ledger.reading(ledgerPath) { ledger in
      let book = try CloseBook(ledger)
      let close =
        number.map { number in
          book.records.first {
            $0.number == number && $0.action == .close
              && $0.period.description == period.description
          }
        } ?? book.close(of: period)
      guard let close else {
        throw Stop(
          .badInput,
          number.map { "@close.has-no-close-no \(period) \($0)" }
            ?? "@close.is-not-closed \(period)",
          help: "@close.list-them-with-tieout-closes")
      }
      return try closeDocument(name, of: close, ledger)
    }
  }
}

/// The bytes of a document of this close. Throws a ``Stop`` where it has none of the name, and
/// where the bytes were changed.
func closeDocument(_ name: String, of close: CloseRecord, _ ledger: Ledger) throws -> [UInt8] {
  let kept = try ledger.documents(ofClose: close.number)
  if let bytes = try ledger.document(name, ofClose: close.number) {
    guard kept.contains(where: { $0 == (name, CloseDocument(name, bytes).sha256) }) else {
      throw LedgerError.corrupt(
        path: ledger.path, detail: say("@shared.of-close-no-was-changed \(name) \(close.number)"))
    }
    return bytes
  }
  let names = kept.map(\.name)
  throw Stop(
    .badInput, "@close.close-no-has-no \(close.number) \(name)",
    help: "@close.it-keeps \(names.asList)")
}
