import Billing
import Foundation
import Ledger
import Support
import Testing

/// Goal: whoever reads Chinese reads no English. Method: the string literals of all sources
/// against the table of translations, both ways.
struct TranslationTests {
  private struct Row {
    var template: String
    var text: String
  }

  private static let rows: [Row] = {
    let file = URL(filePath: checkout).appending(path: "Sources/CTables/tables/zh-Hans.tsv")
    guard let table = try? String(contentsOf: file, encoding: .utf8) else {
      preconditionFailure("there is no table of translations")
    }
    return table.split(separator: "\n").map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { String($0).replacing("\\n", with: "\n") }
      precondition(cells.count == 2, "not a template and a text: \(line)")
      return Row(template: cells[0], text: cells[1])
    }
  }()

  private static let literals: [(path: String, template: Template)] =
    SourceFile.swift.filter(\.isSource).flatMap { file in
      TemplateReader(file.text).templates.map { (file.path, $0) }
    }

  // MARK: - Each text has its translation

  /// Rooms with texts for people.
  private static let speaking: Set<String> = [
    "SignedPayload", "Reading", "Pricing", "Matching", "Reporting", "Workflow", "tieout",
  ]

  /// Files whose literals are no texts, and why.
  private static let silentFiles = [
    "Reading/Apple/FinanceColumns.swift": "Apple's names of columns",
    "Reading/Apple/PaymentColumns.swift": "Apple's names of columns",
    "Reading/Apple/SalesColumns.swift": "Apple's names of columns",
    "Reading/Apple/SubscriberReader.swift": "Apple's names of columns",
    "Reading/Apple/SubscriptionColumns.swift": "Apple's names of columns",
    "Reading/Apple/SubscriptionEventReader.swift": "Apple's names of columns",
    "Reading/Mappings/MappingHint.swift": "lines of a configuration, and shops' words",
    "Reporting/Journal/AccountingColumns.swift": "names of columns in other programs",
    "Reporting/Journal/JournalText.swift": "the words of hledger and beancount",
    "Reporting/Summary/SummaryHTML.swift": "tags and styles",
  ]

  /// Literals that are no texts, and why.
  private static let silent = [
    "start date": "a column of Apple's", "end date": "a column of Apple's",
    "country of sale": "a column of Apple's", "extended partner share": "a column of Apple's",
    "partner share currency": "a column of Apple's", "subscription apple id": "a column of Apple's",
    "developer proceeds": "a column of Apple's", "cumulative ordered": "a column of Apple's",
    "offer code": "a column of Apple's", "marketing opt-ins": "a column of Apple's",
    "expiration intent": "a field of Apple's", "auto-renew status": "a field of Apple's",
    "refund reversed": "a field of Apple's", "Paid to ": "how Apple begins a line",
    "StoreKit Testing in Xcode": "a name in a certificate",
    "notifications {1} {2}": "a list that Apple is asked for",
    "agreements = [{ name = \"{1}\", accepted = {2} }]": "a line of the configuration",
    "{1}  sha256 {2}": "a name and a digest", "tieout user {1}": "what a digest is made of",
  ]

  private static func isSilent(_ path: String, _ template: Template) -> Bool {
    let text = template.text
    return silentFiles.keys.contains { path.hasSuffix($0) } || silent[text] != nil
      // Columns of the report on subscriptions.
      || path.hasSuffix("SubscriptionReader.swift") && text.hasSuffix("subscriptions")
      || path.hasSuffix("SubscriptionReader.swift") && text.hasSuffix("offers")
      // The configuration in force, as it could stand in the file.
      || path.hasPrefix("Sources/tieout/Configuration") && text.contains(" = ")
      || path.hasSuffix("ConfigurationDraft.swift") && text.contains(" = ")
      // What shells read.
      || path.hasSuffix("CompletionsCommand.swift")
        && text.contains(#/_tieout|complete -c|local -ar/#)
      // A said sentence with examples below it, and what man takes for commands.
      || text.hasPrefix("{1}\n\n  tieout ")
      || path.hasSuffix("ManualCommand.swift") && text.contains(#/^\.[A-Z]|^tieout \\-/#)
      // The facts that are built in have no reader: what is wrong with them stops the program.
      || path.hasPrefix("Sources/Pricing/Tables") || isAboutTheProgram(template.before)
  }

  /// Whether the code before a literal says that only a wrong program shows it.
  private static func isAboutTheProgram(_ before: String) -> Bool {
    let pattern = #/(?:precondition(?:Failure)?|assert|fatalError)\([^;]*$/#
    return before.contains(pattern)
  }

  /// Words and a space: what a person would read.
  private static func isProse(_ text: String) -> Bool {
    text.trimmingCharacters(in: .whitespacesAndNewlines).contains(" ")
      && text.contains(#/(?:^|[^A-Za-z{%])[a-z]{2,}/#)
  }

  private static let untranslated: [(path: String, template: Template)] = {
    let known = Set(rows.map(\.template))
    return literals.filter { path, template in
      speaking.contains(String(path.split(separator: "/")[1])) && isProse(template.text)
        && !known.contains(template.text) && !isSilent(path, template)
    }
  }()

  @Test func eachTextIsTranslated() {
    for (path, template) in Self.untranslated where !Self.isRenewed(template.text) {
      let old = Self.renewals.first { $0.new == template.text }.map {
        ", which \"\($0.old)\" is; "
          + ($0.keepsWords
            ? "TIEOUT_RENEW_TRANSLATIONS=1 keeps its translation" : "translate what changed")
      }
      Issue.record("\(path):\(template.line): not in zh-Hans.tsv: \(template.text)\(old ?? "")")
    }
  }

  // MARK: - A mended text keeps its translation

  private static let orphans: Set<String> = {
    let written = Set(literals.map(\.template.text))
    return Set(rows.map(\.template)).subtracting(written)
  }()

  /// Mended texts. Where whoever runs the tests asks for it, their translations stand in the table
  /// by the new ones from now on: a comma is mended without losing them.
  private static let renewals: [Renewal] = {
    let all = Renewal.all(
      missing: Set(untranslated.map(\.template.text)), orphans: orphans)
    if wantsRenewal { renew(all.filter(\.keepsWords)) }
    return all
  }()

  private static let wantsRenewal =
    ProcessInfo.processInfo.environment["TIEOUT_RENEW_TRANSLATIONS"] == "1"

  private static func isRenewed(_ text: String) -> Bool {
    wantsRenewal
      && renewals.contains { $0.keepsWords && ($0.new == text || $0.old == text) }
  }

  private static func renew(_ renewals: [Renewal]) {
    if renewals.isEmpty { return }
    let news = Dictionary(renewals.map { ($0.old, $0.new) }) { first, _ in first }
    let lines = rows.map { row -> (String, String) in
      let written = { (text: String) in text.replacing("\n", with: "\\n") }
      return (written(news[row.template] ?? row.template), written(row.text))
    }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    let text = lines.map { "\($0)\t\($1)\n" }.joined()
    let file = URL(filePath: checkout).appending(path: "Sources/CTables/tables/zh-Hans.tsv")
    do { try Data(text.utf8).write(to: file, options: .atomic) } catch {
      Issue.record("zh-Hans.tsv cannot be written: \(error)")
    }
  }

  @Test func aMendedTextIsKnownAgain() {
    let old = "Show what would happen, change nothing in {1}"
    let others: Set = ["Show what happened; change nothing in {1} of {2}", "the ledger is locked"]
    func renewed(_ new: String, _ orphans: Set<String>) -> [Renewal] {
      Renewal.all(missing: [new], orphans: orphans)
    }
    let new = "Show what would happen; change nothing in {1}"
    #expect(renewed(new, others.union([old])) == [Renewal(old: old, new: new)])
    #expect(Renewal(old: old, new: new).keepsWords)
    #expect(!Renewal(old: "{1} is sold", new: "{1} is not sold").keepsWords)
    #expect(renewed(new, others).isEmpty)
    #expect(renewed("Show what would happen; change nothing", others.union([old])).isEmpty)
    // Which of two is meant is not known; nor which of two texts takes one's place.
    #expect(renewed(new, [old, old.replacing("Show", with: "Shew")]).count == 1)
    #expect(renewed("abcdefghij", ["abcdefghix", "abcdefghiy"]).isEmpty)
    #expect(
      Renewal.all(missing: ["abcdefghix", "abcdefghiy"], orphans: ["abcdefghij"]).isEmpty)
  }

  /// What the views mean are values: no pattern has to guess which literals are texts.
  @Test func eachViewIsTranslated() {
    let known = Set(Self.rows.map(\.template))
    for view in LedgerView.all {
      for meaning in [view.meaning] + view.columns.map(\.meaning) {
        #expect(known.contains(meaning.english), "\(view.name): \(meaning.english)")
      }
    }
  }

  /// The same of what the columns of a company's tables mean.
  @Test func eachColumnIsTranslated() {
    let known = Set(Self.rows.map(\.template))
    let tables = [
      OrderTerms.tableColumns, TransactionTerms.tableColumns, PurchaseEventTerms.tableColumns,
      Product.tableColumns, TierPrice.tableColumns, ExchangeRate.tableColumns,
      TaxOverride.tableColumns, CompanyCommission.tableColumns, BankCredit.tableColumns,
      CommissionInvoice.tableColumns,
    ]
    for column in tables.joined() {
      #expect(known.contains(column.meaning.english), "\(column.name): \(column.meaning.english)")
    }
  }

  @Test func eachTranslationHasItsText() {
    for row in Self.rows
    where Self.orphans.contains(row.template) && !Self.isRenewed(row.template) {
      Issue.record("zh-Hans.tsv: no source says \"\(row.template)\"")
    }
  }

  @Test func theTableIsSortedAndEachTemplateOnce() {
    for (row, next) in zip(Self.rows, Self.rows.dropFirst()) {
      let (first, second) = (row.template, next.template).self
      #expect(
        first.utf8.lexicographicallyPrecedes(second.utf8), "\(first) stands before \(second)")
    }
  }

  @Test func eachTranslationHasThePlacesOfItsText() {
    for row in Self.rows {
      let places = { (text: String) in
        text.matches(of: #/\{\d+\}/#).map { String($0.output) }.sorted()
      }
      #expect(places(row.template) == places(row.text), "\(row.template)")
    }
  }

  // MARK: - Tables of facts

  /// The cells of a column of a table of facts; the last column where none is named.
  private static func cells(_ table: String, _ column: String) throws -> Set<String> {
    let file = URL(filePath: checkout).appending(path: "Sources/CTables/tables/\(table).csv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let pattern = #/(?:^|,)(?:"([^"]*)"|([^",]*))/#
    let rows = lines.map { line in
      line.matches(of: pattern).map { String($0.1 ?? $0.2 ?? "") }
    }
    let place = try #require(rows.first?.firstIndex(of: column), "\(table) has no \(column)")
    return Set(rows.dropFirst().map { $0[place] })
  }

  /// What people read of the tables is translated, each once, and nothing else is.
  @Test func factsAreTranslated() throws {
    var said = try Self.cells("storefronts", "name").union(Self.cells("finance_regions", "name"))
    for table in ["taxes", "terms", "factors", "matrices", "us_copies", "tiers"] {
      said.formUnion(try Self.cells(table, "evidence"))
    }
    // The rules of day boundaries; one that the configuration names is no row.
    said.formUnion(try Self.cells("territories", "territory").union(["configured"]))
    let file = URL(filePath: checkout).appending(path: "Sources/CTables/tables/zh-Hans-facts.tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let pairs = lines.map { $0.split(separator: "\t").map(String.init) }
    #expect(pairs.allSatisfy { $0.count == 2 })
    #expect(Set(pairs.map { $0[0] }) == said)
    for (pair, next) in zip(pairs, pairs.dropFirst()) {
      #expect(pair[0].utf8.lexicographicallyPrecedes(next[0].utf8), "\(pair[0])")
    }
    for pair in pairs {
      #expect(pair[1].contains(#/\p{Han}/#), "\(pair)")
      let left = pair[1].matches(of: #/[A-Za-z]*[a-z]+[A-Za-z]*/#).map { String($0.output) }
      #expect(Set(left).isSubset(of: ["Apple", "iOS", "iPadOS"]), "\(pair)")
    }
  }

  // MARK: - No English is left

  /// Names, codes and what is typed as it stands, in lower case.
  private static let words: Set<String> = [
    // Commands, and values of options and keys.
    "tieout", "closes", "import", "reconcile", "iap", "subscription", "whole", "all", "standard",
    "after-one-year", "small-business", "equal-net", "gross", "net", "info", "warning", "error",
    "true", "false", "from", "to", "json", "jsonl", "csv", "text", "apple", "close", "explain",
    "export", "finding", "findings", "sql", "select", "man", "shell", "accept", "assign", "comment",
    "backup", "verify", "fetch", "forget", "spark",
    "subscriptions", "entities", "patterns", "flow", "transactions",
    "reopen", "open", "accepted", "assigned", "reopened", "created", "paid", "fulfilled",
    "refunded", "cancelled", "current", "superseded", "partial", "consumable", "company",
    "unsigned", "signed", "order", "orders", "transaction", "user", "cell", "proceeds", "journal",
    "not-in-report", "list", "pay", "upload", "fulfil", "ok", "failed",
    // Columns of tables, fields of Apple's, keys of the configuration.
    "sales", "storefront", "price", "date", "currency", "commission", "sku", "tier", "name",
    "quantity",
    "rate", "base", "quote", "status", "units", "amount", "receipt", "accounts", "bank",
    "extended", "partner", "share", "end", "start", "begin", "total", "owed", "earned", "sold",
    "product", "type", "identifier", "rows", "app", "account", "token", "principal", "agent",
    "gross-of-tax", "month", "day", "tolerance", "revision", "body", "history", "refunds",
    "notifications", "zone", "files", "decimal", "language", "columns", "encoding", "dmy",
    "constants", "unit", "iconv", "help", "print", "init", "en", "zh",
    "class", "programme", "programmes", "agreements", "skus", "approved", "tax", "ios", "mini-apps",
    "video-partner", "news-partner", "count", "seconds",
    // Formats and programs.
    "gzip", "zip", "md", "html", "tz", "beancount", "sha256", "crit", "x", "h", "min", "d",
    "chmod", "less", "spark-sql", "f",
  ]

  @Test func noEnglishIsLeft() {
    let names = #/--[a-z-]+|<[a-z]+>|[\w.\/=:+-]*[0-9A-Z_.=\/][\w.\/=:+-]*/#
    for row in Self.rows {
      // What is indented is an example of what to type.
      let said = row.text.split(separator: "\n").filter { !$0.hasPrefix("  tieout") }
      let rest = said.joined(separator: "\n").replacing(#/\{\d+\}/#, with: " ").replacing(
        names, with: " ")
      for word in rest.matches(of: #/[a-z][a-z-]*/#).map({ String($0.output) })
      where !Self.words.contains(word) {
        Issue.record("\"\(word)\" in \"\(row.text)\"")
      }
    }
  }

  @Test func literalsAreRead() {
    let text = #"""
      let a = "one \(b) and \(c("inner \(d)")) end" // "no"
      let e = """
        first \
        \(f)
          second "x"
        """
      """#
    #expect(
      TemplateReader(text).templates.map(\.text) == [
        "one {1} and {2} end", "inner {1}", "first {1}\n  second \"x\"",
      ])
  }
}
