import Billing
import Foundation
import Languages
import Ledger

/// Keeps a second import away from the ledger for as long as the first one runs: the ledger's own
/// lock is free for a moment after each file.
///
/// The lock is on a file of its own beside the ledger, because SQLite's locks are on the ledger
/// itself. The system lets it go when the process ends, however it ends; a file that is left behind
/// locks nobody out.
final class ImportLock {
  static let suffix = "-import"
  /// Of a lock that keeps a second fetch away.
  static let fetchSuffix = "-fetch"

  private let path: String
  private let descriptor: Int32

  /// Acquires the lock, waiting for it where that is wanted.
  ///
  /// - Parameters:
  ///   - patience: seconds to wait for another import that has the lock.
  ///   - waiting: told once, before the wait.
  /// - Throws: a `LedgerError` when another import has the lock, or the folder cannot be written;
  ///   `ImportStopped` for a wait that is ended from outside.
  init(
    ledgerPath: String, suffix: String = suffix, patience: Int = 0, waiting: () -> Void = {},
    isStopped: () -> Bool = { false }
  ) throws {
    path = ledgerPath + suffix
    let pause: UInt32 = 50_000
    var left = patience * 1_000_000 / Int(pause)
    if left > 0, !Self.isFree(path) { waiting() }
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else {
        throw LedgerError.unreadable(
          path: ledgerPath, detail: say(SystemError(code: errno).message))
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        guard left > 0 else { throw LedgerError.locked(path: ledgerPath) }
        if isStopped() { throw ImportStopped() }
        left -= 1
        usleep(pause)
        continue
      }
      if isFile(descriptor, at: path) {
        self.descriptor = descriptor
        return
      }
      // The import before this one took the file away after it was opened here.
      close(descriptor)
    }
  }

  /// Whether the lock at a path is free.
  private static func isFree(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) == 0
  }

  deinit {
    unlink(path)
    close(descriptor)
  }
}

/// Whether the open file is still the one at a path.
private func isFile(_ descriptor: Int32, at path: String) -> Bool {
  FileStatus(descriptor: descriptor)?.identity == identity(of: path)
}
