import Fetching
import Foundation
import Synchronization

/// Ctrl-C, or a system that wants the process to end: a command that hears it ends its work in good
/// order. A second one ends the process as if nobody listened.
enum Interruption {
  private static let listener = Mutex<StopSignal?>(nil)
  private static let heard = Atomic<Int32>(0)

  /// Raises `stop` when the process is interrupted, from now on. A signal that the process ignores
  /// by its caller's wish, as under `nohup`, stays ignored.
  static func raises(_ stop: StopSignal) {
    listener.withLock { $0 = stop }
    for number in [SIGINT, SIGTERM] where !isIgnored(number) {
      signal(number) { Interruption.hear($0) }
    }
  }

  /// Ends the process by the signal that interrupted it, so that the shell knows; returns where
  /// none did.
  static func passOn() {
    let number = heard.load(ordering: .relaxed)
    if number != 0 { kill(getpid(), number) }
  }

  /// Whether the process ignores a signal, by its number.
  static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Raises the listener's stop for a signal, and leaves the next one to the system.
  private static func hear(_ number: Int32) {
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    heard.store(number, ordering: .relaxed)
    _ = listener.withLockIfAvailable { $0?.raise() }
  }
}
