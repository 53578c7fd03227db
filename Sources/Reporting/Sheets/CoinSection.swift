import Billing
import Languages
import Conclusions

// What is owed for coins on the sheet that is signed.
extension CloseSheet {
  /// Adds what is owed for coins, its checks and remarks; nothing where the close has nothing to
  /// say of coins.
  mutating func addCoins() {
    if pack.coins.isNothing { return }
    if let statement = pack.coins.statement {
      addRolls(statement)
      addCoinChecks(statement)
    } else {
      rows.append(Row(cells: []))
      rows.append(Row(cells: [.words("@list.contract-liability")], style: .section))
    }
    for remark in pack.coins.remarks { addRemark(remark) }
  }

  /// Adds the roll-forward of what is owed: a line per coin, channel and currency.
  private mutating func addRolls(_ statement: CoinStatement) {
    addSection(
      "@list.contract-liability", ["@close.coin-channel-currency"],
      numbers: [
        "@shared.opening", "@list.coins-sold", "@list.unused-coins-refunded", "@list.coins-used",
        "@list.coin-breakage", "@close.expired-and-adjusted", "@shared.closing",
        "@close.coins-owed-for",
      ])
    for roll in statement.rolls {
      let (row, currency) = (next, roll.currency)
      let coin = roll.coin.isEmpty ? "" : "\(roll.coin) · "
      func money(_ value: CoinValue) -> Cell { .money(value.amount, currency) }
      add([
        .text("\(coin)\(roll.channel) · \(currency)"),
        money(roll.opening + roll.itemsOpening), money(roll.sold), money(-roll.allRefunded),
        money(-(roll.used - roll.itemsBought + roll.itemsDelivered)), money(-roll.breakage),
        money(-(roll.expired + roll.adjusted)),
        .formula("SUM(C\(row):H\(row))", money(roll.closing + roll.itemsClosing)),
        .integer(roll.closing.coins),
      ])
    }
  }

  /// Adds the checks that the journal's accounts have what the roll-forward and the refunds come
  /// to.
  private mutating func addCoinChecks(_ statement: CoinStatement) {
    rows.append(
      .tableHeader(
        ["✓", "@close.check", "@shared.currency"],
        numbers: [
          "@close.in-the-journal", "@close.by-the-figures", "@shared.difference-2",
          "@shared.in-2 \(base)",
        ]))
    let currencies = Set(statement.rolls.map(\.currency)).union(statement.ties.map(\.currency))
    for currency in currencies.sorted() {
      let owed = statement.rolls.filter { $0.currency == currency }
        .reduce(CoinValue.zero) { $0 + $1.closing + $1.itemsClosing }
      let refunds = statement.ties.first { $0.currency == currency }?.refundsClosing.micros ?? 0
      addCheck(.coinLiability, "@list.contract-liability", -owed.amount, currency)
      addCheck(.coinRefunds, "@close.refund-liability", -refunds, currency)
      addCheck(.coinCost, "@close.contract-cost", owed.cost, currency)
    }
  }

  /// Adds the check of one account against a figure. It is shown as a person states it: what is
  /// owed above zero.
  ///
  /// - Parameter stated: micro-units, debit positive.
  private mutating func addCheck(
    _ account: AccountRole, _ label: Wording, _ stated: Int64, _ currency: Currency
  ) {
    let balance = pack.coins.balances.first {
      $0.account == account && $0.amount.currency == currency
    }
    let booked = balance?.amount.micros ?? 0
    if booked == 0, stated == 0 { return }
    let (row, sign): (Int, Int64) = (next, account == .coinCost ? 1 : -1)
    let cost = balance.map { $0.amount.currency == base ? booked : $0.cost } ?? 0
    add([
      .words(label), .text(currency.code), .money(sign * booked, currency),
      .money(sign * stated, currency),
      .formula("ROUND(D\(row)-E\(row),6)", .money(sign * (booked - stated), currency)),
      cost.map { .money(sign * $0, base) } ?? .words("@shared.no-rate"),
    ])
    if booked != stated { rows[rows.count - 1].tint(5, .error) }
  }
}
