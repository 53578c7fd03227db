import Billing
import Conclusions

extension SalesTieOut {
  /// Makes findings and bridge steps of products that differ, so that each of their units is
  /// accounted for once: unknown SKU, missing report, timing, then the difference.
  mutating func accountForUnits() {
    let evidence = Evidence(self)
    askedCounts = evidence.asked
    for product in differingProducts {
      let key = units.products[Int(product)]
      if isUnknown(product) {
        accountForUnknown(product, key)
        continue
      }
      for isRefund in [false, true] {
        settleTiming(product, key, isRefund: isRefund, evidence)
        for slot in days.slots.indices where days.slots[slot].isInPeriod {
          let cell = CellKey(product: product, slot: Int16(slot), isRefund: isRefund)
          guard let found = cells[cell] else { continue }
          if days.slots[slot].isMissing {
            accountForMissing(
              found, key, MissingReport(slot: Int16(slot)), isRefund: isRefund)
          } else if found.reported.isEmpty, let vendor = absent.vendor(of: key.sku, slot: slot) {
            accountForMissing(
              found, key, MissingReport(slot: Int16(slot), vendor: vendor), isRefund: isRefund)
          } else {
            accountForDifference(found, cell, key, evidence)
          }
        }
      }
    }
  }

  /// Whether Apple reports a product in the period that the catalogue does not have; false without
  /// a catalogue.
  ///
  /// - Parameter product: its index into `units.products`.
  private func isUnknown(_ product: Int32) -> Bool {
    guard !context.catalogue.isEmpty,
      !context.catalogue.contains(units.products[Int(product)].sku)
    else { return false }
    return days.slots.indices.contains { slot in
      days.slots[slot].isInPeriod
        && [false, true].contains {
          cells[CellKey(product: product, slot: Int16(slot), isRefund: $0)]?.reported.isEmpty
            == false
        }
    }
  }

  /// Makes findings of a product that the catalogue lacks, one per day and currency, with Apple's
  /// units or, on days on which only the ledger has some, the ledger's. Both sides' units become
  /// the bridge's step `unknown-sku`.
  private mutating func accountForUnknown(_ product: Int32, _ key: ProductKey) {
    for slot in days.slots.indices where days.slots[slot].isInPeriod {
      var sides: [Currency?: (apple: Int64, ours: Int64, change: Int64)] = [:]
      for isRefund in [false, true] {
        guard let cell = cells[CellKey(product: product, slot: Int16(slot), isRefund: isRefund)]
        else { continue }
        let sign: Int64 = isRefund ? -1 : 1
        for (price, count) in cell.reported {
          bridge.add(.unknownSKU, key.storefront, price, units: sign * count)
          sides[price.currency, default: (0, 0, 0)].apple += sign * count
          sides[price.currency]!.change += sign * (price.price ?? 0).multipliedExactly(by: count)
        }
        for (price, count) in cell.counted {
          bridge.add(.unknownSKU, key.storefront, price, units: -sign * count)
          clearing.leaveOpen(count, key.storefront, price, slot: slot)
          sides[price.currency, default: (0, 0, 0)].ours += sign * count
          sides[price.currency]!.change -= sign * (price.price ?? 0).multipliedExactly(by: count)
        }
        unmatchedUnits += max(cell.reportedUnits, cell.countedUnits)
      }
      for (currency, side) in sides.sorted(by: { ($0.key?.code ?? "") < ($1.key?.code ?? "") }) {
        add(
          UnresolvedFinding(
            .unknownSKU, storefront: key.storefront, currency: currency,
            day: days.slots[slot].begin, sku: key.sku,
            units: side.apple != 0 ? side.apple : side.ours,
            amount: side.change == 0 ? nil : side.change,
            explanation: """
              @unknown-sku.apple-reports-and-the-ledger \(spoken(units: side.apple)) \
              \(side.ours)
              """), groupsOf: key, slot: slot)
      }
    }
  }

  /// Whether all vendors that sell a SKU lack their report on a slot on which others have theirs.
  func isAbsent(_ sku: String, slot: Int) -> Bool { absent.vendor(of: sku, slot: slot) != nil }

