import Billing
import Conclusions
import Matching
import Support
import Testing

/// Worlds of random trade with random faults, in many settings: whatever happened, each unit is
/// accounted for once, bridges add up without a remainder, and the order of rows decides nothing.
struct RandomWorldTests {
  enum Twist: String, CaseIterable, Sendable {
    case plain, shanghaiDay, monthlyOnly, missingDays, twoCurrencies, exchange, credits, noPrices,
      apps, unknownSKUs, weekly, singleDay, fiscal, noReports, blankCurrency
  }

  @Test(arguments: Twist.allCases, 1...2 as ClosedRange<UInt64>)
  func accountsForAll(_ twist: Twist, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let world = RandomWorld(twist, &random).world
    let tieOut = world.tieOut()
    expectClosed(tieOut)
    expectUnitsOnce(tieOut)
    expectClaimsOnce(tieOut)
    expectFindingsOfSteps(tieOut)
    expectMovedUnits(tieOut)
    expectClearedMoney(tieOut)
    expectProductsAddUp(tieOut)
    #expect((tieOut.lines.count > 5 || twist == .singleDay) && !tieOut.bridges.isEmpty)
    let other = world.shuffled(&random).tieOut()
    if other.everything != tieOut.everything {
      Issue.record("\(firstDifference(tieOut.everything, other.everything) ?? "")")
    }
  }

  /// What the bridge calls a day boundary is listed, one by one and together.
  private func expectMovedUnits(_ tieOut: TieOut) {
    for limit in [Int.max, 0] {
      var found: [String: [Int64]] = [:]
      for move in tieOut.sales.movedUnits(oneByOne: limit) {
        let place = "\(move.line.storefront?.code ?? "??") \(move.line.currency)"
        let sum = found[place] ?? [0, 0]
        found[place] = [sum[0] + move.line.units, sum[1] + move.line.amount.micros]
        #expect(move.transactions.isEmpty == (limit == 0))
      }
      for bridge in tieOut.bridges where bridge.storefront != "ALL" {
        for step in bridge.steps where step.cause == .dayBoundary {
          let sum = found["\(bridge.storefront) \(bridge.currency)"] ?? [0, 0]
          #expect(sum == [step.units ?? 0, step.amount.micros], "\(bridge.storefront) \(limit)")
        }
      }
    }
  }

  /// What a step between the two sides is worth, the findings of that step are worth, in every
  /// storefront and currency.
  private func expectFindingsOfSteps(_ tieOut: TieOut) {
    let codes: [BridgeCause: FindingCode] = [
      .timing: .timing, .reportMissing: .reportMissing, .notInLedger: .notInLedger,
      .notInReport: .notInReport, .refundNotInLedger: .refundNotInLedger,
      .refundNotInReport: .refundNotInReport, .unknownSKU: .unknownSKU, .price: .priceDiffers,
      .partialRefund: .partialRefund, .inputsInsufficient: .inputsInsufficient,
    ]
    // What proceeds differ by has three names, by how much it matters.
    let ofProceeds: Set<FindingCode> = [
      .proceedsOffRule, .proceedsUnexpected, .proceedsTolerated, .termsNotAsConfigured,
    ]
    var found: [String: Int64] = [:]
    for finding in tieOut.findings {
      let step =
        ofProceeds.contains(finding.code)
        ? BridgeCause.proceedsDifference.rawValue
        : (finding.code == .timingUnproven ? .timing : finding.code).rawValue
      var parts = finding.parts
      if parts.isEmpty, let amount = finding.amount, let currency = finding.currency {
        parts = [StorefrontMoney(finding.storefront, Money(micros: amount, currency))]
      }
      for part in parts {
        let place = "\(part.storefront?.code ?? "??") \(part.amount.currency)"
        found["\(place) \(step)", default: 0] += part.amount.micros
      }
    }
    for bridge in tieOut.bridges where bridge.storefront != "ALL" {
      for step in bridge.steps {
        let name =
          step.cause == .proceedsDifference ? step.cause.rawValue : codes[step.cause]?.rawValue
        guard let name else { continue }
        let place = "\(bridge.storefront) \(bridge.currency) \(name)"
        #expect(found[place] ?? 0 == step.amount.micros, "\(place)")
      }
    }
  }

