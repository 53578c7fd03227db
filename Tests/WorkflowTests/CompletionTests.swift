import Foundation
import Support
import Testing

/// Goal: what is begun is completed, in the shells themselves. Method: bash, zsh and fish load the
/// script that the program prints, and complete the same beginnings of command lines.
@Suite struct CompletionTests {
  /// What is typed, all that completes its last word, and some of what does not.
  private static let lines: [(typed: String, completed: [String], others: [String])] = [
    ("tieout rec", ["reconcile"], ["status"]),
    ("tieout import sam", ["samples"], ["orders.csv"]),
    ("tieout import ord", ["orders.csv"], ["samples"]),
    ("tieout import samples/", ["samples/shop.csv"], ["orders.csv"]),
    ("tieout import --as tr", ["transactions"], ["tiers"]),
    ("tieout reconcile --o", ["--out"], ["--ledger"]),
    ("tieout reconcile 2023-06 --out b", ["book.xlsx"], ["other.pdf"]),
    ("tieout --ledger our", ["ours.sqlite"], ["orders.csv"]),
    ("tieout status --fail-on ", ["info", "warning", "error"], ["orders.csv"]),
    ("tieout status --fail-on w", ["warning"], ["error"]),
    ("tieout status --lang z", ["zh-Hans"], ["en"]),
    ("tieout export f", ["findings"], ["orders"]),
    ("tieout export findings --code not-in-", ["not-in-ledger", "not-in-report"], ["timing"]),
    ("tieout explain price-d", ["price-differs"], ["price-mismatch"]),
    ("tieout finding ac", ["accept"], ["assign"]),
    ("tieout config in", ["init"], ["print"]),
    ("tieout template o", ["orders"], ["tiers"]),
    ("tieout help recon", ["reconcile"], ["status"]),
    ("tieout completions f", ["fish"], ["zsh"]),
  ]

  private static let bash = """
    source ./script
    for line; do
      read -ra COMP_WORDS <<< "$line"
      [[ $line == *' ' ]] && COMP_WORDS+=('')
      COMP_LINE=$line COMP_POINT=${#line} COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
      _tieout tieout "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2> /dev/null
      echo "[$line]" "${COMPREPLY[@]}"
    done

    """

  private static let fish = """
    source ./script
    for line in $argv
      echo "[$line]" (complete -C "$line" | string split -f 1 \\t)
    end

    """

  /// zsh completes for nobody but a person at a terminal.
  private static let zsh = """
    zmodload zsh/zpty
    zpty z zsh -f -i
    zpty -w z "PS1='' ; unsetopt prompt_cr prompt_sp zle_bracketed_paste; stty cols 4000"
    zpty -w z "autoload -U compinit; compinit -D -u; source ./script; compdef _tieout tieout"
    zpty -w z "zstyle ':completion:*' list-colors; setopt no_always_last_prompt no_list_ambiguous"
    # Both ask for a list and write the line down as it stands, list or not.
    zpty -w z 'show() { zle -I; print -r -- "=$BUFFER=" }; zle -N show; bindkey "^O" show'
    zpty -w z 'empty() { BUFFER=""; zle -R; print END }; zle -N empty; bindkey "^N" empty'
    zpty -w z 'print REA''DY'
    zpty -r z seen '*READY*'
    for line; do
      zpty -n -w z "$line"$'\\t'$'\\C-O'$'\\C-N'
      zpty -r z seen '*=*=*END*'
      print -r -- "[$line]" ${${seen//$'\\e'\\[[0-9;]#[a-zA-Z]/ }//[^[:graph:]]/ }
    done
    zpty -d z

    """

  @Test(arguments: [("bash", bash), ("fish", fish), ("zsh", zsh)])
  func `the shell completes names, values and files`(shell: String, loop: String) throws {
    guard let program = Self.path(of: shell) else {
      FileHandle.standardError.write(Data("skipped: \(shell) is not installed\n".utf8))
      return
    }
    let folder = try TemporaryFolder()
    for file in ["samples/shop.csv", "orders.csv", "book.xlsx", "other.pdf", "ours.sqlite"] {
      try folder.write(file, "")
    }
    try folder.write("script", CommandLineRun("completions", shell, in: folder).output)
    try folder.write("loop", (shell == "zsh" ? "setopt extendedglob\n" : "") + loop)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    let flags = ["bash": ["--norc"], "fish": ["--no-config"], "zsh": ["-f"]]
    process.arguments =
      ["120", program] + (flags[shell] ?? []) + ["loop"] + Self.lines.map(\.typed)
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.environment = ProcessInfo.processInfo.environment.merging([
      "HOME": folder.path, "TERM": "xterm", "LC_ALL": "C.UTF-8",
      "PATH": (CommandLineRun.executable as NSString).deletingLastPathComponent
        + ":/usr/local/bin:/usr/bin:/bin",
    ]) { $1 }
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let answers = text.split(separator: "\n")
    for (typed, completed, others) in Self.lines {
      let answer = try #require(answers.first { $0.hasPrefix("[\(typed)]") }, "\(typed): \(text)")
      let words = answer.dropFirst(typed.count + 2).split { " =".contains($0) }.map { word in
        String(word.hasSuffix("/") ? word.dropLast() : word)
      }
      for word in completed { #expect(words.contains(word), "\(shell): \(answer)") }
      for word in others { #expect(!words.contains(word), "\(shell): \(answer)") }
    }
  }

  private static func path(of program: String) -> String? {
    ["/usr/local/bin/", "/usr/bin/", "/bin/"].map { $0 + program }
      .first(where: FileManager.default.isExecutableFile(atPath:))
  }
}
