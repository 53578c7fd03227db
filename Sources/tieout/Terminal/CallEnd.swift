import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

extension Tieout {
  /// Prints what ended the call, help among it, and ends the process with its status.
  static func end(with error: any Error, _ arguments: [String]) -> Never {
    let code = exitCode(for: error)
    let unbroken = fullMessage(for: error, columns: 100_000)
    // A script of completions, a version, a status alone: as they are.
    guard ["OVERVIEW:", "USAGE:", "Error:"].contains(where: unbroken.hasPrefix) else {
      exit(withError: error)
    }
    if code.isSuccess {
      let text = HelpScreen(unbroken, columns: helpColumns).text + "\n"
      FileHandle(fileDescriptor: STDOUT_FILENO).write(Data(text.utf8))
    } else {
      let text = wrongUsage(unbroken, message: message(for: error), arguments, code)
      FileHandle(fileDescriptor: STDERR_FILENO).write(Data(text.utf8))
    }
    Foundation.exit(code.rawValue)
  }

  private static func wrongUsage(
    _ unbroken: String, message: String, _ arguments: [String], _ code: ExitCode
  ) -> String {
    let options =
      CalledCommand(arguments).optionsInsteadOf(unknownIn: message)
      ?? CalledCommand.valueMeant(in: message)
    guard Terminal.wantsJSON(arguments) else {
      var lines = unbroken.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      if let options { lines[0] += "; " + say(options) }
      return HelpScreen(lines.joined(separator: "\n"), columns: helpColumns).text + "\n"
    }
    return jsonLine(
      .error, HelpScreen.said(message),
      help: options.map { say($0) } ?? say("@terminal.see-tieout-help"), status: code.rawValue)
  }

  /// The columns of help: those of the terminal, or 80.
  private static var helpColumns: Int { Terminal.columns(of: STDOUT_FILENO) ?? 80 }
}
