import Billing

/// Adds up what a fiscal month's reconciliation has to find.
struct SettlementLedger {
  let store: Store
  let settled: SettledMonth
  let payment: PaymentMonth

  /// - Parameters:
  ///   - findings: those of the injected faults.
  ///   - difference: what these add to what is settled.
  func truth(
    _ findings: [TrueSettlementFinding], difference: [ProceedsPlace: Int64]
  ) -> TrueSettlement {
    let payout = TruePayout(
      amount: payment.payout, currency: payment.bank, day: payment.month.paid)
    var truth = TrueSettlement(month: settled.month, payout: payout)
    truth.storefronts = storefronts(difference)
    truth.regions = regions
    let carried = carries(settled.arriving, sign: 1) + carries(settled.leaving, sign: -1)
    truth.findings = (findings + carried + remarks).sorted(
      by: TrueSettlementFinding.isOrderedBefore)
    return truth
  }

  private func storefronts(
    _ difference: [ProceedsPlace: Int64]
  ) -> [TrueStorefrontSettlement] {
    func sums(_ units: [DetailKey: Int]) -> [ProceedsPlace: Int64] {
      units.reduce(into: [:]) { sums, unit in
        sums[unit.key.row.place, default: 0] += unit.key.row.share * Int64(unit.value)
      }
    }
    let arriving = sums(settled.arriving)
    let leaving = sums(settled.leaving)
    var total: [ProceedsPlace: Int64] = [:]
    for (key, quantity) in settled.summary {
      total[key.place, default: 0] += key.share * Int64(quantity)
    }
    let places = Set(settled.reported.keys).union(total.keys).union(leaving.keys)
    return places.map { place in
      let row = TrueStorefrontSettlement(
        storefront: store.markets[place.market].storefront, currency: place.currency,
        reportedProceeds: settled.reported[place] ?? 0, carryIn: arriving[place] ?? 0,
        carryOut: -(leaving[place] ?? 0), difference: difference[place] ?? 0,
        settled: total[place] ?? 0)
      precondition(
        row.settled == row.reportedProceeds + row.carryIn + row.carryOut + row.difference,
        "what settles is not what was reported and carried")
      return row
    }.sorted { ($0.storefront, $0.currency) < ($1.storefront, $1.currency) }
  }

  private var regions: [TrueRegionPayment] {
    var total: [FinanceRegion: Int64] = [:]
    for (key, quantity) in settled.summary {
      let region = FinanceRegion.of(store.markets[key.market], key.currency)
      total[region, default: 0] += key.share * Int64(quantity)
    }
    func row(_ line: RegionLine, isPaid: Bool) -> TrueRegionPayment {
      TrueRegionPayment(
        region: line.region.code, currency: line.region.currency,
        settled: total[line.region] ?? 0, earned: line.earned, adjustment: line.adjustment,
        withholding: line.withholding, inputTax: line.inputTax, carriedBalance: line.balance,
        owed: line.owed, proceeds: isPaid ? payment.proceeds(of: line) : nil,
        bankCurrency: payment.bank)
    }
    let rows =
      payment.paid.map { row($0, isPaid: true) } + payment.carried.map { row($0, isPaid: false) }
    return rows.sorted { ($0.region, $0.currency) < ($1.region, $1.currency) }
  }

  /// One finding for each storefront, currency, product and fiscal month of sale.
  private func carries(_ units: [DetailKey: Int], sign: Int) -> [TrueSettlementFinding] {
    struct Group: Hashable {
      var place: ProceedsPlace
      var item: Int
      var month: FiscalMonth
    }
    var findings: [Group: TrueSettlementFinding] = [:]
    for (key, quantity) in units {
      let group = Group(
        place: key.row.place, item: key.row.item, month: FiscalMonth(containing: key.sold))
      var finding =
        findings[group]
        ?? TrueSettlementFinding(
          code: "settlement-carry", place: store.markets[key.row.market].storefront.code,
          currency: key.row.currency, date: key.sold, sku: store.stock.items[key.row.item].sku,
          units: 0, amount: 0)
      finding.date = min(finding.date, key.sold)
      finding.units = (finding.units ?? 0) + Int64(sign * quantity)
      finding.amount = (finding.amount ?? 0) + Int64(sign * quantity) * key.row.share
      findings[group] = finding
    }
    return findings.values.filter { $0.units != 0 || $0.amount != 0 }
  }

  /// What the payments summary adds and takes by itself: no fault, and said all the same.
  private var remarks: [TrueSettlementFinding] {
    let paid = payment.paid.flatMap { line in
      [
        ("withholding", line, line.withholding), ("adjustment", line, line.adjustment),
        ("carried-balance", line, line.balance),
      ]
    }
    let all = paid + payment.carried.map { ("carried-balance", $0, -$0.owed) }
    return all.filter { $0.2 != 0 }.map { code, line, amount in
      line.finding(code, on: payment.month.last, amount: amount)
    }
  }
}
