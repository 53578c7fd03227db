import Billing

/// Holds a financial report's own totals against its rows.
struct FooterCheck {
  private let report: FinanceReport
  private let sums: [Place: BridgeSteps.Sum]
  private var findings: [UnresolvedFinding] = []

  /// Findings about totals of the month's reports that do not fit their rows.
  static func findings(_ facts: SettlementFacts, month: FiscalMonth) -> [UnresolvedFinding] {
    facts.reports.filter { $0.month == month }.flatMap { report in
      var check = FooterCheck(report: report, terms: facts.terms)
      check.checkTotals()
      return check.findings
    }
  }

  /// Adds the rows of a report up by storefront and currency.
  private init(report: FinanceReport, terms: [FinanceTerms]) {
    self.report = report
    var sums: [Place: BridgeSteps.Sum] = [:]
    for row in report.rows {
      let terms = terms[Int(row.terms)]
      sums[Place(storefront: terms.storefront, currency: terms.currency), default: .init()]
        .add(units: row.quantity, amount: row.extended)
    }
    self.sums = sums
  }

  /// Holds each total that the report states against its rows.
  private mutating func checkTotals() {
    var stated: Set<Place> = []
    for line in report.footers {
      switch line.footer {
      case .rows(let count): compare("Total_Rows", count, Int64(report.rows.count), line)
      case .units(let count):
        compare("Total_Units", count, report.rows.reduce(0) { $0 + $1.quantity }, line)
      case .amount(let amount, let currency): checkAmount(amount, currency, line)
      case .storefront(let storefront, let currency, let quantity, let extended):
        stated.insert(Place(storefront: storefront, currency: currency))
        checkStorefront(storefront, currency, quantity, extended, line)
      }
    }
    if !stated.isEmpty { checkUnstated(stated) }
  }

  private struct Place: Hashable {
    var storefront: Storefront
    var currency: Currency
  }

  /// Adds a finding where a total is not what the rows come to.
  ///
  /// - Parameter name: what the report calls the total.
  private mutating func compare(
    _ name: String, _ stated: Int64, _ rowTotal: Int64, _ line: FinanceFooterLine
  ) {
    guard stated != rowTotal else { return }
    add(line, units: stated - rowTotal, "@shared.is-its-rows-come \(name) \(stated) \(rowTotal)")
  }

  /// Adds a finding where the report's total amount, in micro-units, is not that of its rows.
  private mutating func checkAmount(
    _ stated: Int64, _ currency: Currency?, _ line: FinanceFooterLine
  ) {
    let currencies = Set(sums.keys.map(\.currency))
    // A total over several currencies says nothing.
    guard currencies.count < 2 else { return }
    let sum = report.rows.reduce(Int64(0)) { $0 + $1.extended }
    let currency = currencies.first ?? currency
    guard stated != sum else { return }
    add(
      line, currency: currency, amount: stated - sum,
      "@shared.total-amount-is-its-rows \(spoken(stated, currency)) \(spoken(sum, currency))")
  }

  /// Adds a finding where the report's table of countries has other units or money of a storefront
  /// than its rows.
  ///
  /// - Parameters:
  ///   - quantity: the units that the table states.
  ///   - extended: the amount that the table states, in micro-units.
  private mutating func checkStorefront(
    _ storefront: Storefront, _ currency: Currency, _ quantity: Int64, _ extended: Int64,
    _ line: FinanceFooterLine
  ) {
    let sum = sum(storefront, currency)
    guard sum.units != quantity || sum.amount != extended else { return }
    add(
      line, storefront: storefront, currency: currency, units: quantity - sum.units,
      amount: extended - sum.amount,
      """
      @settlement.its-table-of-countries-has \(spoken(units: quantity)) \
      \(spoken(extended, currency)) \(storefront) \(sum.units) \(spoken(sum.amount, currency))
      """)
  }

  /// Adds a finding for each storefront that the report has rows of and its second table, that of
  /// countries, leaves out.
  ///
  /// - Parameter stated: the storefronts and currencies of that table.
  private mutating func checkUnstated(_ stated: Set<Place>) {
    for place in Set(sums.keys).subtracting(stated)
      .sorted(by: { ($0.storefront, $0.currency) < ($1.storefront, $1.currency) })
    {
      let sum = sum(place.storefront, place.currency)
      add(
        nil, storefront: place.storefront, currency: place.currency, units: -sum.units,
        amount: -sum.amount,
        """
        @settlement.its-table-of-countries-leaves \(place.storefront) \
        \(spoken(units: sum.units)) \(spoken(sum.amount, place.currency))
        """)
    }
  }

  /// What the rows of a storefront and currency come to.
  private func sum(_ storefront: Storefront, _ currency: Currency) -> BridgeSteps.Sum {
    sums[Place(storefront: storefront, currency: currency)] ?? BridgeSteps.Sum()
  }

  /// Adds a finding about a total.
  ///
  /// - Parameters:
  ///   - line: where the report states it; nil where it does not.
  ///   - units: stated less those of the rows.
  ///   - amount: the same in micro-units.
  private mutating func add(
    _ line: FinanceFooterLine?, storefront: Storefront? = nil, currency: Currency? = nil,
    units: Int64? = nil, amount: Int64? = nil, _ text: Wording
  ) {
    var finding = UnresolvedFinding(
      .footerMismatch, storefront: storefront ?? Storefront(report.region), currency: currency,
      day: report.end, units: units, amount: amount,
      explanation: report.rejected == 0
        ? "\(report.file): \(text)"
        : counted(report.rejected, "@footer-mismatch.1-row-could-not \(report.file) \(text)") {
          "@footer-mismatch.rows-could-not-be-read \(report.file) \(text) \($0)"
        })
    finding.places = [Source(file: report.file, line: Int(line?.line ?? 0))]
    findings.append(finding)
  }
}
