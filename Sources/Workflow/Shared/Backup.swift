import Billing
import Foundation
import Languages
import Ledger
import Reporting

/// Copies the ledger to `path`, whole or not at all, while others read it; nobody commits before
/// the copy is there. The copy of a ledger whose pages have no seals gets them.
///
/// - Throws: a ``Stop``.
package func backup(_ ledgerPath: String, to path: String) throws {
  try stopping {
    guard try Ledger.reading(ledgerPath, { try $0.hasSeals() }) else {
      let scratch = try scratchFolder(beside: ledgerPath)
      defer { withExtendedLifetime(scratch) {} }
      let copy = scratch.path + "/copy" + Ledger.unfinishedCopy
      try Ledger.sealedCopy(of: ledgerPath, to: copy)
      try copyBytes(of: copy, to: path)
      return
    }
    // What a reader sees is what lies in the file: an import writes into it when it commits.
    try Ledger.reading(ledgerPath) { _ in
      try copyBytes(of: ledgerPath, to: path)
    }
  }
}

/// - Throws: a ``Stop``, a `LedgerError` where the source cannot be read.
private func copyBytes(of source: String, to path: String) throws {
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

private func readable<Value>(_ source: String, _ read: () throws -> Value) throws -> Value {
  do { return try read() } catch let error as SystemError {
    throw LedgerError.unreadable(path: source, detail: say(error.message))
  }
}