  /// Of the ledger's money nothing is cleared that is not complete, nothing complete that is not
  /// timely, and what is not cleared is in a step of the bridge.
  private func expectClearedMoney(_ tieOut: TieOut) {
    for money in tieOut.sales.basis([]).money {
      #expect(money.cleared.micros <= money.complete.micros)
      #expect(money.complete.micros <= money.timely.micros)
      #expect(money.timely.micros <= money.ledger.micros)
      #expect(money.cleared.micros >= 0)
    }
  }

  /// Each order and each transaction is claimed at most once.
  private func expectClaimsOnce(_ tieOut: TieOut) {
    let book = tieOut.book
    let claimed = book.orderOf.compactMap(\.position)
    #expect(Set(claimed).count == claimed.count)
    for case (let order, let transaction?) in book.transactionOf.map(\.position).enumerated() {
      #expect(book.orderOf[transaction].position == order)
    }
  }

  /// Apple's units of the period are matched, or in exactly one finding.
  private func expectUnitsOnce(_ tieOut: TieOut) {
    let world = tieOut.world
    guard !tieOut.lines.contains(where: { $0.hasPrefix("unknown-sku") }),
      world.facts.coverage.allSatisfy({ $0.begin == $0.end })
    else { return }
    let covered = Set(world.facts.coverage.map(\.begin))
    let reported = world.facts.sales.filter {
      world.period.contains($0.begin) && covered.contains($0.begin)
        && world.facts.salesProducts[Int($0.product)].type.isCovered
    }.reduce(0) { $0 + abs(Int64($1.units)) }
    func found(_ codes: FindingCode...) -> Int64 {
      tieOut.findings.filter { codes.contains($0.code) }.reduce(0) { $0 + ($1.units ?? 0) }
    }
    let appleOnly = found(.notInLedger, .refundNotInLedger, .inputsInsufficient)
    let oursOnly = found(.notInReport, .refundNotInReport)
    #expect(tieOut.sales.matchedUnits + appleOnly == reported)
    #expect(tieOut.sales.unmatchedUnits >= appleOnly + oursOnly)
  }
}

/// A month of a few hundred purchases in three storefronts, with faults on either side.
private struct RandomWorld {
  var world = World()
  private let zones = ["Asia/Shanghai", "America/Los_Angeles", "Europe/Paris"].map(Zones.named)
  private let storefronts = ["CN", "US", "DE"]

  init(_ twist: RandomWorldTests.Twist, _ random: inout SplitMix64) {
    prepare(twist)
    var rows: [String: Int32] = [:]
    let first = world.period.first.advanced(by: -3).startUTC.seconds
    let last = world.period.last.advanced(by: 3).startUTC.seconds
    let count = twist == .singleDay ? 120 : 400
    for number in 0..<count {
      purchase(number, Int64.random(in: first..<last, using: &random), twist, &rows, &random)
    }
    for (key, units) in rows.sorted(by: { $0.key < $1.key }) where units != 0 {
      book(key.split(separator: " ").map(String.init), units, twist, &random)
    }
    extra(twist)
  }

  private mutating func prepare(_ twist: RandomWorldTests.Twist) {
    if twist == .shanghaiDay { world.settings.businessZone = Zones.named("Asia/Shanghai") }
    if twist == .singleDay { world.period = Period("2023-06-10..2023-06-10")! }
    if twist == .fiscal { world.period = Period("FY2023-P06")! }
    if twist == .noPrices { world.facts.tiers = [] }
    if twist == .unknownSKUs { world.facts.products.removeAll { $0.sku == "chest" } }
    let period = world.period
    let reach = period.first.advanced(by: -1)...period.last.advanced(by: 1)
    switch twist {
    case .noReports: break
    case .monthlyOnly: world.report(period.first, period.last)
    case .weekly:
      for week in 0..<4 {
        let begin = period.first.advanced(by: 7 * week)
        world.report(begin, begin.advanced(by: 6))
      }
    default:
      for day in reach where twist != .missingDays || day.number % 6 != 0 { world.report(day, day) }
    }
  }

