import ArgumentParser
import Billing
import Languages

/// `tieout completions`
struct CompletionsCommand: TieoutCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "completions",
      abstract: say("Print a script that completes the command line in a shell."),
      discussion: """
        \(say("Save it where the shell looks for completions:"))

          tieout completions bash > ~/.local/share/bash-completion/completions/tieout
          tieout completions zsh > "${fpath[1]}/_tieout"
          tieout completions fish > ~/.config/fish/completions/tieout.fish
        """)
  }

  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish

    fileprivate var library: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(help: .words("The shell.", value: "bash|zsh|fish"))
  var shell: Shell

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func run(on terminal: Terminal) throws -> Ending {
    try terminal.print(Tieout.completionScript(for: shell.library) + "\n")
    return .done
  }
}
