import Dispatch
import GRDBSQLite
import Synchronization

/// Writes pages that a transaction adds behind the file's end while SQLite goes on: nobody reads
/// them before it commits, and no journal has them. What waits is written before the file is
/// synced, measured, cut or unlocked, and what failed is told then at the latest; so a commit never
/// names a page that is not there.
///
/// SQLite's own access to the file serves one thread at a time: what else is done with it meanwhile
/// goes through ``alone(_:)``.
final class PagesBehind: @unchecked Sendable {
  /// Pages that follow one another, to be written at once.
  private struct Run {
    let bytes: UnsafeMutableRawPointer
    var place: Int64
    var count: Int

    func page(at place: Int64) -> UnsafeMutableRawPointer? {
      guard place >= self.place, place < self.place + Int64(count) else { return nil }
      return bytes + Int(place - self.place)
    }
  }

  private static let runSize = 1 << 18
  /// Bytes of one write: SQLite's own access takes no more than a page of its largest size.
  private static let writeSize = 1 << 16
  /// Runs that may wait; then SQLite waits.
  private static let runLimit = 4

  private let queue = DispatchQueue(label: "tieout.ledger.pages")
  private let room = DispatchSemaphore(value: runLimit)
  private let state = Mutex(State())
  /// Held by whoever uses the file.
  private let file = Mutex(())
  /// Writes bytes at a place of the file.
  private let write: (UnsafeRawPointer, Int32, Int64) -> Int32
  /// Is told of many bytes at once that were written, how many and from which place on; what it
  /// says counts as what the write said.
  private let written: (Int, Int64) -> Int32

  private struct State: @unchecked Sendable {
    /// In the order in which they are written; the last one is still added to.
    var runs: [Run] = []
    var isLastOpen = false
    /// What the first write that failed said, until SQLite is told: then it takes all back.
    var code = SQLITE_OK

    mutating func takeCode() -> Int32 {
      defer { code = SQLITE_OK }
      return code
    }
  }

  init(
    write: @escaping (UnsafeRawPointer, Int32, Int64) -> Int32,
    written: @escaping (Int, Int64) -> Int32 = { _, _ in SQLITE_OK }
  ) {
    self.write = write
    self.written = written
  }

  deinit { state.withLock { for run in $0.runs { run.bytes.deallocate() } } }

  /// Takes a page; what an earlier one said where it could not be written.
  func add(_ page: UnsafeRawPointer, at place: Int64) -> Int32 {
    let isFull = state.withLock { state in
      guard state.isLastOpen, let last = state.runs.last else { return false }
      return last.count == Self.runSize || last.place + Int64(last.count) != place
    }
    if isFull { pass() }
    let isNew = state.withLock { !$0.isLastOpen }
    if isNew { room.wait() }
    return state.withLock { state in
      if isNew {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: Self.runSize, alignment: 4096)
        state.runs.append(Run(bytes: bytes, place: place, count: 0))
        state.isLastOpen = true
      }
      let last = state.runs.count - 1
      let end = state.runs[last].bytes + state.runs[last].count
      end.copyMemory(from: page, byteCount: PageSeal.pageSize)
      state.runs[last].count += PageSeal.pageSize
      return state.takeCode()
    }
  }

  /// Copies a page that waits; nil where none does. A page that does not wait may be one that could
  /// not be written: then what the write said, which the commit is told too.
  func read(_ page: UnsafeMutableRawPointer, at place: Int64) -> Int32? {
    state.withLock { state in
      for run in state.runs.reversed() {
        guard let found = run.page(at: place) else { continue }
        page.copyMemory(from: found, byteCount: PageSeal.pageSize)
        return SQLITE_OK
      }
      return state.code == SQLITE_OK ? nil : state.code
    }
  }

  /// Does something else with the file while nothing is written to it.
  func alone(_ body: () -> Int32) -> Int32 { file.withLock { _ in body() } }

  /// Waits until all is written.
  func settle() {
    if state.withLock({ $0.isLastOpen }) { pass() }
    queue.sync {}
  }

  /// Waits until all is written; what the first write that failed said, if SQLite knows it not yet.
  func outcome() -> Int32 {
    settle()
    return state.withLock { $0.takeCode() }
  }

  /// Hands the last run over to be written.
  private func pass() {
    state.withLock { $0.isLastOpen = false }
    queue.async { [self] in
      writeFirst()
      room.signal()
    }
  }

  private func writeFirst() {
    var (run, code) = state.withLock { ($0.runs[0], $0.code) }
    for start in stride(from: 0, to: run.count, by: Self.writeSize) where code == SQLITE_OK {
      let count = min(Self.writeSize, run.count - start)
      code = alone { write(run.bytes + start, Int32(count), run.place + Int64(start)) }
    }
    // A few pages by themselves would cost the disk as much as many.
    if code == SQLITE_OK, run.count >= Self.writeSize { code = written(run.count, run.place) }
    state.withLock { state in
      if code != SQLITE_OK { state.code = code }
      state.runs.removeFirst().bytes.deallocate()
    }
  }
}
