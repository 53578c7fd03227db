import Testing

/// Goal: a room reaches only what the house plan lets it reach. Method: the import lines of all
/// sources against `Package.swift`.
struct ImportTests {
  @Test func eachTargetImportsOnlyWhatItMay() {
    let targets = Manifest.checkedOut.targets
    for file in SourceFile.swift where file.isSource {
      guard let target = targets[file.target] else {
        Issue.record("\(file.path): \(file.target) is no target of Package.swift")
        continue
      }
      for (line, module) in Self.imports(of: file.parts) where !target.imports.contains(module) {
        Issue.record("\(file.path):\(line): \(file.target) must not import \(module)")
      }
    }
  }

  /// What may be imported is no wider than what is.
  @Test func eachTargetImportsWhatItMay() {
    let used = Dictionary(grouping: SourceFile.swift.filter(\.isSource), by: \.target)
      .mapValues { Set($0.flatMap { Self.imports(of: $0.parts).map(\.module) }) }
    for (name, modules) in used {
      let idle = (Manifest.checkedOut.targets[name]?.imports ?? []).subtracting(modules)
      #expect(idle.isEmpty, "\(name) imports no \(idle.sorted().joined(separator: ", "))")
    }
  }

  @Test func theManifestIsRead() {
    let manifest = Manifest(
      """
      let package = Package(
        targets: [
          room("A"),
          room("B", ["A", .product(name: "P", package: "p.swift")], toolchain: ["Glibc"]),
          program("c", ["B"], path: "Tests/c"),
      """)
    #expect(
      manifest.targets.mapValues(\.imports) == ["A": [], "B": ["A", "P", "Glibc"], "c": ["B"]])
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
