internal import Dispatch
internal import Synchronization

/// Runs an asynchronous function on the calling thread, and returns its value. The function waits
/// for nothing that happens elsewhere, and so the calling thread never waits for a thread that
/// another caller holds.
func awaited<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
  let thread = CallingThread()
  let result = Outcome<Value>()
  Task.detached(executorPreference: thread) {
    let value = await body()
    result.value.withLock { $0 = value }
  }
  while true {
    thread.runNext()
    if let value = result.value.withLock({ $0 }) { return value }
  }
}

private final class Outcome<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}

/// Keeps the parts of a task until the thread that waits for the task runs them.
private final class CallingThread: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  /// Keeps a part of the task for the waiting thread.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrivals.signal()
  }

  /// Waits for the next part of the task and runs it on this thread.
  func runNext() {
    arrivals.wait()
    let job = jobs.withLock { $0.removeFirst() }
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
