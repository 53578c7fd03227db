/// A time zone as a table of transitions, so that the core needs no time-zone database.
package struct Zone: Hashable, Sendable {
  /// The IANA name, or a fixed offset such as `+08:00`.
  package let name: String
  /// Offset before the first transition, seconds ahead of UTC.
  package let firstOffset: Int32
  /// Instants from which another offset holds, ascending.
  package let transitions: [Transition]

  package struct Transition: Hashable, Sendable {
    /// Seconds since 1970.
    package let at: Int64
    /// Seconds ahead of UTC from then on.
    package let offset: Int32
    package init(at: Int64, offset: Int32) {
      self.at = at
      self.offset = offset
    }
  }

  package init(name: String, firstOffset: Int32, transitions: [Transition] = []) {
    precondition(zip(transitions, transitions.dropFirst()).allSatisfy { $0.at < $1.at })
    self.name = name
    self.firstOffset = firstOffset
    self.transitions = transitions
  }

  package static let utc = Zone(name: "UTC", firstOffset: 0)

  /// A zone that is always so many minutes ahead of UTC, named `+HH:MM`.
  package static func fixed(minutes: Int) -> Zone {
    let sign = minutes < 0 ? "-" : "+"
    let magnitude = abs(minutes)
    return Zone(
      name: "\(sign)\(padded(magnitude / 60, 2)):\(padded(magnitude % 60, 2))",
      firstOffset: Int32(minutes * 60))
  }

  /// Stands in a name between what held first and the day from which something else holds.
  package static let change = ", from "

  /// A name for two things of which the second took the place of the first on a day: both names,
  /// with that day between them.
  package static func changed(_ name: String, to other: String, from day: Day) -> String {
    "\(name)\(change)\(day) \(other)"
  }

  /// This zone before a day, and another one from that day on. Each moment is of one day: the day
  /// before goes on until the other zone's day begins, or ends with it.
  ///
  /// Its name tells both: `America/Los_Angeles, from 2023-06-16 Asia/Tokyo`.
  package func changed(to other: Zone, from day: Day) -> Zone {
    let at = min(start(of: day).seconds, other.start(of: day).seconds)
    return Zone(
      name: Self.changed(name, to: other.name, from: day), firstOffset: firstOffset,
      transitions: transitions.filter { $0.at < at }
        + [Transition(at: at, offset: other.offset(at: Instant(seconds: at)))]
        + other.transitions.filter { $0.at > at })
  }

  /// Seconds ahead of UTC at `instant`.
  package func offset(at instant: Instant) -> Int32 {
    var offset = firstOffset
    for transition in transitions {
      if transition.at > instant.seconds { break }
      offset = transition.offset
    }
    return offset
  }

  /// The date on the wall at `instant`.
  package func day(of instant: Instant) -> Day { instant.day(offset: offset(at: instant)) }

  /// The first instant of `day` here: the earliest instant whose wall date is `day` or later.
  package func start(of day: Day) -> Instant {
    var offset = firstOffset
    var since = Int64.min
    for transition in transitions {
      let start = max(day.startUTC.seconds - Int64(offset), since)
      if start < transition.at { return Instant(seconds: start) }
      offset = transition.offset
      since = transition.at
    }
    return Instant(seconds: max(day.startUTC.seconds - Int64(offset), since))
  }

  /// The instant at which clocks here show `wall` (seconds as if the wall were UTC's), and whether
  /// they show it once. Where they show it twice or skip it, it is meant as if they had not been
  /// changed yet.
  package func instant(wall: Int64) -> (instant: Instant, isOnce: Bool) {
    var offset = firstOffset
    for next in transitions {
      let before = wall - Int64(offset)
      let after = wall - Int64(next.offset)
      if before < next.at { return (Instant(seconds: before), after < next.at) }
      if after < next.at { return (Instant(seconds: before), false) }
      offset = next.offset
    }
    return (Instant(seconds: wall - Int64(offset)), true)
  }
}
