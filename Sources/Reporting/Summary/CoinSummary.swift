import Billing
import Languages
import Conclusions

extension Reconciliation {
  /// The section on what became of coins, and why nothing is valued; nil where no movement was ever
  /// loaded.
  var coinsSection: SummaryPage.Section? {
    guard let coins else {
      if coinRemarks.isEmpty { return nil }
      return SummaryPage.Section(title: "@list.coins", pieces: [.points(coinRemarks)])
    }
    let told = coins.totals.map { $0.told(isOnly: coins.totals.count == 1) }
    var section = SummaryPage.Section(title: "@list.coins", pieces: [.points(told)])
    for total in coins.totals {
      if let paid = total.paidLeft, let free = total.freeLeft {
        section.add(
          "@list.of-what-is-left-paid \(total.name) \(grouped(Int(paid))) \(grouped(Int(free)))")
      }
      guard let users = total.users else { continue }
      let ages = CoinAge.allCases.map { "\($0.name): \(grouped(Int(total.ages[$0.rawValue])))" }
      section.add(
        """
        @list.of-what-is-left-by-age \(total.name) \(grouped(users)) \
        \(ages.joined(separator: ", "))
        """)
    }
    for note in coins.notes + coinRemarks { section.add(note) }
    if let coinStatement { section.add(coinStatement) }
    return section
  }
}

extension SummaryPage.Section {
  /// Adds what is owed for coins, a line for each coin, channel and currency, with remarks.
  mutating func add(_ statement: CoinStatement) {
    for roll in statement.rolls {
      let name: Wording =
        roll.coin.isEmpty ? "@list.coins-without-a-name" : Wording(verbatim: roll.coin)
      /// The amount owed for coins as text, in the currency of the roll-forward.
      func shown(_ value: CoinValue) -> String {
        grouped(Money(micros: value.amount, roll.currency))
      }
      let owed = roll.closing + roll.itemsClosing
      let revenue = roll.delivered + roll.reversed + roll.breakage
      add(
        """
        @list.owed-for-coins \(name) \(roll.channel) \(roll.currency) \
        \(shown(roll.opening + roll.itemsOpening)) \(shown(roll.sold)) \
        \(shown(roll.allRefunded)) \(shown(revenue)) \(shown(owed)) \
        \(grouped(Int(roll.closing.coins)))
        """)
      if roll.reversed.amount != 0 {
        add(
          """
          @list.refunds-of-used-coins \(name) \(roll.channel) \(roll.currency) \
          \(shown(roll.reversed))
          """)
      }
    }
    for tie in statement.ties {
      add(
        """
        @list.coins-tie \(grouped(tie.reported)) \(tie.currency) \(grouped(tie.difference)) \
        \(grouped(tie.ofApple))
        """)
    }
    for line in statement.remarks { add(line) }
  }
}

extension List<CoinTotal> {
  /// The columns of what became of each coin in the period; the parts lead from the opening to the
  /// closing.
  static var coinTotals: List {
    /// A column with a number of each coin; blank where it is not known.
    func count(
      _ name: String, _ title: Wording, _ count: @escaping @Sendable (CoinTotal) -> Int64?
    ) -> Column<CoinTotal> {
      Column(name, .number(title)) { .integer(ifAny: count($0)) }
    }
    let figures: [Column<CoinTotal>] = [
      Column("coin", .text("@list.coin")) { .text($0.coin) },
      count("opening", CoinMovement.opening.wording) { $0.opening + $0.flow.opening },
      count("sold", "@list.coins-sold") { $0.flow.sold },
      count("granted", CoinMovement.granted.wording) { $0.flow.granted },
      count("spent", CoinMovement.spent.wording) { $0.flow.spent },
      count("expired", CoinMovement.expired.wording) { $0.flow.expired },
      count("taken_back", CoinMovement.takenBack.wording) { $0.flow.takenBack },
      count("adjusted", CoinMovement.adjusted.wording) { $0.flow.adjusted },
      count("closing", "@list.coins-left") { $0.closing },
      count("paid_left", "@list.paid-coins-left") { $0.paidLeft },
      count("free_left", "@list.free-coins-left") { $0.freeLeft },
      count("unmatched", "@list.coins-of-unmatched-orders") { $0.unmatched },
      count("untold", "@list.coins-granted-without-a-word") { $0.untold },
      count("users", "@list.users-with-coins") { $0.users.map { Int64($0) } },
    ]
    let ages: [Column<CoinTotal>] = CoinAge.allCases.map { age in
      count("left_\(age.name)", age.wording) { $0.ages.isEmpty ? nil : $0.ages[age.rawValue] }
    }
    let check = Column<CoinTotal>("adds_up") { _ in .blank }.deciding { $0.isSound }
    return List(figures + ages + [check])
  }
}
