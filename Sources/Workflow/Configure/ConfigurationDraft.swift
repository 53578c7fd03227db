package import Billing
import Foundation
import Languages
import Ledger
import Reporting

/// A first configuration for a company, from what its files or its ledger show.
package struct ConfigurationDraft: Sendable {
  private let vendors: [String]
  private let names: NamesInRows
  /// Keys that would make refused files readable, each with the file and what is wrong with it.
  private let mappings: [(file: String, message: Wording, key: String)]
  /// Tables whose amounts are whole numbers, and may count cents.
  private let openUnits: [(file: String, kind: InputKind)]
  /// Tables with columns that no key maps.
  private let unmapped: [(file: String, columns: [String])]
  /// What was wrong with the files.
  package let diagnostics: [Diagnostic]

  /// Why files are not recognised, where no key is proposed for them.
  private var unrecognised: [Diagnostic] {
    diagnostics.filter { wrong in
      (wrong.topic == "kind" || !wrong.mayBe.isEmpty) && wrong.severity == .error
        && wrong.leftOut == nil && !mappings.contains { $0.file == wrong.location.file }
    }
  }

  /// Whether the draft says nothing of how to read some of the files.
  package var isIncomplete: Bool { !unrecognised.isEmpty }

  /// Reads the files into a ledger of its own, which is thrown away, or looks at the one that there
  /// is; files that are refused once more, by what would make them readable.
  ///
  /// - Parameters:
  ///   - request: its paths are empty where the ledger is meant.
  ///   - read: what a configuration's lines say of mappings.
  /// - Throws: a ``Stop``, where there is neither.
  package init(_ request: ImportRequest, reading read: (String) -> [TableMapping]) throws {
    var request = request
    (request.isFallback, request.tellsColumns) = (true, true)
    var look = try Look(request)
    // Taken for what others are, these would be said to lack columns of theirs.
    let doubts = look.diagnostics.filter { !$0.mayBe.isEmpty }
    let doubtful = Set(doubts.map(\.location.file))
    if request.kind == nil, let (guessed, better) = try look.guessed(request) {
      (request, look) = (guessed, better)
    }
    var mappings = look.settings.filter { !doubtful.contains($0.file) }
    // What is wrong with a row is told one by one: its columns, then its times, then its words.
    for _ in 0..<Self.mostLooks {
      let added = read(Self.tried(mappings).joined(separator: "\n"))
      if added.isEmpty { break }
      var again = request
      again.mappings += added
      look = try Look(again)
      let more = look.settings.filter { new in
        !doubtful.contains(new.file)
          && !mappings.contains { $0.key == new.key || Self.areWordsOfOne($0, new) }
      }
      if more.isEmpty { break }
      mappings += more
    }
    (vendors, names) = (look.vendors, look.names)
    diagnostics = doubts + look.diagnostics.filter { !doubtful.contains($0.location.file) }
    openUnits = look.openUnits
    unmapped = look.files.compactMap { file in
      file.unmapped.isEmpty || file.kind.map(InputKind.tablesOfCompanies.contains) != true
        ? nil : (file.file, file.unmapped)
    }
    self.mappings = mappings
  }

  private static let mostLooks = 4

  /// Whether two proposed keys map words of the same column of the same file: words that are not
  /// known at one look are not known at the next, and their column is not proposed twice.
  private static func areWordsOfOne(
    _ left: (file: String, message: Wording, key: String),
    _ right: (file: String, message: Wording, key: String)
  ) -> Bool {
    /// The key's name, without its value.
    func name(_ key: String) -> Substring { key.prefix { $0 != " " } }
    return left.file == right.file && name(left.key) == name(right.key)
      && left.key.contains(".words.")
  }

  /// The lines of configuration by which the files are read once more: the proposed keys that have
  /// a value, and UTC for a time zone. Only a person knows that; to see what else a file needs, any
  /// zone will do.
  private static func tried(_ settings: [(file: String, message: Wording, key: String)]) -> [String]
  {
    let zone = settings.contains { $0.key == "import.zone = \"…\"" }
    return known(settings).map(\.key) + (zone ? ["import.zone = \"UTC\""] : [])
  }

  /// The proposed keys that can stand in the configuration as they are: those without a gap for a
  /// person to fill, each once. Of one kind a second table needs names of files, which only a
  /// person can choose.
  private static func known(
    _ settings: [(file: String, message: Wording, key: String)]
  ) -> [(file: String, message: Wording, key: String)] {
    var keys: Set<Substring> = []
    return settings.filter { setting in
      // `import.orders.columns`, or `import.orders` with all in one.
      let name = setting.key.prefix { $0 != " " }
      let table = name.split(separator: ".").prefix(2).joined(separator: ".")
      let isFree = !keys.contains(name) && !keys.contains(table[...])
      return !setting.key.contains("…") && isFree && keys.insert(name).inserted
    }
  }

  /// The draft as TOML: what the files show as keys, what only a person knows as remarks.
  package var text: String {
    var lines: [String] = []
    var last: Wording?
    /// Adds a remark as a comment and below it a line with a key, which is a comment too unless its
    /// value is known.
    func add(_ remark: Wording, _ key: String? = nil, isKnown: Bool = false) {
      // What is said of several lines stands above them once.
      if remark == last {
        lines.removeLast()
      } else {
        lines += wrapped(say(remark), columns: 98).map { "# " + $0 }
      }
      last = remark
      if let key { lines.append((isKnown ? "" : "# ") + key) }
      lines.append("")
    }
    /// The texts as a list of strings in TOML.
    func list(_ texts: [String]) -> String {
      let quoted = texts.map { text in
        "\"" + oneLine(text).filter { $0 != "\"" && $0 != "\\" } + "\""
      }
      return "[" + quoted.joined(separator: ", ") + "]"
    }
    add("@configure.settings-particular-to-the-company")
    add("@configure.company-name", "company = \"Example Games Ltd\"")
    let currencies = names.currencies.map(\.name).prefix(20).joined(separator: ", ")
    add(
      currencies.isEmpty
        ? "@configure.currency-of-the-books"
        : "@configure.currency-of-the-books-the-files \(currencies)",
      "base_currency = \"\(names.currencies.first?.name ?? "CNY")\"")
    let bundles = names.bundleIDs.map(\.name)
    add(
      "@configure.company-apps-data-of-any",
      "bundle_ids = \(list(bundles.isEmpty ? ["com.example.app"] : bundles))",
      isKnown: !bundles.isEmpty)
    add(
      "@configure.company-vendor-numbers-as-apple",
      "vendor_numbers = \(list(vendors.isEmpty ? ["85012345"] : vendors))",
      isKnown: !vendors.isEmpty)
    add(
      "@configure.developer-country-taxes-that-differ", "developer_country = \"CN\"")
    let storefronts = names.storefronts.map(\.name)
    add(
      names.transactionsWithoutStorefront == 0
        ? "@configure.where-transactions-that-name-no"
        : """
        @configure.where-transactions-that-name-no-storefront \
        \(grouped(names.transactionsWithoutStorefront))
        """,
      "default_storefront = \"\(storefronts.first ?? "CN")\"")
    if !storefronts.isEmpty {
      add("@configure.files-have-these-storefronts \(storefronts.asList)")
    }
    add("@configure.zone-of-the-company-accounting", "business_zone = \"Asia/Shanghai\"")
    add(
      "@configure.how-the-company-own-exports",
      mappings.isEmpty ? "import.zone = \"business_zone\"" : nil)
    if !mappings.isEmpty { add("@configure.what-follows-is-guessed") }
    var known = Self.known(mappings)[...]
    var shown: Set<String> = []
    for mapping in mappings {
      let isKnown = known.first.map { $0 == mapping } ?? false
      if isKnown { known.removeFirst() }
      // Row after row asks for the same.
      guard shown.insert(mapping.key).inserted else { continue }
      add("\(mapping.file): \(mapping.message)", mapping.key, isKnown: isKnown)
    }
    for (file, columns) in unmapped {
      add("@configure.columns-not-mapped \(file) \(columns.joined(separator: ", "))")
    }
    for wrong in unrecognised {
      add("\(wrong.location.file): \(wrong.message)")
      let kinds = wrong.mayBe.isEmpty ? [wrong.unmappedKind].compactMap(\.self) : wrong.mayBe
      let file = shellWord(wrong.location.file)
      lines.removeLast()
      lines += kinds.map { "# tieout config init --as \($0.rawValue) \(file) --print" } + [""]
    }
    for (file, kind) in openUnits {
      add(
        "@configure.its-prices-are-whole-numbers \(file)",
        "import.\(kind.rawValue).unit = \"cents\"")
    }
    return lines.joined(separator: "\n")
  }

  /// The names of keys that stand in the text as remarks, because only a person knows their values.
  package var openKeys: [String] {
    var keys: [String] = []
    for line in text.split(separator: "\n") where line.hasPrefix("# ") {
      guard let sign = line.firstRange(of: " = ") else { continue }
      let key = String(line[..<sign.lowerBound].dropFirst(2))
      if !key.contains(" "), !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  /// Writes the draft to a path where no file is yet.
  ///
  /// - Throws: a ``Stop`` where there is one already: nobody's configuration is replaced.
  package func write(to path: String) throws {
    guard identity(of: path) == nil else {
      throw Stop(
        .badInput, "@configure.is-there-already \(path)",
        help: "@configure.print-the-draft-with-print")
    }
    let bytes = Array(text.utf8)
    try saveFile(at: path) { sink in try sink(bytes) }
  }
}

/// What one reading of the files shows, or the ledger where none are named.
private struct Look {
  let vendors: [String]
  let names: NamesInRows
  let diagnostics: [Diagnostic]
  let openUnits: [(file: String, kind: InputKind)]
  let files: [ImportedFile]

  /// Columns that have to sound like those of a kind, so that a table is taken for it.
  private static let leastColumns = 4

  /// Reads the files once more, with tables that nobody recognises taken for orders or for
  /// transactions, where enough of their columns sound like it; nil where there is no such table.
  /// One that may be either is left to a person: a wrong guess would keep the right mapping of
  /// another table out.
  func guessed(_ request: ImportRequest) throws -> (request: ImportRequest, look: Look)? {
    let unknown = Set(
      diagnostics.filter { $0.unmappedKind != nil && $0.setting == nil && $0.mayBe.isEmpty }
        .map(\.location.file))
    if unknown.isEmpty { return nil }
    var best: (request: ImportRequest, look: Look, columns: Int)?
    for kind in [InputKind.orders, .transactions] {
      var guess = request
      guess.kind = kind
      let look = try Look(guess)
      let columns =
        look.settings.filter { unknown.contains($0.file) }
        .map { $0.key.ranges(of: " = \"").count - $0.key.ranges(of: "\"…\"").count }.max() ?? 0
      if columns >= Self.leastColumns, columns > best?.columns ?? 0 {
        best = (guess, look, columns)
      }
    }
    return best.map { ($0.request, $0.look) }
  }

  /// Lines of the configuration that would make a file readable, or read right, each with the file
  /// and what is wrong.
  var settings: [(file: String, message: Wording, key: String)] {
    diagnostics.flatMap { diagnostic in
      (diagnostic.setting ?? "").split(separator: "\n").map {
        (diagnostic.location.file, diagnostic.message, String($0))
      }
    }
  }

  /// Imports the request's files into a ledger that is thrown away, or reads the ledger where none
  /// are named.
  init(_ request: ImportRequest) throws {
    var request = request
    var summary = ImportSummary(isDryRun: false)
    let folder = NSTemporaryDirectory() + "/tieout-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    if !request.paths.isEmpty {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      request.ledgerPath = folder + "/draft.sqlite"
      summary = try importFiles(request)
    }
    let path = request.ledgerPath
    let files = summary.files
    self.files = files
    (vendors, names, openUnits) = try stopping {
      try Ledger.reading(path) { ledger in
        let vendors = Set(try ledger.files().map(\.vendor)).subtracting([""])
        let open = try files.compactMap { file -> (file: String, kind: InputKind)? in
          guard let kind = file.kind, try UnitCheck(file, in: ledger)?.isOpen == true else {
            return nil
          }
          return (file.file, kind)
        }
        return (vendors.sorted(), try ledger.namesInRows(), open)
      }
    }
    diagnostics = summary.allDiagnostics
  }
}
