package import Billing
import Foundation
import Synchronization

/// The version of the time-zone data that ``zone(named:)`` answers from.
package var timeZoneDataVersion: String { TimeZone.timeZoneDataVersion }

/// The zone with an IANA name, or a fixed offset written `+HH:MM`; nil when there is none such.
///
/// Its transitions are those from 2008, when the App Store opened, to the end of 2037.
package func zone(named name: String) -> Zone? {
  if let fixed = fixedZone(name) { return fixed }
  if name == "UTC" { return .utc }
  return knownZones.withLock { zones in
    if let zone = zones[name] { return zone }
    guard let zone = regionZone(of: name) else { return nil }
    zones[name] = zone
    return zone
  }
}

/// The zone that a storefront's report days follow; nil where the name means none.
///
/// - Parameter name: a zone's name, and behind it those that it gave way to, each with its first
///   day, as `Zone.change` parts them.
package func boundaryZone(named name: String) -> Zone? {
  let parts = name.components(separatedBy: Zone.change)
  guard var found = zone(named: parts[0]) else { return nil }
  var last: Day?
  for part in parts.dropFirst() {
    let words = part.split(separator: " ")
    guard words.count == 2, let day = Day(words[0]), last.map({ $0 < day }) ?? true,
      let next = zone(named: String(words[1]))
    else { return nil }
    found = found.changed(to: next, from: day)
    last = day
  }
  return found
}

/// The IANA name most like `name`, for a message.
package func zoneNameLike(_ name: String) -> String? {
  nearest(to: name, among: TimeZone.knownTimeZoneIdentifiers)
}

private let knownZones = Mutex<[String: Zone]>([:])

/// The zone with a fixed offset written `+HH:MM`; nil for any other name.
private func fixedZone(_ name: String) -> Zone? {
  let bytes = Array(name.utf8)
  guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
    bytes[3] == UInt8(ascii: ":"), let hours = Int(name.dropFirst().prefix(2)),
    let minutes = Int(name.suffix(2)), (0...14).contains(hours), (0..<60).contains(minutes)
  else { return nil }
  return .fixed(minutes: (hours * 60 + minutes) * (bytes[0] == UInt8(ascii: "-") ? -1 : 1))
}

/// The zone with its transitions from 2008 to the end of 2037; nil where there is none such.
/// Abbreviations such as `PST`, which Foundation would take, are no IANA names: a region is asked
/// for.
private func regionZone(of name: String) -> Zone? {
  guard name.contains("/"), let source = TimeZone(identifier: name) else { return nil }
  let begin = Date(timeIntervalSince1970: 1_199_145_600)
  let end = Date(timeIntervalSince1970: 2_145_916_800)
  let firstOffset = Int32(source.secondsFromGMT(for: begin))
  var transitions: [Zone.Transition] = []
  var instant = begin
  while let next = source.nextDaylightSavingTimeTransition(after: instant), next < end {
    precondition(next > instant, "transitions ascend")
    instant = next
    let offset = Int32(source.secondsFromGMT(for: next))
    // A change of the zone's name alone is a transition for Foundation.
    guard offset != transitions.last?.offset ?? firstOffset else { continue }
    transitions.append(
      Zone.Transition(at: Int64(next.timeIntervalSince1970.rounded()), offset: offset))
  }
  return Zone(name: name, firstOffset: firstOffset, transitions: transitions)
}
