import Foundation
import Synchronization

/// Whether to go on: somebody may want to stop, and time may be up.
package final class StopSignal: Sendable {
  private let isRaised = Atomic<Bool>(false)
  private let deadline: ContinuousClock.Instant?

  /// A signal that nobody has raised yet.
  ///
  /// - Parameter span: how long may be waited in all for what does not answer; nil for ever.
  package init(after span: Duration? = nil) {
    deadline = span.map { ContinuousClock.now + $0 }
  }

  /// Asks everything that looks at this signal to stop. Safe in a signal handler.
  package func raise() { isRaised.store(true, ordering: .relaxed) }

  /// Whether somebody wants to stop.
  package var isStopped: Bool { isRaised.load(ordering: .relaxed) }

  /// Waits for `span` and returns whether it did; false, and at once, where that is longer than
  /// there is time or somebody wants to stop.
  func wait(_ span: Duration) -> Bool {
    let end = ContinuousClock.now + span
    if let deadline, end > deadline { return false }
    while !isStopped {
      let rest = end - .now
      if rest <= .zero { return true }
      Thread.sleep(forTimeInterval: min(rest, .milliseconds(50)) / .seconds(1))
    }
    return false
  }
}
