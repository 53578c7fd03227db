import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

extension Tieout {
  /// Prints what ended the call, help among it, and ends the process with its status.
  static func end(with error: any Error, _ arguments: [String]) -> Never {
    let code = exitCode(for: error)
    let text = fullMessage(for: error)
    // A script of completions, a version, a status alone: as they are.
    guard ["OVERVIEW:", "USAGE:", "Error:"].contains(where: text.hasPrefix) else {
      exit(withError: error)
    }
    let called = CalledCommand(arguments)
    if code.isSuccess {
      printHelp(HelpScreen(of: called.path, columns: helpColumns))
    } else {
      let text = wrongUsage(message(for: error), called, arguments, code)
      FileHandle(fileDescriptor: STDERR_FILENO).write(Data(text.utf8))
    }
    Foundation.exit(code.rawValue)
  }

  /// Prints a screen of help.
  static func printHelp(_ screen: HelpScreen) {
    FileHandle(fileDescriptor: STDOUT_FILENO).write(Data(screen.text.utf8))
  }

  /// What standard error gets about a call that the parser refused: text, or JSON where it was
  /// asked for.
  ///
  /// - Parameters:
  ///   - message: what the parser objects to.
  ///   - code: the status that the process ends with.
  private static func wrongUsage(
    _ message: String, _ called: CalledCommand, _ arguments: [String], _ code: ExitCode
  ) -> String {
    let error = UsageError(message, in: called, arguments)
    let words = (["help"] + called.path).joined(separator: " ")
    let help = error.meant ?? "@terminal.see-tieout-help \(words)"
    if Terminal.wantsJSON(arguments) {
      return jsonLine(.error, say(error.message), help: say(help), status: code.rawValue)
    }
    return Terminal.ofErrors.text(of: Stop(.badInput, error.message, help: help))
  }

  /// The columns of help: those of the terminal, or 80.
  static var helpColumns: Int { Terminal.columns(of: STDOUT_FILENO) ?? 80 }
}
