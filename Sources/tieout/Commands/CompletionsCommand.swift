import ArgumentParser
import Billing
import Languages

/// `tieout completions`
struct CompletionsCommand: TieoutCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "completions",
      abstract: say("@command.print-a-script-that-completes"),
      discussion: """
        \(say("@command.save-it-where-the-shell"))

          tieout completions bash > ~/.local/share/bash-completion/completions/tieout
          tieout completions zsh > "${fpath[1]}/_tieout"
          tieout completions fish > ~/.config/fish/completions/tieout.fish
        """)
  }

  enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// The shell as the library of command lines names it.
    fileprivate var library: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(
    help: .words("@command.shell", value: "bash|zsh|fish"),
    completion: .list(Shell.allCases.map(\.rawValue)), transform: readShell)
  var shell: Shell

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func run(on terminal: Terminal) throws -> Ending {
    try terminal.print(Array((shell.completingHelp(of: script) + "\n").utf8))
    return .done
  }

  private var script: String { Tieout.completionScript(for: shell.library) }
}

extension CompletionsCommand.Shell {
  /// The zsh script with other names for its lists of values, where zsh would refuse theirs. The
  /// library names such a list by what stands for the value in the help, which in zsh may be no
  /// name of a variable: `bash|zsh|fish`.
  private static func withNames(_ script: String) -> String {
    var script = script
    let lists = Set(script.matches(of: #/local -ar (_[^=\n]+)=\(/#).map { String($0.1) }).sorted()
    for (index, name) in lists.enumerated()
    where !name.utf8.allSatisfy({ $0 == 0x5F || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 }) {
      script = script.replacing("local -ar \(name)=(", with: "local -ar _tieout_values_\(index)=(")
        .replacing("${\(name)[@]}", with: "${_tieout_values_\(index)[@]}")
    }
    return script
  }

  /// The shell's script, completing the names of commands behind `help` too: the library knows the
  /// commands and leaves them out there.
  fileprivate func completingHelp(of script: String) -> String {
    let names = Tieout.configuration.subcommands.compactMap { $0.configuration.commandName }
      .joined(separator: " ")
    switch self {
    case .bash:
      return script.replacing(
        "_tieout_help() {\n",
        with: """
          _tieout_help() {
              COMPREPLY=($(compgen -W '\(names)' -- "${COMP_WORDS[COMP_CWORD]}"))
              return

          """)
    case .zsh:
      return Self.withNames(
        script.replacing("'*:subcommands:'", with: "'*:subcommands:(\(names))'"))
    case .fish:
      return script
        + "\ncomplete -c tieout -n '__fish_seen_subcommand_from help' -fa '\(names)'"
    }
  }
}

@Sendable private func readShell(_ text: String) throws -> CompletionsCommand.Shell {
  if let shell = CompletionsCommand.Shell(rawValue: text) { return shell }
  throw unknownWord(text, among: CompletionsCommand.Shell.allCases.map(\.rawValue))
}
