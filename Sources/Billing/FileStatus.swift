internal import Glibc

/// What the system says of a file.
///
/// It stands apart from Foundation: beside that, the compiler takes the fields of `stat` for
/// members of now this module, now that.
package struct FileStatus: Sendable {
  package enum Kind: Sendable { case regular, folder, pipe, socket, characters, other }

  package var kind: Kind
  /// In bytes; of no meaning for what is no regular file.
  package var size: Int
  /// Whether others than the owner can read, write or run it.
  package var isOpenToOthers: Bool
  package var identity: FileIdentity
  /// When its content changed last, in nanoseconds since 1970.
  package var modified: Int64

  /// The status of what a path leads to, links followed.
  ///
  /// - Parameter path: the system's own bytes, ended by 0.
  /// - Returns: nil where the system refuses; `errno` says why.
  package init?(path: UnsafePointer<CChar>) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The status of an open file; nil where the descriptor is none.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads kind, size, permissions, time of change and identity from the system's record of a file.
  private init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      case S_IFCHR: .characters
      default: .other
      }
    size = Int(status.st_size)
    isOpenToOthers = status.st_mode & 0o077 != 0
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}

/// What stands at a path, links followed, told apart from every other thing on the machine.
package struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
}
