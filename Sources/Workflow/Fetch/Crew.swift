import Foundation

/// Threads that do one task after another and tell what comes of each, in the order in which it
/// comes.
final class Crew<Value: Sendable>: @unchecked Sendable {
  /// Values that wait for whoever takes them, at most.
  private static var capacity: Int { 64 }

  /// Guards all that follows. Several may wait for the same change: each is told of every one.
  private let condition = NSCondition()
  private var waiting: [Value] = []
  private let count: Int
  private var nextTask = 0
  private var running: Int
  private var failure: (any Error)?
  private var isAbandoned = false

  /// Begins with the tasks, of which there are `count`.
  init(
    width: Int, count: Int,
    task: @escaping @Sendable (_ index: Int, _ tell: (Value) -> Void) throws -> Void
  ) {
    self.count = count
    running = min(width, count)
    for _ in 0..<running {
      Thread { [self] in
        while let index = take() {
          do { try task(index) { put($0) } } catch { fail(error) }
        }
        end()
      }.start()
    }
  }

  /// What comes next; nil after all. Throws what a task threw, once the others have ended.
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

  private func take() -> Int? {
    condition.lock()
    defer { condition.unlock() }
    guard nextTask < count, failure == nil, !isAbandoned else { return nil }
    defer { nextTask += 1 }
    return nextTask
  }

  private func put(_ value: Value) {
    condition.lock()
    defer { condition.unlock() }
    while waiting.count >= Self.capacity, !isAbandoned { condition.wait() }
    waiting.append(value)
    condition.broadcast()
  }

  private func fail(_ error: any Error) {
    condition.lock()
    defer { condition.unlock() }
    if failure == nil { failure = error }
    condition.broadcast()
  }

  private func end() {
    condition.lock()
    defer { condition.unlock() }
    running -= 1
    condition.broadcast()
  }
}
