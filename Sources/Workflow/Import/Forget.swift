import Billing
import Languages
import Ledger
import Reporting

/// A file that was taken out of the ledger again.
package struct ForgottenFile: Sendable {
  private let file: InputFile
  private let restored: String?

  /// Takes out the file with that name, as it was given, or with that SHA-256 or its first eight
  /// digits or more.
  ///
  /// A close keeps what it concluded, and the closes after it begin with that: a file that one in
  /// force was made with stays.
  /// - Throws: a ``Stop`` where there is no such file, several are, or a close was made with it.
  package init(_ name: String, ledgerPath: String) throws {
    let outcome = try stopping {
      guard identity(of: ledgerPath) != nil else { throw LedgerError.missing(path: ledgerPath) }
      let lock = try ImportLock(ledgerPath: ledgerPath)
      defer { withExtendedLifetime(lock) {} }
      let ledger = try Ledger(path: ledgerPath, mode: .readWrite)
      let book = try CloseBook(ledger)
      let inForce = book.records.filter { book.close(of: $0.period)?.number == $0.number }
      return try ledger.forget(name, lastClosed: inForce.map(\.lastSource).max() ?? 0)
    }
    switch outcome {
    case .forgotten(let file, let restored): (self.file, self.restored) = (file, restored)
    case .closed(let file):
      throw Stop(
        .badInput, "\(file.file) stays: a month was closed with it in the ledger",
        help: "reopen the months that were closed since, remove it, and close them again")
    case .unclear(let count):
      throw Stop(
        .badInput,
        count == 0
          ? "no imported file has the name or SHA-256 \"\(name)\""
          : "\(grouped(count)) imported files have the name or SHA-256 \"\(name)\"",
        help: "name it by its SHA-256, which the view v_file of tieout sql has")
    }
  }

  /// For a person.
  package var text: String {
    var lines = [say("removed \(file.file): \(file.kind.rawValue), \(rows(file.rows))")]
    if let restored { lines.append(say("\(restored) counts again in its place")) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// For a script.
  package var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.string("file", file.file)
      writer.string("kind", file.kind.rawValue)
      writer.string("sha256", file.sha256)
      writer.integer("rows", file.rows)
      writer.string("restored", restored)
    }
    return writer.text() + "\n"
  }
}
