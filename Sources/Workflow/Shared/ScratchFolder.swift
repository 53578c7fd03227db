import Foundation
import Languages
import Ledger

/// A folder beside the ledger for what is kept only as long as a command runs. What killed runs
/// left of such folders goes when the next one is made.
final class ScratchFolder {
  private static let (begin, end) = (".tieout-", ".scratch")

  let path: String
  /// Locked for as long as the folder is in use.
  private let descriptor: Int32

  /// Makes and locks the folder, and removes those that killed runs left.
  ///
  /// - Throws: a `SystemError`.
  init(beside ledger: String) throws {
    let parent = URL(fileURLWithPath: ledger).deletingLastPathComponent().path
    Self.removeLitter(of: parent)
    // A run beside this one takes a folder for litter until it is locked: then another is made.
    for _ in 0..<100 {
      let made = parent + "/" + Self.begin + UUID().uuidString + Self.end
      guard mkdir(made, 0o700) == 0 else { throw SystemError(code: errno) }
      let opened = open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      if opened >= 0, flock(opened, LOCK_EX | LOCK_NB) == 0, access(made, F_OK) == 0 {
        (path, descriptor) = (made, opened)
        return
      }
      if opened >= 0 { close(opened) }
      rmdir(made)
    }
    throw SystemError(code: EBUSY)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Removes folders that killed runs left: those without a lock.
  private static func removeLitter(of parent: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    where name.hasPrefix(begin) && name.hasSuffix(end) {
      let left = open(parent + "/" + name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard left >= 0 else { continue }
      if flock(left, LOCK_EX | LOCK_NB) == 0 {
        try? FileManager.default.removeItem(atPath: parent + "/" + name)
      }
      close(left)
    }
  }
}

/// A new scratch folder beside a file.
///
/// - Throws: a `LedgerError` where the ledger's folder cannot be written.
func scratchFolder(beside ledger: String) throws -> ScratchFolder {
  do { return try ScratchFolder(beside: ledger) } catch let error as SystemError {
    throw LedgerError.unreadable(path: ledger, detail: say(error.message))
  }
}
