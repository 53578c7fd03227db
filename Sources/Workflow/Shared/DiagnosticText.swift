package import Billing
import Languages

/// Diagnostics as a person and an editor read them:
///
///     orders.csv:1842:37: error[amount]: unit_price is not a decimal number: "1,54"
///      1842 | O001842,com.example.gems.60,…
///           |                             ^
///       help: a decimal comma usually means a spreadsheet saved the file; export it again
///
/// Of more than ``alikeLimit`` that differ only in place and in what was found, the first
/// ``alikeShown`` are shown, and of the rest the number.
package struct DiagnosticText {
  package static let alikeLimit = 20
  package static let alikeShown = 3

  /// Whether escape sequences for colours are wanted.
  package var hasColour: Bool
  /// Columns of the terminal, at which sentences break; nil for lines of any length.
  private let columns: Int?

  package init(hasColour: Bool, columns: Int? = nil) {
    self.hasColour = hasColour
    self.columns = columns
  }

  /// The text of all of them, in their order.
  package func text(of diagnostics: [Diagnostic]) -> String {
    var counts: [Likeness: Int] = [:]
    for diagnostic in diagnostics { counts[Likeness(diagnostic), default: 0] += 1 }
    var seen: [Likeness: Int] = [:]
    var output = ""
    for diagnostic in diagnostics {
      let likeness = Likeness(diagnostic)
      let count = counts[likeness]!
      seen[likeness, default: 0] += 1
      if count <= Self.alikeLimit || seen[likeness]! <= Self.alikeShown {
        output += text(of: diagnostic)
      } else if seen[likeness] == count {
        output += rest(count - Self.alikeShown, endingWith: diagnostic)
      }
    }
    return output
  }

  /// The text of one diagnostic: place and message, the line in question, and help.
  package func text(of diagnostic: Diagnostic) -> String {
    let place = oneLine(diagnostic.location.description) + ":"
    let before = displayWidth("\(place) \(severityAndTopic(diagnostic)) ")
    var output = paint(place, .bold) + " " + paintedLabel(diagnostic) + " "
    output += paint(sentence(plain(say(diagnostic.message)), after: before), .bold) + "\n"
    if let excerpt = diagnostic.excerpt { output += self.excerpt(excerpt, of: diagnostic) }
    return output + help(say(diagnostic.help)) + linesToPaste(diagnostic.setting)
  }

  /// The lines of a configuration to paste, indented; empty for a setting of one line, which the
  /// help has.
  private func linesToPaste(_ setting: String?) -> String {
    guard let setting, setting.contains("\n") else { return "" }
    return setting.split(separator: "\n").map { "    \(plain(String($0)))\n" }.joined()
  }

  /// The text of an error that has no place in an input.
  package func text(of stop: Stop) -> String {
    let before = displayWidth("tieout: " + say("@shared.error-2"))
    return paint("tieout:", .bold) + " " + paint(say("@shared.error-2"), .red)
      + paint(sentence(plain(say(stop.message)), after: before), .bold) + "\n"
      + help(say(stop.help))
  }

  /// A sentence that begins at a column of the screen, wrapped, with its further lines indented by
  /// four.
  private func sentence(_ text: String, after column: Int) -> String {
    guard let columns, column + displayWidth(text) > columns, columns > 24 else { return text }
    // What stands before it counts as a word that is taken away again.
    let begin = String(repeating: "x", count: column)
    return wrapped(begin + text, columns: columns, hanging: 4).joined(separator: "\n    ")
      .replacing(begin, with: "", maxReplacements: 1)
  }

  /// The line that says how many more diagnostics are like the ones shown, and where the last is.
  private func rest(_ count: Int, endingWith last: Diagnostic) -> String {
    paintedLabel(last) + " "
      + say("@shared.more-like-this-one \(grouped(count)) \(last.location)") + "\n"
  }

  /// Severity and topic in their colour.
  private func paintedLabel(_ diagnostic: Diagnostic) -> String {
    let colour: Paint = diagnostic.severity == .error ? .red : .yellow
    return paint(severityAndTopic(diagnostic), colour)
  }

  /// Severity and topic: `error[amount]:`.
  private func severityAndTopic(_ diagnostic: Diagnostic) -> String {
    let severity = diagnostic.severity.wording
    return "\(say(severity))[\(diagnostic.topic)]:"
  }

  /// The line of help, indented; empty where there is none.
  private func help(_ help: String) -> String {
    let before = 2 + displayWidth(say("@shared.help"))
    let text = sentence(plain(help), after: before)
    return help.isEmpty ? "" : "  " + paint(say("@shared.help"), .cyan) + "\(text)\n"
  }

  /// The line in question with its number, and a caret under the place.
  private func excerpt(_ line: String, of diagnostic: Diagnostic) -> String {
    let number = diagnostic.location.line == 0 ? "" : String(diagnostic.location.line)
    var output = " \(number) | \(plain(line))\n"
    guard let caret = diagnostic.caret else { return output }
    let margin = String(repeating: " ", count: number.count + 2)
    output += "\(margin)| \(blank(line, upTo: caret))" + paint("^", .red) + "\n"
    return output
  }

  /// White space as wide as the line's first bytes are on a terminal.
  private func blank(_ line: String, upTo byteOffset: Int) -> String {
    var bytes = 0
    var output = ""
    for scalar in line.unicodeScalars {
      if bytes >= byteOffset { break }
      bytes += UTF8.width(scalar)
      output += scalar == "\t" ? "\t" : String(repeating: " ", count: scalar.columns)
    }
    return output
  }

  /// The text without what steers a terminal: it may come from a file.
  private func plain(_ text: String) -> String {
    text.split(separator: "\t", omittingEmptySubsequences: false)
      .map { oneLine(String($0)) }.joined(separator: "\t")
  }

  private enum Paint: String {
    case bold = "1"
    case red = "1;31"
    case yellow = "1;33"
    case cyan = "36"
  }

  /// The text in a colour, where colours are wanted.
  private func paint(_ text: String, _ paint: Paint) -> String {
    hasColour ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }
}

/// What diagnostics have in common that one heading can stand for.
private struct Likeness: Hashable {
  let severity: Severity
  let topic: String
  /// The message without what it quotes and counts.
  let pattern: String

  /// What the diagnostic has in common with others like it.
  init(_ diagnostic: Diagnostic) {
    severity = diagnostic.severity
    topic = diagnostic.topic
    var isQuoted = false
    pattern = String(
      diagnostic.message.english.filter { character in
        if character == "\"" { isQuoted.toggle() }
        return !isQuoted && !character.isNumber
      })
  }
}

extension Unicode.Scalar {
  /// Columns on a terminal: none for combining marks, two for East Asian wide characters.
  fileprivate var columns: Int {
    switch value {
    case 0x0300...0x036F, 0x200B...0x200F: 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}

extension UTF8 {
  /// How many bytes a character takes in UTF-8.
  fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
    scalar.value < 0x80 ? 1 : scalar.value < 0x800 ? 2 : scalar.value < 0x1_0000 ? 3 : 4
  }
}