  /// Adds the ledger's units of a cell to the bridge's step `report-missing` and to what the
  /// finding of the missing report will say.
  ///
  /// - Parameters:
  ///   - key: the product of the cell.
  ///   - report: the one that is missing.
  private mutating func accountForMissing(
    _ cell: UnitCell, _ key: ProductKey, _ report: MissingReport, isRefund: Bool
  ) {
    for (price, count) in cell.counted {
      let signed = isRefund ? count : -count
      bridge.add(.reportMissing, key.storefront, price, units: signed)
      unreported[report, default: BridgeSteps()]
        .add(.reportMissing, key.storefront, price, units: signed)
      unreportedUnits[report, default: 0] += count
      if isRefund { unreportedRefunds[report, default: 0] += count }
      unmatchedUnits += count
      if !report.vendor.isEmpty {
        clearing.lackReport(count, key.storefront, price, slot: Int(report.slot))
      }
    }
  }

  /// Pairs the two sides' units of a cell, and makes findings and bridge steps of those that only
  /// one side has, or that have another price on each.
  ///
  /// - Parameters:
  ///   - place: which cell it is.
  ///   - key: its product.
  private mutating func accountForDifference(
    _ cell: UnitCell, _ place: CellKey, _ key: ProductKey, _ evidence: Evidence
  ) {
    let outcome = cell.paired()
    // Where they belong is taken from Apple's report, so they prove nothing of it.
    let taken = untold.taken[place] ?? 0
    matchedUnits += outcome.matchedUnits - taken
    unmatchedUnits += taken
    let (reported, counted) = (cell.reportedUnits, cell.countedUnits)
    let sign: Int64 = place.isRefund ? -1 : 1
    let slot = Int(place.slot)
    for (currency, part) in byCurrency(outcome.onlyReported) {
      let count = part.reduce(0) { $0 + $1.units }
      unmatchedUnits += count
      let code: FindingCode = place.isRefund ? .refundNotInLedger : .notInLedger
      let cause: BridgeCause = place.isRefund ? .refundNotInLedger : .notInLedger
      for (price, units) in part {
        bridge.add(cause, key.storefront, price, units: sign * units)
      }
      var finding = UnresolvedFinding(
        code, storefront: key.storefront, currency: currency, day: days.slots[slot].begin,
        sku: key.sku, units: count, amount: sign * gross(part),
        explanation: place.isRefund
          ? "@not-in-ledger.units-refunded-apple-reports \(reported) \(counted)"
          : "@not-in-ledger.units-sold-apple-reports \(reported) \(counted)")
      if !place.isRefund { finding.orders = evidence.openOrders(key, in: days.slots[slot], self) }
      add(finding, groupsOf: key, slot: slot)
    }
    for (currency, part) in byCurrency(outcome.onlyCounted) {
      let count = part.reduce(0) { $0 + $1.units }
      unmatchedUnits += count
      let cause: BridgeCause = place.isRefund ? .refundNotInReport : .notInReport
      for (price, units) in part {
        bridge.add(cause, key.storefront, price, units: -sign * units)
        clearing.leaveOpen(units, key.storefront, price, slot: slot)
      }
      var finding = UnresolvedFinding(
        place.isRefund ? .refundNotInReport : .notInReport, storefront: key.storefront,
        currency: currency, day: days.slots[slot].begin, sku: key.sku, units: count,
        amount: -sign * gross(part),
        transactions: evidence.transactions(place, priced: part.map(\.price), self),
        explanation: place.isRefund
          ? "@not-in-report.units-refunded-the-ledger-has \(counted) \(reported)"
          : "@not-in-report.units-sold-the-ledger-has \(counted) \(reported)")
      let sources = evidence.sources(place, priced: part.map(\.price), self)
      let withoutPrice = part.reduce(0) { $0 + ($1.price.price == nil ? $1.units : 0) }
      if withoutPrice > 0 {
        let told = finding.explanation
        finding.explanation =
          "@not-in-report.price-of-is-not-known \(told) \(spoken(units: withoutPrice))"
      }
      finding.explanation = finding.explanation.told(by: sources)
      add(finding, groupsOf: key, slot: slot)
    }
    accountForPrices(outcome, place, key)
  }

