import Foundation

/// A file's bytes as they lie on disk, front to back.
final class RawFile {
  private let descriptor: Int32
  /// In bytes; 0 when it is not known beforehand, as with a pipe.
  let size: Int
  /// Whether it can be read again from the start.
  let isRegular: Bool

  init(path: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    var status = stat()
    fstat(descriptor, &status)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    size = isRegular ? Int(status.st_size) : 0
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  deinit { close(descriptor) }

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
