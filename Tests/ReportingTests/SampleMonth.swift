import Billing
@testable import Conclusions
import Support

/// A month with ten storefronts, every finding code, and bridges that need all their steps.
enum SampleMonth {
  static let base = Currency("CNY")!

  /// storefront, currency, proceeds currency, units sold, units refunded, price, rate in millionths
  static let markets: [(String, String, String, Int64, Int64, Int64, Int64)] = [
    ("AU", "AUD", "AUD", 310, 2, 1_490_000, 4_790_000),
    ("CN", "CNY", "CNY", 8_412, 31, 30_000_000, 1_000_000),
    ("DE", "EUR", "EUR", 1_204, 9, 4_990_000, 7_877_100),
    ("GB", "GBP", "GBP", 640, 3, 4_490_000, 9_180_000),
    ("HK", "HKD", "HKD", 512, 0, 38_000_000, 925_000),
    ("JP", "JPY", "JPY", 2_930, 12, 600_000_000, 50_102),
    ("KR", "KRW", "KRW", 1_118, 4, 6_500_000_000, 5_518),
    ("TR", "TRY", "USD", 96, 1, 149_990_000, 7_250_000),
    ("US", "USD", "USD", 3_377, 18, 4_990_000, 7_250_000),
    ("VN", "VND", "VND", 88, 0, 119_000_000_000, 306),
  ]

  static var reconciliation: Reconciliation {
    var month = Reconciliation(
      period: Period("2023-06")!, baseCurrency: base, asOf: Day("2023-07-05")!, inputs: inputs,
      dayBoundaries: dayBoundaries, proceeds: proceeds(scale: 100), bridges: bridges,
      findings: findings,
      matchedUnits: 18_561, unmatchedUnits: 46, previousProceeds: proceeds(scale: 91),
      notes: ["Tax table of 2023-07-01; commission 30%.", "12 prices came from the tier."])
    month.products = products
    for market in markets { month.rates[Currency(market.2)!] = CurrencyRate(micros: market.6) }
    month.rates[Currency("TRY")!] = CurrencyRate(micros: 278_000)
    month.basis = basis
    month.refunds = refunds
    month.subscriptions = subscriptions
    month.subscriptionCounts = subscriptionCounts
    month.deductions = deductions
    month.patterns = patterns
    month.flow = flow
    return month
  }

  /// The same month before any rate was loaded.
  static var withoutRates: Reconciliation {
    var month = reconciliation
    for index in month.proceeds.indices {
      month.proceeds[index].proceedsBase = nil
      month.proceeds[index].rate = nil
    }
    month.previousProceeds = []
    month.bridges.removeAll { $0.storefront == "ALL" }
    month.rates = [base: .one]
    let others = Set(markets.map(\.1)).subtracting([base.code])
    month.basis.absences.append(Absence(.rates, names: others.sorted()))
    return month
  }

  /// A report is missing, another not due; a part of the money is not cleared.
  private static var basis: Basis {
    var basis = Basis()
    var reports = Absence(.salesReports, count: 2, of: 30)
    reports.days = [Day("2023-06-18")!, Day("2023-06-19")!]
    var due = Absence(.salesReportsNotDue, count: 1, of: 30)
    due.days = [Day("2023-06-30")!]
    basis.absences = [reports, due, Absence(.prices, count: 3)]
    for (from, to, share) in [(0, 2, 60), (3, 7, 90), (8, 30, 97)] as [(Int, Int?, Int64)] {
      for line in proceeds(scale: 100) {
        var money = AgedMoney(from: from, to: to, line.currency)
        money.ledger = Money(micros: line.gross.micros / 4, line.currency)
        money.timely = money.ledger
        money.complete = Money(micros: money.ledger.micros / 100 * (share + 1), line.currency)
        money.cleared = Money(micros: money.ledger.micros / 100 * share, line.currency)
        basis.money.append(money)
      }
    }
    return basis
  }

