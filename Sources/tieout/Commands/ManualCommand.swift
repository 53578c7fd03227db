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
    let description = Data(Tieout._dumpHelp().utf8)
    guard let help = try? JSONDecoder().decode(Help.self, from: description) else {
      preconditionFailure("the commands describe themselves")
    }
    text = Self.page(of: help.command)
  }

  /// What the library tells of the commands.
  private struct Help: Decodable {
    struct Command: Decodable {
      var commandName: String
      var abstract: String?
      var discussion: String?
      var subcommands: [Command]?
      var arguments: [Argument]?
    }

    struct Argument: Decodable {
      struct Name: Decodable {
        var kind: String
        var name: String
      }

      var kind: String
      var shouldDisplay: Bool
      var names: [Name]?
      var valueName: String?
      var abstract: String?
    }

    var command: Command
  }

  private static func page(of root: Help.Command) -> String {
    let shared = Set((root.arguments ?? []).flatMap { ($0.names ?? []).map(\.name) })
    var lines = [
      ".TH TIEOUT 1 \"\" \"tieout \(Tieout.version)\"", ".SH \(say("@command.name"))",
      "tieout \\- \(escaped(root.abstract ?? ""))", ".SH \(say("@command.synopsis"))",
      ".B tieout", ".I \(say("@command.command"))", "[\\fI\(say("@command.options"))\\fR]",
      ".SH \(say("@command.description"))",
    ]
    lines += paragraphs(root.discussion)
    lines.append(".SH \(say("@command.options-of-every-command"))")
    lines += (root.arguments ?? []).filter(\.shouldDisplay).flatMap(entry)
    lines.append(".SH \(say("@command.commands"))")
    for command in root.subcommands ?? [] where command.commandName != "help" {
      lines += section(of: command, named: command.commandName, without: shared)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// - Parameter shared: names of the options that every command has.
  private static func section(
    of command: Help.Command, named name: String, without shared: Set<String>
  ) -> [String] {
    let own = (command.arguments ?? []).filter { argument in
      argument.shouldDisplay && !(argument.names ?? []).contains { shared.contains($0.name) }
    }
    var lines = [".SS \(escaped("tieout " + name))", escaped(command.abstract ?? "")]
    lines += paragraphs(command.discussion)
    lines += own.flatMap(entry)
    for inner in command.subcommands ?? [] where inner.commandName != "help" {
      lines += section(of: inner, named: "\(name) \(inner.commandName)", without: shared)
    }
    return lines
  }

  private static func entry(_ argument: Help.Argument) -> [String] {
    let value = argument.kind == "flag" ? "" : " \\fI\(escaped(argument.valueName ?? ""))\\fR"
    let names = (argument.names ?? []).map { name in
      "\\fB\(escaped((name.kind == "long" ? "--" : "-") + name.name))\\fR\(value)"
    }
    let head =
      argument.kind == "positional" ? String(value.dropFirst()) : names.joined(separator: ", ")
    return [".TP", head, escaped(argument.abstract ?? "")]
  }

  /// Indented lines are shown as they stand.
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

  /// Text that the formatter takes for nothing else.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}
