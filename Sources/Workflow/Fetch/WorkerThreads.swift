import Foundation

/// Threads that do one task after another and tell what comes of each, in the order in which it
/// comes.
final class WorkerThreads<Value: Sendable>: @unchecked Sendable {
  /// How many values may wait to be received, at most.
  private static var capacity: Int { 64 }

  /// Guards all that follows. Several may wait for the same change: each is told of every one.
  private let condition = NSCondition()
  private var waiting: [Value] = []
  private let count: Int
  private var nextTask = 0
  private var running: Int
  private var failure: (any Error)?
  private var isAbandoned = false

  /// Starts threads that do the tasks with the indices from 0 to `count` - 1.
  ///
  /// - Parameters:
  ///   - width: how many threads, at most.
  ///   - task: does the task of an index, and gives what comes of it to the closure.
  init(
    width: Int, count: Int,
    task: @escaping @Sendable (_ index: Int, _ deliver: (Value) -> Void) throws -> Void
  ) {
    self.count = count
    running = min(width, count)
    for _ in 0..<running {
      Thread { [self] in
        while let index = beginTask() {
          do { try task(index) { put($0) } } catch { fail(error) }
        }
        threadEnded()
      }.start()
    }
  }

  /// The next value that a task gave, waiting for it; nil after all. Throws what a task threw, once
  /// the others have ended.
  func next() throws -> Value? {
    condition.lock()
    defer { condition.unlock() }
    while waiting.isEmpty, running > 0 { condition.wait() }
    guard waiting.isEmpty else {
      defer { condition.broadcast() }
      return waiting.removeFirst()
    }
    if let failure { throw failure }
    return nil
  }

  /// Begins no more tasks, and waits for those under way.
  func abandon() {
    condition.lock()
    defer { condition.unlock() }
    isAbandoned = true
    condition.broadcast()
    while running > 0 { condition.wait() }
  }

  /// The index of the next task, which then counts as begun; nil where no more are to begin.
  private func beginTask() -> Int? {
    condition.lock()
    defer { condition.unlock() }
    guard nextTask < count, failure == nil, !isAbandoned else { return nil }
    defer { nextTask += 1 }
    return nextTask
  }

  /// Adds a value for `next` to return, after waiting where too many are there.
  private func put(_ value: Value) {
    condition.lock()
    defer { condition.unlock() }
    while waiting.count >= Self.capacity, !isAbandoned { condition.wait() }
    waiting.append(value)
    condition.broadcast()
  }

  /// Keeps the first error, after which no task begins.
  private func fail(_ error: any Error) {
    condition.lock()
    defer { condition.unlock() }
    if failure == nil { failure = error }
    condition.broadcast()
  }

  /// Notes that a thread has ended.
  private func threadEnded() {
    condition.lock()
    defer { condition.unlock() }
    running -= 1
    condition.broadcast()
  }
}
