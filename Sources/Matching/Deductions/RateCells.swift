import Billing

/// Every rate that could make a difference: the spans of a storefront's rows cut one another into
/// cells, and all rates of a cell explain the same rows.
struct RateCells {
  /// First multiples of the cells, ascending; the last one ends them.
  private let bounds: [Int64]
  var count: Int { max(0, bounds.count - 1) }

  /// Divides all rates into cells: a cell ends where the span of some row begins or ends.
  init(_ spans: some Sequence<RateSpan>) {
    var bounds: Set<Int64> = []
    for span in spans {
      bounds.insert(span.lower)
      bounds.insert(span.upper.advanced(by: 1))
    }
    self.bounds = bounds.sorted()
  }

  /// The cells that a span consists of.
  ///
  /// - Precondition: the cells were made from it.
  func cells(of span: RateSpan) -> Range<Int> {
    place(of: span.lower)..<place(of: span.upper.advanced(by: 1))
  }

  /// The multiples that neighbouring cells hold.
  func span(of cells: Range<Int>) -> RateSpan {
    RateSpan(bounds[cells.lowerBound], bounds[cells.upperBound] - 1)
  }

  /// The index of the cell that begins at a multiple.
  private func place(of bound: Int64) -> Int {
    bounds.dropLast().partitioningIndex { $0 >= bound }
  }
}

/// How many rows, or units, each cell explains.
struct Coverage {
  /// What each cell explains more than the one before it.
  private var steps: [Int64]
  private(set) var total: Int64 = 0

  /// No rows are explained by any of these cells yet.
  init(_ cells: RateCells) { steps = Array(repeating: 0, count: cells.count + 1) }

  /// Adds what the same cells explain of other rows.
  mutating func add(_ other: Coverage) {
    for cell in steps.indices { steps[cell] += other.steps[cell] }
    total += other.total
  }

  /// Adds rows, or units, that each of some neighbouring cells explains.
  ///
  /// - Parameters:
  ///   - cells: indices of the cells.
  ///   - weight: how many rows or units.
  mutating func add(_ cells: Range<Int>, _ weight: Int64) {
    steps[cells.lowerBound] += weight
    steps[cells.upperBound] -= weight
    total += weight
  }

  /// What the best cell explains.
  var best: Int64 {
    var (explained, best): (Int64, Int64) = (0, 0)
    for step in steps {
      explained += step
      best = max(best, explained)
    }
    return best
  }

  /// What the best cell leaves.
  var unexplained: Int64 { total - best }

  /// Neighbouring cells that explain as much as the best; none where there is nothing to explain.
  var bestRuns: [Range<Int>] {
    let best = best
    var explained: Int64 = 0
    var runs: [Range<Int>] = []
    for cell in steps.indices.dropLast() {
      explained += steps[cell]
      guard explained == best else { continue }
      if let last = runs.last, last.upperBound == cell {
        runs[runs.count - 1] = last.lowerBound..<cell + 1
      } else {
        runs.append(cell..<cell + 1)
      }
    }
    return runs
  }
}
