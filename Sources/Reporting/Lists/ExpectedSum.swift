import Billing

/// What a column must come to by the conclusions themselves, past the column's cells: a column that
/// loses money, or puts it into another currency, is found out. Where the conclusions know the sum
/// without the lines (`all:`), lines that are lost are found out too.
struct ExpectedSum<Line>: Sendable {
  /// The name of the column.
  let column: String
  /// The currency in whose row a line counts; nil for none of them.
  private let currency: @Sendable (Line) -> Currency?
  /// Units, or micro-units; nil where nothing is known.
  private let figure: @Sendable (Line) -> Int64?
  /// What the figure is in, where it is known to be money.
  private let unit: @Sendable (Line) -> Currency?
  /// What all lines come to, where the conclusions say it without the lines.
  private let whole: (@Sendable () -> Int64?)?

  /// Expects a column's totals to be the sum of a figure of the lines, in units or in micro-units
  /// of money.
  ///
  /// - Parameters:
  ///   - column: its name.
  ///   - currency: the one in whose row of totals a line is added up; nil where it is in none, so
  ///     that only the total of all lines is checked.
  ///   - figure: nil where it is not known.
  init(
    _ column: String, in currency: @escaping @Sendable (Line) -> Currency? = { _ in nil },
    _ figure: @escaping @Sendable (Line) -> Int64?
  ) {
    (self.column, self.currency, self.figure, whole) = (column, currency, figure, nil)
    unit = { _ in nil }
  }

  /// Expects a column's totals to be the sum of an amount of the lines, each added up in the row of
  /// a currency that need not be the amount's own.
  ///
  /// - Parameters:
  ///   - column: its name.
  ///   - currency: the one in whose row of totals a line is added up; nil for none.
  init(
    _ column: String, in currency: @escaping @Sendable (Line) -> Currency?,
    _ amount: @escaping @Sendable (Line) -> Money?
  ) {
    (self.column, self.currency, whole) = (column, currency, nil)
    figure = { amount($0)?.micros }
    unit = { amount($0)?.currency }
  }

  /// Expects the totals of the column of this name to be the sum of an amount of the lines, each
  /// added up in the row of its own currency.
  init(_ column: String, _ amount: @escaping @Sendable (Line) -> Money?) {
    self.init(column, in: { amount($0)?.currency }, amount)
  }

  /// Expects the total of the column of this name over all lines to be a figure that the
  /// conclusions know without the lines, in units or micro-units; nil where it is not known.
  init(_ column: String, all whole: @autoclosure @escaping @Sendable () -> Int64?) {
    (self.column, currency, figure, self.whole) = (column, { _ in nil }, { _ in nil }, whole)
    unit = { _ in nil }
  }

  /// Compares the totals per currency with what the lines come to by the conclusions.
  ///
  /// - Precondition: the sums are what the conclusions come to; anything else is an error of the
  ///   program.
  func check(_ sums: [Currency: Cell?], of lines: some Collection<Line>) {
    var expected: [Currency: Int64] = [:]
    for line in lines {
      guard let currency = currency(line), let figure = figure(line) else { continue }
      expected[currency, default: 0] += figure
      if let unit = unit(line), let sum = sums[currency] ?? nil {
        precondition(sum.unit == unit, "a total of \(column) is in another currency")
      }
    }
    let found = sums.compactMapValues { $0?.figure }
    precondition(
      found.filter { $0.value != 0 } == expected.filter { $0.value != 0 },
      "the totals of \(column) are not what the conclusions come to")
  }

  /// Compares the total of all lines with what they come to by the conclusions.
  ///
  /// - Parameter isWhole: whether there is no sum where a line has no figure.
  /// - Precondition: the sum is what the conclusions come to; anything else is an error of the
  ///   program.
  func check(all sum: Cell, of lines: [Line], isWhole: Bool) {
    let figures = whole == nil ? lines.map(figure) : []
    let isUnknown = isWhole && figures.contains(nil)
    let expected = whole.map { $0() } ?? (isUnknown ? nil : figures.reduce(0) { $0 + ($1 ?? 0) })
    precondition(
      sum.figure ?? 0 == expected ?? 0,
      "the total of \(column) is not what the conclusions come to")
  }
}

extension Cell {
  /// The currency of an amount; nil for what is no money.
  fileprivate var unit: Currency? {
    switch self {
    case .money(_, let currency): currency
    case .formula(_, let value): value.unit
    default: nil
    }
  }

  /// The number in units, or micro-units of money; nil where the cell has neither.
  fileprivate var figure: Int64? {
    switch self {
    case .integer(let value), .money(let value, _): value
    case .formula(_, let value): value.figure
    case .blank, .text, .ordinal, .ratio, .rate, .exchange, .day, .quotient, .share, .link: nil
    }
  }
}
