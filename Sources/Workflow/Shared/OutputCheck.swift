package import Billing
import Foundation
import Languages
import Ledger
import Reporting

/// Files that a command writes for people. What stands at their paths is replaced only if it is
/// this ledger's own work, byte for byte, or the caller says so: a workbook that a person saved
/// again is the person's.
package struct Outputs {
  /// What may stand at the paths already.
  package enum Kind {
    /// Workbooks, tables, scripts: known by the digests that the ledger keeps.
    case work
    /// Copies of the ledger: known by the ledger's secret in them.
    case copy
  }

  private let ledgerPath: String
  /// By path, what stood there before the command.
  private var earlier: [(path: String, identity: FileIdentity?)] = []

  /// Checks that files can be written at these paths and that none of them would replace what is
  /// worth keeping, before minutes are spent on what goes into them: the ledger and what belongs to
  /// it, what the command itself reads, what was imported, wherever it lies now, and, unless
  /// `replaces` is set, whatever else the ledger did not write.
  ///
  /// - Parameter read: paths of the configuration and of what it names.
  /// - Throws: a ``Stop``.
  package init(
    _ paths: [String], ledgerPath: String, read: [String], kind: Kind = .work, replaces: Bool
  ) throws {
    self.ledgerPath = ledgerPath
    for path in paths {
      let target: OutputTarget
      do throws(OutputError) { target = try OutputTarget(path) } catch {
        throw cannotWrite(path, error.message)
      }
      guard case .file(let folder, let file, _) = target else { continue }
      guard access(folder, W_OK) == 0 else {
        throw cannotWrite(path, SystemError(code: errno).message)
      }
      if isLedger(file, ledgerPath) { throw refused(path, "@shared.it-is-the-ledger") }
      let identity = identity(of: file)
      earlier.append((path, identity))
      guard let identity else { continue }
      if read.contains(where: { Workflow.identity(of: $0) == identity }) {
        throw refused(path, "@shared.command-reads")
      }
      if try wasImported(file, identity, ledgerPath) {
        throw refused(path, "@shared.it-was-imported")
      }
      if !replaces, try !isOwn(file, kind, ledgerPath) { throw foreignFileStop(path) }
    }
  }

  /// Notes in the ledger what was written since, so that the next run may replace it.
  ///
  /// - Returns: why it could not be noted, nil where it was.
  package func noteWritten() -> Wording? {
    let written = earlier.filter { path, identity in
      Workflow.identity(of: path) != identity && Workflow.identity(of: path) != nil
    }
    guard !written.isEmpty, Workflow.identity(of: ledgerPath) != nil else { return nil }
    do {
      let digests = try written.compactMap { try ContentDigest(of: $0.path)?.sha256 }
      let isKnown = try Ledger.reading(ledgerPath) { try digests.allSatisfy($0.wrote) }
      if !isKnown { try Ledger(path: ledgerPath, mode: .readWrite).note(written: digests) }
      return nil
    } catch {
      return (error as? LedgerError)?.message ?? (error as? SystemError)?.message ?? ""
    }
  }
}

/// Whether the ledger wrote the file as it is now, or, of the kind `copy`, whether the file is a
/// copy of the ledger.
private func isOwn(_ file: String, _ kind: Outputs.Kind, _ ledgerPath: String) throws -> Bool {
  guard Workflow.identity(of: ledgerPath) != nil else { return false }
  return try stopping {
    try Ledger.reading(ledgerPath) { ledger in
      switch kind {
      case .copy: try ledger.isCopy(file)
      case .work:
        if let digest = try? ContentDigest(of: file) {
          try ledger.wrote(digest.sha256)
        } else {
          false
        }
      }
    }
  }
}

/// The error that a file is not replaced, as this ledger did not write it.
private func foreignFileStop(_ path: String) -> Stop {
  Stop(
    .badInput, "@shared.is-not-replaced-this-ledger \(path)",
    help: "@shared.keep-it-and-name-another")
}

/// The error that a path cannot be written.
private func cannotWrite(_ path: String, _ reason: Wording) -> Stop {
  Stop(
    .badInput, "@shared.cannot-be-written \(path) \(reason)",
    help: "@shared.name-a-file-with-out")
}

/// The error that a file is not replaced, for a reason.
private func refused(_ path: String, _ reason: Wording) -> Stop {
  Stop(
    .badInput, "@shared.is-not-replaced \(path) \(reason)",
    help: "@shared.name-another-file-with-out")
}

/// Whether a file is the ledger, or one that SQLite or an import keeps beside it.
///
/// - Parameter file: a path without links.
private func isLedger(_ file: String, _ ledgerPath: String) -> Bool {
  let own = ledgerFiles(of: ledgerPath)
  if own.contains(where: { identity(of: $0) != nil && identity(of: $0) == identity(of: file) }) {
    return true
  }
  return own.contains { path in
    if case .file(_, file, _) = try? OutputTarget(path) { true } else { false }
  }
}

/// The paths of the ledger, and of what SQLite and an import keep beside it.
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
  /// The digest of a file as it lies on disk; nil where the hash of its first bytes is not wanted,
  /// which spares the rest.
  init?(
    of path: String, whileHead isWanted: (String) throws -> Bool = { _ in true }
  ) throws {
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
