internal import Billing

/// A storefront and currency of a financial report's rows.
struct FinancePlace: Hashable, Comparable {
  var storefront: Storefront
  var currency: Currency

  static func < (left: FinancePlace, right: FinancePlace) -> Bool {
    (left.storefront, left.currency) < (right.storefront, right.currency)
  }
}

/// What a financial report states of itself below its rows.
struct StatedTotals {
  /// Units and micro-units.
  struct Sum: Equatable {
    var units: Int64 = 0
    var amount: Int128 = 0

    /// Adds units and an amount in micro-units.
    mutating func add(_ units: Int64, _ amount: Int128) {
      self.units += units
      self.amount += amount
    }
  }

  /// A statement and what the rows come to.
  struct Contradiction {
    var line: Int32
    var message: Wording
  }

  private var lines: [FinanceFooterLine] = []

  /// Keeps what the report states on a line.
  mutating func add(_ footer: FinanceFooter, line: Int32) {
    lines.append(FinanceFooterLine(line: line, footer: footer))
  }

  /// Whether none of the totals is missing: a table of storefronts under Total_Rows, or
  /// Total_Amount and, since there is Total_Rows (2010), Total_Units.
  ///
  /// - Parameters:
  ///   - hasTable: whether the header of a table of storefronts was there.
  ///   - rows: how many rows the report has.
  func areWhole(hasTable: Bool, rows: Int) -> Bool {
    var (hasRows, hasAmount, hasUnits, hasStorefront) = (false, false, false, false)
    for line in lines {
      switch line.footer {
      case .rows: hasRows = true
      case .amount: hasAmount = true
      case .units: hasUnits = true
      case .storefront: hasStorefront = true
      }
    }
    if hasTable { return hasStorefront || rows == 0 }
    return hasAmount && (hasUnits || !hasRows)
  }

  /// Each statement that the rows do not come to, in the order of the lines.
  ///
  /// - Parameters:
  ///   - rows: how many rows the report has.
  ///   - places: what the rows of each storefront and currency add up to.
  func contradictions(rows: Int, _ places: [FinancePlace: Sum]) -> [Contradiction] {
    var stated: Set<FinancePlace> = []
    var found: [Contradiction] = []
    let all = places.values.reduce(into: Sum()) { $0.add($1.units, $1.amount) }
    let currencies = Set(places.keys.map(\.currency))
    for line in lines {
      let message: Wording? =
        switch line.footer {
        case .rows(let count): contradiction("Total_Rows", count, Int64(rows))
        case .units(let units): contradiction("Total_Units", units, all.units)
        case .amount(let amount, _):
          // A total over several currencies says nothing.
          currencies.count > 1 || Int128(amount) == all.amount
            ? nil : "@shared.total-amount-is-its-rows \(text(Int128(amount))) \(text(all.amount))"
        case .storefront(let storefront, let currency, let units, let amount):
          contradiction(
            FinancePlace(storefront: storefront, currency: currency),
            Sum(units: units, amount: Int128(amount)), places, &stated)
        }
      if let message { found.append(Contradiction(line: line.line, message: message)) }
    }
    guard let last = lines.last, !stated.isEmpty else { return found }
    return found
      + Set(places.keys).subtracting(stated).sorted().map { place in
        let sum = places[place]!
        return Contradiction(
          line: last.line,
          message: """
            @apple.its-table-of-countries-leaves \(place.storefront) \(spoken(sum.units)) \
            \(text(sum.amount)) \(place.currency)
            """)
      }
  }

  /// The text of a contradiction between what is stated and what the rows come to; nil for none.
  private func contradiction(_ name: String, _ stated: Int64, _ found: Int64) -> Wording? {
    stated == found ? nil : "@shared.is-its-rows-come \(name) \(stated) \(found)"
  }

  /// The text of a contradiction between a line in the table of storefronts and the rows; nil for
  /// none. The line's place is added to `stated`.
  private func contradiction(
    _ place: FinancePlace, _ statedSum: Sum, _ places: [FinancePlace: Sum],
    _ stated: inout Set<FinancePlace>
  ) -> Wording? {
    stated.insert(place)
    let sum = places[place] ?? Sum()
    if sum == statedSum { return nil }
    return """
      @apple.its-table-of-countries-has \(spoken(statedSum.units)) \(text(statedSum.amount)) \
      \(place.currency) \(place.storefront) \(sum.units) \(text(sum.amount))
      """
  }

  /// Units with their word: one unit, two units.
  private func spoken(_ units: Int64) -> Wording {
    counted(units, "@shared.1-unit") { "@shared.units-2 \($0)" }
  }

  /// Micro-units as a decimal number.
  private func text(_ micros: Int128) -> String { decimalText(micros: Int64(clamping: micros)) }
}
