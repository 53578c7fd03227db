import ArgumentParser
import Billing
import Workflow

/// The first word of a call that names no command, with what was probably meant.
struct UnknownCommand {
  let message: Wording

  /// Nil where the call names a command, or none.
  init?(arguments: [String]) {
    var word: String?
    var isValue = false
    for argument in arguments {
      if argument.hasPrefix("-") {
        // The value of an option that stands before the command's name is no command.
        isValue = Self.optionsWithValue.contains(argument)
        continue
      }
      if isValue {
        isValue = false
        continue
      }
      word = argument
      break
    }
    let names = Tieout.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard let word, word != "help", !names.contains(word) else { return nil }
    message =
      nearest(to: word, among: names).map {
        "there is no command \"\(word)\"; did you mean \($0)?"
      }
      ?? "there is no command \"\(word)\"; there are: \(names.joined(separator: ", "))"
  }

  private static let optionsWithValue: Set<String> = [
    "--ledger", "--config", "--format", "--lang", "--as-of", "--fail-on",
  ]
}
