import Foundation

/// The program that shows a text a screen at a time, to somebody who watches.
struct Pager {
  private let command: String
  private let output: Int32
  private let environment: [String: String]

  /// The pager that the environment names; nil where the output is no terminal that can be paged,
  /// or whoever watches wants no pager.
  ///
  /// - Parameter environment: `TIEOUT_PAGER` goes before `PAGER`, and without both it is `less`,
  ///   where there is one. Either is a command of the shell; empty, or `cat`, means none.
  init?(_ environment: [String: String], output: Int32) {
    let terminal = environment["TERM", default: ""]
    guard isatty(output) == 1, !terminal.isEmpty, terminal != "dumb",
      let command = environment["TIEOUT_PAGER"] ?? environment["PAGER"]
        ?? Self.usual(environment["PATH", default: ""])
    else { return nil }
    let name = command.trimmingCharacters(in: .whitespaces)
    if name.isEmpty || name == "cat" { return nil }
    self.command = command
    self.output = output
    // What less needs: an end with the text, colours as they are, letters as this program writes
    // them. What its user has set goes before.
    self.environment = environment.merging(["LESS": "FRX", "LESSCHARSET": "utf-8"]) { own, _ in own
    }
  }

  /// `less`, where one of the folders of a search path has it; else nil.
  private static func usual(_ path: String) -> String? {
    let isThere = path.split(separator: ":").contains { access("\($0)/less", X_OK) == 0 }
    return isThere ? "less" : nil
  }

  /// Shows a text that is longer than the terminal, and waits until its reader has done with it.
  ///
  /// - Returns: whether it was shown; false too where it needs no pager, or there is no such one.
  func show(_ text: UnsafeRawBufferPointer) -> Bool {
    guard isLonger(text) else { return false }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Ctrl-C is the pager's: this process waits for it, and ends as it would have without it.
    let (interrupt, quit) = (Interruption.isIgnored(SIGINT), Interruption.isIgnored(SIGQUIT))
    let before = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
    defer {
      signal(SIGINT, before.0)
      signal(SIGQUIT, before.1)
    }
    let heard = (interrupt ? [] : [SIGINT]) + (quit ? [] : [SIGQUIT])
    let started = start(reading: ends[0], resetting: [SIGPIPE, SIGXFSZ] + heard)
    close(ends[0])
    guard let started else {
      close(ends[1])
      return false
    }
    // A pager that was left early is no failure.
    _ = writeAll(text, to: ends[1])
    close(ends[1])
    return !Self.hasFailed(started)
  }

  /// Whether a text has more lines than the screen has room for; the shell's prompt takes up the
  /// last one.
  private func isLonger(_ text: UnsafeRawBufferPointer) -> Bool {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return false }
    return text.count { $0 == UInt8(ascii: "\n") } >= Int(size.ws_row)
  }

  /// Starts the pager with a pipe as its input; nil where it cannot be started.
  ///
  /// - Parameters:
  ///   - input: the descriptor that the pager reads from.
  ///   - signals: those for which the pager gets the system's default action back.
  private func start(reading input: Int32, resetting signals: [Int32]) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in signals { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    let arguments = Self.texts(["sh", "-c", command])
    let variables = Self.texts(environment.map { "\($0)=\($1)" })
    defer { for text in arguments + variables { free(text) } }
    var process = pid_t()
    let failure = posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, variables)
    return failure == 0 ? process : nil
  }

  /// Words as C has a list of texts, with nothing at its end; the caller frees them.
  private static func texts(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
    words.map { (word: String) in strdup(word) } + [nil]
  }

  /// Waits for the pager's end, and returns whether it exited with an error, as the shell does
  /// where it cannot run the command: nobody has seen the text then. A pager that was left early or
  /// killed has shown it.
  private static func hasFailed(_ process: pid_t) -> Bool {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return false }
    }
    let isExit = status & 0x7F == 0
    return isExit && status >> 8 & 0xFF != 0
  }
}
