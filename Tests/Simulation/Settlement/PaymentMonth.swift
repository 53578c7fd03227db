import Billing

/// Apple's rate for a region: what the company loaded, moved by some parts of 100,000. It has more
/// digits than Apple prints.
struct PaymentRate {
  /// What one unit of the region's currency, and of the bank's, was worth in the same third one.
  let worth: Int64
  let bankWorth: Int64
  var parts: Int

  func applied(to micros: Int64, unit: Int64) -> Int64 {
    roundedHalfUp(Int128(micros) * numerator, dividedBy: denominator, toMultipleOf: unit)
  }

  /// As Apple prints it: to five places.
  var printed: String {
    let rate = roundedHalfUp(numerator * 1_000_000, dividedBy: denominator, toMultipleOf: 10)
    return decimalText(micros: rate, minimumDigits: 5)
  }

  private var numerator: Int128 { Int128(worth) * Int128(100_000 + parts) }
  private var denominator: Int128 { Int128(bankWorth) * 100_000 }
}

/// A region's line of the payments summary; micro-units of its currency.
struct RegionLine {
  let region: FinanceRegion
  var rate: PaymentRate
  var units = 0
  /// Of an earlier month, which was not paid.
  var balance: Int64 = 0
  var earned: Int64 = 0
  var inputTax: Int64 = 0
  var adjustment: Int64 = 0
  /// Negative.
  var withholding: Int64 = 0
  /// By how much the printed sum is wrong.
  var strayOwed: Int64 = 0

  var owed: Int64 { balance + earned + inputTax + adjustment + withholding + strayOwed }
  /// Nothing but what was sold.
  var isOrdinary: Bool { balance == 0 && inputTax == 0 && adjustment == 0 && withholding == 0 }

  func finding(_ code: String, on day: Day, amount: Int64?) -> TrueSettlementFinding {
    TrueSettlementFinding(
      code: code, place: region.code, currency: region.currency, date: day, amount: amount)
  }
}

/// What Apple pays for one fiscal month.
struct PaymentMonth {
  let month: FiscalMonth
  let bank: Currency
  /// In the order of the regions' codes.
  var paid: [RegionLine] = []
  /// Below the payment threshold: owed, and not paid this month.
  var carried: [RegionLine] = []
  /// By how much the payout is not the sum of the lines.
  var strayPayout: Int64 = 0

  func proceeds(of line: RegionLine) -> Int64 {
    line.rate.applied(to: line.owed, unit: bank.minorUnit)
  }

  var payout: Int64 { paid.reduce(strayPayout) { $0 + proceeds(of: $1) } }

  var hasBalances: Bool { (paid + carried).contains { $0.balance != 0 } }
}

/// Turns what was settled into what is paid.
struct PaymentMaker {
  let store: Store
  let settlement: SettlementParameters
  let rates: LoadedRates
  /// What was not paid in the month before.
  private var balances: [FinanceRegion: Int64] = [:]

  init(store: Store, settlement: SettlementParameters) {
    self.store = store
    self.settlement = settlement
    rates = LoadedRates(store.parameters)
  }

  /// - Parameter number: the month's place among those of the period; in the first, and in every
  ///   second one after it, small regions stay below the threshold.
  mutating func payment(_ settled: SettledMonth, number: Int) -> PaymentMonth {
    var random = RandomNumbers(seed: store.parameters.seed ^ mixed(0x9A7 + UInt64(number)))
    var lines: [FinanceRegion: RegionLine] = [:]
    func change(_ region: FinanceRegion, _ change: (inout RegionLine) -> Void) {
      var line = lines[region] ?? RegionLine(region: region, rate: rate(region, settled.month))
      change(&line)
      lines[region] = line
    }
    for (key, quantity) in settled.summary.rows {
      change(FinanceRegion.of(store.markets[key.market], key.currency)) {
        $0.units += quantity
        $0.earned += key.share * Int64(quantity)
      }
    }
    for (region, balance) in balances.sorted(by: { $0.key.code < $1.key.code }) {
      change(region) { $0.balance = balance }
    }
    // Brazil withholds tax though nothing was sold there.
    let withheld = Int64(random.within(321...1274)) * 10_000
    change(.region("BR")) { $0.withholding = -withheld }
    var payment = PaymentMonth(month: settled.month, bank: settlement.bankCurrency)
    payment.paid = lines.values.sorted { $0.region.code < $1.region.code }
    tax(&payment, &random)
    if number % 2 == 0 { carry(&payment) }
    balances = [:]
    for line in payment.carried { balances[line.region] = line.owed }
    return payment
  }

  /// Apple's rate lies within a quarter of a percent of the loaded one.
  private func rate(_ region: FinanceRegion, _ month: FiscalMonth) -> PaymentRate {
    let bank = settlement.bankCurrency
    guard let worth = rates.worth(of: region.currency, on: month.paid),
      let bankWorth = rates.worth(of: bank, on: month.paid)
    else { preconditionFailure("no rate from \(region.currency) to \(bank)") }
    let seed = store.parameters.seed ^ mixed(UInt64(month.paid.number) << 32)
    var random = RandomNumbers(seed: seed ^ region.code.utf8.reduce(0) { $0 << 8 | UInt64($1) })
    let parts = random.within(-250...250)
    return PaymentRate(
      worth: worth, bankWorth: bankWorth, parts: region.currency == bank ? 0 : parts)
  }

  /// Adjustments, input tax and withheld tax, two regions each at most.
  private func tax(_ payment: inout PaymentMonth, _ random: inout RandomNumbers) {
    var indices = payment.paid.indices.filter { index in
      payment.paid[index].isOrdinary && payment.paid[index].earned > 0
    }
    random.shuffle(&indices)
    for (number, index) in indices.prefix(min(5, indices.count / 2)).enumerated() {
      let line = payment.paid[index]
      func share(_ parts: Int128) -> Int64 {
        roundedHalfUp(
          Int128(line.earned) * parts, dividedBy: 10_000,
          toMultipleOf: line.region.currency.minorUnit)
      }
      switch number {
      case 0, 3: payment.paid[index].adjustment = share(1600)
      case 1, 4: payment.paid[index].inputTax = share(1000)
      default: payment.paid[index].withholding = -share(2042)
      }
    }
  }

  /// The least regions of all stay below the threshold.
  private func carry(_ payment: inout PaymentMonth) {
    let bank = payment.bank
    let small = payment.paid
      .filter { $0.isOrdinary && $0.owed > 0 && $0.region.currency != bank }
      .sorted {
        (payment.proceeds(of: $0), $0.region.code) < (payment.proceeds(of: $1), $1.region.code)
      }
      .prefix(min(2, payment.paid.count / 4))
    let codes = Set(small.map(\.region))
    payment.carried = payment.paid.filter { codes.contains($0.region) }
    payment.paid.removeAll { codes.contains($0.region) }
  }
}
