import Dispatch
import Synchronization

/// Two places that two threads use in turn: while one uses what is in a place, the other fills the
/// one that comes next.
package final class DoubleBuffer: Sendable {
  // Semaphores may not end with less than they began with.
  private let filled = DispatchSemaphore(value: 0)
  private let fillable = DispatchSemaphore(value: 0)
  private let isUseOver = Atomic(false)

  package init() {}

  /// Runs `use` on this thread and `fill` on another, and returns what `use` returns once both have
  /// ended.
  ///
  /// - Parameters:
  ///   - use: asks for each place by ``waitForNext()``.
  ///   - fill: fills place 0, then 1, then 0 again, on a thread of its own; false where nothing
  ///     follows.
  /// - Throws: what `use` throws.
  package func using<Value>(
    _ use: () throws -> Value, filling fill: @escaping @Sendable (_ place: Int) -> Bool
  ) throws -> Value {
    fillable.signal()
    fillable.signal()
    let (value, ()) = inTwoThreads(
      {
        defer {
          isUseOver.store(true, ordering: .releasing)
          fillable.signal()
        }
        return Result { try use() }
      },
      { [self] in
        var place = 0
        var goesOn = true
        while goesOn {
          fillable.wait()
          if isUseOver.load(ordering: .acquiring) { return }
          goesOn = fill(place)
          filled.signal()
          place = 1 - place
        }
      })
    return try value.get()
  }

  /// Waits until the next place is filled. The one before keeps its content until ``giveBack()``.
  ///
  /// - Precondition: `fill` did not say before that nothing follows.
  package func waitForNext() { filled.wait() }

  /// Lets the other thread fill one more place: the one that has been in use the longest.
  package func giveBack() { fillable.signal() }
}
