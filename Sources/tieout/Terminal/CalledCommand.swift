import ArgumentParser
import Billing

/// The command that a call names, as far as its words are names of commands.
struct CalledCommand {
  private(set) var type: any ParsableCommand.Type = Tieout.self
  /// What is wrong with the word behind it, which should be a command's name and is none.
  private(set) var unknown: Wording?

  init(_ arguments: [String]) {
    var isValue = false
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
      if argument == "help" { return }
      guard let index = names.firstIndex(of: argument) else {
        unknown = Self.message(argument, names)
        return
      }
      type = type.configuration.subcommands[index]
    }
  }

  private static func message(_ word: String, _ names: [String]) -> Wording {
    nearest(to: word, among: names).map {
      "@terminal.there-is-no-command-did \(word) \($0)"
    }
      ?? "@terminal.there-is-no-command-there \(word) \(names.joined(separator: ", "))"
  }

  private static let optionsWithValue: Set<String> = [
    "--ledger", "--config", "--format", "--lang", "--as-of", "--fail-on",
  ]

  /// The value that was most likely meant, where the parser refuses one and lists those that there
  /// are; nil elsewhere.
  static func valueMeant(in message: String) -> Wording? {
    guard
      let refused = message.firstMatch(
        of: #/value '([^']*)' is invalid for '[^']*'\. Please provide one of (.*)/#)
    else { return nil }
    let known = refused.2.matches(of: #/'([^']+)'/#).map { String($0.1) }
    return nearest(to: String(refused.1), among: known).map { "@shared.did-you-mean \($0)" }
  }

  /// The options that the command has, where the parser objects to one and knows none like it.
  func optionsInsteadOf(unknownIn message: String) -> Wording? {
    guard message.hasPrefix("Unknown"), !message.contains("Did") else { return nil }
    let help = Tieout.helpMessage(for: type, columns: 1_000)
    let options = help.matches(of: #/\n  (--[a-z-]+)/#).map { String($0.1) }
    // Those of every command come last, as in the help.
    let shared = Set(Self.optionsWithValue).union(["--quiet", "--verbose", "--version"])
    let own = options.filter { !shared.contains($0) } + options.filter(shared.contains)
    return options.isEmpty ? nil : "@terminal.options \(own.joined(separator: ", "))"
  }
}
