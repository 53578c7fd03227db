import ArgumentParser
import Billing

/// The command that a call names, as far as its words are names of commands.
struct CalledCommand {
  /// The names, from the program's command on.
  private(set) var path: [String] = []
  /// What is wrong with the word behind it, which should be a command's name and is none.
  private(set) var unknown: Wording?
  /// Whether the call asks for help about the options of every command.
  private(set) var asksForOptions = false
  private var type: any ParsableCommand.Type = Tieout.self

  /// Follows the names of commands in a call until one has no commands below it, or a word is no
  /// name.
  init(_ arguments: [String]) {
    var isValue = false
    var isHelp = false
    for argument in arguments {
      let names = type.configuration.subcommands.compactMap { $0.configuration.commandName }
      if names.isEmpty { return }
      if argument.hasPrefix("-") {
        // The value of an option that stands before the command's name is no command.
        isValue = Self.optionsWithValue.contains(argument)
        continue
      }
      if isValue {
        isValue = false
        continue
      }
      if argument == "help" {
        isHelp = true
        continue
      }
      if isHelp, path.isEmpty, argument == HelpScreen.optionsTopic {
        asksForOptions = true
        return
      }
      guard let index = names.firstIndex(of: argument) else {
        unknown = Self.message(argument, names)
        return
      }
      type = type.configuration.subcommands[index]
      path.append(argument)
    }
  }

  /// What is wrong with a word that is no command's name, with the names that there are.
  ///
  /// - Parameter names: those of the commands that could stand here.
  private static func message(_ word: String, _ names: [String]) -> Wording {
    nearest(to: word, among: names).map {
      "@terminal.there-is-no-command-did \(word) \($0)"
    }
      ?? "@terminal.there-is-no-command-there \(word) \(names.joined(separator: ", "))"
  }

  private static let optionsWithValue: Set<String> = [
    "--ledger", "-l", "--config", "--format", "--lang", "--as-of", "--fail-on",
  ]

  /// The first word that looks like an option and is none of the command's, with the one that it is
  /// nearest to; nil where there is no such word.
  func unknownOption(in arguments: [String]) -> (name: String, meant: String?)? {
    let program = CommandTree.program
    let known = Set((program.options + program[path].options).flatMap(\.typed))
    let words = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
      .map { String($0.prefix { $0 != "=" }) }
    guard let unknown = words.first(where: { !known.contains($0) }) else { return nil }
    // The dashes, which all have, make no two alike.
    let names = known.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
    return (
      unknown,
      nearest(to: String(unknown.dropFirst(2)), among: names.sorted()).map { "--" + $0 }
    )
  }

  /// A text that lists the options that the command has of its own, else those of every command.
  var ownOptions: Wording? {
    let program = CommandTree.program
    let own = program.own(of: program[path]).flatMap(\.typed)
    let known = path.isEmpty || own.isEmpty ? program.options.flatMap(\.typed) : own
    return "@terminal.options \(known.filter { $0.hasPrefix("--") }.joined(separator: ", "))"
  }
}
