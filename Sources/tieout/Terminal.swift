import ArgumentParser
import Billing
import Foundation
import Workflow

/// Where a command's words go: results to standard output, all else to standard error.
struct Terminal {
  let isQuiet: Bool
  let isVerbose: Bool
  /// Whether standard error is a terminal that can redraw a line.
  let isInteractive: Bool
  private let objectionText: ObjectionText

  init(_ options: SharedOptions) {
    isQuiet = options.quiet
    isVerbose = options.verbose
    let environment = ProcessInfo.processInfo.environment
    isInteractive = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
    let allowsColour = environment["NO_COLOR", default: ""].isEmpty
    objectionText = ObjectionText(hasColour: isInteractive && allowsColour)
  }

  /// Prints a result. A reader that has gone away is no failure.
  func print(_ result: String) throws {
    var result = result
    try result.withUTF8 { try print(UnsafeRawBufferPointer($0)) }
  }

  func print(_ result: [UInt8]) throws { try result.withUnsafeBytes { try print($0) } }

  private func print(_ bytes: UnsafeRawBufferPointer) throws {
    guard write(bytes, to: STDOUT_FILENO) else {
      throw Stop(
        .badInput, "standard output cannot be written: \(String(cString: strerror(errno)))",
        help: "see that the disk has room, or print elsewhere")
    }
  }

  /// Prints what is wrong with input: errors always, warnings unless the user wants quiet.
  func report(_ objections: [Objection]) {
    let wanted = objections.filter { $0.severity == .error || !isQuiet }
    say(objectionText.text(of: wanted))
  }

  func report(_ stop: Stop) { say(objectionText.text(of: stop)) }

  /// Prints a remark for those who want to know more.
  func remark(_ text: @autoclosure () -> String) {
    if isVerbose { say(text() + "\n") }
  }

  /// Prints on standard error; where that cannot be written there is nobody to tell.
  func say(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }

  /// Shows what is going on for as long as it does, where somebody watches.
  func during<Value>(_ activity: String, _ work: () throws -> Value) rethrows -> Value {
    guard isInteractive, !isQuiet else { return try work() }
    say(activity)
    defer { say("\r\u{1B}[K") }
    return try work()
  }

  /// Runs a command's work and ends it with the status that its outcome asks for.
  func run(_ work: () throws -> Ending) throws {
    let ending: Ending
    do {
      ending = try work()
    } catch let bad as BadConfiguration {
      report(bad.objections)
      ending = .badInput
    } catch let objection as Objection {
      report([objection])
      ending = .badInput
    } catch {
      guard let stop = Stop(error) else { throw error }
      report(stop)
      ending = stop.status == .ledger ? .ledger : .badInput
    }
    if ending != .done { throw ExitCode(ending.rawValue) }
  }
}

/// How a command ended: its exit status.
enum Ending: Int32 {
  case done = 0
  /// Done, and `--fail-on` met something of that severity.
  case failOn = 1
  case badInput = 2
  case ledger = 3
}

/// Writes all of the bytes; true too when the reader has gone away.
private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
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
