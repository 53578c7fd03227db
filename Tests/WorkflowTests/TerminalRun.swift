import Support

/// What stands on a terminal of its own once a shell has run calls of the executable there.
struct TerminalRun {
  /// Without what only moves the cursor or colours.
  let text: String

  /// - Parameters:
  ///   - calls: lines for the shell, in which `tieout` is the executable.
  ///   - rows: of the screen; a screen without any cannot be paged.
  init(
    _ calls: String, columns: Int, rows: Int = 0, in folder: TemporaryFolder,
    environment: [String: String] = [:]
  ) throws {
    try folder.write(
      "calls.sh",
      """
      tieout() { '\(CommandLineRun.executable)' "$@"; }
      stty cols \(columns) rows \(rows)
      \(calls)
      """)
    let run = try CommandLineRun(
      "--version", in: folder, through: "> /dev/null; script -qec 'sh calls.sh' /dev/null",
      environment: ["TERM": "xterm", "LESS": ""].merging(environment) { $1 })
    // A terminal ends lines with two characters, which Swift takes for one.
    text = String(String.UnicodeScalarView(run.output.unicodeScalars.filter { $0 != "\r" }))
      .replacing(#/\u{1B}\[[0-9;]*[A-Za-z]/#, with: "")
  }
}
