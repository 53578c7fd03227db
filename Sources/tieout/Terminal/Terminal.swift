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
  private let diagnosticText: DiagnosticText

  init(_ options: SharedOptions) {
    isQuiet = options.quiet
    isVerbose = options.verbose
    let environment = ProcessInfo.processInfo.environment
    isInteractive = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
    let allowsColour = environment["NO_COLOR", default: ""].isEmpty
    diagnosticText = DiagnosticText(hasColour: isInteractive && allowsColour)
  }

  /// Prints a result for a person. A reader that has gone away is no failure.
  func print(_ result: String) throws {
    var result = plainLines(result)
    try result.withUTF8 { try print(UnsafeRawBufferPointer($0)) }
  }

  func print(_ result: [UInt8]) throws { try result.withUnsafeBytes { try print($0) } }

  /// Prints what `make` hands over as it reads the ledger, without letting it wait for long.
  func printing(
    whileReading ledger: String, _ make: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    let spool = Spool(STDOUT_FILENO, beside: ledger) { try print($0) }
    do {
      try make { try $0.withUnsafeBytes { try spool.take($0) } }
    } catch {
      try spool.finish()
      throw error
    }
    try spool.finish()
  }

  private func print(_ bytes: UnsafeRawBufferPointer) throws {
    guard writeAll(bytes, to: STDOUT_FILENO) else {
      throw Stop(
        .badInput, "standard output cannot be written: \(String(cString: strerror(errno)))",
        help: "see that the disk has room, or print elsewhere")
    }
  }

  /// Prints what is wrong with input: errors always, warnings unless the user wants quiet.
  func report(_ diagnostics: [Diagnostic]) {
    let wanted = diagnostics.filter { $0.severity == .error || !isQuiet }
    write(diagnosticText.text(of: wanted))
  }

  func report(_ stop: Stop) { write(diagnosticText.text(of: stop)) }

  /// Prints a remark for those who want to know more.
  func remark(_ text: @autoclosure () -> Wording) {
    if isVerbose { write(say(text()) + "\n") }
  }

  /// Prints on standard error; where that cannot be written there is nobody to tell.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }

  /// Shows what is going on for as long as it does, where somebody watches.
  func during<Value>(_ activity: Wording, _ work: () throws -> Value) rethrows -> Value {
    guard isInteractive, !isQuiet else { return try work() }
    write(say(activity))
    defer { write("\r\u{1B}[K") }
    return try work()
  }

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

  func run(on terminal: Terminal) throws -> Ending
}

extension TieoutCommand {
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

/// Writes all of the bytes; true too when the reader has gone away.
private func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
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
