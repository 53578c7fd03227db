import Billing
import Conclusions
import Languages

/// What of the deferred revenue is delivered in a month to come.
private struct DeliveryAhead {
  var month: String
  var amount: Money
}

extension List<DeferralLine> {
  /// The columns of what is paid for and not yet delivered, by product and currency.
  fileprivate static var deferral: List {
    /// A column with an amount of each line, added up by currency.
    func amount(
      _ name: String, _ title: Wording, _ amount: @escaping @Sendable (DeferralLine) -> Money
    ) -> Column<DeferralLine> {
      Column(name, .number(title), totals: [.perCurrency(in: "currency")]) {
        .money(amount($0))
      }
    }
    return List(
      [
        Column(.text("@shared.sku")) { .text($0.sku) },
        Column(.text("@shared.kind")) { .words($0.kind.wording) },
        Column(.text("")) { _ in .blank }, Column(.text("")) { _ in .blank },
        Column("currency", .text("@shared.currency")) { .text($0.currency.code) },
        amount("start", "@sheet.at-the-start") { $0.start },
        amount("added", "@shared.sold") { $0.added },
        amount("recognised", "@sheet.recognised") { $0.recognised },
        amount("released", "@shared.refunds") { $0.released },
        Column("end", .number("@sheet.at-the-end"), totals: [.perCurrency(in: "currency")]) {
          .formula("{start}+{added}-{recognised}-{released}", .money($0.end))
        },
      ],
      sums: [
        ExpectedSum("start") { $0.start },
        ExpectedSum("added") { $0.added },
        ExpectedSum("recognised") { $0.recognised },
        ExpectedSum("released") { $0.released },
        ExpectedSum("end") { $0.end },
      ])
  }
}

extension List<DeliveryAhead> {
  /// The columns of what of it is delivered in each month to come.
  fileprivate static var ahead: List {
    List(
      [
        Column(.text("@shared.month")) { .text($0.month) },
        Column(.text("")) { _ in .blank }, Column(.text("")) { _ in .blank },
        Column(.text("")) { _ in .blank },
        Column("currency", .text("@shared.currency")) { .text($0.amount.currency.code) },
        Column("amount", .number("@shared.amount"), totals: [.perCurrency(in: "currency")]) {
          .money($0.amount)
        },
      ],
      sums: [
        ExpectedSum("amount") { $0.amount }
      ])
  }
}

extension WorkbookContents {
  /// Adds below the subscriptions what is paid for and not yet delivered, by product and currency,
  /// and when it will be.
  func addDeferral(to below: inout PlacedRows) {
    let (lines, ahead) = (reconciliation.deferral, deliveriesAhead)
    guard !lines.isEmpty else { return }
    let body = below.addTable("@sheet.deferred-revenue", lines, of: List.deferral)
    below.addTotals(lines, of: List.deferral, at: body)
    guard !ahead.isEmpty else { return }
    let months = below.addTable("@sheet.to-be-recognised", ahead, of: List.ahead)
    below.addTotals(ahead, of: List.ahead, at: months)
  }

  /// What is delivered in months to come, by currency, then month.
  private var deliveriesAhead: [DeliveryAhead] {
    struct Key: Hashable {
      var currency: Currency
      var month: Day
    }
    var sums: [Key: DeliveryAhead] = [:]
    for line in reconciliation.deferral {
      for month in line.ahead {
        let key = Key(currency: line.currency, month: month.first)
        let none = DeliveryAhead(month: month.name, amount: .zero(line.currency))
        sums[key, default: none].amount += month.amount
      }
    }
    return sums.sorted { ($0.key.currency, $0.key.month) < ($1.key.currency, $1.key.month) }
      .map(\.value)
  }
}
