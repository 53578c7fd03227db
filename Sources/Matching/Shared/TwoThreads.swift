import Dispatch
import Synchronization

/// Runs both closures at the same time, the second on a thread of its own, and returns what they
/// return. Calls may be nested, which `concurrentPerform` would run one after the other.
package func inTwoThreads<A: Sendable, B: Sendable>(
  _ first: @Sendable () -> A, _ second: @escaping @Sendable () -> B
) -> (A, B) {
  let answer = Answer<B>()
  let done = DispatchSemaphore(value: 0)
  DispatchQueue.global(qos: .userInitiated).async {
    answer.value.withLock { $0 = second() }
    done.signal()
  }
  let result = first()
  done.wait()
  guard let other = answer.value.withLock({ $0.take() }) else {
    preconditionFailure("the other thread has answered")
  }
  return (result, other)
}

private final class Answer<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
