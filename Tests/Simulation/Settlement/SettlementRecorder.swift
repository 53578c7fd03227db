import Billing
import Support

/// Where Apple's settlement and payments are written down, one fiscal month at a time.
final class SettlementRecorder {
  /// The folder of Apple's financial reports, inside the world's.
  static let folder = "finance"
  /// How many of 1,000 units settle after 0, 1, 2 … days; later ones are rare.
  private static let lags = [430, 420, 60, 30, 20, 10, 8, 6, 6, 5, 5]

  private let store: Store
  private let settlement: SettlementParameters
  private let directory: String?
  private let lagWeights: [Int]
  /// The fiscal months that still take units, in order.
  private var open: [SettledMonth]
  private var payments: PaymentMaker
  private(set) var truth: [TrueSettlement] = []
  /// Over all months, by kind.
  private var planted: [LeftOutFaults] = []
  /// Faults for which months had no room, by kind.
  var leftOut: [LeftOutFaults] { planted.filter { $0.made < $0.asked } }

  init(store: Store, settlement: SettlementParameters, directory: String?) throws {
    self.store = store
    self.settlement = settlement
    self.directory = directory.map { "\($0)/\(Self.folder)" }
    lagWeights = cumulative(
      (0...settlement.maxLag).map { $0 < Self.lags.count ? Self.lags[$0] : 3 })
    let months = store.parameters.fiscalMonths
    precondition(!months.isEmpty, "no fiscal month lies wholly inside the period")
    open = months.map(SettledMonth.init)
    payments = PaymentMaker(store: store, settlement: settlement)
    if let directory = self.directory { try makeFolder(directory) }
  }

  /// Settles what Apple reported on `day`: every unit some days later. Of a day whose report is
  /// missing nothing settles, so that it differs at level 2 only.
  func take(_ rows: [(key: SaleKey, units: Int)], on day: Day) {
    var random = RandomNumbers(
      seed: store.parameters.seed ^ mixed(UInt64(bitPattern: Int64(day.number)) &+ 0x5E771E))
    let places = (0...settlement.maxLag).map { lag in
      let settled = day.advanced(by: lag)
      return open.firstIndex { $0.month.first <= settled && settled <= $0.month.last }
    }
    for (key, units) in rows where key.proceeds != 0 && !key.isWithoutMoney {
      // Apple's report has no unit of what was given back in part; its detail has one.
      let quantity = key.isPartialRefund ? -1 : units
      let row = FinanceKey(
        market: key.market, item: key.item,
        currency: key.currency ?? store.markets[key.market].currency, price: key.price,
        share: key.proceeds, isReturn: quantity < 0)
      if let here = places[0] {
        open[here].reported[row.place, default: 0] += row.share * Int64(quantity)
      }
      for _ in 0..<abs(quantity) {
        let lag = random.index(cumulative: lagWeights)
        let unit = DetailKey(sold: day, settled: day.advanced(by: lag), row: row)
        if let there = places[lag] { open[there].detail[unit, default: 0] += quantity.signum() }
        if let here = places[0], places[lag] != here {
          open[here].leaving[unit, default: 0] += quantity.signum()
        }
      }
    }
  }

  /// Writes the months that end on `day` or before: everything until then was taken.
  func close(through day: Day) throws {
    while let settled = open.first, settled.month.last <= day {
      open.removeFirst()
      try close(settled)
    }
  }

  private func close(_ month: SettledMonth) throws {
    var settled = month
    let number = truth.count
    var faults = SettlementFaults(
      store: store, settlement: settlement, month: settled.month, number: number)
    faults.plantInDetail(&settled)
    settled.summarise()
    faults.plantInSummary(&settled)
    var payment = payments.payment(settled, number: number)
    faults.plantInPayments(&payment)
    var reports = reports(settled)
    faults.plantInFooters(&reports)
    faults.planted.forEach(add)
    let ledger = SettlementLedger(store: store, settled: settled, payment: payment)
    truth.append(ledger.truth(faults.findings, difference: faults.difference))
    try write(settled, reports, payment)
  }

  private func add(_ faults: LeftOutFaults) {
    guard let known = planted.firstIndex(where: { $0.kind == faults.kind }) else {
      return planted.append(faults)
    }
    planted[known].asked += faults.asked
    planted[known].made += faults.made
  }

  private func reports(_ settled: SettledMonth) -> [RegionReport] {
    guard !settlement.isSingleFile else { return [RegionReport(rows: settled.summary.rows)] }
    let byRegion = Dictionary(grouping: settled.summary.rows) {
      FinanceRegion.of(store.markets[$0.key.market], $0.key.currency)
    }
    return byRegion.sorted { $0.key.code < $1.key.code }
      .map { RegionReport(region: $0.key, rows: $0.value) }
  }

  private func write(
    _ settled: SettledMonth, _ reports: [RegionReport], _ payment: PaymentMonth
  ) throws {
    guard let directory else { return }
    let files = FinanceFiles(store: store)
    func write(_ bytes: [UInt8], _ region: String) throws {
      let name = "\(directory)/\(SalesReportFiles.vendor)_\(settled.month.stamp)_\(region).txt"
      let gzip = store.parameters.gzip
      try Simulation.write(gzip ? gzipMember(bytes) : bytes, to: gzip ? name + ".gz" : name)
    }
    for report in reports {
      try write(files.report(report, of: settled.month), report.region?.code ?? "ZZ")
    }
    if settlement.writesDetail { try write(files.detail(settled), "Z1") }
    let (name, bytes) = PaymentFiles(layout: settlement.payments).file(payment)
    try Simulation.write(bytes, to: "\(directory)/\(name)")
  }
}