  /// Makes findings and bridge steps of paired units whose prices differ: a refund of less than the
  /// ledger's price is a partial one, all else a difference of price.
  ///
  /// - Parameters:
  ///   - outcome: what pairing the units of a cell left.
  ///   - place: which cell it is.
  ///   - key: its product.
  private mutating func accountForPrices(
    _ outcome: UnitCell.Outcome, _ place: CellKey, _ key: ProductKey
  ) {
    let sign: Int64 = place.isRefund ? -1 : 1
    var repriced = Repriced()
    for pair in outcome.repriced {
      let isPartial =
        place.isRefund && pair.reported.currency == pair.counted.currency
        && pair.counted.price != nil
        && (pair.reported.price ?? 0) < (pair.counted.price ?? 0)
      let cause: BridgeCause = isPartial ? .partialRefund : .price
      bridge.add(cause, key.storefront, pair.reported, units: sign * pair.units)
      bridge.add(cause, key.storefront, pair.counted, units: -sign * pair.units)
      clearing.leaveOpen(pair.units, key.storefront, pair.counted, slot: Int(place.slot))
      guard isPartial, let currency = pair.reported.currency else {
        if pair.counted.price == nil {
          unpriced.add(.price, key.storefront, pair.reported, units: sign * pair.units)
        } else {
          repriced.add(pair, sign: sign)
        }
        continue
      }
      let less = (pair.counted.price ?? 0) - (pair.reported.price ?? 0)
      add(
        UnresolvedFinding(
          .partialRefund, storefront: key.storefront, currency: currency,
          day: days.slots[Int(place.slot)].begin, sku: key.sku, units: -pair.units,
          amount: less * pair.units,
          explanation: """
            @partial-refund.apple-refunded-of-per-unit \(spoken(pair.reported.price, currency)) \
            \(spoken(pair.counted.price, currency))
            """), groupsOf: key,
        slot: Int(place.slot))
    }
    for (currency, amount) in repriced.amounts where amount != 0 {
      add(
        UnresolvedFinding(
          .priceDiffers, storefront: key.storefront, currency: currency,
          day: days.slots[Int(place.slot)].begin, sku: key.sku, units: repriced.units,
          amount: amount, explanation: repriced.words), groupsOf: key, slot: Int(place.slot))
    }
  }

  /// Makes findings of what is unknown of the ledger's side over the whole period, one per
  /// storefront and currency: units that Apple sold for money and that have no price here.
  mutating func judgePrices() {
    let sums = unpriced.sums.sorted { BridgeSteps.isOrderedBefore($0.key, $1.key) }
    for (key, steps) in sums {
      guard let sum = steps[.price], sum.amount != 0 else { continue }
      findings.append(
        UnresolvedFinding(
          .priceDiffers, storefront: key.storefront, currency: key.currency, units: sum.units,
          amount: sum.amount,
          explanation: """
            @price-differs.ledger-has-no-price \(spoken(units: sum.units)) \
            \(spoken(sum.amount, key.currency))
            """))
    }
  }

  /// What units come to at their prices, in micro-units; those without a price come to nothing.
  private func gross(_ part: [(price: CellPrice, units: Int64)]) -> Int64 {
    part.reduce(0) { $0 + ($1.price.price ?? 0).multipliedExactly(by: $1.units) }
  }

  /// The units divided by the currency of their price, ascending by its code; those without a
  /// currency come first.
  private func byCurrency(
    _ part: [(price: CellPrice, units: Int64)]
  ) -> [(Currency?, [(price: CellPrice, units: Int64)])] {
    Dictionary(grouping: part, by: \.price.currency)
      .sorted { ($0.key?.code ?? "") < ($1.key?.code ?? "") }.map { ($0.key, $0.value) }
  }

  /// Adds a finding whose evidence includes Apple's rows of a product and slot.
  mutating func add(_ finding: UnresolvedFinding, groupsOf key: ProductKey, slot: Int) {
    guard let product = units.product(key) else { preconditionFailure("an unknown product") }
    let place = RowEvidence.Place(product: product, slot: Int16(slot))
    evidence.append((findings.count, .place(place)))
    findings.append(finding)
  }