  /// A period of which nothing is loaded.
  static var empty: Reconciliation {
    Reconciliation(period: Period("2023-06")!, baseCurrency: base, asOf: Day("2023-07-05")!)
  }

  /// A month short enough to read as JSON.
  static var short: Reconciliation {
    var month = reconciliation
    let shown: Set<FindingCode> = [
      .transactionReused, .reportMissing, .lateFulfilment, .notInReport,
    ]
    month.findings.removeAll { !shown.contains($0.code) }
    month.proceeds.removeAll { !["JP", "TR", "US"].contains($0.storefront.code) }
    month.bridges.removeAll { !["ALL", "JP"].contains($0.storefront) }
    month.patterns = Array(patterns.prefix(2))
    month.flow = Array(flow[1...2])
    return month
  }

  static func proceeds(scale: Int64) -> [ProceedsLine] {
    markets.map { code, currency, proceedsCurrency, sold, refunded, price, rate in
      let paid = Currency(currency)!
      let settled = Currency(proceedsCurrency)!
      let gross = (sold * scale / 100 - refunded) * price
      let tax = roundedHalfUp(Int128(gross) * 2, dividedBy: 100, toMultipleOf: paid.minorUnit)
      let isForeign = paid != settled
      let perUnit = isForeign ? Int128(gross) / 27 : Int128(gross)
      let earned = roundedHalfUp(perUnit * 686, dividedBy: 1000, toMultipleOf: settled.minorUnit)
      return ProceedsLine(
        storefront: Storefront(code)!, unitsSold: sold * scale / 100, unitsRefunded: refunded,
        gross: Money(micros: gross, paid), tax: Money(micros: tax, paid),
        commission: isForeign ? nil : Money(micros: gross - tax - earned, paid),
        proceeds: Money(micros: earned, settled), deduction: isForeign ? nil : 314_000,
        proceedsBase: Money(
          micros: roundedHalfUp(
            Int128(earned) * Int128(rate), dividedBy: 1_000_000, toMultipleOf: base.minorUnit),
          base),
        rate: CurrencyRate(micros: rate))
    }
  }

  private static let inputs: [InputFile] = [
    InputFile(
      kind: .orders, file: "exports/orders.csv", sha256: hash("a1"), rows: 18_620, rejected: 0,
      from: Day("2023-06-01"), to: Day("2023-06-30"), status: .current),
    InputFile(
      kind: .transactions, file: "exports/transactions.csv", sha256: hash("b2"), rows: 18_607,
      rejected: 3, from: Day("2023-06-01"), to: Day("2023-06-30"), status: .partial),
    InputFile(
      kind: .sales, file: "apple/S_D_85000000_20230614.txt.gz", sha256: hash("c3"), rows: 611,
      rejected: 0, from: Day("2023-06-14"), to: Day("2023-06-14"), status: .superseded),
    InputFile(
      kind: .sales, file: "apple/again/S_D_85000000_20230614.txt.gz", sha256: hash("d4"),
      rows: 613, rejected: 0, from: Day("2023-06-14"), to: Day("2023-06-14"), status: .current),
    InputFile(
      kind: .notifications, file: "apple/notifications-2023-06.jsonl", sha256: hash("f6"),
      rows: 1_208, rejected: 0, from: Day("2023-06-01"), to: Day("2023-06-30"), status: .current),
    InputFile(
      kind: .receipts, file: "apple/收据/receipts.json", sha256: hash("07"), rows: 93,
      rejected: 2, from: Day("2022-11-14"), to: Day("2023-06-28"), status: .partial),
    InputFile(
      kind: .products, file: "catalogue/商品目录.csv", sha256: hash("e5"), rows: 41, rejected: 0,
      from: nil, to: nil, status: .current),
  ]

  private static func hash(_ start: String) -> String {
    start + String(repeating: "0123456789abcdef", count: 4).dropFirst(2)
  }

