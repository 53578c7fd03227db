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
    text = english.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { Self.lines(String($0), columns) }
      .joined(separator: "\n")
  }

  private static func lines(_ line: String, _ columns: Int) -> [String] {
    let blanks = line.prefix { $0 == " " }.count
    let (label, description) = divided(line)
    guard let label else {
      var text = said(String(line.dropFirst(blanks)))
      if blanks == 0, text.hasSuffix(":") { text = text.dropLast() + say(":") }
      return indented(text, first: blanks, rest: blanks, columns)
    }
    let gap = descriptionColumn - displayWidth(label)
    let body = indented(said(description), first: 0, rest: descriptionColumn, columns)
    return gap < 2
      ? [label, String(repeating: " ", count: descriptionColumn) + body[0]] + body[1...]
      : [label + String(repeating: " ", count: gap) + body[0]] + body[1...]
  }

  /// An option and its description; no label where the line is not of that form.
  private static func divided(_ line: String) -> (label: String?, description: String) {
    let head = line.prefix(descriptionColumn)
    guard line.hasPrefix("  "), !line.hasPrefix("   "), head.count == descriptionColumn,
      head.hasSuffix("  "), line.count > descriptionColumn
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
    "OVERVIEW:", "USAGE:", "ARGUMENTS:", "OPTIONS:", "SUBCOMMANDS:", "Error:", "Usage:", "Help:",
  ]

  /// Sentences, those with more words first.
  private static let sentences = [
    "Show help information.", "Show the version.", "Show subcommand help information.",
    "See '{1}' for more information.", "See '{1}' for detailed help.",
    "Unknown option '{1}'. Did you mean '{2}'?", "Unknown option '{1}'",
    "Unexpected argument '{1}'", "{1} unexpected arguments: '{2}'",
    "Missing expected argument '{1}'", "Missing value for '{1}'", "Missing required subcommand.",
    "The value '{1}' is invalid for '{2}'. Please provide one of {3}.",
    "The value '{1}' is invalid for '{2}': {3}", "The value '{1}' is invalid for '{2}'",
    "{1} (values: {2}; default: {3})", "{1} (values: {2})", "{1} (default: {2})",
  ]

  private static func said(_ text: String) -> String {
    for heading in headings where text.hasPrefix(heading) {
      let rest = text.dropFirst(heading.count).drop { $0 == " " }
      return say(phrase(heading, [])) + said(String(rest))
    }
    for sentence in sentences {
      if let values = places(of: sentence, in: text) { return say(phrase(sentence, values)) }
    }
    return text
  }

  private static func phrase(_ template: String, _ values: [String]) -> Wording {
    Wording(parts: [.phrase(template, values.map { Wording(verbatim: $0) })])
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

// MARK: - How a call ends

extension Tieout {
  /// Prints what ended the call, help among it, and ends the process with its status.
  static func end(with error: any Error) -> Never {
    if Translation.current.language == .english { exit(withError: error) }
    let unbroken = fullMessage(for: error, columns: 100_000)
    let code = exitCode(for: error)
    if !unbroken.isEmpty {
      let text = HelpScreen(unbroken, columns: terminalColumns).text + "\n"
      FileHandle(fileDescriptor: code.isSuccess ? STDOUT_FILENO : STDERR_FILENO)
        .write(Data(text.utf8))
    }
    Foundation.exit(code.rawValue)
  }

  private static var terminalColumns: Int {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }
}

extension Language {
  /// Takes the language out of a command line, where it is told: the help of the commands is put
  /// together before their options are read.
  ///
  /// What is no language that the program knows is left to the parser to refuse.
  static func take(from arguments: inout [String]) -> Language {
    var language = Language.english
    var index = arguments.startIndex
    while index < arguments.endIndex, arguments[index] != "--" {
      let isPair = arguments[index] == "--lang" && index + 1 < arguments.endIndex
      let name =
        isPair
        ? arguments[index + 1]
        : arguments[index].hasPrefix("--lang=") ? String(arguments[index].dropFirst(7)) : ""
      if let named = Language(rawValue: name) {
        language = named
        arguments.removeSubrange(index..<(index + (isPair ? 2 : 1)))
      } else {
        index += 1
      }
    }
    return language
  }
}
