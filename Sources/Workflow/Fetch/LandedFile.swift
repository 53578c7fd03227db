import Billing
import Fetching
import Foundation
import Languages
import Reporting

/// A file on its way into the folder of what came from Apple: there whole, or not at all.
///
/// A report that another version of the same stands for is not lost: it goes into a hidden folder,
/// which no import walks.
final class LandedFile: @unchecked Sendable {
  static let supersededFolder = ".superseded"

  let path: String
  private let folder: String
  private let name: String
  private let file: OutputFile

  /// Opens a file in the folder to be written; it gets its name there only when ``commit(sha256:)``
  /// is called.
  init(_ name: String, in folder: String) throws {
    self.folder = folder
    self.name = name
    path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
    do { file = try OutputFile(path, isPrivate: true) } catch {
      throw Self.cannotWrite(path, error.message)
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    do { try file.write(bytes) } catch { throw Self.cannotWrite(path, error.message) }
  }

  func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

  /// Puts the file in its place; false where the same content stands there already.
  ///
  /// - Parameter sha256: of what a report's file holds when unpacked; nil for what never stands
  ///   there already.
  func commit(sha256: [UInt8]?) throws -> Bool {
    if let sha256, identity(of: path) != nil {
      if try packedDigest() == sha256 { return false }
      try linkOlderVersion()
    }
    do { try file.commit() } catch { throw Self.cannotWrite(path, error.message) }
    return true
  }

  /// The SHA-256 of what the file that stands in the place holds when unpacked.
  private func packedDigest() throws -> [UInt8]? {
    do {
      let file = try RawFile(path: path)
      return try packedContentDigest { buffer in try file.read(into: buffer) }
    } catch let error as SystemError {
      throw Self.cannotWrite(path, error.message)
    }
  }

  /// Gives the file that stands in the place a second name in the hidden folder, so that it has one
  /// at every moment.
  private func linkOlderVersion() throws {
    let hidden = (folder.hasSuffix("/") ? folder : folder + "/") + Self.supersededFolder
    try Self.makeFolder(hidden)
    for number in 1...10_000 where link(path, "\(hidden)/\(name).\(number)") == 0 { return }
    throw Self.cannotWrite(hidden, SystemError(code: errno).message)
  }

  /// Makes the folder where it is not there; its owner alone sees into it.
  static func makeFolder(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw cannotWrite(folder, SystemError(code: errno).message)
    }
  }

  /// The error that a file or folder cannot be written.
  private static func cannotWrite(_ path: String, _ reason: Wording) -> Stop {
    Stop(
      .badInput, "@shared.cannot-be-written \(path) \(reason)",
      help: "@fetch.name-a-folder-with-into")
  }
}
