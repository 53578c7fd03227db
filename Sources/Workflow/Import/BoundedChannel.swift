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

  /// Appends `element` to the channel, after waiting for room where `capacity` elements are in it;
  /// throws `Cancelled` once the receiver has stopped listening.
  func send(_ element: consuming Element) throws {
    condition.lock()
    defer { condition.unlock() }
    precondition(!isClosed, "a closed channel takes nothing")
    while waiting.count == capacity, !isCancelled { condition.wait() }
    if isCancelled { throw Cancelled() }
    waiting.append(element)
    condition.signal()
  }

  /// Marks the end of what is sent: once the elements in the channel are received, `receive`
  /// answers `.end`.
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

  /// Removes and returns the oldest element; `.end` when there is none and the sender has closed
  /// the channel, `.nothingYet` when none came within so many seconds.
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

  /// Stops listening: drops the elements in the channel, makes `send` throw, and waits until the
  /// sender has closed it.
  ///
  /// - Parameter waits: false does not wait for that, where the sender may never close.
  func cancel(waits: Bool = true) {
    condition.lock()
    defer { condition.unlock() }
    isCancelled = true
    waiting.removeAll()
    condition.signal()
    while waits, !isClosed { condition.wait() }
  }
}
