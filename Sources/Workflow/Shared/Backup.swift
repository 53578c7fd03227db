import Billing
import Foundation
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
      let ledger = try RawFile(path: ledgerPath)
      let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
      defer { piece.deallocate() }
      try saveFile(at: path, isPrivate: true) { write in
        while true {
          let count = try ledger.read(into: piece)
          if count == 0 { return }
          try write(Array(UnsafeRawBufferPointer(rebasing: piece[..<count])))
        }
      }
    }
  }
}
