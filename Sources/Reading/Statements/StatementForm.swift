internal import Billing

/// How a bank's statement is written that banks send to programs.
enum StatementForm {
  /// ISO 20022's `camt.052`, `camt.053` and `camt.054`, of any version.
  case camt(version: String)
  /// SWIFT's MT940.
  case mt940

  /// The form of a text, by its first bytes; nil where it is no such statement.
  ///
  /// - Throws: a diagnostic of XML that brings entities of its own, which no bank does.
  init?(_ stream: TextStream) throws {
    let head = stream.available.prefix(4096)
    if head.first == UInt8(ascii: "<") {
      let text = String(decoding: head, as: UTF8.self)
      guard text.contains("<!ENTITY") || text.contains("BkToCstmr") || text.contains(Self.space)
      else { return nil }
      if text.contains("<!DOCTYPE") || text.contains("<!ENTITY") {
        throw Diagnostic(
          topic: "xml", at: SourceLocation(file: stream.file),
          "@statement.xml-defines-entities", help: "@statement.download-from-the-bank")
      }
      let version = text.firstRange(of: Self.space).map { place in
        "camt.05" + text[place.upperBound...].prefix { $0.isNumber || $0 == "." }
      }
      self = .camt(version: version ?? "camt")
      return
    }
    // Some banks put lines of an envelope above the first field.
    let lines = head.split(separator: 0x0A, maxSplits: 16, omittingEmptySubsequences: false)
    func begins(_ line: Slice<UnsafeRawBufferPointer>, _ tags: String...) -> Bool {
      tags.contains { line.starts(with: $0.utf8) }
    }
    guard let first = lines.firstIndex(where: { begins($0, ":20:", "{1:") }), first <= 4,
      lines[..<first].allSatisfy({ $0.count < 64 && !$0.contains(0x2C) && !$0.contains(0x3B) }),
      lines.contains(where: { begins($0, ":25", ":60", ":28") })
    else { return nil }
    self = .mt940
  }

  private static let space = "urn:iso:std:iso:20022:tech:xsd:camt.05"
}

/// What an entry of a statement says.
struct StatementEntry {
  var day: Day
  /// Micro-units, below zero for what left the account.
  var amount: Int64
  var currency: Currency
  /// What for.
  var reference: String
  var valueDay: Day?
  /// Who paid, or who was paid.
  var payer = ""
  /// Whether the bank marks it as taking an earlier entry back.
  var isReversal = false
}

/// A statement's opening or closing balance.
struct StatementBalance {
  var amount: Money
  /// Nil where the statement has none.
  var day: Day?
}

/// What a piece of a statement says.
enum StatementPart {
  /// A statement begins, of the account with this number; empty where it has none.
  case account(String)
  case opening(StatementBalance)
  case closing(StatementBalance)
  /// An entry, or the single amounts of a batch.
  case entries([StatementEntry])
  /// An entry that is not booked yet.
  case pending
  case nothing
}

/// Cuts a statement into pieces, each one balance or one entry, and tells what each says.
protocol StatementPieces {
  init()
  /// Whether the pieces so far have the end of what was begun: a download may have broken off.
  var isWhole: Bool { get }
  /// Bytes of the piece that the text begins with; nil where its end is not there yet.
  func length(ofPieceIn text: UnsafeRawBufferPointer) -> Int?
  /// What a piece says; throws a diagnostic for one that cannot be read.
  mutating func part(_ piece: UnsafeRawBufferPointer) throws(RecordDiagnostic) -> [StatementPart]
}

/// Reads a bank's statement: a row for each credit, and for each debit that may take one of Apple's
/// back. Other debits are left out, but for how many there are. It warns where the opening balance
/// and the entries do not come to the closing balance, and rejects an opening balance that is not
/// the closing one before: statements that lack one in between do not show what never came.
struct StatementReader<Pieces: StatementPieces>: PieceReader {
  private var pieces = Pieces()
  private var rows: [(line: Int32, BankCredit)] = []
  private var span: (first: Day, last: Day)?
  private var counts = CreditCounts()
  /// The last credit of each amount.
  private var lastCredits: [Money: BankCredit] = [:]
  private var debits = 0
  /// Entries of nothing, by which some banks tell of something else.
  private var zeros = 0
  private var pendingEntries = 0
  private var balances = Balances()

  init() {}

  var pending: Int { rows.count }
  var footerCount: Int { debits + zeros + pendingEntries }

  func length(ofPieceIn text: UnsafeRawBufferPointer) -> Int? { pieces.length(ofPieceIn: text) }

  /// Reads a balance or an entry, and returns how many entries it holds: credits, debits and those
  /// that are not booked yet.
  mutating func read(
    _ piece: UnsafeRawBufferPointer, line: Int32
  ) throws(RecordDiagnostic) -> Int {
    var records = 0
    for part in try pieces.part(piece) {
      switch part {
      case .account(let account): balances.begin(account)
      case .opening(let balance): try balances.open(balance)
      case .closing(let balance): balances.close(balance, line)
      case .entries(let entries):
        for entry in entries { add(entry, line) }
        records += entries.count
      case .pending:
        pendingEntries += 1
        records += 1
      case .nothing: break
      }
    }
    return records
  }

