import ArgumentParser
import Foundation

/// A command as it describes itself: its texts, its options, the commands below it.
struct CommandTree: Decodable {
  struct Option: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String

      /// As it is typed.
      var typed: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: String
    var shouldDisplay: Bool
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var valueName: String?
    var defaultValue: String?
    var allValues: [String]?
    var abstract: String?

    var isArgument: Bool { kind == "positional" }
    var isFlag: Bool { kind == "flag" }
    /// As it is typed, short names first; empty of an argument.
    var typed: [String] { (names ?? []).map(\.typed) }
    /// What stands for its value: `<period>`.
    var placeholder: String { isFlag ? "" : "<\(valueName ?? "")>" }
  }

  var commandName: String
  var abstract: String?
  var discussion: String?
  var subcommands: [CommandTree]?
  var arguments: [Option]?

  /// The commands that people are told of.
  var commands: [CommandTree] { (subcommands ?? []).filter { $0.commandName != "help" } }

  /// The options and arguments that help shows.
  var options: [Option] { (arguments ?? []).filter(\.shouldDisplay) }

  /// The program with all its commands as they describe themselves, in the reader's language.
  static var program: CommandTree {
    struct Dump: Decodable { var command: CommandTree }
    let text = Data(Tieout._dumpHelp().utf8)
    guard let dump = try? JSONDecoder().decode(Dump.self, from: text) else {
      preconditionFailure("the commands describe themselves")
    }
    return dump.command
  }

  /// The command that these names lead to from this one; a name that is none is passed over.
  subscript(path: [String]) -> CommandTree {
    path.reduce(self) { command, name in
      command.commands.first { $0.commandName == name } ?? command
    }
  }

  /// The options of a command that this one, the program, does not have.
  func own(of command: CommandTree) -> [Option] {
    let shared = Set(options.flatMap(\.typed))
    return command.options.filter { Set($0.typed).isDisjoint(with: shared) }
  }
}
