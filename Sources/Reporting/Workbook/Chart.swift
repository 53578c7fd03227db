/// A chart as a value: ranges of its own sheet, and how they look.
struct Chart: Hashable, Sendable {
  struct Series: Hashable, Sendable {
    var name: String
    var column: Int
    /// One per point, or one for all; nil is invisible: the ground that a step of a waterfall
    /// stands on.
    var colours: [Colour]?
    /// One per point; empty is none.
    var labels: [String] = []
  }

  var title: String
  /// Whether the series stand on one another.
  var isStacked: Bool
  /// Whether points stand below one another, the first at the top.
  var isHorizontal = false
  /// Column of the categories; the series' values stand beside them.
  var categories: Int
  /// Rows of the points as the reader sees them.
  var rows: ClosedRange<Int>
  var series: [Series]
  /// Where the upper left corner stands, from 0.
  var column: Int
  var row: Int
  var width: Int
  var height: Int
  /// Micro-units where the axis of the values begins; nil for the reader's own choice.
  var minimum: Int64?
  /// Of the numbers beside the points.
  var format = "#,##0"
  /// Whether the series' names stand below.
  var hasLegend = false
}
