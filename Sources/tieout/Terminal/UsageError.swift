import Billing
import Languages

/// What the parser objects to, in the program's own words.
struct UsageError {
  let message: Wording
  /// The option or the value that was most likely meant, or those that there are.
  let meant: Wording?

  /// Puts what the parser objects to into the program's own words.
  ///
  /// - Parameters:
  ///   - text: as the parser says it; what this program says itself stays as it is.
  ///   - arguments: of the call: an option that is none leaves its value as an argument, which the
  ///     parser objects to first.
  init(_ text: String, in called: CalledCommand, _ arguments: [String]) {
    if text.contains(#/is invalid for '</#), let option = called.unknownOption(in: arguments) {
      message = "@parser.unknown-option \(option.name)"
      meant = option.meant.map { "@shared.did-you-mean \($0)" } ?? called.ownOptions
    } else if let parts = text.wholeMatch(
      of: #/The value '(.*?)' is invalid for '(.*?)'\. Please provide one of (.*)\./#)
    {
      let known = parts.3.matches(of: #/'([^']+)'/#).map { String($0.1) }
      let found = String(parts.1)
      let expected: Wording =
        "@shared.expected-one-of-found \(known.joined(separator: ", ")) \(found)"
      message = "\(Self.name(parts.2)): \(expected)"
      meant = nearest(to: found, among: known).map { "@shared.did-you-mean \($0)" }
    } else if let parts = text.wholeMatch(of: #/The value '(.*?)' is invalid for '(.*?)': (.*)/#) {
      message = "\(Self.name(parts.2)): \(Wording(verbatim: String(parts.3)))"
      meant = nil
    } else if let parts = text.wholeMatch(of: #/The value '(.*?)' is invalid for '(.*?)'/#) {
      message = "@parser.value-is-invalid \(Self.name(parts.2)) \(String(parts.1))"
      meant = nil
    } else if let parts = text.wholeMatch(of: #/Missing value for '(.*?)'/#) {
      message = "@parser.missing-value \(String(parts.1))"
      meant = nil
    } else if let parts = text.wholeMatch(of: #/Missing expected argument '(.*?)'\.?/#) {
      message = "@parser.missing-expected-argument \(String(parts.1))"
      meant = nil
    } else if let parts = text.wholeMatch(
      of: #/Unknown option '(.*?)'\.?(?: Did you mean '.*?'\?)?/#)
    {
      message = "@parser.unknown-option \(String(parts.1))"
      // The parser takes dashes for letters, and so `--top` for near to any short one.
      let option = called.unknownOption(in: arguments)
      meant = option?.meant.map { "@shared.did-you-mean \($0)" } ?? called.ownOptions
    } else if let parts = text.wholeMatch(
      of: #/(?:Unexpected argument|\d+ unexpected arguments:) '(.*)'/#)
    {
      message = "@parser.unexpected-argument \(parts.1.replacing("', '", with: ", "))"
      meant = nil
    } else {
      message = Wording(verbatim: text)
      meant = nil
    }
  }

  /// The name of an option, without what stands for its value; an argument as it is.
  private static func name(_ text: Substring) -> String {
    text.hasPrefix("-") ? String(text.prefix { $0 != " " }) : String(text)
  }
}
