import ArgumentParser
import Billing
import Foundation
import Languages

/// What ArgumentParser prints of its own accord, in the reader's language.
///
/// The parser writes English around the texts of the commands and breaks lines only at spaces; so
/// what it writes in whole lines is translated and broken here.
struct HelpScreen {
  /// Where the descriptions of options begin.
  private static let descriptionColumn = 26

  let text: String

  /// - Parameters:
  ///   - english: as the parser writes it, in lines of any length.
  ///   - columns: what a line may take up.
  init(_ english: String, columns: Int) {
    let lines = english.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    text = Self.arranged(lines).flatMap { Self.lines($0, columns) }.joined(separator: "\n")
  }

  /// A command's own options stand before those of every command, which its synopsis sums up.
  private static func arranged(_ lines: [String]) -> [String] {
    var lines = lines.map(shortened)
    let title = say("@shared.options-of-every-command").uppercased() + ":"
    guard let first = lines.firstIndex(of: title),
      let end = lines[first...].firstIndex(of: ""),
      let own = lines[end...].firstIndex(of: "OPTIONS:")
    else { return lines }
    let shared = lines[first...end]
    let behind = lines[own...].firstIndex(of: "") ?? lines.endIndex
    lines.insert(contentsOf: [""] + shared.dropLast(), at: behind)
    lines.removeSubrange(first...end)
    return lines
  }

  private static func shortened(_ line: String) -> String {
    guard line.hasPrefix("USAGE: ") || line.hasPrefix("Usage: ") else { return line }
    let shared =
      #/\ \[--(?:ledger|config|format|quiet|verbose|lang|as-of|fail-on)(?:\ <[^>]*>)?\]/#
    let short = line.replacing(shared, with: "")
    return short == line ? line : short + " [<options>]"
  }

  private static func lines(_ line: String, _ columns: Int) -> [String] {
    let blanks = line.prefix { $0 == " " }.count
    let (label, description) = divided(line)
    guard let label else {
      var text = said(String(line.dropFirst(blanks)))
      if blanks == 0, text.hasSuffix(":") { text = text.dropLast() + say(":") }
      // Examples of what to type go on further to the right.
      return indented(text, first: blanks, rest: blanks == 2 ? 6 : blanks, columns)
    }
    let gap = descriptionColumn - displayWidth(label)
    let body = indented(said(description), first: 0, rest: descriptionColumn, columns)
    return gap < 1
      ? [label, String(repeating: " ", count: descriptionColumn) + body[0]] + body[1...]
      : [label + String(repeating: " ", count: gap) + body[0]] + body[1...]
  }

  /// An option and its description; no label where the line is not of that form.
  private static func divided(_ line: String) -> (label: String?, description: String) {
    let head = line.prefix(descriptionColumn)
    let isOption = line.hasPrefix("  -") || line.hasPrefix("  <")
    guard line.hasPrefix("  "), !line.hasPrefix("   "), head.count == descriptionColumn,
      head.hasSuffix(isOption ? " " : "  "), line.count > descriptionColumn
    else { return (nil, line) }
    let label = String(head.reversed().drop { $0 == " " }.reversed())
    return (label, String(line.dropFirst(descriptionColumn)))
  }

  /// - Parameters:
  ///   - first: blanks before the first line.
  ///   - rest: blanks before those after it, which the first line has beside it as well.
  private static func indented(
    _ text: String, first: Int, rest: Int, _ columns: Int
  ) -> [String] {
    let room = max(columns - rest, 20)
    let lines = displayWidth(text) <= room ? [text] : wrapped(text, columns: room)
    return lines.enumerated().map {
      String(repeating: " ", count: $0 == 0 ? first : rest) + $1
    }
  }
}

// MARK: - The parser's own words

extension HelpScreen {
  /// Words at the begin of a line.
  private static let headings = [
    "@parser.overview", "@parser.usage", "@parser.arguments", "@parser.options",
    "@parser.subcommands", "@parser.error", "@parser.usage-2", "@parser.help",
  ]

  /// Sentences, those with more words first.
  private static let sentences = [
    "@parser.show-help-information", "@parser.show-the-version",
    "@parser.show-subcommand-help-information",
    "@parser.see-for-more-information", "@parser.see-for-detailed-help",
    "@parser.unknown-option-did-you-mean", "@parser.unknown-option",
    "@parser.unexpected-argument", "@parser.unexpected-arguments",
    "@parser.missing-expected-argument", "@parser.missing-value",
    "@parser.missing-required-subcommand",
    "@parser.value-is-invalid-for-please",
    "@parser.value-is-invalid-2", "@parser.value-is-invalid",
    "@parser.values-default", "@parser.values", "@parser.default",
  ]

  /// A line of the parser's in the reader's language.
  static func said(_ text: String) -> String {
    for heading in headings {
      guard let english = Texts.template(heading, in: .english), text.hasPrefix(english) else {
        continue
      }
      let rest = text.dropFirst(english.count).drop { $0 == " " }
      let gap = rest.isEmpty || Translation.current.language != .english ? "" : " "
      return say(phrase(heading, [])) + gap + said(String(rest))
    }
    for sentence in sentences {
      guard let english = Texts.template(sentence, in: .english) else { continue }
      if let values = places(of: english, in: text) { return say(phrase(sentence, values)) }
    }
    return text
  }

  private static func phrase(_ key: String, _ values: [String]) -> Wording {
    Wording(parts: [.phrase(key, values.map { Wording(verbatim: $0) })])
  }

  /// What stands at a template's places, where the text is made of it.
  private static func places(of template: String, in text: String) -> [String]? {
    var pieces = [""]
    for part in template.split(separator: "{", omittingEmptySubsequences: false) {
      guard let close = part.firstIndex(of: "}") else {
        pieces[0] = String(part)
        continue
      }
      pieces.append(String(part[part.index(after: close)...]))
    }
    guard text.hasPrefix(pieces[0]) else { return nil }
    var values: [String] = []
    var rest = text.dropFirst(pieces[0].count)
    for (index, piece) in pieces.enumerated().dropFirst() {
      let isLast = index == pieces.count - 1
      let found =
        isLast && rest.hasSuffix(piece)
        ? rest.index(rest.endIndex, offsetBy: -piece.count)..<rest.endIndex
        : isLast ? nil : rest.firstRange(of: piece)
      guard let found else { return nil }
      values.append(String(rest[..<found.lowerBound]))
      rest = rest[found.upperBound...]
    }
    return rest.isEmpty ? values : nil
  }
}