  private static let dayBoundaries: [ReportDayBoundary] = markets.map { code, _, _, sold, _, _, _ in
    let isPacific = code != "JP" && code != "DE" && code != "GB" && code != "AU"
    let rules = [
      "JP": ("japan", "Asia/Tokyo", 540), "DE": ("central-european", "Europe/Berlin", 120),
      "GB": ("configured", "Europe/London", 60),
      "AU": ("western-australia", "Australia/Perth", 480),
    ]
    let (rule, zone, offset) = rules[code] ?? ("pacific", "America/Los_Angeles", -420)
    return ReportDayBoundary(
      storefront: Storefront(code)!, rule: rule, zone: zone, utcOffsetMinutes: offset,
      confidence: sold < 100 ? nil : isPacific ? 987_654 : 912_000, residualUnits: sold / 1000,
      runnerUp: sold < 100 ? nil : "fixed:-06:00")
  }

  private static var bridges: [Bridge] {
    let lines = proceeds(scale: 100)
    var inBase = lines.map { line in
      bridge(
        line, name: line.storefront.code,
        unexplained: line.storefront.code == "TR" ? 1_990_000 : 0)
    }
    let all = ProceedsLine(
      storefront: Storefront("CN")!, unitsSold: 18_687, unitsRefunded: 80,
      gross: Money(micros: 612_345_670_000, base), tax: Money(micros: 12_246_910_000, base),
      commission: Money(micros: 180_029_630_000, base),
      proceeds: Money(micros: 420_069_130_000, base), deduction: 314_000,
      proceedsBase: Money(micros: 420_069_130_000, base), rate: .one)
    inBase.insert(bridge(all, name: "ALL", unexplained: 14_430_000), at: 0)
    return inBase
  }

  private static func bridge(_ line: ProceedsLine, name: String, unexplained: Int64) -> Bridge {
    let unit = line.currency.minorUnit
    func part(_ thousandths: Int64) -> Int64 {
      roundedHalfUp(
        Int128(line.gross.micros) * Int128(thousandths), dividedBy: 1000, toMultipleOf: unit)
    }
    let moves: [(BridgeCause, Int64?, Int64)] = [
      (.dayBoundary, 11, part(9)), (.timing, -2, part(-1)), (.reportMissing, -40, part(-21)),
      (.notInLedger, 6, part(4)), (.notInReport, -5, part(-3)), (.refundNotInLedger, -1, part(-2)),
      (.refundNotInReport, 0, 0), (.unknownSKU, 3, part(2)), (.apps, 12, part(6)),
      (.price, 0, part(-1)), (.partialRefund, 0, 0), (.unexplained, nil, unexplained),
    ]
    let ledger = line.gross.micros - moves.reduce(0) { $0 + $1.2 }
    let commission = line.commission?.micros ?? part(294)
    let earned = (line.gross - line.tax).micros - commission
    var steps = [step(.ledger, line.unitsSold - line.unitsRefunded + 16, ledger, line)]
    steps += moves.map { step($0.0, $0.1, $0.2, line) }
    steps.append(step(.reportedGross, line.unitsSold - line.unitsRefunded, line.gross.micros, line))
    steps += [
      step(.tax, nil, -line.tax.micros, line), step(.commission, nil, -commission - part(1), line),
      step(.proceedsDifference, 4, part(1), line), step(.unexplained, nil, 0, line),
      step(.reportedProceeds, line.unitsSold - line.unitsRefunded, earned, line),
    ]
    return Bridge(storefront: name, currency: line.currency, steps: steps)
  }

  private static func step(
    _ cause: BridgeCause, _ units: Int64?, _ amount: Int64, _ line: ProceedsLine
  ) -> BridgeStep {
    BridgeStep(cause: cause, units: units, amount: Money(micros: amount, line.currency))
  }

