import Foundation
import Support

/// One run of the executable that was built beside the tests.
struct CommandLineRun {
  let status: Int32
  let output: String
  let errors: String

  /// Runs `tieout` with these arguments in `folder`; `through` is a shell's redirection.
  init(_ arguments: String..., in folder: TemporaryFolder, through: String = "") throws {
    try self.init(arguments, in: folder, through: through)
  }

  init(_ arguments: [String], in folder: TemporaryFolder, through: String = "") throws {
    let process = Process()
    let output = Pipe()
    // Several may run at the same time.
    let errors = folder.path + "/.errors-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: errors) }
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
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
  private static let executable: String = {
    let runner =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? CommandLine.arguments[0]
    return (runner as NSString).deletingLastPathComponent + "/tieout"
  }()
}
