import Billing
import Glibc

/// The rectangle of a sheet's cells, counted from 0.
struct SheetExtent: Hashable, Sendable {
  private(set) var rows: ClosedRange<Int>?
  private(set) var columns: ClosedRange<Int>?

  /// Grows to hold another rectangle too.
  mutating func add(_ other: SheetExtent) { add(rows: other.rows, columns: other.columns) }

  /// Grows to hold further rows and columns; nil adds none.
  mutating func add(rows: ClosedRange<Int>?, columns: ClosedRange<Int>?) {
    self.rows = Self.hull(self.rows, rows)
    self.columns = Self.hull(self.columns, columns)
  }

  /// The smallest range that holds both; nil where neither is given.
  private static func hull(_ one: ClosedRange<Int>?, _ other: ClosedRange<Int>?)
    -> ClosedRange<Int>?
  {
    guard let one, let other else { return one ?? other }
    return min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
  }
}
