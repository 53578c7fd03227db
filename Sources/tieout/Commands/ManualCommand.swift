import ArgumentParser
import Billing
import Foundation
import Languages

/// `tieout manual`
struct ManualCommand: TieoutCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "manual",
      abstract: say("@command.print-the-manual-page"),
      discussion: """
        \(say("@command.it-has-every-command"))

          tieout manual > ~/.local/share/man/man1/tieout.1
          man tieout
        """)
  }

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func run(on terminal: Terminal) throws -> Ending {
    try terminal.print(ManualPage().text)
    return .done
  }
}

/// The help of all commands as a page for `man`.
struct ManualPage {
  let text: String

  init() {
    text = Self.page(of: .program)
  }

  /// The whole page in the language of `man`, from the program's own description.
  private static func page(of root: CommandTree) -> String {
    var lines = [
      ".TH TIEOUT 1 \"\" \"tieout \(Tieout.version)\"", ".SH \(say("@command.name"))",
      "tieout \\- \(escaped(root.abstract ?? ""))", ".SH \(say("@command.synopsis"))",
      ".B tieout", ".I \(say("@command.command"))", "[\\fI\(say("@command.options"))\\fR]",
      ".SH \(say("@command.description"))",
    ]
    lines += paragraphs(root.discussion)
    lines.append(".SH \(say("@command.options-of-every-command"))")
    lines += root.options.flatMap(entry)
    lines += paragraphs(say("@terminal.pager-and-exit-status"))
    lines.append(".SH \(say("@command.commands"))")
    for command in root.commands {
      lines += section(of: command, named: command.commandName, in: root)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The lines about a command and the commands below it.
  ///
  /// - Parameters:
  ///   - name: what is typed after `tieout`.
  ///   - program: has the options that every command has.
  private static func section(
    of command: CommandTree, named name: String, in program: CommandTree
  ) -> [String] {
    var lines = [".SS \(escaped("tieout " + name))", escaped(command.abstract ?? "")]
    lines += paragraphs(command.discussion)
    lines += program.own(of: command).flatMap(entry)
    for inner in command.commands {
      lines += section(of: inner, named: "\(name) \(inner.commandName)", in: program)
    }
    return lines
  }

  /// The lines about an option or an argument: what is typed, and what it is.
  private static func entry(_ argument: CommandTree.Option) -> [String] {
    let value = argument.isFlag ? "" : " \\fI\(escaped(argument.valueName ?? ""))\\fR"
    let names = argument.typed.map { "\\fB\(escaped($0))\\fR\(value)" }
    let head =
      argument.isArgument ? String(value.dropFirst()) : names.joined(separator: ", ")
    return [".TP", head, escaped(argument.abstract ?? "")]
  }

  /// Text as lines of the page; indented ones are shown as they stand.
  private static func paragraphs(_ text: String?) -> [String] {
    guard let text else { return [] }
    var lines: [String] = [".PP"]
    var isExample = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isIndented = line.hasPrefix("  ")
      if isIndented != isExample, !line.isEmpty {
        lines.append(isIndented ? ".nf" : ".fi")
        isExample = isIndented
      }
      lines.append(line.isEmpty ? ".PP" : escaped(String(line)))
    }
    return isExample ? lines + [".fi"] : lines
  }

  /// Text in which the formatter takes nothing for a command of its own.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}
