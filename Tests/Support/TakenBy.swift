import Foundation

/// What a program that reads journals says against `text`; nil where it takes it, and where it is
/// not installed, which is said.
package func complaint(of command: [String], about text: String) throws -> String? {
  let folder = URL(filePath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appending(path: "journal.txt")
  try Data(text.utf8).write(to: file)
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = command + [file.path(percentEncoded: false)]
  let output = Pipe()
  process.standardOutput = output
  process.standardError = output
  try process.run()
  let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  if process.terminationStatus == 127 {
    FileHandle.standardError.write(Data("skipped: \(command[0]) is not installed\n".utf8))
    return nil
  }
  return process.terminationStatus == 0 ? nil : "\(command[0]): \(said)"
}
