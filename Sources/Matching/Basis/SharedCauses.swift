package import Billing

extension FindingCode {
  /// The code of a finding of level 2 about the same purchase, as Apple's report tells of it, that
  /// contradicts a finding of an order with this code; nil where nothing of level 2 can.
  package var counterpart: FindingCode? {
    switch self {
    case .orderWithoutTransaction, .sandboxFulfilled: .notInLedger
    case .transactionWithoutOrder: .notInReport
    case .refundNotReversed: .refundNotInReport
    case .refundedNotByApple, .chargedNotFulfilled: .refundNotInLedger
    default: nil
    }
  }
}

/// Findings of orders whose purchase Apple's report tells of in a finding of its own: an order that
/// nobody paid by the ledger and a unit that only Apple has are one purchase, whose receipt was
/// lost. They get one cause and one amount, which the finding of the report keeps, and nobody is
/// told to take goods back from a customer who paid. An order that a Sandbox transaction fulfilled
/// may be such a unit too, whose environment was told wrongly.
package struct SharedCauses {
  private let table: MatchTable
  private var places: [Place] = []
  /// Of one code, storefront and product; ascending by day.
  private var placesOf: [Key: [Int]] = [:]

  /// What findings have to share to have one cause.
  private struct Key: Hashable {
    var code: FindingCode
    var storefront: Storefront?
    var sku: String
  }

  /// A difference of units on one of Apple's days.
  private struct Place {
    /// Its position among the findings of level 2.
    let finding: Int
    let span: Range<Int64>
    let currency: Currency?
    let transactions: Set<TransactionRow.ID>
    /// Orders one of which may be the unit that Apple has, where it may have moved over a boundary
    /// as well; nil elsewhere.
    let orders: Set<OrderRow.ID>?
    /// What no finding of an order accounts for yet; units, and micro-units where they are known.
    var units: Int64
    var amount: Int64?
    /// Positions of the findings of orders that may have its cause.
    var claimants: [Int] = []

    /// Whether a finding of an order may account for units of this difference that no other finding
    /// accounts for yet: it has no more units and no more money than these, and of all of them just
    /// as much money.
    ///
    /// - Parameters:
    ///   - count: the finding's units.
    ///   - gross: the finding's money in micro-units; nil where it is not known.
    func fits(_ count: Int64, _ gross: Int64?) -> Bool {
      guard count <= units, let gross, let amount else { return count <= units }
      return count == units ? gross == amount : gross <= amount
    }

    /// Takes units that a finding of an order accounts for off those that none accounts for yet.
    ///
    /// - Parameters:
    ///   - count: the finding's units.
    ///   - gross: the finding's money in micro-units; nil where it is not known.
    mutating func subtract(_ count: Int64, _ gross: Int64?) {
      units -= count
      if let gross, let left = amount { amount = left - gross }
    }
  }

  /// A finding of an order that may belong to a place.
  private struct Claim {
    let finding: Int
    let place: Int
    /// Seconds between its moment and the place's day.
    let distance: Int64
    let moment: Int64
    let key: IDKey

    /// What claims are sorted by: the nearest first.
    var rank: (Int64, Int64, IDKey, Int) { (distance, moment, key, place) }
  }

  package init(_ table: MatchTable) { self.table = table }

  /// Gives findings of orders and findings of Apple's reports that are about one purchase one
  /// cause: both say so, and the report's keeps the amount.
  ///
  /// - Parameters:
  ///   - orders: findings of level 1.
  ///   - sales: level 2 with its findings.
  package mutating func join(_ orders: inout [UnresolvedFinding], _ sales: inout SalesTieOut) {
    addPlaces(sales)
    noteMissingReports(&orders, sales)
    if places.isEmpty { return }
    var claims: [Claim] = []
    for index in orders.indices where orders[index].code.counterpart != nil {
      claims += self.claims(index, orders[index])
    }
    claims.sort { $0.rank < $1.rank }
    var placeOf: [Int: Int] = [:]
    var certain: Set<Int> = []
    for claim in claims where !certain.contains(claim.finding) {
      let finding = orders[claim.finding]
      let (count, gross) = (abs(finding.units ?? 1), finding.amount.map(abs))
      if isSure(finding, at: places[claim.place]), places[claim.place].fits(count, gross) {
        placeOf[claim.finding] = claim.place
        places[claim.place].subtract(count, gross)
        certain.insert(claim.finding)
      } else if placeOf[claim.finding] == nil {
        placeOf[claim.finding] = claim.place
      }
    }
    for (finding, place) in placeOf
    where orders[finding].code != .chargedNotFulfilled || places[place].units > 0 {
      places[place].claimants.append(finding)
    }
    for place in places where !place.claimants.isEmpty {
      explain(place, certain, &orders, &sales.findings[place.finding])
    }
  }

  /// Says in findings of orders without a transaction that the report of their day is missing:
  /// nothing shows then that Apple was not paid.
  private func noteMissingReports(_ orders: inout [UnresolvedFinding], _ sales: SalesTieOut) {
    guard sales.days.hasReports else { return }
    for index in orders.indices
    where orders[index].code == .orderWithoutTransaction && orders[index].action == nil {
      guard let order = orders[index].order, orders[index].transaction == nil else { continue }
      let placed = Instant(seconds: Int64(table.orders[order].placedAt))
      let day = sales.zone(of: orders[index].storefront).day(of: placed)
      let slot = sales.days.slot(of: day)
      guard slot >= 0, sales.days.slots[Int(slot)].isMissing else { continue }
      orders[index].explanation = """
        @order-without-transaction.no-report-of-shows-whether \(orders[index].explanation) \
        \(day)
        """
      orders[index].action = AdviceByFact.withoutReport
    }
  }

  /// Collects the findings of Apple's reports that findings of orders may share a cause with.
  private mutating func addPlaces(_ sales: SalesTieOut) {
    let wanted = Set(FindingCode.allCases.compactMap(\.counterpart))
    for (index, finding) in sales.findings.enumerated() {
      let isAmbiguous = finding.code == .timingUnproven && !finding.orders.isEmpty
      guard isAmbiguous || wanted.contains(finding.code) else { continue }
      guard let sku = finding.sku, let day = finding.day else { continue }
      let slot = sales.days.slot(of: day)
      guard slot >= 0 else { continue }
      let (first, last) = (sales.days.slots[Int(slot)].begin, sales.days.slots[Int(slot)].end)
      let zone = sales.zone(of: finding.storefront)
      let code = isAmbiguous ? .notInLedger : finding.code
      let key = Key(code: code, storefront: finding.storefront, sku: sku)
      placesOf[key, default: []].append(places.count)
      places.append(
        Place(
          finding: index,
          span: zone.start(of: first).seconds..<zone.start(of: last.advanced(by: 1)).seconds,
          currency: finding.currency, transactions: Set(finding.transactions),
          orders: isAmbiguous ? Set(finding.orders) : nil, units: abs(finding.units ?? 0),
          amount: finding.amount.map(abs)))
    }
  }

  /// Those differences between Apple's reports and the ledger that may be about the same purchase
  /// as a finding of an order: of its product, storefront and currency, with a code that
  /// contradicts it, on a day that may be the purchase's.
  ///
  /// - Parameter index: of the finding among those of orders.
  private func claims(_ index: Int, _ finding: UnresolvedFinding) -> [Claim] {
    guard let code = finding.code.counterpart, let sku = finding.sku,
      let near = placesOf[Key(code: code, storefront: finding.storefront, sku: sku)],
      let moment = moment(of: finding)
    else { return [] }
    let key =
      finding.order.map { table.orders[$0].key } ?? finding.transaction.map {
        table.transactions[$0].key
      } ?? .none
    return near.compactMap { place in
      let currency = places[place].currency
      guard currency == nil || finding.currency == nil || currency == finding.currency,
        let distance = distance(of: moment, finding, to: places[place].span),
        places[place].orders.map({ !$0.isDisjoint(with: finding.orders) }) ?? true
      else { return nil }
      return Claim(
        finding: index, place: place, distance: distance, moment: moment, key: key)
    }
  }

  /// When Apple sold what a finding is about, or gave it back, as far as the ledger tells; seconds
  /// since 1970. Nil where it is about no order and no transaction.
  private func moment(of finding: UnresolvedFinding) -> Int64? {
    guard let transaction = finding.transaction else {
      return finding.order.map { Int64(table.orders[$0].placedAt) }
    }
    let entry = table.transactions[transaction]
    return Int64(finding.code == .refundNotReversed ? entry.revokedAt : entry.purchasedAt)
  }

  /// Seconds between a moment and a day; nil where what the finding is about cannot be of that day.
  ///
  /// - Parameter span: the day, in seconds since 1970.
  private func distance(
    of moment: Int64, _ finding: UnresolvedFinding, to span: Range<Int64>
  ) -> Int64? {
    switch finding.code {
    // A refund comes after its purchase, whenever that was.
    case .refundedNotByApple, .chargedNotFulfilled:
      return moment < span.upperBound ? max(span.lowerBound - moment, 0) : nil
    case .orderWithoutTransaction where finding.transaction == nil:
      let distance = Attribution.distance(ofOrder: moment, to: span)
      let reach = moment < span.lowerBound ? Rules.besideDay : Rules.clockTolerance
      return distance <= reach ? distance : nil
    default: return span.contains(moment) ? 0 : nil
    }
  }

  /// Whether a finding of an order accounts for a difference better than anything else could.
  ///
  /// Of units that the ledger has and Apple does not each transaction of the day may be the one;
  /// that a Sandbox purchase moved no money is likelier than that it was none of the Sandbox; and
  /// units that may have moved over a day boundary need not be of the order.
  private func isSure(_ finding: UnresolvedFinding, at place: Place) -> Bool {
    if place.orders != nil { return false }
    return switch finding.code {
    case .transactionWithoutOrder, .refundNotReversed:
      Int64(place.transactions.count) <= place.units
    case .sandboxFulfilled, .chargedNotFulfilled: false
    default: true
    }
  }

  // MARK: What is said of it

  /// Adds to findings of orders and to that of Apple's report that they are about one purchase, and
  /// what a person does then; the amount stays with the report's finding.
  ///
  /// - Parameters:
  ///   - place: the report's finding, with the indices of those of orders that may have its cause.
  ///   - certain: indices of findings of orders that account for units of a place for certain.
  ///   - orders: findings of level 1.
  ///   - report: the report's finding.
  private func explain(
    _ place: Place, _ certain: Set<Int>, _ orders: inout [UnresolvedFinding],
    _ report: inout UnresolvedFinding
  ) {
    guard let day = report.day else { return }
    let units = abs(report.units ?? 0)
    for claimant in place.claimants.sorted() {
      let isSure = certain.contains(claimant)
      let told = orders[claimant].explanation
      orders[claimant].explanation =
        "\(told); \(words(orders[claimant].code, units, on: day, isSure: isSure))"
      orders[claimant].action = orders[claimant].code.actionOfSharedCause
      // Nobody knows which of the two it is.
      if place.orders != nil { orders[claimant].severity = .warning }
      guard isSure else { continue }
      // The finding of the report has the amount, and is the one to be settled.
      orders[claimant].amount = nil
      orders[claimant].severity = .warning
    }
    for code in report.code.counterpartsOfReport {
      let count = place.claimants.count { orders[$0].code == code }
      let told = report.explanation
      if count > 0 { report.explanation = "\(told); \(words(code, claimants: count))" }
    }
    if report.code == .refundNotInLedger {
      for claimant in place.claimants.sorted()
      where report.orders.count < Rules.namedRows && orders[claimant].code == .refundedNotByApple {
        report.orders += orders[claimant].orders
        report.transactions += orders[claimant].transactions
      }
    }
  }

  /// The text added to a finding of an order: how many units more or less Apple's report has.
  ///
  /// - Parameters:
  ///   - code: of that finding.
  ///   - units: by which the report differs on the day.
  ///   - isSure: whether the finding accounts for some of them for certain.
  private func words(
    _ code: FindingCode, _ units: Int64, on day: Day, isSure: Bool
  ) -> Wording {
    let count = spoken(units: units)
    switch (code, isSure) {
    case (.orderWithoutTransaction, true):
      return "@order-without-transaction.apple-report-of-has-more \(day) \(count)"
    case (.orderWithoutTransaction, false):
      return "@order-without-transaction.apple-report-of-has-more-of-this-product \(day) \(count)"
    case (.sandboxFulfilled, _):
      return "@sandbox-fulfilled.apple-report-of-has-more \(day) \(count)"
    case (.transactionWithoutOrder, _):
      return "@transaction-without-order.apple-report-of-has-less \(day) \(count)"
    case (.refundNotReversed, _):
      return "@refund-not-reversed.apple-report-of-has-less \(day) \(count)"
    case (.chargedNotFulfilled, _):
      return "@charged-not-fulfilled.apple-report-of-has-more \(day) \(count)"
    default:
      return "@refund-not-reversed.apple-report-of-has-more \(day) \(count)"
    }
  }

  /// The text added to the report's finding: how many findings of orders may be about its units.
  ///
  /// - Parameters:
  ///   - code: of the findings of orders.
  ///   - count: how many of them there are.
  private func words(_ code: FindingCode, claimants count: Int) -> Wording {
    switch code {
    case .orderWithoutTransaction:
      return counted(
        count,
        "@order-without-transaction.1-order-of-this-product"
      ) {
        "@order-without-transaction.orders-of-this-product \($0)"
      }
    case .sandboxFulfilled:
      return counted(
        count, "@sandbox-fulfilled.1-order-of-this-product"
      ) {
        "@sandbox-fulfilled.orders-of-this-product \($0)"
      }
    case .transactionWithoutOrder:
      return counted(count, "@transaction-without-order.1-transaction-of-the-day") {
        "@transaction-without-order.transactions-of-the-day \($0)"
      }
    case .refundNotReversed:
      return counted(count, "@refund-not-reversed.1-order-behind-these-refunds") {
        "@refund-not-reversed.orders-behind-these-refunds \($0)"
      }
    case .chargedNotFulfilled:
      return counted(count, "@charged-not-fulfilled.1-purchase-of-this-product") {
        "@charged-not-fulfilled.purchases-of-this-product \($0)"
      }
    default:
      return counted(count, "@refund-not-reversed.1-order-of-this-product") {
        "@refund-not-reversed.orders-of-this-product \($0)"
      }
    }
  }
}

extension FindingCode {
  /// The findings of orders that this one of the report may contradict.
  fileprivate var counterpartsOfReport: [FindingCode] {
    Self.allCases.filter { $0.counterpart == self }
  }

  /// What a person does about a finding of an order where Apple's report tells of the same
  /// purchase; nil for codes without such.
  fileprivate var actionOfSharedCause: Wording? {
    switch self {
    case .orderWithoutTransaction:
      "@order-without-transaction.take-nothing-back-ask"
    case .sandboxFulfilled:
      "@sandbox-fulfilled.ask-apple-server-whether"
    case .transactionWithoutOrder:
      "@transaction-without-order.ask-apple-server-whether"
    case .refundNotReversed:
      "@refund-not-reversed.ask-apple-server"
    case .chargedNotFulfilled:
      "@charged-not-fulfilled.deliver-nothing-before-apple-refund"
    case .refundedNotByApple:
      "@refunded-not-by-apple.fetch-the-refund-history-apple"
    default: nil
    }
  }
}
