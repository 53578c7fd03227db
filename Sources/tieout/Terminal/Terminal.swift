import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

/// Where a command's words go: results to standard output, all else to standard error.
struct Terminal {
  let isQuiet: Bool
  let isVerbose: Bool
  /// Whether standard error is a terminal that can redraw a line.
  let isInteractive: Bool
  /// Whether what is said beside the result is for a script too: an object a line.
  private let isJSON: Bool
  /// Columns that lines of a result may take up; nil where nobody watches.
  private let columns: Int?
  private let pager: Pager?
  /// Whether results in text go to a terminal.
  var isWatched: Bool { columns != nil }
  private let diagnosticText: DiagnosticText

  /// Finds out from a call's options, the environment and the kind of its output how to print: as
  /// text or JSON, with colour, a pager and a line of progress or without, and how wide.
  init(_ options: SharedOptions) {
    isQuiet = options.quiet
    isVerbose = options.verbose
    let environment = ProcessInfo.processInfo.environment
    isJSON = options.format == .json || options.format == .jsonl
    isInteractive = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb" && !isJSON
    columns = options.format == .text ? Self.columns(of: STDOUT_FILENO) : nil
    pager =
      options.format == .text && !options.noPager
      ? Pager(environment, output: STDOUT_FILENO) : nil
    diagnosticText = Self.diagnosticText(isInteractive: isInteractive)
  }

  /// How diagnostics look on standard error: in colour where somebody watches and wants it.
  private static func diagnosticText(isInteractive: Bool) -> DiagnosticText {
    let allowsColour = ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    return DiagnosticText(
      hasColour: isInteractive && allowsColour,
      columns: isInteractive ? columns(of: STDERR_FILENO) : nil)
  }

  /// How errors look while the options are not known yet.
  static var ofErrors: DiagnosticText {
    let isDumb = ProcessInfo.processInfo.environment["TERM"] == "dumb"
    return diagnosticText(isInteractive: isatty(STDERR_FILENO) == 1 && !isDumb)
  }

