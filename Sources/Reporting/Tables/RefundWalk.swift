import Billing
import Conclusions

/// From the ledger's refunds to Apple's at customer prices, a line per cause; below zero.
struct RefundWalk {
  struct Line {
    var name: Wording
    /// The step of the bridge that it is; nil where it is none.
    var cause: BridgeCause?
    /// Of each bridge; nil where a rate is missing.
    var amounts: [Money?]
  }

  private(set) var lines: [Line] = []
  /// The index of the line with what the other causes leave; nil where they leave nothing.
  private(set) var rest: Int?

  /// Follows refunds from the ledger to Apple, cause by cause, for several bridges side by side.
  ///
  /// - Parameter inBase: whether amounts are in base currency, each converted by itself.
  init(_ contents: WorkbookContents, _ bridges: [Bridge], inBase: Bool) {
    let month = contents.reconciliation
    /// An amount for each of the bridges, in base currency if asked; nil where a rate is missing.
    ///
    /// - Parameter own: gives a bridge's amount, in the bridge's currency.
    func amounts(_ own: (Bridge) -> Money) -> [Money?] {
      bridges.map { inBase ? month.inBase(own($0)) : own($0) }
    }
    /// Adds a line to the walk, with an amount for each bridge.
    func add(_ name: Wording, _ cause: BridgeCause?, _ amounts: [Money?]) {
      lines.append(Line(name: name, cause: cause, amounts: amounts))
    }
    /// Adds a line to the walk where its amount is not zero in at least one bridge.
    ///
    /// - Parameter own: gives a bridge's amount, in the bridge's currency.
    func addIfAny(_ name: Wording, _ cause: BridgeCause? = nil, _ own: (Bridge) -> Money) {
      let all = amounts(own)
      if all.contains(where: { $0?.isZero == false }) { add(name, cause, all) }
    }
    let (inLedger, byApple) = (contents.refundsOfLedger, contents.refundsByApple)
    add(
      "@sheet.refunds-in-the-ledger", nil,
      amounts { inLedger[RefundKey($0)] ?? .zero($0.currency) })
    for cause in [BridgeCause.refundNotInLedger, .refundNotInReport, .partialRefund] {
      addIfAny(cause.label, cause) { bridge in
        bridge.steps.first { $0.cause == cause }?.amount ?? .zero(bridge.currency)
      }
    }
    let moved = Dictionary(grouping: month.movedUnits.filter(\.isRefund)) { RefundKey($0) }
    addIfAny("@sheet.refunds-moved-over-the-edge") { bridge in
      moved[RefundKey(bridge), default: []].sum(in: bridge.currency, \.amount)
    }
    let unreported = Dictionary(
      grouping: month.refunds.filter { $0.lacksReport(in: month.period) }
    ) { RefundKey($0) }
    addIfAny("@sheet.refunds-without-a-report") { bridge in
      unreported[RefundKey(bridge), default: []]
        .compactMap { $0.amount.map { Money(micros: $0, bridge.currency) } }
        .sum(in: bridge.currency, \.self)
    }
    let apple = amounts { byApple[RefundKey($0)] ?? .zero($0.currency) }
    let remaining = apple.indices.map { place -> Money? in
      lines.reduce(apple[place]) { remaining, line in
        remaining.flatMap { remaining in line.amounts[place].map { remaining - $0 } }
      }
    }
    if remaining.contains(where: { $0?.isZero == false }) {
      rest = lines.count
      add("@sheet.refunds-otherwise", nil, remaining)
    }
    add("@sheet.refunds-by-apple", nil, apple)
  }
}

extension RefundLine {
  /// Whether the whole refund falls on a day of the period that no sales report covers.
  fileprivate func lacksReport(in period: Period) -> Bool {
    !isReversed && share == 1_000_000 && isReported == nil && period.contains(reportDay)
  }
}

extension RefundKey {
  fileprivate init(_ bridge: Bridge) {
    self.init(storefront: Storefront(bridge.storefront), currency: bridge.currency)
  }

  fileprivate init(_ refund: RefundLine) {
    self.init(storefront: refund.storefront, currency: refund.currency)
  }

  fileprivate init(_ moved: MovedUnits) {
    self.init(storefront: moved.storefront, currency: moved.currency)
  }
}

extension WorkbookContents {
  /// What the ledger's refunds come to at customer prices, by storefront and currency; below zero.
  fileprivate var refundsOfLedger: [RefundKey: Money] {
    var sums: [RefundKey: Money] = [:]
    for total in allRefunds {
      guard let currency = total.currency, let amount = total.amount else { continue }
      let key = RefundKey(storefront: total.storefront, currency: currency)
      sums[key, default: .zero(currency)] -= Money(micros: amount, currency)
    }
    return sums
  }

  /// What refunds come to by Apple's reports at customer prices, by storefront and currency; below
  /// zero.
  var refundsByApple: [RefundKey: Money] {
    var sums: [RefundKey: Money] = [:]
    for product in reconciliation.products {
      let key = RefundKey(storefront: product.storefront, currency: product.currency)
      sums[key, default: .zero(product.currency)] += product.refunded.gross
    }
    return sums
  }
}