  /// Adds an entry to the sums, and a row for it if it is a credit or may take one back.
  private mutating func add(_ entry: StatementEntry, _ line: Int32) {
    balances.add(entry)
    span = (min(span?.first ?? entry.day, entry.day), max(span?.last ?? entry.day, entry.day))
    if entry.amount == 0 {
      zeros += 1
      return
    }
    var credit = BankCredit(
      day: entry.day, amount: entry.amount, currency: entry.currency, reference: entry.reference,
      valueDay: entry.valueDay, payer: entry.payer)
    if entry.amount > 0 {
      lastCredits[Money(micros: entry.amount, entry.currency)] = credit
    } else {
      let taken = lastCredits[Money(micros: -entry.amount, entry.currency)]
      guard taken != nil || credit.namesApple else {
        debits += 1
        return
      }
      // The bank's mark says whose credit it takes back, though its text may not.
      if entry.isReversal, let taken, !credit.namesApple {
        credit.payer = taken.payer.isEmpty ? taken.reference : taken.payer
      }
    }
    counts.add(credit)
    rows.append((line, credit))
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    return FactBlock(rows: .bank(rows))
  }

  /// The days of all entries and how many were left out, with warnings about balances that do not
  /// add up; throws a diagnostic for a statement that is cut.
  func summary(_ log: ReadingLog) throws -> RowSummary {
    guard pieces.isWhole else {
      throw Diagnostic(
        topic: "cut", at: SourceLocation(file: log.file), "@statement.ends-before-its-end",
        help: "@statement.download-from-the-bank")
    }
    balances.warn(log)
    var summary = RowSummary(begin: span?.first, end: span?.last)
    let tallies =
      counts.tallies + [
        Tally(what: "@statement.debits-left-out", one: "@statement.debit-left-out", count: debits),
        Tally(
          what: "@statement.entries-not-booked", one: "@statement.entry-not-booked",
          count: pendingEntries),
      ]
    summary.tallies = tallies.filter { $0.count > 0 }
    return summary
  }
}

/// Whether the entries of each statement lead from its opening balance to its closing one, and that
/// to the next opening one. Both may stand before the entries, and in either order.
private struct Balances {
  /// The account and currency of a series of statements.
  private struct Series: Hashable {
    var account: String
    var currency: Currency
  }

  private var account = ""
  private var opening: StatementBalance?
  private var closing: (balance: StatementBalance, line: Int32)?
  /// Of the statements before.
  private var closings: [Series: StatementBalance] = [:]
  /// Of the entries, while all are in the balance's currency.
  private var sum: Int128? = 0
  private var misfits: [(line: Int32, by: Money)] = []
  private var misfitCount = 0
  private static let listed = 5

  /// Begins another statement.
  mutating func begin(_ account: String) {
    finish()
    self.account = account
  }

  /// Notes an opening balance; a second one begins another statement. Throws a diagnostic where it
  /// is of a later day than the closing one before and differs from it. Within a day statements may
  /// stand in any order, or twice.
  mutating func open(_ balance: StatementBalance) throws(RecordDiagnostic) {
    if opening != nil { finish() }
    opening = balance
    let before = closings[Series(account: account, currency: balance.amount.currency)]
    guard let before, let last = before.day, let day = balance.day, day > last,
      before.amount != balance.amount
    else { return }
    throw RecordDiagnostic(
      nil, "gap",
      """
      @statement.statement-is-missing \(spoken(before.amount)) \(last) \(spoken(balance.amount)) \
      \(day)
      """, help: "@statement.get-the-missing-one")
  }

  /// Notes a closing balance; a second one begins another statement.
  mutating func close(_ balance: StatementBalance, _ line: Int32) {
    if closing != nil { finish() }
    closing = (balance, line)
  }

  /// Adds an entry to the sum of its statement.
  mutating func add(_ entry: StatementEntry) {
    if let opening, opening.amount.currency != entry.currency { sum = nil }
    sum = sum.map { $0 + Int128(entry.amount) }
  }

  /// Compares the balances at the end of a statement, and notes by how much its entries miss.
  private mutating func finish() {
    defer { (opening, closing, sum) = (nil, nil, 0) }
    guard let closing else { return }
    let (last, currency) = (closing.balance.amount, closing.balance.amount.currency)
    closings[Series(account: account, currency: currency)] = closing.balance
    guard let first = opening?.amount, let sum, first.currency == currency else { return }
    let apart = Int128(last.micros) - Int128(first.micros) - sum
    if apart == 0 { return }
    misfitCount += 1
    guard misfits.count < Self.listed else { return }
    misfits.append((closing.line, Money(micros: Int64(clamping: apart), currency)))
  }

  /// Adds a warning for each statement whose entries do not lead from one balance to the other: for
  /// the first few by how much.
  func warn(_ log: ReadingLog) {
    var all = self
    all.finish()
    for (line, difference) in all.misfits {
      let apart = "\(difference.text) \(difference.currency)"
      log.warn(
        "amount", line: Int(line), "@statement.entries-do-not-lead \(apart)",
        help: "@statement.page-may-be-missing")
    }
    guard all.misfitCount > all.misfits.count else { return }
    log.warn(
      "amount", "@statement.more-statements-do-not-add-up \(all.misfitCount - all.misfits.count)",
      help: "@statement.page-may-be-missing")
  }
}

/// An amount of a statement in micro-units, below zero for a debit; throws a diagnostic for no
/// number.
func statementAmount(_ text: String, isCredit: Bool) throws(RecordDiagnostic) -> Int64 {
  let plain = text.replacing(",", with: ".")
  let whole = plain.hasSuffix(".") ? String(plain.dropLast()) : plain
  let amount = Array(whole.utf8).withUnsafeBytes { micros(decimal: $0) }
  guard let amount, amount.magnitude <= amountLimit else {
    throw RecordDiagnostic(
      nil, "amount", "@statement.amount-is-no-number \(text)",
      help: "@statement.download-from-the-bank")
  }
  return isCredit ? amount : -amount
}
