import Billing
import Languages
import Pricing

extension PlanSheet {
  /// The storefronts in the order of the table: cheapest coins first, then those without a price.
  private var storefronts: [(storefront: Storefront, price: RatePlan.CoinPrice?)] {
    let priced = plan.coinPrices.map { ($0.storefront, Optional($0)) }
    let known = Set(plan.coinPrices.map(\.storefront))
    var seen: Set<Storefront> = known
    let others = plan.rows.map(\.storefront).filter { seen.insert($0).inserted }
    return priced + others.map { ($0, nil) }
  }

  /// The cells of a column of the table of rates, in these rows of the plan.
  private func range(_ column: Column, _ rows: Range<Int>) -> String {
    let (letter, rates) = (column.letter, places[.rates])
    return "\(letter)$\(rates.row(of: rows.lowerBound)):"
      + "\(letter)$\(rates.row(of: rows.upperBound - 1))"
  }

  /// Adds what coins cost and leave in each storefront.
  mutating func addStorefronts() {
    addSection(
      "@plan.coins-by-storefront-cheapest-first \(plan.baseCurrency)")
    add(
      .tableHeader(
        ["@shared.storefront", "@plan.coins"],
        numbers: [
          "@plan.lowest-rate", "@shared.coins", "@plan.net-per-1-000", "@plan.price-of-1-000",
          "@plan.net", "@shared.price",
        ]))
    begin(.storefronts, count: storefronts.count)
    for (storefront, price) in storefronts { add(storefrontCells(storefront, price)) }
  }

  /// The cells of a storefront; those of coins only where their price is known.
  private func storefrontCells(
    _ storefront: Storefront, _ price: RatePlan.CoinPrice?
  ) -> [Cell] {
    let indexes = plan.rows.indices.filter { plan.rows[$0].storefront == storefront }
    let rows = indexes.first!..<(indexes.last! + 1)
    let shares = plan.rows[rows].compactMap(\.terms.share)
    var cells: [Cell] = [
      .text(storefront.code),
      price.map { .words($0.isPresent ? "@plan.catalogue" : "@plan.planned") } ?? .blank,
      shares.min().map {
        .formula(
          equalNetFormula(left: "(1-MAX(\(range(.taken, rows))))", scale: "1"),
          .quotient(plan.channel.coinsPerNet * min($0, plan.target.largestShare), places: 4))
      } ?? .blank,
    ]
    guard let price else { return cells }
    let (number, block) = (self.rows.next, places[.storefronts])
    let given = range(price.isPresent ? .presentCoins : .coins, rows)
    /// The formula of what 1,000 coins of the storefront come to in a column of the table of rates
    /// (proceeds or price), in base currency.
    func money(_ column: Column) -> String {
      let sum = "SUMPRODUCT(\(range(column, rows)),\(range(.worth, rows)))"
      return "ROUND(1000*\(sum)*channel_worth/$\(StorefrontColumn.coins.letter)\(number),6)"
    }
    /// The cell that says whether the storefront's figure in a column is below the dearest
    /// storefront's by more than the threshold.
    ///
    /// - Parameter isBelow: what the formula comes to.
    func mark(_ column: StorefrontColumn, _ isBelow: Bool) -> Cell {
      let letter = column.letter
      let dearest = "MAX(\(letter)$\(block.firstRow):\(letter)$\(block.lastRow))"
      return .formula(
        "IF(\(letter)\(number)<\(dearest)*(1-threshold),\"\(say("@plan.below"))\",\"\")",
        .text(isBelow ? say("@plan.below") : ""))
    }
    cells += [
      .formula("SUM(\(given))", .integer(price.coins)),
      .formula(money(.proceeds), .money(price.net, plan.baseCurrency)),
      .formula(money(.price), .money(price.price, plan.baseCurrency)),
      mark(.net, price.isNetBelow), mark(.price, price.isPriceBelow),
    ]
    return cells
  }