  private mutating func purchase(
    _ number: Int, _ moment: Int64, _ twist: RandomWorldTests.Twist, _ rows: inout [String: Int32],
    _ random: inout SplitMix64
  ) {
    let place = Int.random(in: 0..<3, using: &random)
    let sku = ["gems", "chest", "monthly"].randomElement(using: &random)!
    var (currency, price) = Shelf.price(sku, storefronts[place])
    let isTrial = sku == "monthly" && number % 5 == 0
    if isTrial { price = "0" }
    if twist == .twoCurrencies, number % 4 == 0 { (currency, price) = ("USD", "5.99") }
    let isRefunded = number % 9 == 0
    let revoked = moment + Int64.random(in: 1...500_000, using: &random)
    let fault = Int.random(in: 0..<20, using: &random)
    let isUntold = twist == .noPrices || number % 11 == 3
    if fault != 0 {
      world.order(
        "O\(number)", sku: sku, at: text(UInt32(moment - 30)),
        fault == 1 ? .created : isRefunded ? .refunded : .fulfilled,
        transaction: fault == 2 ? "T\(number / 2)" : "T\(number)", price: isUntold ? nil : price,
        currency: isUntold ? nil : currency, storefront: storefronts[place])
    }
    if fault != 3 {
      world.transaction(
        "T\(number)", sku: sku, at: text(UInt32(moment)), price: isUntold ? nil : price,
        currency: isUntold ? nil : currency, storefront: isUntold ? nil : storefronts[place],
        revoked: isRefunded ? text(UInt32(revoked)) : nil, trial: isTrial, sandbox: fault == 4)
    }
    if fault == 4 || fault == 5 { return }
    let late: Int64 = fault == 6 ? 3000 : 0
    let currencyTold = price == "0" ? "-" : currency
    let day = zones[place].day(of: Instant(seconds: moment + late))
    rows["\(place) \(day) \(sku) \(price) \(currencyTold) sale", default: 0] += 1
    if isRefunded, fault != 7 {
      let day = zones[place].day(of: Instant(seconds: revoked))
      rows["\(place) \(day) \(sku) \(price) \(currencyTold) refund", default: 0] -= 1
    }
  }

  private mutating func book(
    _ key: [String], _ units: Int32, _ twist: RandomWorldTests.Twist, _ random: inout SplitMix64
  ) {
    var (begin, end) = (Day(key[1])!, Day(key[1])!)
    if twist == .monthlyOnly {
      guard world.period.contains(begin) else { return }
      (begin, end) = (world.period.first, world.period.last)
    } else if twist == .weekly {
      guard world.period.contains(begin) else { return }
      begin = world.period.first.advanced(by: world.period.first.distance(to: begin) / 7 * 7)
      end = begin.advanced(by: 6)
    } else if twist == .noReports || !world.facts.coverage.contains(where: { $0.begin == begin }) {
      return
    }
    world.sale(
      key[2], on: "\(begin)", to: "\(end)",
      units: units + (Int.random(in: 0..<30, using: &random) == 0 ? units.signum() : 0),
      price: key[3], proceeds: twist == .exchange ? "1.23" : nil,
      storefront: storefronts[Int(key[0])!],
      currency: key[4] == "-" || twist == .blankCurrency && units % 2 == 0 ? nil : key[4],
      paidIn: twist == .exchange ? "EUR" : nil, type: key[2] == "monthly" ? "IAY" : "IA1")
  }

  private mutating func extra(_ twist: RandomWorldTests.Twist) {
    let day = "\(world.period.middle)"
    if twist == .credits {
      world.sale(on: day, units: 0, price: "12.00")
      world.sale("monthly", on: day, units: -1, price: "7.00", type: "IAY")
    }
    if twist == .apps {
      world.sale("app", on: day, units: 4, price: "6.00", type: "1F")
      world.sale("app", on: day, units: -1, price: "6.00", type: "1")
      world.sale("app", on: day, units: 4, price: "0", currency: nil, type: "7F")
      world.sale("noads", on: day, units: 2, price: "0", currency: nil, type: "IA3")
    }
    if twist == .unknownSKUs { world.sale("ghost", on: day, units: 2, price: "6.00") }
  }
}