  /// A code that came later stands last, so that the findings of the others stay what they were.
  private static let codes: [FindingCode] = {
    let later: [FindingCode] = [
      .renewalRefunded, .clockOff, .rateStale, .inputsInsufficient, .taxDiffers, .timingUnproven,
      .proceedsTolerated, .termsChanged, .termsNotAsConfigured, .offset,
      .subscriptionEventsDiffer, .subscriptionsDiffer, .subscriberDiffers, .subscriptionUnknown,
      .subscriptionReportMissing, .receivableNegative, .taxAsReported, .reportsDisagree,
      .wordUnknown, .idRepeated,
    ]
    return FindingCode.allCases.filter { !later.contains($0) } + later
  }()

  /// One or more findings of every code, spread over the storefronts.
  static var findings: [Finding] {
    var findings: [Finding] = []
    for (index, code) in codes.enumerated() {
      for copy in 0...(index % 3) { findings.append(finding(code, index, copy)) }
    }
    return findings
  }

  private static func finding(_ code: FindingCode, _ index: Int, _ copy: Int) -> Finding {
    let market = markets[(index * 3 + copy) % markets.count]
    let day = Day("2023-06-01")!.advanced(by: (index * 7 + copy * 3) % 30)
    let isMissingReport = code == .reportMissing
    let hasMoney = !isMissingReport && code.severity != .info && code != .lateFulfilment
    let sign: Int64 = code == .orderWithoutTransaction || code == .notInReport ? -1 : 1
    let units = Int64(copy + 1)
    let orders = orderIDs(code, index, copy)
    let transactions = transactionIDs(code, index, copy)
    return Finding(
      code: code, severity: code.severity, storefront: isMissingReport ? nil : Storefront(market.0),
      currency: isMissingReport ? nil : Currency(market.1), date: day,
      sku: isMissingReport ? nil : "com.example.gems.\(60 * (copy + 1))", units: units,
      amount: hasMoney ? sign * units * market.5 : nil, orderIDs: orders,
      transactionIDs: transactions,
      sources: sources(code, index, orders.count, transactions.count),
      explanation: """
        What \(code.rawValue) found on \(day) in \(market.0), with its figures: \(units) units at \
        \(decimalText(micros: market.5, minimumDigits: 2)) \(market.1).
        """,
      action: "Ask who can clear \(code.rawValue).", id: "f\(padded(index, 3))\(copy)c0ffee12")
  }

  private static func orderIDs(_ code: FindingCode, _ index: Int, _ copy: Int) -> [String] {
    switch code {
    case .transactionWithoutOrder, .reportMissing, .reportRestated, .footerMismatch, .timing: []
    case .transactionReused: ["O\(index)\(copy)1", "O\(index)\(copy)2", "O\(index)\(copy)3"]
    default: code.level == 1 || code == .notInLedger ? ["O\(index)\(copy)1"] : []
    }
  }

  private static func transactionIDs(_ code: FindingCode, _ index: Int, _ copy: Int) -> [String] {
    switch code {
    case .orderWithoutTransaction, .reportMissing, .reportRestated, .footerMismatch: []
    default: code.level == 1 || code == .timing ? ["20000003\(index)\(copy)4471"] : []
    }
  }

  private static func sources(
    _ code: FindingCode, _ index: Int, _ orders: Int, _ transactions: Int
  ) -> [Source] {
    var sources: [Source] = []
    for copy in 0..<orders {
      sources.append(Source(file: "exports/orders.csv", line: 100 * index + copy + 2))
    }
    for copy in 0..<transactions {
      sources.append(Source(file: "exports/transactions.csv", line: 90 * index + copy + 2))
    }
    if code.level >= 2, code != .reportMissing {
      sources.append(
        Source(
          file: "apple/again/S_D_85000000_20230614.txt.gz",
          line: code == .footerMismatch ? 0 : index + 2))
    }
    return sources
  }
}
