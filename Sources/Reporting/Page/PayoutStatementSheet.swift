import Billing
import Languages
import Conclusions

extension List<PayoutStatement.Region> {
  /// The columns from what customers paid to what reached the bank, a row per region and currency.
  /// What none of the regions has anything of has no column.
  static func payoutStatement(_ regions: [PayoutStatement.Region]) -> List {
    /// A column with an amount of each region; blank without one.
    func amount(
      _ name: String, _ title: Wording,
      _ amount: @escaping @Sendable (PayoutStatement.Region) -> Money?
    ) -> Column<PayoutStatement.Region> {
      Column(name, .number(title)) { .money(ifAny: amount($0)) }
    }
    /// A column with a part of each region's sales; blank, not zero, where the region's settled
    /// amount is unknown, because no report stands behind the part.
    func sold(
      _ name: String, _ title: Wording,
      _ part: @escaping @Sendable (PayoutStatement.Region) -> Money
    ) -> Column<PayoutStatement.Region> {
      amount(name, title) { $0.payment.settled == nil ? nil : part($0) }
    }
    /// Those columns that have an amount in any region: what no region has anything of has no
    /// column.
    ///
    /// - Parameter columns: each with the amount that it shows.
    func seen(
      _ columns: [(column: Column<PayoutStatement.Region>, part: (PayoutStatement.Region) -> Money)]
    ) -> [Column<PayoutStatement.Region>] {
      columns.filter { column in regions.contains { !column.part($0).isZero } }.map(\.column)
    }
    let beginning: [Column<PayoutStatement.Region>] = [
      Column("region", .text("@shared.region", 8...36)) { .region($0.payment.region) },
      Column("currency", .text("@shared.currency")) { .text($0.currency.code) },
    ]
    let before = seen([
      (
        amount("opening", "@sheet.carried-from-earlier-payments") { $0.payment.carriedBalance },
        \.payment.carriedBalance
      )
    ])
    let sales =
      [sold("sales", "@shared.sales") { $0.sales }]
      + seen([
        (sold("refunds", "@shared.refunds") { $0.refunds }, \.refunds),
        (sold("tax", "@shared.tax") { $0.tax }, \.tax),
        (sold("commission", "@shared.commission") { $0.commission }, \.commission),
        (sold("exchanged", "@sheet.sales-exchanged") { $0.exchanged }, \.exchanged),
        (sold("booked", "@sheet.booked-changes") { $0.booked }, \.booked),
        (sold("carried", "@sheet.carried-net") { $0.carried }, \.carried),
        (sold("difference", "@sheet.settled-not-as-reported") { $0.difference }, \.difference),
      ])
    let settled = Column<PayoutStatement.Region>("settled", .number("@shared.settled")) { region in
      guard let settled = region.payment.settled else { return .blank }
      // A remainder, which only an error of ours can leave, must not hide in a formula.
      return region.isExplained
        ? .formula("SUM({sales}:{\(sales[sales.count - 1].name)})", .money(settled))
        : .money(settled)
    }
    let earned =
      regions.contains { $0.payment.settled == nil }
      ? [
        amount("earned", "@sheet.earned-no-report") {
          $0.payment.settled == nil ? $0.payment.earned : nil
        }
      ] : []
    let moved = seen([
      (
        paidPart("payment_difference", "@sheet.paid-not-as-owed") { $0.difference },
        \.payment.difference
      ),
      (paidPart("adjustment", "@shared.adjustment") { $0.adjustment }, \.payment.adjustment),
      (paidPart("input_tax", "@shared.input-tax") { $0.inputTax }, \.payment.inputTax),
      (paidPart("withholding", "@shared.withholding") { $0.withholding }, \.payment.withholding),
    ])
    let parts = ([settled] + earned + moved).map(\.name)
    let opening = before.isEmpty ? "" : "{opening}+"
    let isAllPaid = regions.allSatisfy { !$0.hasPayment || $0.payment.paid != nil }
    let notPaid: [Column<PayoutStatement.Region>] =
      isAllPaid
      ? []
      : [
        Column("not_paid", .number("@sheet.not-paid-carried-on-2")) { region in
          region.hasPayment && region.payment.paid == nil
            ? .formula("{owed}", .money(region.payment.owed)) : .blank
        }
      ]
    let owed: [Column<PayoutStatement.Region>] = [
      Column("owed", .number("@sheet.owed")) { region in
        guard region.hasPayment else { return .blank }
        let owed = Cell.money(region.payment.owed)
        return region.payment.unexplained.isZero
          ? .formula("\(opening)SUM({settled}:{\(parts[parts.count - 1])})", owed) : owed
      }
    ]
    let paid: [Column<PayoutStatement.Region>] = [
      Column("rate", .number("@sheet.effective-rate")) {
        $0.payment.effectiveRate.map { .formula("{paid}/{owed}", .exchange($0)) } ?? .blank
      },
      Column("paid", .number("@shared.paid"), totals: [.perCurrency(in: "bank_currency")]) {
        .money(ifAny: $0.payment.paid)
      },
      Column("bank_currency", .text("@sheet.bank-currency")) {
        $0.payment.bankCurrency.map { .text($0.code) } ?? .words($0.standing)
      },
    ]
    return List(
      beginning + before + sales + [settled] + earned + moved + owed + notPaid + paid,
      sums: [ExpectedSum("paid") { $0.payment.paid }])
  }

