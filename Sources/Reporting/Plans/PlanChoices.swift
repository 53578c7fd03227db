import Billing
import Languages
import Pricing

/// A storefront, and what its coins cost.
struct StorefrontCoins {
  var storefront: Storefront
  /// Indexes of the plan's rows, from the storefront's first to its last.
  var rows: Range<Int>
  /// Nil where it is not known.
  var price: RatePlan.CoinPrice?
}

/// A rate to choose for a group.
struct GroupChoice {
  var group: RatePlan.Group
  var choice: RatePlan.Choice

  /// Whether it is the first of its group: the safe one, which holds for each product.
  var isFirst: Bool { choice == group.choices.first }
}

extension RatePlan {
  /// The storefronts in the order of the table: cheapest coins first, then those without a price.
  var storefronts: [StorefrontCoins] {
    var seen: Set<Storefront> = []
    return (coinPrices.map(\.storefront) + rows.map(\.storefront))
      .filter { seen.insert($0).inserted }.map { storefront in
        let indexes = rows.indices.filter { rows[$0].storefront == storefront }
        return StorefrontCoins(
          storefront: storefront, rows: indexes.first!..<(indexes.last! + 1),
          price: coinPrices.first { $0.storefront == storefront })
      }
  }
}

extension RatePlan.CoinPrice {
  /// Whose coins these are unless the catalogue's, and which figures are below the dearest
  /// storefront's by more than the threshold; empty where neither is to be said.
  fileprivate var markText: String {
    let below: Wording =
      switch (isNetBelow, isPriceBelow) {
      case (true, true): "@plan.net-and-price"
      case (true, false): "@plan.net"
      case (false, true): "@shared.price"
      case (false, false): ""
      }
    return (isPresent ? "" : say("@plan.planned-coins") + "  ") + say(below)
  }
}

extension RatePlan.Group {
  /// The rates to choose from.
  var choiceLines: [GroupChoice] { choices.map { GroupChoice(group: self, choice: $0) } }
}

extension PlanSheet {
  /// The cells of a column of the table of rates, in these rows of the plan.
  private func range(_ column: String, _ rows: Range<Int>) -> String {
    let (letter, body) = (rates.letter(column), places[.rates])
    return "\(letter)$\(body.row(of: rows.lowerBound)):"
      + "\(letter)$\(body.row(of: rows.upperBound - 1))"
  }

  /// The columns of what coins cost and leave, a line per storefront; those of coins are blank
  /// where their price is not known.
  var coinPrices: List<StorefrontCoins> {
    let (net, price) = ("net_per_thousand_coins", "price_per_thousand_coins")
    return List(
      [
        Column("storefront", .text("@shared.storefront")) { .text($0.storefront.code) }
          .told(.text("")),
        priced("coins_from", .text("@plan.coins")) {
          .words($1.isPresent ? "@plan.catalogue" : "@plan.planned")
        }.coded { $0.price.map { $0.isPresent ? "catalogue" : "plan" } },
        Column("lowest_rate", .number("@plan.lowest-rate")) { line in
          plan.rows[line.rows].compactMap(\.terms.share).min().map {
            .formula(
              equalNetFormula(left: "(1-MAX(\(range("deduction", line.rows))))", scale: "1"),
              .quotient(plan.channel.coinsPerNet * min($0, plan.target.largestShare), places: 4))
          } ?? .blank
        },
        priced("coins", .number("@shared.coins")) {
          let given = range($1.isPresent ? "coins_now" : "coins", $0.rows)
          return .formula("SUM(\(given))", .integer($1.coins))
        },
        money(net, "@plan.net-per-1-000", told: "@plan.net", of: "proceeds", \.net),
        money(price, "@plan.price-of-1-000", told: "@shared.price", of: "price", \.price),
        mark("net_is_below", "@plan.net", of: net, \.isNetBelow),
        mark("price_is_below", "@shared.price", of: price, \.isPriceBelow),
        Column("mark") { .text(ifAny: $0.price?.markText) }.told(.text("")),
      ],
      scripts: [
        "storefront", "coins", "coins_from", net, price, "net_is_below", "price_is_below",
      ])
  }

  /// A column of what follows from the price of coins.
  private func priced(
    _ name: String, _ head: ColumnHead,
    _ cell: @escaping @Sendable (StorefrontCoins, RatePlan.CoinPrice) -> Cell
  ) -> Column<StorefrontCoins> {
    Column(name, head) { line in line.price.map { cell(line, $0) } ?? .blank }
  }

  /// A column of what 1,000 coins come to in base currency, where one purchase comes to what a
  /// column of the table of rates says: proceeds or price.
  private func money(
    _ name: String, _ title: Wording, told: Wording, of column: String,
    _ micros: @escaping @Sendable (RatePlan.CoinPrice) -> Int64
  ) -> Column<StorefrontCoins> {
    priced(name, .number(title)) {
      let sum = "SUMPRODUCT(\(range(column, $0.rows)),\(range("worth", $0.rows)))"
      return .formula(
        "ROUND(1000*\(sum)*channel_worth/${coins},6)", .money(micros($1), plan.baseCurrency))
    }.toTheMillionth.told(.number(told)) {
      $0.price.map { Fraction(micros: micros($0)).text(places: 4) } ?? "-"
    }
  }

