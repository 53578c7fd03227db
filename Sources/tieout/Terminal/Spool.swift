import Billing
import Foundation

/// Hands bytes on to standard output without letting whoever makes them wait for whoever reads
/// them: what reads the ledger must come to its end, for an import waits until then.
///
/// A file takes everything at once. A pipe is written to for as long as it takes a piece soon, as a
/// program at its end does; whatever comes after a pause, and all that goes to a terminal, is kept
/// in a file without a name beside the ledger until the ledger is free, and printed then.
final class Spool {
  /// Milliseconds that a pipe may take before it takes the next piece.
  private static let patience: Int32 = 100
  /// Bytes that a pipe takes at once when it takes any.
  private static let piece = 4096

  /// Where bytes go: to the output, to it while it takes them soon, or into a file of this number.
  private enum Way { case direct, watched, kept(Int32) }

  private let folder: String
  private let output: Int32
  private let print: (UnsafeRawBufferPointer) throws -> Void
  private var way: Way

  /// Chooses by the kind of the output whether bytes are printed at once, printed while it takes
  /// them soon, or kept in a file first.
  ///
  /// - Parameters:
  ///   - output: the descriptor of the output.
  ///   - ledger: the ledger's path.
  ///   - print: writes all of the bytes, however long that takes.
  init(
    _ output: Int32, beside ledger: String, print: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) {
    folder = URL(fileURLWithPath: ledger).deletingLastPathComponent().path
    self.output = output
    self.print = print
    let kind = FileStatus(descriptor: output)?.kind
    way = .direct
    if kind == .pipe {
      way = .watched
    } else if kind == .socket || isatty(output) == 1 {
      keepRest()
    }
  }

  deinit { if case .kept(let file) = way { close(file) } }

  /// Prints bytes, or writes them into the file beside the ledger where the output does not take
  /// them soon.
  func take(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while case .watched = way, !rest.isEmpty {
      var wanted = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
      let ready = poll(&wanted, 1, Self.patience)
      if ready < 0, errno == EINTR { continue }
      guard ready != 0 else {
        keepRest()
        break
      }
      let count = min(Self.piece, rest.count)
      try print(UnsafeRawBufferPointer(rebasing: rest[..<count]))
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    while case .kept(let file) = way, !rest.isEmpty {
      let count = write(file, rest.baseAddress!, rest.count)
      if count < 0, errno == EINTR { continue }
      // Without room the reader is waited for after all.
      guard count > 0 else { break }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    if rest.isEmpty { return }
    try finish()
    try print(rest)
  }

  /// Prints what was kept, unless `show` has shown all of it.
  func finish(unless show: (UnsafeRawBufferPointer) -> Bool = { _ in false }) throws {
    guard case .kept(let file) = way else { return }
    way = .direct
    defer { close(file) }
    if Self.all(of: file, show) { return }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { piece.deallocate() }
    var place = 0
    while true {
      let count = pread(file, piece.baseAddress, piece.count, place)
      if count <= 0 { return }
      try print(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      place += count
    }
  }

  /// Calls `show` with all bytes of a file, and returns its result; false where the file is empty
  /// or cannot be mapped into memory.
  private static func all(of file: Int32, _ show: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    let size = lseek(file, 0, SEEK_END)
    guard size > 0, let start = mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, file, 0),
      start != MAP_FAILED
    else { return false }
    defer { munmap(start, Int(size)) }
    return show(UnsafeRawBufferPointer(start: start, count: Int(size)))
  }

  /// `O_TMPFILE`, which C puts together in a way that Swift does not see.
  private static let unnamed: Int32 = 0o20000000 | O_DIRECTORY

  /// Keeps what comes from now on in a file without a name; hands it on directly where none can be
  /// made.
  private func keepRest() {
    let file = open(folder, O_RDWR | O_CLOEXEC | Self.unnamed, 0o600)
    way = file >= 0 ? .kept(file) : .direct
  }
}
