import Dispatch
import Glibc
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

/// Runs a closure for each number below `count`, for as many at a time as the machine has cores,
/// and returns what it returns, in order. The closure sees the caller's task-locals.
package func inThreads<B: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> B) -> [B] {
  let turns = Turns<B>(count)
  crew(of: min(count, coreCount)) {
    while let turn = turns.next() { turns.answer(turn, body(turn)) }
  }
  return turns.answers
}

/// Does the same work on each of some threads, one of them the caller's.
private func crew(of count: Int, _ work: @escaping @Sendable () -> Void) {
  guard count > 1 else { return work() }
  _ = inTwoThreads(work, { crew(of: count - 1, work) })
}

/// How many cores the machine has.
package let coreCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

/// Hands out numbers, and keeps what is answered to each.
private final class Turns<Value: Sendable>: Sendable {
  private let state: Mutex<(next: Int, values: [Value?])>
  private let count: Int

  init(_ count: Int) {
    self.count = count
    state = Mutex((0, Array(repeating: nil, count: count)))
  }

  func next() -> Int? {
    state.withLock { state in
      guard state.next < count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  func answer(_ turn: Int, _ value: Value) { state.withLock { $0.values[turn] = value } }

  var answers: [Value] { state.withLock { $0.values.map { $0! } } }
}

private final class Answer<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}

/// Runs each task on a new thread. Those of Dispatch are as few as cores, and one that waits, as a
/// recorder does for most of a conclusion, counts among them for up to a second.
private final class OwnThreads: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let work = Work { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(work)
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        leaveSignalsToOthers()
        Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().body()
        return nil
      }, argument.toOpaque())
    // A system that has no thread left still has Dispatch's.
    if code != 0 {
      argument.release()
      DispatchQueue.global(qos: .userInitiated).async { work.body() }
    }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

/// Lets another thread take what is sent to the process, as Dispatch's threads do; what a thread
/// causes itself still reaches it.
private func leaveSignalsToOthers() {
  var sent = sigset_t()
  sigfillset(&sent)
  for own in [SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, SIGPIPE] { sigdelset(&sent, own) }
  pthread_sigmask(SIG_BLOCK, &sent, nil)
}
