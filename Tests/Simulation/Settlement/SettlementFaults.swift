import Billing

/// The faults of one fiscal month, each in a cell of its own, and what has to be found of them.
struct SettlementFaults {
  private let store: Store
  private let parameters: SettlementParameters
  private let month: FiscalMonth
  /// The faults of each kind, counted over all months, that fall into this one.
  private let numbers: [Int]
  private var random: RandomNumbers
  private var taken: Set<Cell> = []
  private var takenRegions: Set<FinanceRegion> = []
  private(set) var findings: [TrueSettlementFinding] = []
  /// What the faults of level 3 add to what is settled.
  private(set) var difference: [ProceedsPlace: Int64] = [:]
  /// How many faults of each kind were asked for, and planted.
  private(set) var planted: [LeftOutFaults] = []

  /// A product in a storefront: at most one fault happens there in a month.
  private struct Cell: Hashable {
    var market: Int
    var item: Int
    init(_ row: FinanceKey) { (market, item) = (row.market, row.item) }
  }

  /// - Parameter number: the month's place among those of the period.
  init(store: Store, settlement: SettlementParameters, month: FiscalMonth, number: Int) {
    self.store = store
    self.parameters = settlement
    self.month = month
    let months = store.parameters.fiscalMonths.count
    numbers = (0..<settlement.faults).filter { $0 % months == number }
    random = RandomNumbers(seed: store.parameters.seed ^ mixed(0xFA17 + UInt64(number)))
  }

  /// Units too many, shares other than the sales report's, and units that never settle.
  mutating func plantInDetail(_ settled: inout SettledMonth) {
    guard !numbers.isEmpty else { return }
    // Of these all has settled when the month ends, so that no cell is cut in two.
    let lastDay = month.last.advanced(by: -parameters.maxLag)
    let keys = settled.detail.filter { key, quantity in
      quantity > 0 && month.first <= key.sold && key.sold <= lastDay
    }.keys.sorted()
    plant("settlement-units") { faults, _ in
      guard let key = faults.pick(keys) else { return false }
      let extra = faults.random.within(1...2)
      settled.detail[key, default: 0] += extra
      let amount = key.row.share * Int64(extra)
      faults.expect("settlement-units", key.row, on: key.sold, units: extra, amount: amount)
      return true
    }
    plant("settlement-proceeds") { faults, _ in
      guard let key = faults.pick(keys, where: { settled.isPlain($0) }) else { return false }
      faults.payOtherShare(key, in: &settled)
      return true
    }
    plant("settlement-carry") { faults, _ in
      guard let key = faults.pick(keys) else { return false }
      settled.add(-1, to: key)
      let forgotten = DetailKey(sold: key.sold, settled: DetailKey.never, row: key.row)
      settled.leaving[forgotten, default: 0] += 1
      return true
    }
  }

  /// Plants this month's faults of a kind, as many as it has room for.
  ///
  /// - Parameter fault: plants one, whose number is given; false where nothing is left for it.
  private mutating func plant(
    _ kind: String, _ fault: (inout SettlementFaults, Int) -> Bool
  ) {
    var made = 0
    for number in numbers where fault(&self, number) { made += 1 }
    planted.append(LeftOutFaults(kind: kind, asked: numbers.count, made: made))
  }

  private mutating func payOtherShare(_ key: DetailKey, in settled: inout SettledMonth) {
    let unit = key.row.currency.minorUnit
    let less = max(
      unit, roundedHalfUp(Int128(key.row.share) * 7, dividedBy: 100, toMultipleOf: unit))
    var amount: Int64 = 0
    for (cell, quantity) in settled.detail
    where cell.sold == key.sold && Cell(cell.row) == Cell(key.row) {
      settled.detail[cell] = nil
      var paid = cell
      paid.row.share -= less
      settled.detail[paid] = quantity
      amount -= less * Int64(quantity)
    }
    expect("settlement-proceeds", key.row, on: key.sold, units: 0, amount: amount)
  }

  /// Units in one of the two files only. Nothing says their day, so the finding has the month's
  /// last.
  mutating func plantInSummary(_ settled: inout SettledMonth) {
    guard parameters.writesDetail else { return }
    let rows = settled.summary.filter { $0.value > 1 }.keys.sorted()
    for units in [1, -1] {
      plant("settlement-units of one file") { faults, _ in
        guard let row = faults.pick(rows) else { return false }
        settled.summary[row, default: 0] += units
        faults.expect(
          "settlement-units", row, on: faults.month.last, units: units,
          amount: row.share * Int64(units))
        return true
      }
    }
  }