  /// The columns of a terminal; nil where the descriptor is none, or does not tell.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col >= 20
    return isKnown ? Int(size.ws_col) : nil
  }

  /// Whether a command line asks for JSON, as far as that can be told before it is parsed.
  static func wantsJSON(_ arguments: [String]) -> Bool {
    let forms: Set = ["json", "jsonl"]
    return arguments.contains {
      $0.hasPrefix("--format=") && forms.contains(String($0.dropFirst(9)))
    }
      || zip(arguments, arguments.dropFirst()).contains { $0 == "--format" && forms.contains($1) }
  }

  /// Prints a result for a person, laid out for the terminal's width, and a screen at a time where
  /// it is longer than one. A reader that has gone away is no failure.
  func print(_ result: @autoclosure () throws -> String) throws {
    var result = plainLines(try laidOut { try result() })
    if let columns { result = broken(result, columns) }
    try result.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      if pager?.show(bytes) != true { try print(bytes) }
    }
  }

  /// Runs `make` so that the texts that it makes are laid out for the terminal's width, or for no
  /// width where results do not go to a terminal.
  func laidOut<Value>(_ make: () throws -> Value) rethrows -> Value {
    try ReaderWidth.$columns.withValue(columns, operation: make)
  }

  /// Prints a result as it is, such as one for a script.
  func print(_ result: [UInt8]) throws { try result.withUnsafeBytes { try print($0) } }

  /// Prints the bytes that `make` passes on while it reads the ledger, and does not let it wait for
  /// a slow output: bytes then go into a file first. On a terminal they are shown a screen at a
  /// time.
  ///
  /// - Parameter ledger: the ledger's path.
  func printing(
    whileReading ledger: String, _ make: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    let spool = Spool(STDOUT_FILENO, beside: ledger) { try print($0) }
    do {
      try laidOut { try make { try $0.withUnsafeBytes { try spool.take($0) } } }
    } catch {
      try spool.finish()
      throw error
    }
    try spool.finish { pager?.show($0) == true }
  }

  /// Writes bytes to standard output; throws where they cannot be written.
  private func print(_ bytes: UnsafeRawBufferPointer) throws {
    guard writeAll(bytes, to: STDOUT_FILENO) else {
      throw Stop(
        .badInput,
        "@terminal.standard-output-cannot-be-written \(String(cString: strerror(errno)))",
        help: "@terminal.make-sure-that-the-disk")
    }
  }

  /// Prints what is wrong with input: errors always, warnings unless the user wants quiet.
  func report(_ diagnostics: [Diagnostic]) {
    let wanted = diagnostics.filter { $0.severity == .error || !isQuiet }
    write(isJSON ? wanted.map(jsonLine).joined() : diagnosticText.text(of: wanted))
  }

  /// Prints why a run ended.
  func report(_ stop: Stop) {
    write(isJSON ? jsonLine(of: stop) : diagnosticText.text(of: stop))
  }

  /// Prints a remark for those who want to know more.
  func remark(_ text: @autoclosure () -> Wording) {
    if isVerbose { note(text()) }
  }

  /// Prints what is neither a result nor wrong with input.
  func note(_ text: Wording, severity: Severity = .info) {
    if isJSON { return write(jsonLine(severity, say(text), help: "", status: nil)) }
    write((severity == .info ? say(text) : say("@terminal.warning \(text)")) + "\n")
  }

  /// Prints on standard error; where that cannot be written there is nobody to tell.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }

  /// Runs `work`, and shows `activity` on the terminal for as long as it runs, where standard error
  /// is a terminal and the call is not quiet.
  func during<Value>(_ activity: Wording, _ work: () throws -> Value) rethrows -> Value {
    guard isInteractive, !isQuiet else { return try work() }
    write(say(activity))
    defer { write(Self.clearedLine) }
    return try work()
  }

  /// Shows which part of long work begins: on a terminal in place of the part before, with
  /// `--verbose` on a line of its own.
  func phase(_ text: Wording) {
    if isVerbose {
      if isInteractive { write(Self.clearedLine) }
      note(text)
    } else if isInteractive, !isQuiet {
      write(Self.clearedLine + say("\(text) …"))
    }
  }

  private static let clearedLine = "\r\u{1B}[K"

  /// Runs a command's work and ends it with the status that its outcome asks for.
  func run(_ work: () throws -> Ending) throws {
    let ending: Ending
    do {
      ending = try work()
    } catch let bad as BadConfiguration {
      report(bad.diagnostics)
      ending = .badInput
    } catch let diagnostic as Diagnostic {
      report([diagnostic])
      ending = .badInput
    } catch {
      guard let stop = Stop(error) else { throw error }
      report(stop)
      ending = stop.status == .ledger ? .ledger : .badInput
    }
    if ending != .done { throw ExitCode(ending.rawValue) }
  }
}

/// A command with the options of every command: what it does ends with a status.
protocol TieoutCommand: ParsableCommand {
  var shared: SharedOptions { get }

  /// Does the command's work: results and messages go to the terminal.
  func run(on terminal: Terminal) throws -> Ending
}

extension TieoutCommand {
  /// Runs the command on a terminal of its own, and ends the call with the status of its outcome.
  func run() throws {
    let terminal = Terminal(shared)
    try terminal.run { try run(on: terminal) }
  }
}

/// How a command ended: its exit status.
enum Ending: Int32 {
  case done = 0
  /// Done, and `--fail-on` met something of that severity.
  case failOn = 1
  case badInput = 2
  case ledger = 3
  /// Apple could not be reached, or refused; what came stays.
  case apple = 4
}

/// Breaks lines of a text that are longer than `columns` between words; what follows the break is
/// indented two blanks further.
private func broken(_ text: String, _ columns: Int) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
    if displayWidth(String(line)) <= columns { return String(line) }
    let blanks = line.prefix { $0 == " " }
    guard blanks.count + 20 < columns else { return String(line) }
    return wrapped(
      String(line.dropFirst(blanks.count)), columns: columns - blanks.count, hanging: 2
    )
    .enumerated().map { blanks + ($0 == 0 ? "" : "  ") + $1 }.joined(separator: "\n")
  }.joined(separator: "\n")
}

/// Writes all of the bytes; true too when the reader has gone away.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var rest = bytes
  while !rest.isEmpty {
    let count = Foundation.write(descriptor, rest.baseAddress!, rest.count)
    if count < 0 {
      if errno == EINTR { continue }
      return errno == EPIPE
    }
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
  }
  return true
}
