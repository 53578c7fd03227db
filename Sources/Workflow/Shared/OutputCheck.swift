import Billing
import Foundation
import Languages
import Ledger
import Reporting

/// Checks that files can be written at these paths and that none of them would replace what is
/// worth keeping, before minutes are spent on what goes into them: the ledger and what belongs to
/// it, what the command itself reads, and what was imported, wherever it lies now.
///
/// - Parameter read: paths of the configuration and of what it names.
/// - Throws: a ``Stop``.
package func checkOutputs(_ paths: [String], ledgerPath: String, read: [String]) throws {
  for path in paths {
    let target: OutputTarget
    do throws(OutputError) { target = try OutputTarget(path) } catch {
      throw cannotWrite(path, error.message)
    }
    guard case .file(let folder, let file, _) = target else { continue }
    guard access(folder, W_OK) == 0 else {
      throw cannotWrite(path, SystemError(code: errno).message)
    }
    if isLedger(file, ledgerPath) { throw refused(path, "it is the ledger or belongs to it") }
    guard let identity = identity(of: file) else { continue }
    if read.contains(where: { Workflow.identity(of: $0) == identity }) {
      throw refused(path, "the command reads it")
    }
    if try wasImported(file, identity, ledgerPath) { throw refused(path, "it was imported") }
  }
}

private func cannotWrite(_ path: String, _ reason: Wording) -> Stop {
  Stop(
    .badInput, "\(path) cannot be written: \(reason)",
    help: "name a file with --out in a folder that exists, has room and may be written to")
}

private func refused(_ path: String, _ reason: Wording) -> Stop {
  Stop(
    .badInput, "\(path) is not replaced: \(reason)", help: "name another file with --out")
}

/// - Parameter file: without links.
private func isLedger(_ file: String, _ ledgerPath: String) -> Bool {
  let own = ledgerFiles(of: ledgerPath)
  if own.contains(where: { identity(of: $0) != nil && identity(of: $0) == identity(of: file) }) {
    return true
  }
  return own.contains { path in
    if case .file(_, file, _) = try? OutputTarget(path) { true } else { false }
  }
}

/// The ledger, and what SQLite and an import keep beside it.
func ledgerFiles(of path: String) -> [String] {
  ["", "-wal", "-shm", "-journal", ImportLock.suffix, ImportLock.fetchSuffix].map { path + $0 }
}

/// Whether the ledger has facts of the file: by its path, or by what is in it.
private func wasImported(
  _ file: String, _ identity: FileIdentity, _ ledgerPath: String
) throws -> Bool {
  guard Workflow.identity(of: ledgerPath) != nil else { return false }
  return try stopping {
    try Ledger.reading(ledgerPath) { ledger in
      if try ledger.files().contains(where: { Workflow.identity(of: $0.input.file) == identity }) {
        return true
      }
      guard let digest = try? ContentDigest(of: file, whileHead: ledger.hasHead) else {
        return false
      }
      return try ledger.file(withSHA256: digest.sha256) != nil
    }
  }
}

extension ContentDigest {
  /// Of a file as it lies on disk; nil where its begin is not wanted, which spares the rest.
  fileprivate init?(of path: String, whileHead isWanted: (String) throws -> Bool) throws {
    self.init()
    let file = try RawFile(path: path)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { piece.deallocate() }
    while true {
      let count = try file.read(into: piece)
      if count == 0 { break }
      let isFirst = byteCount == 0
      update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      if isFirst, !(try isWanted(headSHA256)) { return nil }
    }
  }
}
