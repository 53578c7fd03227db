import Dispatch
import GRDB
import Synchronization

extension Ledger {
  /// Reads two things at the same time, the second on a thread and a connection of its own; both
  /// see the same state, since no process can commit while the read of `db` lasts.
  func onTwoConnections<A, B: Sendable>(
    _ db: Database, _ first: (Database) throws -> A,
    _ second: @escaping @Sendable (Database) throws -> B
  ) throws -> (A, B) {
    let besides = Mutex<Result<B, any Error>?>(nil)
    let group = DispatchGroup()
    DispatchQueue.global(qos: .userInitiated).async(group: group) { [self] in
      let result = Result { try withSecondConnection(second) }
      besides.withLock { $0 = result }
    }
    defer { group.wait() }
    let a = try first(db)
    group.wait()
    do {
      return (a, try besides.withLock { try $0.take()!.get() })
    } catch LedgerError.locked {
      // An import waits for this read to end and lets no new connection in before.
      return (a, try second(db))
    }
  }
}
