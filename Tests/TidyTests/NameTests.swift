import Testing

/// Goal: a name means one thing, and nothing stays that nobody names. Method: declarations and
/// words of all sources, counted.
struct NameTests {
  private struct Declaration {
    var name: String
    var path: String
    /// Words that stand before it: `private`, `package`, `static`.
    var modifiers: Substring
    /// Struct, func and so on.
    var kind: Substring
    /// Not inside of another declaration.
    var isOutermost: Bool
  }

  private static let declarations: [Declaration] = SourceFile.swift.filter(\.isSource).flatMap {
    file in
    let pattern =
      #/
      ^ (\s*) (?: @\w+ (?:\([^)]*\))? \s+ )* ((?: [a-z]+ (?:\(\w+\))? \s+ )*?)
      (func|var|let|struct|class|enum|protocol|actor|typealias) \s+ ([A-Za-z_]\w*)
      /#
    return numberedLines(file.parts.code).compactMap { line -> Declaration? in
      line.text.firstMatch(of: pattern).map {
        Declaration(
          name: String($0.4), path: file.path, modifiers: $0.2, kind: $0.3,
          isOutermost: $0.1.isEmpty)
      }
    }
  }

  /// How often each word stands in code.
  private static func words(_ files: [SourceFile]) -> [Substring: Int] {
    files.reduce(into: [:]) { counts, file in
      let code = String(decoding: file.parts.code, as: UTF8.self)
      for word in code.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
        counts[word, default: 0] += 1
      }
    }
  }

  // MARK: - What nobody names

  /// Declarations that only others call, and who. This list may only become shorter.
  private static let namedByOthers = [
    "appendLiteral": "the compiler, for interpolations",
    "callAsFunction": "the compiler",
    "enqueue": "the concurrency runtime",
    "isEverTierPrice": "the tests of tiers",
    "urlSession": "the session, of its delegate",
  ]

  @Test func eachDeclarationIsNamed() {
    let words = Self.words(SourceFile.swift.filter(\.isSource))
    let places = Dictionary(grouping: Self.declarations, by: \.name)
    for (name, declarations) in places where Self.namedByOthers[name] == nil {
      guard words[Substring(name), default: 0] <= declarations.count else { continue }
      Issue.record("\(declarations[0].path): nobody names \(name)")
    }
  }

  @Test func eachExceptionIsNeeded() {
    let words = Self.words(SourceFile.swift.filter(\.isSource))
    for name in Self.namedByOthers.keys {
      let count = Self.declarations.count { $0.name == name }
      #expect(count > 0 && words[Substring(name), default: 0] <= count, "\(name) is named now")
    }
  }

  // MARK: - One name, one thing

  /// Types of one name, of which a target sees both.
  @Test func eachTypeHasANameOfItsOwn() {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    let types = Self.declarations.filter { type in
      type.isOutermost && kinds.contains(type.kind)
        && !["private", "fileprivate"].contains(where: type.modifiers.contains)
    }
    for (name, places) in Dictionary(grouping: types, by: \.name) {
      for (index, one) in places.enumerated() {
        for other in places[..<index] where Self.seesBoth(one, other) {
          Issue.record("\(name) is declared in \(one.path) and \(other.path)")
        }
      }
    }
  }

  private static func seesBoth(_ one: Declaration, _ other: Declaration) -> Bool {
    let target = { (declaration: Declaration) in
      String(declaration.path.split(separator: "/")[1])
    }
    let sees = { (target: String, declaration: Declaration, other: String) in
      target == other
        || declaration.modifiers.contains("package")
          && Manifest.checkedOut.targets[target]?.imports.contains(other) == true
    }
    return sees(target(one), other, target(other)) || sees(target(other), one, target(one))
  }

  @Test func eachFileHasANameOfItsOwn() {
    let names = Dictionary(grouping: SourceFile.swift.filter(\.isSource)) { file in
      file.path.split(separator: "/").last ?? ""
    }
    for (name, files) in names where files.count > 1 {
      Issue.record("\(name) stands twice: \(files.map(\.path).joined(separator: ", "))")
    }
  }
}
