import ArgumentParser
import Billing
import Languages

/// Help: what the program can do, what one command can do, what every command takes.
struct HelpScreen {
  /// Where the descriptions of options begin.
  private static let optionColumn = 26
  /// Where the descriptions of commands begin.
  private static let commandColumn = 14
  /// The topic beside the commands: `tieout help options`.
  static let optionsTopic = "options"

  private let program = CommandTree.program
  private var lines: [String] = []
  private let columns: Int

  var text: String { lines.joined(separator: "\n") + "\n" }

  private init(_ columns: Int) { self.columns = columns }

  /// The help of a command.
  ///
  /// - Parameters:
  ///   - path: names of commands; none for the program itself.
  ///   - columns: what a line may take up.
  init(of path: [String], columns: Int) {
    self.init(columns)
    let command = program[path]
    add(command.abstract ?? "")
    add("", Self.usage(of: command, path))
    add(texts: command.discussion)
    path.isEmpty ? addGroups() : add(commands: command.commands)
    let own = path.isEmpty ? [] : program.own(of: command)
    add("@parser.arguments", own.filter(\.isArgument))
    add("@parser.options", own.filter { !$0.isArgument })
    let words = (["help"] + path).joined(separator: " ")
    if path.isEmpty {
      add("", say("@parser.see-command-help"))
    } else if command.commands.isEmpty {
      add("", say("@parser.see-options-help"))
    } else {
      add("", say("@parser.see-help-of \(words)"))
    }
  }

  /// Help about the options that every command takes, and how a call ends.
  static func ofOptions(columns: Int) -> HelpScreen {
    var screen = HelpScreen(columns)
    screen.add("@parser.options-of-every-command", screen.program.options)
    screen.lines.removeFirst()
    screen.add(texts: say("@terminal.pager-and-exit-status"))
    return screen
  }

  /// What to type, in one line.
  private static func usage(of command: CommandTree, _ path: [String]) -> String {
    let words = command.options.filter(\.isArgument).map { argument in
      let word = argument.placeholder + (argument.isRepeating ? "..." : "")
      return argument.isOptional ? "[\(word)]" : word
    }
    let name = command.commands.isEmpty ? [] : [say("@parser.command")]
    let call = ["tieout"] + path + name + words + [say("@parser.any-options")]
    return say("@parser.usage \(call.joined(separator: " "))")
  }
}

// MARK: - Lines

extension HelpScreen {
  /// Adds texts, each from a new line on.
  private mutating func add(_ texts: String...) {
    for text in texts { add(text, first: 0, rest: 0) }
  }

  /// Adds an empty line and a text of several lines: paragraphs, and lines that stand as they are.
  private mutating func add(texts: String?) {
    guard let texts, !texts.isEmpty else { return }
    lines.append("")
    for line in texts.split(separator: "\n", omittingEmptySubsequences: false) {
      let blanks = line.prefix { $0 == " " }.count
      // Examples of what to type go on further to the right.
      add(String(line.dropFirst(blanks)), first: blanks, rest: blanks == 2 ? 6 : blanks)
    }
  }

  /// Adds the program's commands under the titles of their groups.
  private mutating func addGroups() {
    for group in Tieout.configuration.groupedSubcommands {
      let names = group.subcommands.compactMap { $0.configuration.commandName }
      add("", group.name)
      for command in program.commands where names.contains(command.commandName) {
        add("  " + command.commandName, command.abstract ?? "", column: Self.commandColumn)
      }
    }
  }

  /// Adds the commands below the one that the help is about.
  private mutating func add(commands: [CommandTree]) {
    if commands.isEmpty { return }
    add("", say("@parser.commands"))
    for command in commands {
      add("  " + command.commandName, command.abstract ?? "", column: Self.commandColumn + 2)
    }
  }

  /// Adds options or arguments under a title; nothing where there are none.
  private mutating func add(_ title: Wording, _ options: [CommandTree.Option]) {
    if options.isEmpty { return }
    add("", say(title))
    for option in options {
      let names = option.isArgument ? option.placeholder : option.typed.joined(separator: ", ")
      let value = option.isArgument || option.isFlag ? "" : " " + option.placeholder
      add("  " + names + value, option.helpText, column: Self.optionColumn)
    }
  }

  /// Adds the name of an option or a command, and beside it, from `column` on, the text about it.
  private mutating func add(_ label: String, _ text: String, column: Int) {
    let gap = column - displayWidth(label)
    let begin = lines.count
    add(text, first: column, rest: column)
    guard gap > 0 else { return lines.insert(label, at: begin) }
    lines[begin] = label + String(repeating: " ", count: gap) + lines[begin].dropFirst(column)
  }

  /// Adds a text, broken into lines that fit the screen.
  ///
  /// - Parameters:
  ///   - first: blanks before the first line.
  ///   - rest: blanks before the lines after it; the first line is broken as if it had as many.
  private mutating func add(_ text: String, first: Int, rest: Int) {
    let room = max(columns - rest, 20)
    let broken = displayWidth(text) <= room ? [text] : wrapped(text, columns: room)
    for (index, line) in broken.enumerated() {
      let blanks = line.isEmpty ? 0 : index == 0 ? first : rest
      lines.append(String(repeating: " ", count: blanks) + line)
    }
  }
}

extension CommandTree.Option {
  /// The library's own options say nothing in the reader's language.
  private static let ownWords: [String: Wording] = [
    "--help": "@parser.show-help-information", "--version": "@parser.show-the-version",
  ]

  /// What the option is, with its values and its default.
  fileprivate var helpText: String {
    if let words = typed.compactMap({ Self.ownWords[$0] }).first { return say(words) }
    let text = abstract ?? ""
    let isTold = placeholder.contains("|")
    let values = isTold ? [] : allValues ?? []
    let usual = isFlag ? nil : defaultValue
    switch (values.isEmpty, usual) {
    case (true, nil): return text
    case (true, let usual?): return say("@parser.default \(text) \(usual)")
    case (false, nil): return say("@parser.values \(text) \(values.joined(separator: ", "))")
    case (false, let usual?):
      return say("@parser.values-default \(text) \(values.joined(separator: ", ")) \(usual)")
    }
  }
}
