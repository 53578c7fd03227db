import Synchronization

/// Gives a value away, so that whoever takes it holds the only copy: what a closure captures lives
/// as long as the closure does, on whatever thread.
package final class MovedValue<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  package init(_ value: consuming Value) { self.value = Mutex(value) }

  /// Returns the value and holds it no longer.
  ///
  /// - Precondition: it was not taken before.
  package func take() -> Value {
    value.withLock { value in
      defer { value = nil }
      guard let value else { preconditionFailure("given away twice") }
      return value
    }
  }
}
