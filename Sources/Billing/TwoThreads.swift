import Dispatch
import Synchronization

/// Runs both closures at the same time, the second on a thread of its own, and returns what they
/// return. It sees the caller's task-locals (the language of whoever reads), as the first does.
///
/// Conclusions are long runs of plain functions that wait for files and for each other, which the
/// few threads of Swift's concurrency must not do; so the second closure is a task with a thread
/// that may wait. Calls may be nested.
package func inTwoThreads<A, B: Sendable>(
  _ first: () -> A, _ second: @escaping @Sendable () -> B
) -> (A, B) {
  let answer = Answer<B>()
  let done = DispatchSemaphore(value: 0)
  Task(executorPreference: OwnThreads()) {
    let value = second()
    answer.value.withLock { $0 = value }
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

/// Runs a task on a thread that nothing else waits for.
private final class OwnThreads: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global(qos: .userInitiated).async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
