package import Billing
import Languages
import Ledger
import Reporting

/// Days that were recorded as days without sales, and no longer are.
package struct ForgottenDays: Sendable {
  private let days: [NoSalesDay]

  /// Removes from the ledger that Apple had no sales on these days.
  ///
  /// - Parameter vendor: nil is every vendor.
  /// - Throws: a ``Stop`` where a day was not recorded, or a month that has it is closed.
  package init(_ days: [Day], vendor: String?, ledgerPath: String) throws {
    self.days = try stopping {
      guard identity(of: ledgerPath) != nil else { throw LedgerError.missing(path: ledgerPath) }
      let lock = try ImportLock(ledgerPath: ledgerPath)
      defer { withExtendedLifetime(lock) {} }
      let ledger = try Ledger(path: ledgerPath, mode: .readWrite)
      let book = try CloseBook(ledger)
      let closed = book.records.filter { book.close(of: $0.period)?.number == $0.number }
      let recorded = try ledger.noSales().filter { vendor == nil || $0.vendor == vendor }
      for day in days {
        guard recorded.contains(where: { $0.day == day }) else {
          throw Stop(
            .badInput, "@import.is-not-recorded \(day)",
            help: "@import.tieout-status-counts-the-days")
        }
        if let close = closed.first(where: { $0.period.contains(day) }) {
          throw Stop(
            .badInput, "@import.stays-a-day-without-sales \(day) \(close.period)",
            help: "@import.reopen-then-repeat-this-command \(close.period)")
        }
      }
      return try days.flatMap { day in
        try ledger.forgetNoSales(day, vendor: vendor).map { NoSalesDay(day: day, vendor: $0) }
      }
    }
  }

  /// A line for each day that was taken back, for a person.
  package var text: String {
    days.map {
      say(
        $0.vendor.isEmpty
          ? "@import.is-no-longer-recorded \($0.day)"
          : "@import.is-no-longer-recorded-as-a-day \($0.day) \($0.vendor)") + "\n"
    }.joined()
  }

  /// The days that were taken back, for a script: one JSON document.
  package var json: String {
    jsonDocument { writer in
      writer.objects("no_sales", of: days) { $1.writeFields(to: &$0) }
    }
  }
}

/// A file that was taken out of the ledger again.
package struct ForgottenFile: Sendable {
  /// Nil for one that was fetched and waited to be imported, or was rejected.
  private let file: InputFile?
  private let name: String
  private let restored: String?
  /// Whether the next fetch finds the file, and imports it.
  private let isImportedAgain: Bool

  /// Removes from the ledger the file with that name, as it was given, or with that SHA-256 or its
  /// first eight digits or more. What was fetched is to be imported again then; where its file is
  /// gone, or it was never imported, it is to be asked for again.
  ///
  /// A close keeps what it concluded, and the closes after it begin with that: a file that one in
  /// force was made with stays.
  /// - Throws: a ``Stop`` where there is no such file, several are, or a close was made with it.
  package init(_ name: String, ledgerPath: String) throws {
    var isImportedAgain = false
    let outcome = try stopping { () -> ForgetOutcome? in
      guard identity(of: ledgerPath) != nil else { throw LedgerError.missing(path: ledgerPath) }
      let lock = try ImportLock(ledgerPath: ledgerPath)
      defer { withExtendedLifetime(lock) {} }
      let ledger = try Ledger(path: ledgerPath, mode: .readWrite)
      let book = try CloseBook(ledger)
      let inForce = book.records.filter { book.close(of: $0.period)?.number == $0.number }
      let lastClosed = inForce.map(\.lastSource).max() ?? 0
      var outcome = try ledger.forget(name, lastClosed: lastClosed)
      // Files that were fetched have the name that they are found by from everywhere.
      if outcome == .unclear(0) {
        outcome = try ledger.forget(absolutePath(name), lastClosed: lastClosed)
      }
      switch outcome {
      case .forgotten(let file, _, isFetched: true):
        isImportedAgain = identity(of: file.file) != nil
        if !isImportedAgain { try Self.askAgain(file.file, ledger) }
      case .unclear(0):
        let names = [name, absolutePath(name)]
        if let fetched = try ledger.unimportedFiles().first(where: names.contains) {
          try Self.askAgain(fetched, ledger)
          return nil
        }
        if try ledger.noteRejected([], noLonger: [plainPath(name), absolutePath(name)]) {
          return nil
        }
        outcome = try ledger.forget(Self.fileMeant(name, in: ledger), lastClosed: lastClosed)
      default: break
      }
      return outcome
    }
    self.isImportedAgain = isImportedAgain
    switch outcome {
    case nil: (self.file, self.name, self.restored) = (nil, name, nil)
    case .forgotten(let file, let restored, _)?:
      (self.file, self.name, self.restored) = (file, file.file, restored)
    case .closed(let file)?:
      throw Stop(
        .badInput, "@import.cannot-be-removed \(file.file)",
        help: "@import.reopen-the-months")
    case .unclear(let count)?:
      throw Stop(
        .badInput,
        count == 0
          ? "@import.no-imported-file-has \(name)"
          : "@import.imported-files-have-the-name \(grouped(count)) \(name)",
        help: "@import.name-it-by-its-sha")
    }
  }

  /// The name in the ledger of the file that the user means by another way to write its path, or by
  /// its bare name.
  ///
  /// - Throws: a ``Stop`` that names those that may be meant, where not one alone is.
  private static func fileMeant(_ name: String, in ledger: Ledger) throws -> String {
    /// The file's name without its folder.
    func bare(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
    let files = try ledger.files().map(\.input.file)
    let same = files.filter { absolutePath($0) == absolutePath(name) }
    if same.count == 1 { return same[0] }
    let alike = name.contains("/") ? [] : files.filter { bare($0) == name }
    if alike.count == 1 { return alike[0] }
    let near = nearest(to: bare(name), among: files.map(bare))
    let proposed = alike.isEmpty ? files.filter { bare($0) == near } : alike
    let list = proposed.prefix(5).joined(separator: ", ")
    throw Stop(
      .badInput,
      alike.isEmpty
        ? "@import.no-imported-file-has \(name)"
        : "@import.imported-files-have-the-name \(grouped(alike.count)) \(name)",
      help: proposed.isEmpty ? "@import.name-it-by-its-sha" : "@import.did-you-mean \(list)")
  }

  /// Removes a fetched file from the list of those to import, so that the next fetch asks for its
  /// content again.
  private static func askAgain(_ path: String, _ ledger: Ledger) throws {
    let name = path.split(separator: "/").last ?? ""
    try ledger.giveUpFile(path, of: ledger.answers().filter { $0.isOfFile(name) })
  }

  /// What was taken out, and what happens next because of that, for a person.
  package var text: String {
    guard let file else { return say("@import.no-longer-waits \(name)") + "\n" }
    var lines = [say("@import.removed \(file.file) \(file.kind.rawValue) \(rows(file.rows))")]
    if let restored { lines.append(say("@import.counts-again-in-its-place \(restored)")) }
    if isImportedAgain { lines.append(say("@import.next-fetch-imports-it-again")) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The file that was taken out, for a script: one JSON document.
  package var json: String {
    jsonDocument { writer in
      writer.string("file", name)
      writer.string("kind", file?.kind.rawValue)
      writer.string("sha256", file?.sha256)
      writer.integer("rows", file?.rows ?? 0)
      writer.string("restored", restored)
    }
  }
}
