import Testing

/// Goal: a room reaches only what the house plan lets it reach. Method: the import lines of all
/// sources against a table.
struct ImportTests {
  /// What each target under `Sources` may import.
  static let allowed: [String: Set<String>] = [
    "Billing": [],
    "SignedPayload": [
      "Billing", "X509", "Crypto", "SwiftASN1", "Foundation", "Dispatch", "Synchronization",
    ],
    "Reading": ["Billing", "SignedPayload", "CZlib"],
    "Ledger": ["Billing", "GRDB", "GRDBSQLite", "Dispatch", "Synchronization", "Glibc"],
    "Languages": ["Billing", "CTables"],
    "Pricing": ["Billing", "CTables"],
    "Reporting": ["Billing", "Languages", "Pricing", "Matching", "CXLSXWriter", "Glibc"],
    "Matching": ["Billing", "Pricing", "Dispatch", "Synchronization", "Glibc"],
    "Workflow": [
      "Billing", "Languages", "SignedPayload", "Reading", "Ledger", "Pricing", "Matching",
      "Reporting", "Foundation", "Crypto", "Logging", "Dispatch", "Synchronization",
    ],
    "tieout": [
      "Billing", "Languages", "Pricing", "Workflow", "ArgumentParser", "TOMLKit", "Foundation",
    ],
    // C: the tables of facts and the module maps of system libraries.
    "CTables": [], "CZlib": [], "CXLSXWriter": [],
  ]

  @Test func eachTargetImportsOnlyWhatItMay() {
    for file in SourceFile.all where file.isSource {
      guard let allowed = Self.allowed[file.target] else {
        Issue.record("\(file.path): \(file.target) is missing in the table of imports")
        continue
      }
      guard file.isSwift else { continue }
      for (line, module) in Self.imports(of: file.parts) where !allowed.contains(module) {
        Issue.record("\(file.path):\(line): \(file.target) must not import \(module)")
      }
    }
  }

  static func imports(of text: SwiftText) -> [(line: Int, module: String)] {
    let pattern =
      #/
      ^ \s* (?: @\w+ (?:\(\w+\))? \s+ )* (?:\w+\s+)? import \s+
      (?: (?:struct|class|enum|protocol|func|var|let|typealias) \s+ )? (\w+)
      /#
    return numberedLines(text.code).compactMap { line in
      line.text.firstMatch(of: pattern).map { (line.number, String($0.1)) }
    }
  }

  @Test func importLinesAreUnderstood() {
    let text = """
      import A
      package import B
      @testable import C
      @preconcurrency public import D
      import struct E.Part
      // import F
      let text = "import G"
      let important = 1
      @_spi(Testing) import H
      """
    #expect(Self.imports(of: SwiftText(text)).map(\.module) == ["A", "B", "C", "D", "E", "H"])
  }
}
