import Foundation
import Support

/// One run of the executable that was built beside the tests.
struct CommandLineRun {
  let status: Int32
  let output: String
  let errors: String

  /// Runs `tieout` with these arguments in `folder`; `through` is a shell's redirection.
  init(
    _ arguments: String..., in folder: TemporaryFolder, through: String = "",
    environment: [String: String] = [:]
  ) throws {
    try self.init(arguments, in: folder, through: through, environment: environment)
  }

  /// - Parameter environment: beside what the tests themselves run in, without its languages.
  init(
    _ arguments: [String], in folder: TemporaryFolder, through: String = "",
    environment: [String: String] = [:]
  ) throws {
    let process = Process()
    let output = Pipe()
    // Several may run at the same time.
    let errors = folder.path + "/.errors-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: errors) }
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    process.environment = ProcessInfo.processInfo.environment
      .filter { !["LANG", "LC_ALL", "LC_MESSAGES", "COLUMNS"].contains($0.key) }
      .merging(environment) { $1 }
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: errors)
    if through.isEmpty {
      process.executableURL = URL(fileURLWithPath: Self.executable)
      process.arguments = arguments
    } else {
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments = ["-c", "\"$0\" \"$@\" \(through)", Self.executable] + arguments
    }
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    status = process.terminationStatus
    self.output = String(decoding: bytes, as: UTF8.self)
    self.errors = String(
      decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
  }

  /// `tieout` in the folder that the test runner itself was built into.
  static let executable: String = {
    let runner =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? CommandLine.arguments[0]
    return (runner as NSString).deletingLastPathComponent + "/tieout"
  }()
}

/// How a run ended that is interrupted once it has made a file whose path begins so.
func interruptedStatus(
  once made: String, _ arguments: [String], in folder: TemporaryFolder
) throws -> Int32 {
  let watching = """
    import glob, os, signal, sys, time
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    run = os.spawnv(os.P_NOWAIT, sys.argv[2], sys.argv[2:])
    while not glob.glob(sys.argv[1] + "*") and os.waitid(
        os.P_PID, run, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.01)
    os.kill(run, signal.SIGINT)
    status = os.waitstatus_to_exitcode(os.waitpid(run, 0)[1])
    sys.exit(status if status >= 0 else 128 - status)
    """
  return try status(of: [watching, made, CommandLineRun.executable] + arguments, in: folder)
}

/// How a run ended that is killed after a time.
func killedStatus(
  after seconds: String, _ arguments: [String], in folder: TemporaryFolder
) throws -> Int32 {
  let unblocked = """
    import os, signal, sys
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.execvp(sys.argv[1], sys.argv[1:])
    """
  return try status(
    of: [
      unblocked, "timeout", "--preserve-status", "-s", "KILL", seconds, CommandLineRun.executable,
    ] + arguments, in: folder)
}

/// How a script ends that lets signals through: threads of tests block them, shells may have them
/// ignored, and what they start inherits it.
private func status(of script: [String], in folder: TemporaryFolder) throws -> Int32 {
  let process = Process()
  process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["python3", "-c"] + script
  try process.run()
  process.waitUntilExit()
  return process.terminationReason == .exit
    ? process.terminationStatus : 128 + process.terminationStatus
}