  /// Amounts of the payments summary that do not follow from the reports, or from each other.
  mutating func plantInPayments(_ payment: inout PaymentMonth) {
    guard !numbers.isEmpty else { return }
    for part in [\RegionLine.earned, \.strayOwed] {
      plant("payment-differs") { faults, _ in
        guard let index = faults.pickRegion(payment) else { return false }
        let unit = payment.paid[index].region.currency.minorUnit
        let change = Int64(faults.random.within(101...899)) * unit
        payment.paid[index][keyPath: part] += change
        faults.expect("payment-differs", payment.paid[index], amount: change)
        return true
      }
    }
    plant("fx-rate-unexpected") { faults, number in
      let bank = payment.bank
      guard let index = faults.pickRegion(payment, where: { $0.region.currency != bank }) else {
        return false
      }
      payment.paid[index].rate.parts += number % 2 == 0 ? 3000 : -3000
      faults.expect("fx-rate-unexpected", payment.paid[index], amount: nil)
      return true
    }
    let change = Int64(random.within(137...963)) * payment.bank.minorUnit
    payment.strayPayout = change
    findings.append(
      TrueSettlementFinding(
        code: "payment-differs", place: nil, currency: payment.bank, date: month.last,
        amount: change))
  }

  /// Footers that do not fit the rows above them.
  mutating func plantInFooters(_ reports: inout [RegionReport]) {
    // A footer beside an amount of the payments that is wrong too would leave open which is.
    var left = reports.indices.filter { index in
      reports[index].region.map { !takenRegions.contains($0) } ?? true
    }
    plant("footer-mismatch") { faults, number in
      if left.isEmpty { return false }
      let index = left.remove(at: faults.random.below(left.count))
      reports[index].stray = FooterFault.allCases[number % FooterFault.allCases.count]
      let region = reports[index].region
      faults.findings.append(
        TrueSettlementFinding(
          code: "footer-mismatch", place: region?.code ?? "ZZ", currency: region?.currency,
          date: faults.month.last))
      return true
    }
  }

  private mutating func pick(
    _ keys: [DetailKey], where suits: (DetailKey) -> Bool = { _ in true }
  ) -> DetailKey? {
    if keys.isEmpty { return nil }
    for _ in 0..<5000 {
      let key = random.pick(keys)
      if !taken.contains(Cell(key.row)), suits(key) {
        taken.insert(Cell(key.row))
        return key
      }
    }
    return nil
  }

  private mutating func pick(_ rows: [FinanceKey]) -> FinanceKey? {
    let left = rows.filter { !taken.contains(Cell($0)) }
    if left.isEmpty { return nil }
    let row = random.pick(left)
    taken.insert(Cell(row))
    return row
  }

  /// A region that is paid this month and was the last time, with money enough for its rate to be
  /// found from its amounts.
  private mutating func pickRegion(
    _ payment: PaymentMonth, where suits: (RegionLine) -> Bool = { _ in true }
  ) -> Int? {
    let indices = payment.paid.indices.filter { index in
      let line = payment.paid[index]
      return line.units > 0 && line.balance == 0 && payment.proceeds(of: line) >= 10_000_000
        && !takenRegions.contains(line.region) && suits(line)
    }
    if indices.isEmpty { return nil }
    let index = random.pick(indices)
    takenRegions.insert(payment.paid[index].region)
    return index
  }

  private mutating func expect(
    _ code: String, _ row: FinanceKey, on day: Day, units: Int, amount: Int64
  ) {
    difference[row.place, default: 0] += amount
    findings.append(
      TrueSettlementFinding(
        code: code, place: store.markets[row.market].storefront.code, currency: row.currency,
        date: day, sku: store.stock.items[row.item].sku, units: Int64(units), amount: amount))
  }

  private mutating func expect(_ code: String, _ line: RegionLine, amount: Int64?) {
    findings.append(line.finding(code, on: month.last, amount: amount))
  }
}

extension SettledMonth {
  /// Whether all that was sold of the product there on that day are sales on the same terms.
  fileprivate func isPlain(_ key: DetailKey) -> Bool {
    detail.allSatisfy { other, quantity in
      other.sold != key.sold || other.row.market != key.row.market || other.row.item != key.row.item
        || (other.row == key.row && quantity > 0)
    }
  }

  fileprivate mutating func add(_ units: Int, to key: DetailKey) {
    let quantity = detail[key, default: 0] + units
    detail[key] = quantity == 0 ? nil : quantity
  }
}