  /// A column that says whether the storefront's figure in another one is below the dearest
  /// storefront's by more than the threshold.
  private func mark(
    _ name: String, _ title: Wording, of column: String,
    _ isBelow: @escaping @Sendable (RatePlan.CoinPrice) -> Bool
  ) -> Column<StorefrontCoins> {
    let (block, below) = (places[.storefronts], say("@plan.below"))
    let dearest = "MAX({\(column)$\(block.firstRow)}:{\(column)$\(block.lastRow)})"
    return priced(name, .number(title)) {
      .formula(
        "IF({\(column)}<\(dearest)*(1-threshold),\"\(below)\",\"\")",
        .text(isBelow($1) ? below : ""))
    }.deciding { $0.price.map(isBelow) }
  }

  /// The columns of one rate for all of a group's products, a line for each of three ways to choose
  /// it.
  var choices: List<GroupChoice> {
    /// The formula's factor from one unit of the channel's money to the units that a choice's rate
    /// is for.
    @Sendable func scale(_ line: GroupChoice) -> String {
      let group = line.group
      guard group.unit != 1 || group.currency != plan.channel.currency else { return "1" }
      let row = places[.rates].row(of: group.rows.lowerBound)
      return "\(rates.letter("worth"))$\(row)*{unit}"
    }
    return List(
      [
        Column("group", .text("@shared.group")) { .words($0.group.title) }
          .told(.text("")) { $0.isFirst ? say($0.group.title) : "" },
        Column("choice", .text("@plan.choice")) { .words($0.choice.kind.wording) }
          .coded { $0.choice.kind.rawValue }.told(.text("")),
        Column("currency", .text("@plan.money")) { .text($0.group.currency.code) },
        Column("unit", .number("@plan.per")) { .integer($0.group.unit) }
          .told(.text("")) { perUnit($0.group.unit, $0.group.currency) },
        Column("left", .number("@plan.left")) { line in
          .formula(shareFormula(line.choice.kind, of: line.group.rows), .share(line.choice.share))
        },
      ]
        + RatePlan.columns("", ("@plan.equal-net", "@plan.planned"), left: "{left}", scale: scale) {
          $0.choice.rate
        } + [
          Column("gain", .number("@plan.gain")) { line in
            line.choice.gain.map {
              .formula(gainFormula(line.group.rows, scale(line)), .money($0, plan.baseCurrency))
            } ?? .blank
          }.told(.number("@plan.in \(plan.baseCurrency) \(plan.period?.description ?? "")")) {
            $0.choice.gain.map { gain in
              (gain > 0 ? "+" : "") + grouped(Money(micros: gain, plan.baseCurrency))
            } ?? "-"
          }
        ], scripts: ["choice", "equal_net", "planned", "above_equal_net", "gain"])
  }

  /// The formula of the part of a price that is left, chosen from those of some rows of the plan.
  private func shareFormula(_ kind: RatePlan.Choice.Kind, of rows: Range<Int>) -> String {
    switch kind {
    case .safe: "1-MAX(\(range("deduction", rows)))"
    case .median: "1-MEDIAN(\(range("deduction", rows)))"
    case .weighted: "SUM(\(range("list_worth", rows)))/SUM(\(range("gross_worth", rows)))"
    }
  }

  /// The formula of what a planned rate brings for the sales of some rows of the plan, in base
  /// currency.
  private func gainFormula(_ rows: Range<Int>, _ scale: String) -> String {
    let given =
      "SUM(\(range("gross_worth", rows)))/(\(scale))*{planned}*\(leftOfChannel)/channel_rate"
    return "ROUND((SUM(\(range("list_worth", rows)))-\(given))*channel_worth,"
      + "\(plan.baseCurrency.minorDigits))"
  }

  /// The chart of coins per unit of the channel's money by storefront; of a single one, by product.
  func chart() -> Chart {
    let count = min(plan.storefronts.count, 40)
    let byStorefront = count > 1
    let first = places[byStorefront ? .storefronts : .rates].firstRow
    let points = byStorefront ? count : min(plan.rows.count, 40)
    let money = plan.channel.currency
    let colours = [CauseFamily.commission.colour, CauseFamily.missing.colour]
    let coins = coinPrices
    let series =
      byStorefront
      ? [(say("@plan.equal-net"), coins.index("lowest_rate"))]
      : [
        (say("@plan.equal-net"), rates.index("equal_net")),
        (say("@plan.planned"), rates.index("planned")),
      ]
    let hasNames = plan.rows.contains { !$0.product.isEmpty }
    let title: Wording =
      byStorefront
      ? "@plan.coins-per-by-storefront \(money)" : "@plan.coins-per-unit-of-money"
    return Chart(
      title: say(title), isStacked: false,
      categories: byStorefront
        ? coins.index("storefront") : rates.index(hasNames ? "product" : "price"),
      rows: first...(first + points - 1),
      series: zip(series, colours).map { series, colour in
        Chart.Series(
          name: series.0, column: series.1, colours: Array(repeating: colour, count: points))
      },
      column: 3, row: 2, width: 760, height: 330)
  }
}
