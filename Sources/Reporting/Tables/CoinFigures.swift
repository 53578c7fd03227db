import Billing
package import Conclusions

/// One figure of the roll-forward of what is owed for coins.
package struct CoinFigure: Hashable, Sendable {
  /// In the order in which they lead from the opening to the closing.
  package enum Item: String, Hashable, Sendable, CaseIterable {
    case opening, sold, refunded, used, breakage, expired, adjusted, closing
    case itemsOpening = "items_opening"
    case itemsBought = "items_bought"
    case itemsRefunded = "items_refunded"
    case itemsDelivered = "items_delivered"
    case itemsClosing = "items_closing"
    /// Revenue, not owed: what refunds took back of used coins.
    case reversed
  }

  package var roll: CoinRoll
  package var item: Item

  /// The figure's coins, amount and commission; below zero where it lowers what is owed.
  package var value: CoinValue {
    switch item {
    case .closing: roll.closing
    case .itemsClosing: roll.itemsClosing
    default: item.part.map { item.adds ? roll[keyPath: $0] : -roll[keyPath: $0] } ?? .zero
    }
  }
}

extension CoinFigure.Item {
  /// The part of a roll-forward that the figure shows; nil of one that follows from the others.
  var part: WritableKeyPath<CoinRoll, CoinValue>? {
    switch self {
    case .opening: \.opening
    case .sold: \.sold
    case .refunded: \.refunded
    case .used: \.used
    case .breakage: \.breakage
    case .expired: \.expired
    case .adjusted: \.adjusted
    case .itemsOpening: \.itemsOpening
    case .itemsBought: \.itemsBought
    case .itemsRefunded: \.itemsRefunded
    case .itemsDelivered: \.itemsDelivered
    case .reversed: \.reversed
    case .closing, .itemsClosing: nil
    }
  }

  /// Whether the figure raises what is owed; else it is shown below zero.
  var adds: Bool {
    [.opening, .sold, .itemsOpening, .itemsBought].contains(self)
  }
}

extension CoinFigure.Item {
  /// The name of the figure for a reader.
  var label: Wording {
    switch self {
    case .opening: "@list.owed-at-the-start"
    case .sold: "@list.coins-sold"
    case .refunded: "@list.unused-coins-refunded"
    case .used: "@list.coins-used"
    case .breakage: "@list.coin-breakage"
    case .expired: CoinMovement.expired.wording
    case .adjusted: CoinMovement.adjusted.wording
    case .closing: "@list.owed-at-the-end"
    case .itemsOpening: "@list.items-owed-at-the-start"
    case .itemsBought: "@list.items-bought"
    case .itemsRefunded: "@list.items-refunded"
    case .itemsDelivered: "@list.items-delivered"
    case .itemsClosing: "@list.items-owed-at-the-end"
    case .reversed: "@list.revenue-of-used-coins-refunded"
    }
  }
}

extension List<CoinFigure> {
  /// The columns of the roll-forward of what is owed for coins.
  static var coinFigures: List {
    List([
      Column("coin", .text("@list.coin")) { .text($0.roll.coin) },
      Column("channel", .text("@shared.channel")) { .text($0.roll.channel) },
      Column("item", .text("@list.coin-figure")) { .words($0.item.label) }
        .coded { $0.item.rawValue },
      Column("coins", .number("@list.coins")) { .integer($0.value.coins) },
      Column("currency", .text("@shared.currency")) { .text($0.roll.currency.code) },
      Column("amount", .number("@shared.amount")) {
        .money($0.value.amount, $0.roll.currency)
      },
      Column("commission", .number("@shared.commission")) {
        .money($0.value.cost, $0.roll.currency)
      },
    ])
  }
}

extension List<CoinStatement.Tie> {
  /// The columns that lead from Apple's reports to what orders sold.
  static var coinTies: List {
    /// A column with an amount of each currency.
    func amount(
      _ name: String, _ title: Wording,
      _ amount: @escaping @Sendable (CoinStatement.Tie) -> Money
    ) -> Column<CoinStatement.Tie> {
      Column(name, .number(title)) { .money(amount($0)) }
    }
    return List([
      Column("currency", .text("@shared.currency")) { .text($0.currency.code) },
      amount("reported", "@list.coins-in-reports") { $0.reported },
      amount("difference", "@list.coins-of-one-side") { $0.difference },
      amount("sold", "@list.coins-sold-by-apple") { $0.ofApple },
      amount("sold_elsewhere", "@list.coins-sold-elsewhere") { $0.ofOthers },
      amount("refunds_opening", "@list.refunds-owed-at-the-start") { $0.refundsOpening },
      amount("refunded", "@list.coin-refunds") { $0.refunded },
      amount("reported_refunds", "@list.coin-refunds-in-reports") { -$0.reportedRefunds },
      amount("refunds_closing", "@list.refunds-owed-at-the-end") { $0.refundsClosing },
    ])
  }
}

extension List<CoinStatement.Coin> {
  /// The columns that lead from the coins that are valued to those that movements leave.
  static var coinBalances: List {
    /// A column with a number of coins.
    func coins(
      _ name: String, _ title: Wording,
      _ coins: @escaping @Sendable (CoinStatement.Coin) -> Int64
    ) -> Column<CoinStatement.Coin> {
      Column(name, .number(title)) { .integer(coins($0)) }
    }
    return List([
      Column("coin", .text("@list.coin")) { .text($0.coin) },
      coins("of_sales", "@list.coins-of-sales") { $0.unspent },
      coins("without_a_sale", "@list.paid-coins-without-a-sale") { $0.bare },
      coins("free", "@list.free-coins-left") { $0.free },
      coins("used_unseen", "@list.coins-used-though-not-there") { -$0.unbacked },
      coins("not_granted", "@list.coins-sold-less-granted") { -$0.ungranted },
      Column("left", .number("@list.coins-left")) { $0.left.map { .integer($0) } ?? .blank },
      Column("difference", .number("@shared.difference-2")) {
        $0.difference.map { .integer($0) } ?? .blank
      },
    ])
  }
}

