import Foundation
import Support

/// A source of the checkout.
struct SourceFile: Sendable {
  /// Relative to the checkout: `Sources/Pricing/PriceBook.swift`.
  let path: String
  let text: String
  /// Taken apart once, for all rules.
  let parts: SwiftText

  init(path: String, text: String) {
    self.path = path
    self.text = text
    parts = SwiftText(path.hasSuffix(".swift") ? text : "")
  }

  /// The target it belongs to: `Pricing`, `PricingTests`.
  var target: String { String(path.split(separator: "/")[1]) }
  var isSource: Bool { path.hasPrefix("Sources/") }
  var isSwift: Bool { path.hasSuffix(".swift") }

  /// All Swift and C sources under `Sources` and `Tests`, by path.
  static let all: [SourceFile] = ["Sources", "Tests"].flatMap { folder in
    let root = URL(filePath: checkout).appending(path: folder)
    let names =
      FileManager.default.enumerator(atPath: root.path(percentEncoded: false))?
      .compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") || $0.hasSuffix(".h") }
      .sorted().map { name in
        let file = root.appending(path: name)
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
          preconditionFailure("\(file.path()) is not UTF-8 text")
        }
        return SourceFile(path: "\(folder)/\(name)", text: text)
      }
  }

  static let swift = all.filter(\.isSwift)

  /// Places where a pattern occurs in a part of the file: `path:line: what was found`.
  func places(of pattern: Regex<some Any>, in part: KeyPath<SwiftText, [UInt8]>) -> [String] {
    numberedLines(parts[keyPath: part]).compactMap { line in
      guard let found = line.text.firstMatch(of: pattern) else { return nil }
      return "\(path):\(line.number): \(line.text[found.range])"
    }
  }
}
