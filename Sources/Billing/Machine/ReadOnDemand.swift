import Synchronization

/// A value that several threads need and the first that asks for it reads; the others wait.
package final class ReadOnDemand<Value: Sendable>: Sendable {
  private let read: @Sendable () throws -> Value
  private let known = Mutex<Result<Value, any Error>?>(nil)

  package init(_ read: @escaping @Sendable () throws -> Value) { self.read = read }

  /// The value, read by the first call. Every call throws what reading it threw.
  package func value() throws -> Value {
    try known.withLock { known in
      let value = known ?? Result { try read() }
      known = value
      return value
    }.get()
  }
}
