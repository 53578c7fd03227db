import Foundation

/// Hands values from one thread to another and holds at most `capacity` of them, so that a fast
/// sender waits for a slow receiver instead of filling memory.
final class BoundedChannel<Element: Sendable>: @unchecked Sendable {
  /// What `send` throws once the receiver has stopped listening.
  struct Cancelled: Error {}

  private let condition = NSCondition()
  private let capacity: Int
  private var waiting: [Element] = []
  private var isClosed = false
  private var isCancelled = false

  init(capacity: Int) {
    precondition(capacity > 0)
    self.capacity = capacity
    waiting.reserveCapacity(capacity)
  }

  /// Waits for room, then passes `element` on; throws when nobody listens any more.
  func send(_ element: consuming Element) throws {
    condition.lock()
    defer { condition.unlock() }
    precondition(!isClosed, "a closed channel takes nothing")
    while waiting.count == capacity, !isCancelled { condition.wait() }
    if isCancelled { throw Cancelled() }
    waiting.append(element)
    condition.signal()
  }

  /// The sender's last word: after what waits, `receive` returns nil.
  func close() {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.signal()
  }

  /// What came, or that nothing more will, or that nothing has come in time.
  enum Received {
    case element(Element)
    case end
    case nothingYet
  }

  /// The next element in order, or the end when the sender has closed and nothing waits.
  ///
  /// - Parameter seconds: how long to wait for it.
  func receive(within seconds: TimeInterval) -> Received {
    condition.lock()
    defer { condition.unlock() }
    let limit = Date(timeIntervalSinceNow: seconds)
    while waiting.isEmpty, !isClosed {
      guard condition.wait(until: limit) else { break }
    }
    guard !waiting.isEmpty else { return isClosed ? .end : .nothingYet }
    let element = waiting.removeFirst()
    condition.signal()
    return .element(element)
  }

  /// The receiver's last word: drops what waits and stops the sender, then waits for it to close.
  ///
  /// - Parameter waits: false where the sender may never come to it.
  func cancel(waits: Bool = true) {
    condition.lock()
    defer { condition.unlock() }
    isCancelled = true
    waiting.removeAll()
    condition.signal()
    while waits, !isClosed { condition.wait() }
  }
}