  /// Adds one rate for all of a group's products, chosen in three ways.
  mutating func addChoices() {
    guard plan.groups.contains(where: { !$0.choices.isEmpty }) else { return }
    addSection(
      plan.period.map {
        "@plan.one-rate-for-a-group-gain \(plan.baseCurrency) \($0)"
      } ?? "@plan.one-rate-for-a-group \(plan.baseCurrency)")
    add(
      .tableHeader(
        ["@shared.group", "@plan.choice", "@plan.money"],
        numbers: ["@plan.per", "@plan.left", "@plan.equal-net", "@plan.planned", "@plan.gain"]))
    for group in plan.groups {
      for choice in group.choices { add(cells(of: choice, in: group)) }
    }
  }

  /// The cells of a rate to choose for a group.
  private func cells(of choice: RatePlan.Choice, in group: RatePlan.Group) -> [Cell] {
    let number = rows.next
    /// The cell of the choice's row in a column, as formulas write it.
    func at(_ column: ChoiceColumn) -> String { "\(column.letter)\(number)" }
    let isShared = group.unit != 1 || group.currency != plan.channel.currency
    let scale =
      isShared
      ? "\(Column.worth.letter)$\(places[.rates].row(of: group.rows.lowerBound))*\(at(.unit))" : "1"
    let share: String =
      switch choice.kind {
      case .safe: "1-MAX(\(range(.taken, group.rows)))"
      case .median: "1-MEDIAN(\(range(.taken, group.rows)))"
      case .weighted:
        "SUM(\(range(.listWorth, group.rows)))/SUM(\(range(.grossWorth, group.rows)))"
      }
    let gross = "SUM(\(range(.grossWorth, group.rows)))"
    let given = "\(gross)/(\(scale))*\(at(.planned))*\(leftOfChannel)/channel_rate"
    return [
      .words(group.title), .words(choice.kind.wording), .text(group.currency.code),
      .integer(group.unit), .formula(share, .share(choice.share)),
      .formula(
        equalNetFormula(left: at(.left), scale: scale),
        .quotient(choice.rate.exact, places: 4)),
      .formula(
        plannedFormula(rate: at(.equalNet), left: at(.left), scale: scale),
        .integer(choice.rate.planned)),
      choice.gain.map {
        .formula(
          "ROUND((SUM(\(range(.listWorth, group.rows)))-\(given))*channel_worth,"
            + "\(plan.baseCurrency.minorDigits))", .money($0, plan.baseCurrency))
      } ?? .blank,
    ]
  }

  /// The chart of coins per unit of the channel's money by storefront; of a single one, by product.
  func chart() -> Chart {
    let count = min(storefronts.count, 40)
    let byStorefront = count > 1
    let first = places[byStorefront ? .storefronts : .rates].firstRow
    let points = byStorefront ? count : min(plan.rows.count, 40)
    let money = plan.channel.currency
    let colours = [CauseFamily.commission.colour, CauseFamily.missing.colour]
    let series =
      byStorefront
      ? [(say("@plan.equal-net"), StorefrontColumn.lowestRate.rawValue)]
      : [
        (say("@plan.equal-net"), Column.equalNet.rawValue),
        (say("@plan.planned"), Column.planned.rawValue),
      ]
    let hasNames = plan.rows.contains { !$0.product.isEmpty }
    let title: Wording =
      byStorefront
      ? "@plan.coins-per-by-storefront \(money)" : "@plan.coins-per-unit-of-money"
    return Chart(
      title: say(title),
      isStacked: false,
      categories: byStorefront
        ? StorefrontColumn.storefront.rawValue
        : hasNames ? Column.product.rawValue : Column.price.rawValue,
      rows: first...(first + points - 1),
      series: zip(series, colours).map { series, colour in
        Chart.Series(
          name: series.0, column: series.1, colours: Array(repeating: colour, count: points))
      },
      column: 3, row: 2, width: 760, height: 330)
  }
}
