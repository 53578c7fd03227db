import Billing
import Foundation
import Languages
import Ledger
import Reporting

/// Copies the ledger to `path`, whole or not at all, while others read it; nobody commits before
/// the copy is there.
///
/// - Throws: a ``Stop``.
package func backup(_ ledgerPath: String, to path: String) throws {
  try stopping {
    // What a reader sees is what lies in the file: an import writes into it when it commits.
    try Ledger.reading(ledgerPath) { _ in
      try copyBytes(of: ledgerPath, to: path)
    }
  }
}

/// Makes a ledger of this version at `path`, whole or not at all, from an older one, which stays as
/// it is. Nothing that stands at `path` is replaced.
///
/// - Throws: a ``Stop``.
package func upgrade(_ older: String, to path: String) throws {
  guard !FileManager.default.fileExists(atPath: path) else {
    throw Stop(
      .badInput, "@shared.cannot-be-written \(path) \(SystemError(code: EEXIST).message)",
      help: "@ledger-error.check-the-path-its-permissions")
  }
  try stopping {
    let scratch = try scratchFolder(beside: path)
    defer { withExtendedLifetime(scratch) {} }
    let made = scratch.path + "/new.sqlite"
    try Ledger.upgrade(older, to: made)
    try copyBytes(of: made, to: path)
  }
}

/// Copies a file, which appears whole or not at all.
///
/// - Throws: a ``Stop``, a `LedgerError` where the source cannot be read.
func copyBytes(of source: String, to path: String) throws {
  let file = try readable(source) { try RawFile(path: source) }
  let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  defer { piece.deallocate() }
  try saveFile(at: path, isPrivate: true) { write in
    while true {
      let count = try readable(source) { try file.read(into: piece) }
      if count == 0 { return }
      try write(Array(UnsafeRawBufferPointer(rebasing: piece[..<count])))
    }
  }
}

/// Runs `read`, whose system error becomes a `LedgerError` that the file cannot be read.
private func readable<Value>(_ source: String, _ read: () throws -> Value) throws -> Value {
  do { return try read() } catch let error as SystemError {
    throw LedgerError.unreadable(path: source, detail: say(error.message))
  }
}
