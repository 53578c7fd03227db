import Glibc

/// Why a file could not be written.
package enum OutputError: Error, Hashable {
  /// What the system refused, by its number.
  case system(code: Int32)
  /// What the workbook's library said.
  case library(String)
  /// What was read back is not what was written.
  case damaged

  /// The error that the system's last call left.
  static var last: OutputError { .system(code: errno) }
}

/// A file that appears whole or not at all: until ``commit()`` nothing stands at its path, or what
/// stood there before.
///
/// The bytes go into a file without a name in the target's folder, which is gone when the process
/// is, however it ends; only to take the target's place does it get a name, for a moment, that
/// nobody can guess. Pipes, terminals and devices are written to, never replaced.
package final class OutputFile {
  private let target: OutputTarget
  private let descriptor: Int32
  /// The file's own name, where it needs one before it takes the target's.
  private let name: String?

  /// Opens a new file without a name in the target's folder, or the pipe, device or open file that
  /// the path leads to.
  ///
  /// - Parameter isPrivate: whether a new file is readable by its owner alone.
  package init(_ path: String, isPrivate: Bool = false) throws(OutputError) {
    let permissions: UInt32 = isPrivate ? 0o600 : 0o666
    target = try OutputTarget(path)
    switch target {
    case .stream(let path):
      name = nil
      descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY)
    case .descriptor(let number):
      name = nil
      descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
    case .file(let folder, _, let mode):
      removeLitter(of: folder)
      let unnamed = open(folder, O_RDWR | O_CLOEXEC | O_DIRECTORY | temporary, permissions)
      if unnamed >= 0 {
        (name, descriptor) = (nil, unnamed)
      } else {
        // A file system without files that have no name.
        let name = folder + "/" + unguessableName()
        self.name = name
        descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
      }
      if descriptor >= 0 {
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        if let mode, !isPrivate { _ = fchmod(descriptor, mode) }
      }
    }
    guard descriptor >= 0 else { throw .last }
  }

  /// A file that is never put in a place and is gone when this is, in a folder with room.
  convenience init(unkeptIn folder: String) throws(OutputError) {
    try self.init(folder + "/" + unguessableName())
  }

  /// Whether bytes are gone with their writing, as in a pipe.
  var isStream: Bool {
    if case .file = target { false } else { true }
  }

  /// The folder of the target, for what a library keeps meanwhile; nil for pipes and devices.
  var folder: String? {
    if case .file(let folder, _, _) = target { folder } else { nil }
  }

  /// A path by which a library opens the file itself.
  var alias: String { "/proc/self/fd/\(descriptor)" }

  /// Writes all bytes behind those that are there. A pipe whose reader has gone away is no failure.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress!, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        // A reader that has gone away is no failure.
        if errno == EPIPE, isStream { return }
        throw .last
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  package func write(_ bytes: [UInt8]) throws(OutputError) {
    let outcome = bytes.withUnsafeBytes { bytes in
      Result { () throws(OutputError) in try write(bytes) }
    }
    try outcome.get()
  }

  /// Hands over what was written so far, in pieces.
  ///
  /// - Parameter range: of bytes; nil is all. What it names must be there.
  func readBack(
    _ range: Range<Int>? = nil, _ body: (UnsafeRawBufferPointer) throws(OutputError) -> Void
  ) throws(OutputError) {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { piece.deallocate() }
    var place = range?.lowerBound ?? 0
    let end = range?.upperBound ?? .max
    while place < end {
      let count = pread(descriptor, piece.baseAddress, min(piece.count, end - place), place)
      if count < 0 { throw .last }
      if count == 0 {
        guard range == nil else { throw .damaged }
        return
      }
      try body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      place += count
    }
  }

  /// Puts the file in its place, and sees that it stays there when the machine stops.
  package func commit() throws(OutputError) {
    guard case .file(let folder, let path, _) = target else { return }
    guard fsync(descriptor) == 0 else { throw .last }
    // Before the target is replaced, so that what fails leaves nothing.
    let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw .last }
    defer { close(opened) }
    try withoutSignals { () throws(OutputError) in
      let name = name ?? folder + "/" + unguessableName()
      if self.name == nil,
        linkat(AT_FDCWD, alias, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0
      {
        throw .last
      }
      guard rename(name, path) == 0 else {
        let error = OutputError.last
        unlink(name)
        throw error
      }
    }
    // Some file systems cannot sync a folder, and say so.
    guard fsync(opened) == 0 || errno == EINVAL else { throw .last }
  }

  deinit {
    // After a commit the name is the target's own no more.
    guard descriptor >= 0 else { return }
    if let name { unlink(name) }
    close(descriptor)
  }
}

/// `O_TMPFILE` without the flag of folders, which C puts together in a way that Swift does not see.
private let temporary: Int32 = 0o20000000

private let (namesBegin, namesEnd) = (".tieout-", ".partial")

/// A name for an unfinished file, which another process cannot guess.
private func unguessableName() -> String {
  let number = String(UInt64.random(in: .min ... .max), radix: 36)
  return namesBegin + number + String(UInt64.random(in: .min ... .max), radix: 36) + namesEnd
}

/// Removes what a killed process left in the folder: files of ours that no process holds.
private func removeLitter(of folder: String) {
  guard let entries = opendir(folder) else { return }
  defer { closedir(entries) }
  while let entry = readdir(entries) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    guard name.hasPrefix(namesBegin), name.hasSuffix(namesEnd) else { continue }
    let abandoned = openat(dirfd(entries), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard abandoned >= 0 else { continue }
    if flock(abandoned, LOCK_EX | LOCK_NB) == 0 { unlinkat(dirfd(entries), name, 0) }
    close(abandoned)
  }
}

/// Runs `body` while signals that would end the process wait.
private func withoutSignals(_ body: () throws(OutputError) -> Void) throws(OutputError) {
  var (blocked, before) = (sigset_t(), sigset_t())
  sigemptyset(&blocked)
  for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&blocked, signal) }
  pthread_sigmask(SIG_BLOCK, &blocked, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  try body()
}
