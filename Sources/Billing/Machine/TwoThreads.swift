import Dispatch
import Glibc
import Synchronization

/// Runs both closures at the same time, the second on a thread of its own, and returns what they
/// return. The second sees the caller's task-locals (the language of whoever reads), as the first
/// does.
///
/// Conclusions are long runs of plain functions that wait for files and for each other, which the
/// few threads of Swift's concurrency must not do; so the second closure is a task with a thread
/// that may wait. Calls may be nested.
@usableFromInline package func inTwoThreads<A, B: Sendable>(
  _ first: () -> A, _ second: @escaping @Sendable () -> B
) -> (A, B) {
  let answer = Answer<B>()
  let done = DispatchSemaphore(value: 0)
  let given = MovedValue(second)
  Task(executorPreference: OwnThreads()) {
    answer.give(run(given))
    done.signal()
  }
  let result = first()
  done.wait()
  return (result, answer.take())
}

/// Runs a closure and lets go of it, so that nothing it captured is held once its answer is there:
/// whoever goes on to change a list of a month would copy it.
@inline(never)
private func run<B>(_ given: MovedValue<@Sendable () -> B>) -> B { given.take()() }

/// Runs a closure for each number below `count`, for as many at a time as the machine has cores,
/// and returns what it returns, in order. The closure sees the caller's task-locals.
package func inThreads<B: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> B) -> [B] {
  let turns = Turns<B>(count)
  onThreads(min(count, coreCount)) {
    while let turn = turns.next() { turns.answer(turn, body(turn)) }
  }
  return turns.answers
}

/// Frees a value's memory on a thread of its own: the lists of a month are some hundred thousand
/// pieces of memory, for which nobody has to wait.
///
/// - Parameter value: which nobody else has any more.
package func freeInBackground<Value: Sendable>(_ value: consuming Value) {
  let given = MovedValue(value)
  Task(executorPreference: OwnThreads()) { _ = given.take() }
}

/// Runs closures on as many threads as the machine has cores, beginning with the first of them, and
/// returns what they return. With the longest first, cores have work to the end; all at once, the
/// longest would go on alone when the others are done.
package func inThreads<
  A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable
>(
  _ first: @escaping @Sendable () -> A, _ second: @escaping @Sendable () -> B,
  _ third: @escaping @Sendable () -> C, _ fourth: @escaping @Sendable () -> D,
  _ fifth: @escaping @Sendable () -> E, _ sixth: @escaping @Sendable () -> F
) -> (A, B, C, D, E, F) {
  let answers = (
    Answer<A>(), Answer<B>(), Answer<C>(), Answer<D>(), Answer<E>(), Answer<F>()
  )
  _ = inThreads(6) { turn in
    switch turn {
    case 0: answers.0.give(first())
    case 1: answers.1.give(second())
    case 2: answers.2.give(third())
    case 3: answers.3.give(fourth())
    case 4: answers.4.give(fifth())
    default: answers.5.give(sixth())
    }
  }
  return (
    answers.0.take(), answers.1.take(), answers.2.take(), answers.3.take(), answers.4.take(),
    answers.5.take()
  )
}

/// Runs `work` on `count` threads at once, one of them the caller's, and waits for all.
private func onThreads(_ count: Int, _ work: @escaping @Sendable () -> Void) {
  guard count > 1 else { return work() }
  _ = inTwoThreads(work, { onThreads(count - 1, work) })
}

/// How many cores the machine has.
package let coreCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

/// Hands out numbers, and keeps what is answered to each.
private final class Turns<Value: Sendable>: Sendable {
  private let state: Mutex<(next: Int, values: [Value?])>
  private let count: Int

  /// Numbers from 0 up to `count`, which is not among them; none is handed out or answered yet.
  init(_ count: Int) {
    self.count = count
    state = Mutex((0, Array(repeating: nil, count: count)))
  }

  /// The lowest number that was not handed out yet; nil once all were.
  func next() -> Int? {
    state.withLock { state in
      guard state.next < count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  /// Stores `value` as the answer to the number `turn`.
  func answer(_ turn: Int, _ value: Value) { state.withLock { $0.values[turn] = value } }

  /// The answers in the order of their numbers, once each number has one.
  var answers: [Value] { state.withLock { $0.values.map { $0! } } }
}

/// A value that one thread gives and another takes.
private final class Answer<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  /// Stores the value until ``take()`` asks for it.
  func give(_ answer: Value) { value.withLock { $0 = answer } }

  /// Returns the value and holds it no longer.
  ///
  /// - Precondition: it was given and not taken yet.
  func take() -> Value {
    guard let answer = value.withLock({ $0.take() }) else {
      preconditionFailure("the other thread has answered")
    }
    return answer
  }
}

/// Runs each task on a new thread. Those of Dispatch are as few as cores, and one that waits, as a
/// recorder does for most of a conclusion, counts among them for up to a second.
private final class OwnThreads: TaskExecutor {
  /// Runs the job on a new thread, or on one of Dispatch's where the system has none left.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let work = Work { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(work)
    let code = pthread_create(
      &thread, nil,
      { argument in
        leaveSignalsToOthers()
        Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().body()
        return nil
      }, argument.toOpaque())
    guard code != 0 else {
      pthread_detach(thread)
      return
    }
    // A system that has no thread left still has Dispatch's.
    argument.release()
    DispatchQueue.global(qos: .userInitiated).async { work.body() }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

/// Blocks signals on this thread, so that another takes what is sent to the process, as Dispatch's
/// threads do; what a thread causes itself still reaches it.
private func leaveSignalsToOthers() {
  var sent = sigset_t()
  sigfillset(&sent)
  for own in [SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, SIGPIPE] { sigdelset(&sent, own) }
  pthread_sigmask(SIG_BLOCK, &sent, nil)
}