extension List<CoinRoll> {
  /// The columns of what is owed for coins by their age.
  static var coinAges: List {
    let names: [Column<CoinRoll>] = [
      Column("coin", .text("@list.coin")) { .text($0.coin) },
      Column("channel", .text("@shared.channel")) { .text($0.channel) },
      Column("currency", .text("@shared.currency")) { .text($0.currency.code) },
    ]
    let ages = CoinAge.allCases.map { age in
      Column<CoinRoll>("owed_\(age.name)", .number(age.wording)) {
        .money($0.ages[age.rawValue], $0.currency)
      }
    }
    return List(names + ages)
  }
}

/// How far the expected share holds, by the month of the sale.
struct CoinBreakageLine: Sendable {
  var coin: String
  var cohort: CoinCohort
  /// Millionths; nil where no share is estimated.
  var expected: Int64?
}

extension List<CoinBreakageLine> {
  /// The columns of how far the expected share holds, by the month of the sale.
  static var coinCohorts: List {
    List([
      Column("coin", .text("@list.coin")) { .text($0.coin) },
      Column("month", .date("@list.month-of-the-sale")) { .day($0.cohort.month) },
      Column("sold", .number("@list.coins-sold")) { .integer($0.cohort.sold) },
      Column("left", .number("@list.coins-left")) { .integer($0.cohort.left) },
      Column("left_share", .number("@list.share-left")) { .ratio(ifAny: $0.cohort.leftShare) },
      Column("expected_share", .number("@list.share-expected")) { .ratio(ifAny: $0.expected) },
      Column("error", .number("@list.share-left-less-expected")) { line in
        .ratio(
          ifAny: line.cohort.leftShare.flatMap { left in line.expected.map { left - $0 } })
      },
    ])
  }
}

extension CoinStatement {
  /// The figures of all roll-forwards that are not zero, with the opening and the closing of each
  /// line.
  package var figures: [CoinFigure] {
    rolls.flatMap { roll in
      CoinFigure.Item.allCases.map { CoinFigure(roll: roll, item: $0) }.filter {
        $0.value != .zero || [.opening, .closing].contains($0.item)
      }
    }
  }

  /// The coins sold in each month and what is left of them, beside the share that is expected not
  /// to be used.
  var cohortLines: [CoinBreakageLine] {
    var expected: Int64?
    if case .proportion(let share) = policy.breakage { expected = share }
    return coins.flatMap { coin in
      coin.cohorts.map { CoinBreakageLine(coin: coin.coin, cohort: $0, expected: expected) }
    }
  }
}

extension JSONWriter {
  /// The member `liability`: what is owed for coins, and what ties it to other figures.
  mutating func writeLiability(of statement: CoinStatement) {
    key("liability")
    object { json in
      json.lines("roll_forward", statement.figures, of: .coinFigures)
      json.lines("ages", statement.rolls, of: .coinAges)
      json.lines("ties", statement.ties, of: .coinTies)
      json.lines("cohorts", statement.cohortLines, of: .coinCohorts)
      json.lines("balances", statement.coins, of: .coinBalances)
      json.key("ties_to_coins")
      json.bool(statement.isTied)
    }
  }
}

extension PlacedRows {
  /// Adds the tables of what is owed for coins, below the days of coins.
  mutating func add(_ statement: CoinStatement) {
    addTable("@list.contract-liability", statement.figures, of: List<CoinFigure>.coinFigures)
    addTable("@list.contract-liability-by-age", statement.rolls, of: List<CoinRoll>.coinAges)
    if !statement.ties.isEmpty {
      addTable("@list.coins-against-reports", statement.ties, of: List<CoinStatement.Tie>.coinTies)
    }
    addTable(
      "@list.coins-valued-and-left", statement.coins, of: List<CoinStatement.Coin>.coinBalances)
    addTable("@list.coins-by-month", statement.cohortLines, of: List<CoinBreakageLine>.coinCohorts)
  }
}

extension CoinStatement {
  /// The remarks that a reader must know beside the figures.
  var remarks: [Wording] {
    var lines: [Wording] = []
    /// A number added up over all kinds of coins.
    func count(_ part: (Coin) -> Int64) -> Int64 { coins.reduce(0) { $0 + part($1) } }
    let (unbacked, lost) = (count(\.unbacked), count { $0.difference ?? 0 })
    if unbacked > 0 { lines.append("@list.coins-used-without-a-sale \(grouped(Int(unbacked)))") }
    if unpriced > 0 { lines.append("@list.coins-sold-without-a-price \(grouped(Int(unpriced)))") }
    let (freeOfSales, ofNoChannel) = (count(\.freeOfSales), count(\.ofNoChannel))
    if freeOfSales > 0 {
      lines.append("@list.free-coins-taken-from-sold \(grouped(Int(freeOfSales)))")
    }
    if ofNoChannel > 0 { lines.append("@list.coins-of-no-channel \(grouped(Int(ofNoChannel)))") }
    if before != 0 { lines.append("@list.coins-of-before \(grouped(Int(before)))") }
    if lost != 0 { lines.append("@list.coins-not-as-movements-leave-them \(grouped(Int(lost)))") }
    for tie in ties where !tie.unknownRefunds.isZero {
      lines.append("@list.refunds-that-no-transaction-tells \(spoken(tie.unknownRefunds))")
    }
    if policy.breakage != .none { lines.append("@list.breakage-and-unclaimed-property") }
    return lines
  }
}
