import Synchronization

/// How fast a service may be asked.
package struct Rate: Hashable, Sendable {
  /// Between the begins of two requests.
  package var spacing: Duration

  package init(perSecond: Int) { spacing = .seconds(1) / perSecond }
}

/// Spaces requests to one service, whoever of several threads makes them.
final class Pace: Sendable {
  private struct State {
    var next = ContinuousClock.now
    var spacing: Duration
  }

  private let state: Mutex<State>

  init(_ rate: Rate) { state = Mutex(State(spacing: rate.spacing)) }

  /// Reserves the next free moment for a request, and returns how long to wait until then.
  ///
  /// - Parameter spacing: the least time until the request after it, where that is longer than
  ///   usual; nil for the usual.
  func turn(spacing: Duration?) -> Duration {
    state.withLock { state in
      let now = ContinuousClock.now
      let turn = max(state.next, now)
      state.next = turn + max(state.spacing, spacing ?? .zero)
      return turn - now
    }
  }

  /// Lets no request begin for so long: the service wants a rest.
  func hold(_ span: Duration) {
    state.withLock { $0.next = max($0.next, .now + span) }
  }

  /// Slows requests down to the rate at which Apple gives an hour's quota back, where nearly all of
  /// it is used up by the header `quota`; without the header nothing changes.
  ///
  /// `X-Rate-Limit: user-hour-lim:3500;user-hour-rem:500;`, a rolling hour, sometimes absent
  /// ("Identifying Rate Limits", read 2026-11-22).
  func heed(quota: String?) {
    guard let quota else { return }
    var values: [Substring: Int] = [:]
    for part in quota.split(separator: ";") {
      let pair = part.split(separator: ":")
      if pair.count == 2 { values[pair[0].trimmingPrefix { $0 == " " }] = Int(pair[1]) }
    }
    guard let limit = values["user-hour-lim"], let left = values["user-hour-rem"], limit > 0,
      left <= limit / 50
    else { return }
    let spacing: Duration = .seconds(3600) / limit
    state.withLock { $0.spacing = max($0.spacing, spacing) }
  }
}
