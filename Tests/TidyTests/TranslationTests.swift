import Billing
import Foundation
import Ledger
import Support
import Testing

/// Goal: whoever reads Chinese reads no English, and no text is without a reader. Method: the keys
/// in the string literals of all sources against the tables of texts, both ways.
struct TranslationTests {
  private static let rows = TextRow.all

  private static let literals: [(path: String, template: Template)] =
    SourceFile.swift.filter(\.isSource).flatMap { file in
      TemplateReader(file.text).templates.map { (file.path, $0) }
    }

  // MARK: - Each text has its translation

  /// Rooms with texts for people.
  private static let speaking: Set<String> = [
    "SignedPayload", "Reading", "Pricing", "Conclusions", "Matching", "Reporting", "Workflow",
    "tieout",
  ]

  /// Files whose literals are no texts, and why.
  private static let silentFiles = [
    "Reading/Apple/FinanceColumns.swift": "Apple's names of columns",
    "Reading/Apple/PaymentColumns.swift": "Apple's names of columns",
    "Reading/Apple/SalesColumns.swift": "Apple's names of columns",
    "Reading/Apple/SubscriberReader.swift": "Apple's names of columns",
    "Reading/Apple/SubscriptionColumns.swift": "Apple's names of columns",
    "Reading/Apple/SubscriptionEventReader.swift": "Apple's names of columns",
    "Reading/Apple/WarehouseLayout.swift": "Apple's names of columns",
    "Reading/Company/BankRatesLayout.swift": "names of columns in others' tables",
    "Reading/Company/MonthlyRatesReader.swift": "names of columns in others' tables",
    "Reading/Company/PriceListReader.swift": "Apple's names of columns",
    "Reading/Mappings/BankSigns.swift": "lines of a configuration",
    "Reading/Mappings/KnownExport.swift": "what others call their columns",
    "Reading/Mappings/MappedEntries.swift": "lines of a configuration",
    "Reading/Text/MappingHint.swift": "lines of a configuration, and shops' words",
    "Reading/Mappings/NameWords.swift": "words in names of others' columns",
    "Reporting/Journal/AccountingColumns.swift": "names of columns in other programs",
    "Reporting/Journal/JournalText.swift": "the words of hledger and beancount",
    "Reporting/Text/HTML.swift": "tags and styles",
    "Workflow/Shared/StorefrontNames.swift": "names of countries in others' files",
    "Reporting/Page/DayChart.swift": "a drawing", "Reporting/Page/PageChart.swift": "a drawing",
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
    "billing retry": "a column of Apple's", "grace period": "a column of Apple's",
    "customer price": "a column of Apple's", "tier {1}": "what a question is known by",
    "there were no sales": "what Apple answers",
    "{1} ms": "a unit", "an object": "what stands in place of a word of JSON",
    "out of memory": "what the library says", "a workbook of more than 4 GB": "the same",
    "StoreKit Testing in Xcode": "a name in a certificate",
    "notifications {1} {2}": "a list that Apple is asked for",
    "{1} {2}.jsonl": "the name of a file",
    "series description": "a column of the Federal Reserve's", "time period": "the same",
    "agreements = [{ name = \"{1}\", accepted = {2} }]": "a line of the configuration",
    "environment \"": "how an unknown word is kept",
    "import.orders.words.channel = { apple = [{1}] }": "a line of the configuration",
    "import.orders.columns.order_id = \"{1}\"": "a line of the configuration",
    "files = \"{1}\"": "the same", "encoding = \"{1}\"": "the same",
    "SQLite format 3": "how a database begins", "SQLite format 3\\0": "the same",
    "SQLite format 3\0": "the same",
    "# tieout config init --as {1} {2} --print": "what is typed",
    "tieout forget {1} && tieout import {2}": "the same", "tieout reconcile {1} --all": "the same",
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
      // The same as it is proposed.
      || path.hasSuffix("MappingAdvice.swift") && text.contains(" = ")
      || path.hasSuffix("CoinSigns.swift") && text.contains(" = ")
      // What shells read.
      || path.hasSuffix("CompletionsCommand.swift")
        && text.contains(#/_tieout|complete -c|local -ar/#)
      // A said sentence with examples below it, and what man takes for commands.
      || text.hasPrefix("{1}\n\n  tieout ")
      || path.hasSuffix("NextSteps.swift") && text.hasPrefix("tieout ")
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

  @Test func eachTextHasAKey() {
    for (path, template) in Self.literals {
      guard Self.speaking.contains(String(path.split(separator: "/")[1])),
        TextRow.key(of: template.text) == nil, Self.isProse(template.text),
        !Self.isSilent(path, template)
      else { continue }
      Issue.record("\(path):\(template.line): a text without a key: \(template.text)")
    }
  }

  @Test func eachKeyHasATextWithAsManyPlaces() {
    let known = Dictionary(uniqueKeysWithValues: Self.rows.map { ($0.key, $0) })
    for (path, template) in Self.literals {
      guard let key = TextRow.key(of: template.text), !key.contains("{") else { continue }
      guard let row = known[key] else {
        Issue.record("\(path):\(template.line): no table has \(key)")
        continue
      }
      // What is interpolated is a place of the literal, and of the text.
      let places = template.text.matches(of: #/\{\d+\}/#).count
      #expect(
        row.places.count == places,
        "\(path):\(template.line): \(key) has \(row.places.count) places, \(places) values")
    }
  }

  /// Keys of findings are put together from their codes and what is told of each.
  @Test func eachTextIsSaid() {
    let said = Set(Self.literals.compactMap { TextRow.key(of: $0.template.text) })
    let parts: Set = ["meaning", "brief", "causes", "action", "amount", "no-amount", "certainty"]
    for row in Self.rows where !said.contains(row.key) {
      let pieces = row.key.dropFirst().split(separator: ".")
      let isOfCode = pieces.count == 2 && FindingCode(rawValue: String(pieces[0])) != nil
      let isMark = Self.literals.contains { $0.template.text == row.key }
      if isMark || isOfCode && parts.contains(String(pieces[1])) { continue }
      Issue.record("no source says \(row.key)")
    }
  }

  @Test func eachCodeHasItsTextsAndOneDeclaration() {
    let declared = Self.literals.filter { $0.template.before.hasSuffix("FindingCode(") }
      .map(\.template.text)
    #expect(Set(declared).count == declared.count)
    #expect(Set(declared) == Set(FindingCode.allCases.map(\.rawValue)))
    let keys = Set(Self.rows.map(\.key))
    for code in FindingCode.allCases {
      for part in ["meaning", "brief", "causes", "action"] {
        #expect(keys.contains("@\(code.rawValue).\(part)"), "\(code.rawValue) has no \(part)")
      }
    }
  }

  @Test func theGuideNamesEachCode() throws {
    let file = URL(filePath: checkout).appending(path: "Reports/guide/findings.md")
    let guide = try String(contentsOf: file, encoding: .utf8)
    for code in FindingCode.allCases {
      #expect(guide.contains("`\(code.rawValue)`"), "the guide has no \(code.rawValue)")
    }
  }

  @Test func theTableIsSortedAndEachKeyOnce() {
    #expect(Set(Self.rows.map(\.key)).count == Self.rows.count)
    let keys = Self.rows.filter { !$0.isOfFinding }.map(\.key)
    for (key, next) in zip(keys, keys.dropFirst()) {
      #expect(key.utf8.lexicographicallyPrecedes(next.utf8), "\(key) stands before \(next)")
    }
  }

  @Test func bothLanguagesHaveTheSamePlaces() {
    for row in Self.rows { #expect(row.places == TextRow.places(row.chinese), "\(row.key)") }
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
    let file = URL(filePath: checkout).appending(path: "Sources/CTables/tables/facts.tsv")
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
    "backup", "verify", "fetch", "forget", "spark", "plan", "nulls", "channel",
    "subscriptions", "entities", "patterns", "flow", "transactions", "statuses",
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
    "notifications", "zone", "files", "decimal", "language", "columns", "encoding", "dmy", "mdy",
    "constants", "unit", "iconv", "help", "print", "init", "config", "template", "options", "en",
    "zh", "confirm",
    "class", "programme", "programmes", "agreements", "skus", "approved", "tax", "ios", "mini-apps",
    "video-partner", "news-partner", "count", "seconds",
    // Formats and programs.
    "gzip", "zip", "md", "html", "tz", "beancount", "sha256", "crit", "x", "h", "min", "d",
    "chmod", "less", "spark-sql", "pandas", "f", "psql", "mysql", "copy", "header", "c", "e",
    "where", "skip",
    "environment", "store", "include", "prices", "upgrade", "file",
    // Movements of coins.
    "granted", "spent", "expired", "adjusted", "opening", "free", "durable", "coin", "coins",
    "movement", "channels", "fee", "google", "coins-without-order", "coins-overdrawn",
    // How they are valued.
    "presentation", "valuation", "breakage", "remote", "lot", "average", "channel-average", "none",
    "revenue",
  ]

  @Test func noEnglishIsLeft() {
    let names = #/--[a-z-]+|<[a-z]+>|[\w.\/=:+-]*[0-9A-Z_.=\/][\w.\/=:+-]*/#
    for row in Self.rows {
      // What is indented is an example of what to type.
      let said = row.chinese.split(separator: "\n").filter { !$0.hasPrefix("  tieout") }
      let rest = said.joined(separator: "\n").replacing(#/\{\d+\}/#, with: " ").replacing(
        names, with: " ")
      for word in rest.matches(of: #/[a-z][a-z-]*/#).map({ String($0.output) })
      where !Self.words.contains(word) {
        Issue.record("\"\(word)\" in \"\(row.chinese)\"")
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
