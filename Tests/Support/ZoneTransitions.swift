package import Billing
import Foundation

extension Zone {
  /// The IANA zone with its transitions within a span of time.
  package init(identifier: String, within span: ClosedRange<Instant>) {
    guard let source = TimeZone(identifier: identifier) else {
      preconditionFailure("no time zone is called \(identifier)")
    }
    var date = Date(timeIntervalSince1970: Double(span.lowerBound.seconds))
    let end = Date(timeIntervalSince1970: Double(span.upperBound.seconds))
    let firstOffset = Int32(source.secondsFromGMT(for: date))
    var transitions: [Transition] = []
    while let next = source.nextDaylightSavingTimeTransition(after: date), next < end {
      transitions.append(
        Transition(
          at: Int64(next.timeIntervalSince1970), offset: Int32(source.secondsFromGMT(for: next))))
      date = next
    }
    self.init(name: identifier, firstOffset: firstOffset, transitions: transitions)
  }
}
