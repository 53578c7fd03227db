import Billing
import Foundation
import Reading

/// A file's bytes as they lie on disk, front to back.
final class RawFile: Sendable {
  /// What the shell's `-` means, and its name in messages.
  static let standardInput = "-"

  private let descriptor: Int32
  /// In bytes; 0 when it is not known beforehand, as with a pipe.
  let size: Int
  /// Whether it can be read again from the start.
  let isRegular: Bool

  /// Opens the file for reading; `-` is standard input.
  init(path: String) throws {
    let place = path == Self.standardInput ? "/dev/stdin" : path
    descriptor = open(systemPath(place), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    let status = FileStatus(descriptor: descriptor)
    isRegular = status?.kind == .regular
    size = isRegular ? status?.size ?? 0 : 0
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  /// A new empty file in the system's folder for temporary ones, which nobody else sees and which
  /// ends with its last use.
  static func unnamed() throws -> RawFile {
    var name = systemPath(NSTemporaryDirectory() + "/tieout-XXXXXX")
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(name)
    return RawFile(descriptor)
  }

  /// A regular file that is open already.
  private init(_ descriptor: Int32) { (self.descriptor, size, isRegular) = (descriptor, 0, true) }

  deinit { close(descriptor) }

  /// Writes bytes at the file's end.
  func append(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let step = write(descriptor, bytes.baseAddress! + done, bytes.count - done)
        if step < 0, errno == EINTR { continue }
        if step < 0 { throw SystemError(code: errno) }
        done += step
      }
    }
  }

  /// Reads the file from its first byte on, a piece at each call, whatever others read meanwhile.
  var bytes: ByteSource {
    var offset = 0
    return { [self] buffer in
      let piece = try read(at: offset, count: buffer.count)
      buffer.copyBytes(from: piece)
      offset += piece.count
      return piece.count
    }
  }

  /// So many bytes from `offset` on; fewer only at the end.
  func read(at offset: Int, count: Int) throws -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let step = pread(
          descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
        if step < 0, errno == EINTR { continue }
        if step < 0 { failure = SystemError(code: errno) }
        if step <= 0 { break }
        filled += step
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// The zip archive that the file is; nil for any other file.
  ///
  /// - Parameter path: its name in messages.
  func archive(path: String) throws -> ZipArchive? {
    guard isRegular, size > 22, ZipArchive.begins(try read(at: 0, count: 4)) else { return nil }
    return try ZipArchive(file: path, size: size, source: read(at:count:))
  }

  /// Fills the buffer and returns the count; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    var filled = 0
    while filled < buffer.count {
      let count = Foundation.read(
        descriptor, buffer.baseAddress! + filled, buffer.count - filled)
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemError(code: errno)
      }
      if count == 0 { break }
      filled += count
    }
    return filled
  }
}
