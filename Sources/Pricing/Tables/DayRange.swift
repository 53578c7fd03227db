import Billing

/// Days from one to another, both included; an open end reaches as far as days do.
struct DayRange: Hashable, Sendable {
  let first: Int32
  let last: Int32

  init(from: Day?, to: Day?) {
    first = from?.number ?? .min
    last = to?.number ?? .max
  }

  /// Nil is open.
  var from: Day? { first == .min ? nil : Day(number: first) }
  var to: Day? { last == .max ? nil : Day(number: last) }

  func contains(_ day: Day) -> Bool { first <= day.number && day.number <= last }

  func overlaps(_ other: DayRange) -> Bool { first <= other.last && other.first <= last }

  /// The last days before something changes: the day before the first, and the last itself.
  var eves: [Int32] {
    (first == .min ? [] : [first - 1]) + (last == .max ? [] : [last])
  }
}
