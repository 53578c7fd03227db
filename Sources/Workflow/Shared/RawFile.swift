import Billing
import Foundation
import Reading

/// A file's bytes as they lie on disk, front to back.
final class RawFile: Sendable {
  private let descriptor: Int32
  /// In bytes; 0 when it is not known beforehand, as with a pipe.
  let size: Int
  /// Whether it can be read again from the start.
  let isRegular: Bool

  init(path: String) throws {
    let place = path == FoundFile.standardInput ? "/dev/stdin" : path
    descriptor = open(systemPath(place), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    let status = FileStatus(descriptor: descriptor)
    isRegular = status?.kind == .regular
    size = isRegular ? status?.size ?? 0 : 0
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  deinit { close(descriptor) }

  /// Bytes from `offset` on; fewer only at the end.
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

  /// The archive that the file is; nil for any other file.
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
