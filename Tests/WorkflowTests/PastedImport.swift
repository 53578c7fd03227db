import Foundation
import Support
import Testing

/// A file that was refused, and went in once what its message proposes was pasted as it stands.
struct PastedImport {
  let imported: CommandLineRun
  /// What was pasted.
  let lines: String
  private let folder: TemporaryFolder

  /// - Parameters:
  ///   - known: what only a person knows, in place of what the proposal leaves open.
  ///   - encoding: as the system's own program calls it.
  init(
    _ name: String, _ text: String, encoding: String = "UTF-8", knowing known: String = "…"
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(name, try Self.encoded(text, encoding, in: folder))
    let refused = try CommandLineRun("import", name, in: folder)
    #expect(refused.status == 2, "\(refused.output)")
    let lines = Self.proposal(refused.errors).replacing("\"…\"", with: "\"\(known)\"")
    try folder.write("tieout.toml", lines)
    let imported = try CommandLineRun("import", name, in: folder)
    #expect(imported.status == 0, "\(lines)\n\(imported.errors)")
    (self.folder, self.lines, self.imported) = (folder, lines, imported)
  }

  /// One that is read as it is.
  init(plain name: String, _ text: String, encoding: String = "UTF-8") throws {
    let folder = try TemporaryFolder()
    try folder.write(name, try Self.encoded(text, encoding, in: folder))
    let imported = try CommandLineRun("import", name, in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    (self.folder, lines, self.imported) = (folder, "", imported)
  }

  /// Rows of a view in the order in which they were read.
  func rows(_ view: String, _ columns: String) throws -> [String] {
    try CommandLineRun(
      ["sql", "SELECT \(columns) FROM \(view) ORDER BY id", "--format", "csv"], in: folder
    ).output.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
  }

  /// Lines of their own, or one in the middle of a sentence, in front of the table's columns.
  private static func proposal(_ errors: String) -> String {
    let lines = errors.split(separator: "\n")
    let own = lines.filter { $0.hasPrefix("    import.") }
    if !own.isEmpty { return own.map { $0.dropFirst(4) + "\n" }.joined() }
    guard let line = lines.last(where: { $0.contains(": import.") }),
      let begin = line.firstRange(of: ": import.")
    else { return "" }
    let rest = line[begin.lowerBound...].dropFirst(2)
    guard let columns = rest.firstRange(of: " may have: "),
      let end = rest[..<columns.lowerBound].lastIndex(of: ";")
    else { return String(rest) + "\n" }
    return String(rest[..<end]) + "\n"
  }

  private static func encoded(
    _ text: String, _ encoding: String, in folder: TemporaryFolder
  ) throws -> [UInt8] {
    if encoding == "UTF-8" { return Array(text.utf8) }
    try folder.write("in/utf8", text)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/iconv")
    process.arguments = ["-f", "UTF-8", "-t", encoding, "-o", "other", "utf8"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path + "/in")
    try process.run()
    process.waitUntilExit()
    return Array(try folder.bytes("in/other"))
  }
}
