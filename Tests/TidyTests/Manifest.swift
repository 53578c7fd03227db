import Foundation
import Support

/// What `Package.swift` says of our targets: the only table of who may import whom.
struct Manifest {
  struct Target {
    var name: String
    /// Modules of ours, products of packages, and modules of the toolchain.
    var imports: Set<String>
  }

  let targets: [String: Target]

  static let checkedOut: Manifest = {
    let file = URL(filePath: checkout).appending(path: "Package.swift")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      preconditionFailure("there is no Package.swift")
    }
    return Manifest(text)
  }()

  init(_ text: String) {
    let list = text.firstRange(of: "targets: [\n").map { text[$0.upperBound...] } ?? ""
    var targets: [String: Target] = [:]
    for call in list.matches(of: #/(?:\b(?:room|program)|\.target)\(/#) {
      let arguments = Self.arguments(list[call.range.upperBound...])
        .replacing(#/(?:package|path): "[^"]*"/#, with: "")
      let words = arguments.matches(of: #/"([^"]*)"/#).map { String($0.1) }
      guard let name = words.first else { continue }
      targets[name] = Target(name: name, imports: Set(words.dropFirst()))
    }
    self.targets = targets
  }

  /// The text up to the parenthesis that ends the call.
  private static func arguments(_ text: Substring) -> String {
    var depth = 1
    return String(
      text.prefix { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth > 0
      })
  }
}
