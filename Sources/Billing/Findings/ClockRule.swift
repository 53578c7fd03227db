/// Rows whose times a clock told that is off, in a form that other rows can be judged by: a period
/// finds it out, and `explain` takes the same out of the few rows that it reads.
package struct ClockRule: Hashable, Sendable {
  package enum Side: String, Hashable, Sendable { case orders, transactions }

  /// Rows of one file, and moments by their own clock between which it was off.
  package struct Span: Hashable, Sendable {
    package var rows: ClosedRange<Int32>
    package var times: ClosedRange<UInt32>

    /// Rows and moments between which the clock was off.
    ///
    /// - Parameters:
    ///   - rows: the ledger's numbers of the rows.
    ///   - times: seconds since 1970 by the rows' own clock.
    package init(rows: ClosedRange<Int32>, times: ClosedRange<UInt32>) {
      self.rows = rows
      self.times = times
    }

    package static let all = Span(rows: 0...Int32.max, times: 0...UInt32.max)
  }

  package var side: Side
  /// Ahead of Apple's clock; less than 0 is behind.
  package var seconds: Int32
  /// Rules of a later step hold for times that those of the earlier ones corrected.
  package var step: UInt8
  /// Ascending, apart from each other.
  package var spans: [Span]
  /// Whether rows of no span are judged too, each by what an id ties it to.
  package var judgesPairs: Bool

  package init(side: Side, seconds: Int32, step: UInt8, spans: [Span], judgesPairs: Bool) {
    self.side = side
    self.seconds = seconds
    self.step = step
    self.spans = spans
    self.judgesPairs = judgesPairs
  }

  /// The span that has a row of this number; nil where none has.
  package func span(of row: Int32) -> Span? {
    let place = spans.partitioningIndex { $0.rows.upperBound >= row }
    return place < spans.count && spans[place].rows.contains(row) ? spans[place] : nil
  }
}