  /// A column with a part of a region's payment; blank where no payments summary has the region.
  private static func paidPart(
    _ name: String, _ title: Wording, _ part: @escaping @Sendable (RegionPayment) -> Money
  ) -> Column<PayoutStatement.Region> {
    Column(name, .number(title)) { $0.hasPayment ? .money(part($0.payment)) : .blank }
  }
}

extension PayoutStatement.Region {
  /// The words that say why nothing is paid.
  var standing: Wording {
    guard hasPayment else { return "@sheet.no-payments-summary" }
    if let expected = payment.expected { return "@sheet.expected-amount \(spoken(expected))" }
    return "@sheet.not-paid"
  }
}

extension BankPayout {
  /// The words that say what the bank has of the payout, or that no statement tells.
  var bankStanding: Wording { bankWording ?? "@sheet.no-bank-statement" }

  /// The words that say to which account and on which day it is paid or expected.
  var paidWording: Wording {
    let to: Wording = account.isEmpty ? "@shared.bank" : Wording(verbatim: account)
    let paid: Wording = isPaid ? "@sheet.paid \(to) \(day)" : "@sheet.expected-by \(to) \(day)"
    return isDayEstimated ? paid + "@shared.estimated-date" : paid
  }
}

extension WorkbookContents {
  /// The sheet of how a fiscal month's payment came about; nil without its payments summary.
  func payoutStatementSheet() -> Sheet? {
    guard let statement = reconciliation.payoutStatement,
      var below = rowsAbovePaymentWalk,
      var sheet = wholeSheet(
        say("@sheet.payout-statement"), .payoutStatement(statement.regions), statement.regions,
        frozenColumns: 2)
    else { return nil }
    addPaymentWalk(to: &below)
    addClosingParts(to: &below)
    sheet.totals = below.rows
    return sheet
  }

  /// The rows between the regions and the walk from settled to paid: what was paid, and what the
  /// bank got. Nil where no payments summary is loaded.
  var rowsAbovePaymentWalk: PlacedRows? {
    guard let statement = reconciliation.payoutStatement,
      reconciliation.settlement?.payments.isEmpty == false
    else { return nil }
    let list = List.payoutStatement(statement.regions)
    let body = ListBody.sheet(count: statement.regions.count)
    var below = PlacedRows(below: body)
    below.addTotals(statement.regions, of: list, at: body, label: "@sheet.paid-by-region")
    for payout in statement.payouts {
      var cells = [Cell](repeating: .blank, count: list.columns.count)
      cells[0] = .words(payout.paidWording)
      cells[list.index("paid")] = .money(payout.amount)
      cells[list.index("bank_currency")] = .text(payout.amount.currency.code)
      below.add(Row(cells: cells, style: .total))
      cells = [Cell](repeating: .blank, count: list.columns.count)
      cells[0] = .words(payout.bankStanding)
      if let received = payout.received {
        cells[list.index("paid")] = .money(received)
        cells[list.index("bank_currency")] = .text(received.currency.code)
      }
      var received = Row(cells: cells, style: .total)
      if payout.isUnproven { received.tint(0..<list.columns.count, .error) }
      below.add(received)
    }
    return below
  }
}

extension Reconciliation {
  /// How the fiscal month's payment came about; nil where the period is no fiscal month, or nothing
  /// of its settlement is loaded.
  var payoutStatement: PayoutStatement? { PayoutStatement(settlement, products: products) }
}
