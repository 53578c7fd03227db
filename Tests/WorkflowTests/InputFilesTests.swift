import Billing
import Foundation
import Support
import Testing

@testable import Workflow

@Suite struct InputFilesTests {
  private func walked(_ folder: TemporaryFolder, _ names: String...) -> [String] {
    inputFiles(under: names.map { folder.path + "/" + $0 }).map {
      switch $0 {
      case .file(let file): folder.relative(file.path)
      case .leftOut(let left): folder.relative(left.path) + " left out"
      case .diagnostic(let diagnostic):
        folder.relative(diagnostic.location.file) + ": " + diagnostic.message.english
      }
    }
  }

  @Test func `folders are walked by the bytes of their names, hidden ones left out`() throws {
    let folder = try TemporaryFolder()
    for name in ["b/1", "a.txt", "B", "é", "b.txt", ".hidden", "b/.also/x", "10", "9", "b/a/z"] {
      try folder.write("in/" + name, "x")
    }
    #expect(
      walked(folder, "in") == [
        "in/10", "in/9", "in/B", "in/a.txt", "in/b/1", "in/b/a/z", "in/b.txt", "in/é",
      ])
    #expect(walked(folder, "in/b.txt", "in/9") == ["in/b.txt", "in/9"])
    #expect(walked(folder, "in/b/") == ["in/b/1", "in/b/a/z"])
  }

  @Test func `links are followed, but never in a circle`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/a/x", "x")
    try folder.write("elsewhere/y", "y")
    try folder.link("in/a/up", to: "..")
    try folder.link("in/b", to: "../elsewhere")
    try folder.link("in/self", to: "self")
    #expect(
      walked(folder, "in") == [
        "in/a/x", "in/b/y", "in/self: cannot be read: links lead in a circle",
      ])
  }

  @Test func `what is not there or may not be read is a diagnostic`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/a", "x")
    try folder.link("in/b", to: "nowhere")
    #expect(
      walked(folder, "in", "none") == [
        "in/a", "in/b: cannot be read: no such file or folder",
        "none: cannot be read: no such file or folder",
      ])
    let locked = folder.path + "/locked"
    try FileManager.default.createDirectory(atPath: locked, withIntermediateDirectories: false)
    chmod(locked, 0)
    defer { chmod(locked, 0o700) }
    guard access(locked, R_OK) != 0 else {
      FileHandle.standardError.write(Data("skipped: this user may read everything\n".utf8))
      return
    }
    #expect(walked(folder, "locked") == ["locked: cannot be read: permission denied"])
  }
}
