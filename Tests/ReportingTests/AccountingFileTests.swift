import Billing
import Conclusions
import Testing

@testable import Reporting

/// The journal as accounting programs import it: each entry balances to the minor unit, and nothing
/// is written where an account, a rate or a number of the client's is missing.
@Suite struct AccountingFileTests {
  private static let settings: Settings = {
    var settings = Settings()
    for (index, role) in AccountRole.allCases.enumerated() {
      settings.accountCodes[role] = "\(4000 + 10 * index)"
    }
    settings.xeroTaxRate = "No VAT"
    settings.datev = Settings.DATEVClient(
      consultant: 29098, client: 55003, firstMonth: 7, accountLength: 4)
    return settings
  }()

  private static var journal: Journal {
    Journal(SampleBooks.reconciliation, settings: settings)
  }

  private static func text(
    _ program: AccountingProgram, _ settings: Settings = settings, since: Day? = nil
  ) throws(AccountingGap) -> String {
    let bytes = try journal.file(for: program, settings, since: since)
    guard program == .datev else { return String(decoding: bytes, as: UTF8.self) }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  @Test(arguments: AccountingProgram.allCases)
  func theFileIsAsTheProgramWantsIt(program: AccountingProgram) throws {
    let ending = program == .yonyou ? "txt" : "csv"
    try expectGolden(Self.text(program), "journal.\(program.rawValue).\(ending)")
  }

  /// Debits less credits of each entry, in hundredths.
  private static func balances(_ program: AccountingProgram) throws -> [String: Int64] {
    var sums: [String: Int64] = [:]
    func add(_ entry: String, _ amount: String, _ sign: Int64 = 1) throws {
      let value = amount.isEmpty ? 0 : try #require(micros(decimal: amount))
      #expect(value % 10_000 == 0, "\(amount)")
      sums[entry, default: 0] += sign * value
    }
    if program == .yonyou {
      for line in try text(program).split(separator: "\r\n").dropFirst() {
        let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        #expect(cells.count == 11)
        try add(cells[2], cells[6])
        try add(cells[2], cells[7], -1)
      }
      return sums
    }
    let read = CSVTable(try text(program)).read { row -> Bool? in
      func cell(_ name: String) -> String { row(name) ?? "" }
      switch program {
      case .xero: try? add(cell("*Narration"), cell("*Amount"))
      case .quickbooks:
        try? add(cell("Journal No"), cell("Debits"))
        try? add(cell("Journal No"), cell("Credits"), -1)
      default:
        try? add(cell("凭证号"), cell("借方"))
        try? add(cell("凭证号"), cell("贷方"), -1)
      }
      return true
    }
    #expect(read != nil)
    return sums
  }

  @Test(arguments: [AccountingProgram.xero, .quickbooks, .kingdee, .yonyou])
  func eachEntryBalances(program: AccountingProgram) throws {
    let balances = try Self.balances(program)
    #expect(balances.count > 5)
    let open = balances.filter { $0.value != 0 }
    #expect(open.isEmpty, "\(open)")
  }

  /// Records have one debit and one credit; together they post to each account what the journal
  /// does, in base currency.
  @Test func datevPostsWhatTheJournalDoes() throws {
    let lines = try Self.text(.datev).split(separator: "\r\n")
    #expect(lines[1].split(separator: ";", omittingEmptySubsequences: false).count == 125)
    #expect(lines[0].contains(";20220701;4;20230601;20230630;"), "the year began in July")
    var posted: [String: Int64] = [:]
    for line in lines.dropFirst(2) {
      let cells = line.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
      #expect(cells.count == 125 && cells[6] != cells[7])
      let amount = try #require(micros(decimal: cells[0].replacing(",", with: ".")))
      #expect(amount > 0)
      posted[cells[6], default: 0] += amount
      posted[cells[7], default: 0] -= amount
    }
    var expected: [String: Int64] = [:]
    for posting in Self.journal.entries.flatMap(\.postings) {
      let code = try #require(Self.settings.accountCodes[posting.account])
      expected[code, default: 0] += try #require(posting.value(in: Self.journal.base))
    }
    for (code, amount) in expected {
      #expect(abs(amount - (posted[code] ?? 0)) < 100_000, "\(code)")
    }
  }

  @Test func whatIsMissingIsNamed() throws {
    var settings = Self.settings
    settings.accountCodes[.receivable] = nil
    #expect(throws: AccountingGap.codes([.receivable])) { try Self.text(.xero, settings) }
    settings.accountCodes[.receivable] = "12a"
    #expect(throws: AccountingGap.notCodes(["12a"])) { try Self.text(.datev, settings) }
    _ = try Self.text(.kingdee, settings)
    settings = Settings()
    _ = try Self.text(.quickbooks, settings)
    settings.accountCodes = Self.settings.accountCodes
    #expect(throws: AccountingGap.key("xero_tax_rate")) { try Self.text(.xero, settings) }
    #expect(throws: AccountingGap.key("datev")) { try Self.text(.datev, settings) }
    let unvalued = Journal(SampleMonth.reconciliation, settings: settings)
    #expect(throws: AccountingGap.self) {
      try unvalued.file(for: .kingdee, settings, since: nil)
    }
  }

  /// Of a month with as many adjustments, each an entry of its own.
  private static func journal(adjustments: Int) -> Journal {
    var month = SampleBooks.reconciliation
    let regions = (0..<adjustments).map { "R\($0)" }
    month.books!.settled += regions.map {
      SettledAmount(
        .adjustment, of: FiscalMonth(year: 2023, number: 8)!, in: $0,
        Money(micros: 7_000_000, Currency("EUR")!), on: Day("2023-06-28")!)
    }
    return Journal(month, settings: settings)
  }

  private static func rows(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  /// Xero takes 300 lines from a file: what is longer is refused with the number of its parts,
  /// which have each entry whole and together all of them.
  @Test func aLongJournalForXeroComesInParts() throws {
    let long = Self.journal(adjustments: 200)
    func part(_ number: Int?) throws(AccountingGap) -> [UInt8] {
      try long.file(for: .xero, Self.settings, since: nil, part: number)
    }
    var (count, lines) = (0, 0)
    do throws(AccountingGap) {
      _ = try part(nil)
      Issue.record("a file of any length")
    } catch {
      guard case .parts(let parts, let all) = error else {
        Issue.record("\(error)")
        return
      }
      (count, lines) = (parts, all)
    }
    #expect(count > 1 && lines > 300)
    var all: [Substring] = []
    var seen: Set<String> = []
    for number in 1...count {
      let rows = Self.rows(try part(number))
      #expect(rows.count <= 300 && rows.count > 1)
      let narrations = Set(rows.dropFirst().map { String($0.split(separator: ",")[0]) })
      #expect(seen.isDisjoint(with: narrations), "an entry stands in two parts")
      seen.formUnion(narrations)
      all += rows.dropFirst()
    }
    #expect(all.count == lines)
    #expect(throws: AccountingGap.noPart(count + 1, of: count)) { try part(count + 1) }
    // The short one is one file, and its first part.
    let short = try Self.journal.file(for: .xero, Self.settings, since: nil)
    #expect(try Self.journal.file(for: .xero, Self.settings, since: nil, part: 1) == short)
    // The others have no such limit.
    _ = try long.file(for: .kingdee, Self.settings, since: nil)
  }

  @Test func entriesBeforeTheDayAreLeftOut() throws {
    let all = try Self.text(.yonyou).split(separator: "\r\n").count
    let later = try Self.text(.yonyou, since: Day("2023-06-30")!).split(separator: "\r\n").count
    #expect(later < all && later > 1)
  }
}
