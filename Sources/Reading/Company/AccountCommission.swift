internal import Billing

/// The commission at which the proceeds of a price list hold, as its rows show it.
struct AccountCommission {
  /// Millionths of the net price; nil where no documented one explains most rows.
  let rate: Int64?
  private let rates: [Int64?]
  /// Those whose storefront's tax is known, and that no documented commission explains.
  let oddRows: [TierPrice]
  /// Rows whose storefront's tax is known.
  let known: Int

  /// Finds the documented commission that explains the proceeds of most rows.
  ///
  /// - Parameters:
  ///   - day: of rows that say none.
  ///   - before: what holds where these rows do not show any, in millionths.
  init(_ rows: [TierPrice], on day: Day, _ prices: PriceLookup, before: Int64? = nil) {
    let fits = rows.map { row -> Set<Int64>? in
      guard let proceeds = row.proceeds else { return nil }
      return prices.commissions(
        row.storefront, row.currency, row.price, proceeds, row.effectiveFrom ?? day)
    }
    var counts: [Int64: Int] = [:]
    for rate in fits.compactMap(\.self).joined() { counts[rate, default: 0] += 1 }
    let known = fits.count { $0 != nil }
    self.known = known
    let best = counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }
    let isClear = best.map { best in
      best.value * 2 > known && !counts.contains { $0.key != best.key && $0.value == best.value }
    }
    let rate = isClear == true ? best?.key : before
    self.rate = rate
    oddRows = rows.indices.filter { fits[$0]?.isEmpty == true }.map { rows[$0] }
    // A storefront with terms of its own has another documented commission.
    rates = fits.map { fit in
      guard let rate else { return nil }
      guard let fit, !fit.contains(rate), fit.count == 1 else { return rate }
      return fit.first
    }
  }

  /// The commission of the proceeds of a row, by its index, in millionths; nil where the list's is
  /// not known.
  func commission(of row: Int) -> Int64? { rates[row] }

  /// Adds a warning that names the rows which no documented commission explains, to the log.
  func warn(_ log: ReadingLog) { Self.warn(log, rate: rate, known: known, odd: oddRows) }

  /// Adds a warning that the commission is not known, or which rows it does not explain.
  ///
  /// - Parameters:
  ///   - rate: the list's commission in millionths.
  ///   - known: how many rows have a storefront whose tax is known.
  ///   - oddRows: those of them that no documented commission explains.
  static func warn(_ log: ReadingLog, rate: Int64?, known: Int, odd oddRows: [TierPrice]) {
    guard rate != nil else {
      log.warn(
        "commission", "@company.commission-of-the-list-is-not-known \(known)",
        help: "@company.prices-are-used-and-proceeds-not")
      return
    }
    let odd = oddRows.map { "\($0.storefront) \(amount($0.price)) → \(amount($0.proceeds ?? 0))" }
    guard !odd.isEmpty else { return }
    let list = odd.prefix(20).joined(separator: ", ") + (odd.count > 20 ? ", …" : "")
    log.warn(
      "commission",
      counted(odd.count, "@company.proceeds-of-1-row-fit-no-commission \(list)") {
        "@company.proceeds-of-rows-fit-no-commission \($0) \(list)"
      }, help: "@company.apple-proceeds-are-kept")
  }

  private static func amount(_ micros: Int64) -> String { decimalText(micros: micros) }
}
