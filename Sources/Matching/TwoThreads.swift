import Dispatch
import Synchronization

/// Runs both closures at the same time and returns what they return.
package func inTwoThreads<A: Sendable, B: Sendable>(
  _ first: @Sendable () -> A, _ second: @Sendable () -> B
) -> (A, B) {
  let a = Mutex<A?>(nil)
  let b = Mutex<B?>(nil)
  DispatchQueue.concurrentPerform(iterations: 2) { index in
    if index == 0 {
      let value = first()
      a.withLock { $0 = value }
    } else {
      let value = second()
      b.withLock { $0 = value }
    }
  }
  return (a.withLock { $0! }, b.withLock { $0! })
}