  /// Adds a finding whose evidence is Apple's rows of the groups at these indices.
  mutating func add(_ finding: UnresolvedFinding, groups: [Int]) {
    evidence.append((findings.count, .groups(groups)))
    findings.append(finding)
  }

  /// Puts Apple's rows into the findings that have some as evidence, at most `Rules.namedRows`
  /// each, in one pass over the groups and one over the rows.
  mutating func attachRows() {
    if evidence.isEmpty { return }
    let groupsOf = groupsOfPlaces()
    let wanted = evidence.map { item in
      switch item.rows {
      case .place(let place): groupsOf[place] ?? []
      case .groups(let groups): groups
      }
    }
    let rows = groups.rows(of: Set(wanted.joined()), in: reports.facts.sales)
    for (item, groups) in zip(evidence, wanted) {
      findings[item.finding].sales = Array(
        groups.flatMap { rows[$0] ?? [] }.sorted().prefix(Rules.namedRows))
    }
    evidence = []
  }

  /// The indices of Apple's groups of each product and slot that is evidence of a finding.
  private func groupsOfPlaces() -> [RowEvidence.Place: [Int]] {
    var groupsOf: [RowEvidence.Place: [Int]] = [:]
    var isNamed = [Bool](repeating: false, count: units.products.count)
    for case .place(let place) in evidence.map(\.rows) {
      groupsOf[place] = []
      isNamed[Int(place.product)] = true
    }
    for index in groups.groups.indices
    where productOfGroup[index] >= 0 && slotOfGroup[index] >= 0
      && isNamed[Int(productOfGroup[index])]
    {
      let place = RowEvidence.Place(product: productOfGroup[index], slot: slotOfGroup[index])
      groupsOf[place]?.append(index)
    }
    return groupsOf
  }
}

/// Paired units of a product and day whose prices differ.
private struct Repriced {
  private(set) var units: Int64 = 0
  /// Apple's money less the ledger's by currency, in micro-units.
  private var sums: [Currency: Int64] = [:]
  /// At most five pairs, as they are spoken of.
  private var texts: [Wording] = []

  /// Apple's money less the ledger's, in the order of the currencies' codes.
  var amounts: [(Currency, Int64)] { sums.sorted { $0.key.code < $1.key.code } }
  var words: Wording { texts.joined(separator: "; ") }

  /// Adds units that Apple reports at one price and the ledger has at another.
  ///
  /// - Parameter sign: 1 for sales, -1 for refunds.
  mutating func add(
    _ pair: (reported: CellPrice, counted: CellPrice, units: Int64), sign: Int64
  ) {
    units += sign * pair.units
    for (side, sign) in [(pair.reported, sign), (pair.counted, -sign)] {
      guard let currency = side.currency, let price = side.price else { continue }
      sums[currency, default: 0] += sign * price.multipliedExactly(by: pair.units)
    }
    guard texts.count < 5 else { return }
    let told: Wording = """
      @sales.at-by-apple-report \(spoken(units: pair.units)) \
      \(spoken(pair.reported.price, pair.reported.currency)) \
      \(spoken(pair.counted.price, pair.counted.currency))
      """
    texts.append(
      timesApple(pair).map { "@price-differs.is-times-apple \(told) \($0)" } ?? told)
  }

  /// How many times Apple's price the ledger's is, where it may be the price of so many units that
  /// were bought together; nil where it cannot be.
  private func timesApple(
    _ pair: (reported: CellPrice, counted: CellPrice, units: Int64)
  ) -> Int64? {
    guard let theirs = pair.reported.price, let ours = pair.counted.price, theirs > 0,
      ours > theirs, pair.reported.currency == pair.counted.currency, ours % theirs == 0,
      pair.units % (ours / theirs) == 0
    else { return nil }
    return ours / theirs
  }
}

/// Where a finding's rows are looked for.
enum RowEvidence {
  /// A product on a report day.
  struct Place: Hashable {
    var product: Int32
    var slot: Int16
  }

  case place(Place)
  case groups([Int])
}
