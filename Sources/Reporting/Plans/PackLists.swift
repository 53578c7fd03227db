import Billing
import Pricing

/// The tables of a plan of packs: text, JSON and sheet follow from their columns. Only formulas
/// need to know where things stand.
struct PackLists: Sendable {
  typealias Pack = PackPlan.Row

  let plan: PackPlan
  /// The exchange rates that formulas read.
  let rates: [PackPlan.Worth]
  var places = BlockPlaces<Block>()
  /// Where the price points of each ladder stand; empty where no formula looks for a price.
  var ladders: [ListBody] = []
  private let pricePoints = List<PricePoint>.pricePoints
  /// The letters of the columns with what the other channel asks and gives.
  private var onChannel = (price: "", coins: "")

  /// What formulas point at.
  enum Block { case rates, counterparts, packs }

  /// The column of the figures that may be changed.
  static let inputs = 1

  init(_ plan: PackPlan) {
    self.plan = plan
    let own = PackPlan.Worth(currency: plan.channel.currency, worth: plan.channel.worth)
    rates = plan.worths.contains { $0.currency == own.currency } ? plan.worths : plan.worths + [own]
    let counterparts = counterparts
    onChannel = (counterparts.letter("price"), counterparts.letter("coins"))
  }

  /// The packs on the other channel, whose prices and coins may be changed.
  var counterparts: List<PackPlan.Counterpart> {
    let money = plan.channel.currency
    return List([
      Column("product", .text("@shared.product")) { .text($0.sku) }.ofProducts.told(.text("")),
      Column("price", .number("@shared.price")) { .money($0.price, money) }.changeable,
      Column("coins", .number("@shared.coins")) { .integer($0.coins) }.changeable,
      Column(.number("@plan.coins-per-unit")) {
        let perMoney = Fraction(Int128($0.coins) * 1_000_000, over: Int128($0.price))
        return .formula("{coins}/{price}", .quotient(perMoney, places: 4))
      },
      Column("source") { .words($0.source.wording) }.coded { $0.source.name }.told(.text("")),
      Column("net_per_thousand_coins", .number("@plan.net-per-1-000")) {
        .formula(
          "1000*{price}*\(leftOfChannel)*\(rateCell(money))/{coins}",
          .quotient(plan.channelNet($0) * Fraction(1_000), places: 4))
      }.toTheMillionth,
    ])
  }

  /// The cell with a currency's exchange rate, base currency for one of it.
  private func rateCell(_ currency: Currency) -> String {
    let place = rates.firstIndex { $0.currency == currency }!
    return "$\(columnLetters(Self.inputs))$\(places[.rates].row(of: place))"
  }

  /// What packs come to in a storefront; in all of them without one.
  struct StorefrontSum {
    var storefront: Storefront?
    var sum: PackPlan.Sum
  }

  /// What the packs come to in each storefront.
  var sums: [StorefrontSum] {
    plan.storefronts.map { StorefrontSum(storefront: $0, sum: plan.total($0)) }
  }

  /// What the packs come to in all.
  var whole: StorefrontSum { StorefrontSum(sum: plan.total()) }

  /// The columns of what packs come to.
  var storefronts: List<StorefrontSum> {
    let (packs, body, base) = (packs, places[.packs], plan.baseCurrency)
    /// The cells of a column of the packs.
    func range(_ name: String) -> String {
      let letter = packs.letter(name)
      return "\(letter)$\(body.firstRow):\(letter)$\(body.lastRow)"
    }
    let storefronts = range("storefront")
    /// A column that adds up the one of the packs called `source`.
    func sum(
      _ name: String, _ title: Wording, of source: String,
      _ cell: @escaping @Sendable (PackPlan.Sum) -> Cell
    ) -> Column<StorefrontSum> {
      let cells = range(source)
      return Column(name, .number(title)) {
        .formula(
          $0.storefront == nil
            ? "SUM(\(cells))" : "SUMIF(\(storefronts),${storefront},\(cells))", cell($0.sum))
      }
    }
    return List(
      [
        Column("storefront", .text("@shared.storefront")) {
          $0.storefront.map { .text($0.code) } ?? .words("@shared.all-storefronts")
        }.told(.text("")),
        sum("units", "@shared.units", of: "now.units") { .integer($0.units) },
        sum("proposed_units", "@plan.proposed-units", of: "proposed.units") {
          .integer($0.proposedUnits)
        },
        sum("proceeds", "@shared.proceeds", of: "now.sum") { .money($0.proceeds, base) },
        sum("proposed_proceeds", "@plan.proposed-proceeds", of: "proposed.sum") {
          .money($0.proposedProceeds, base)
        },
        sum("difference", "@shared.difference-2", of: "difference") {
          .money($0.difference, base)
        },
        sum("against_channel", "@plan.against-the-other-channel", of: "now.ahead") {
          .money($0.ahead, base)
        }.told(.number("@plan.over-channel")),
        sum("proposed_against_channel", "@plan.proposed-against", of: "proposed.ahead") {
          .money($0.proposedAhead, base)
        }.told(.number("@plan.proposed-over-channel")),
      ], style: { $0.storefront == nil ? .total : .body })
  }
}

/// A pack as it is, or as it is proposed.
private enum Side: CaseIterable { case now, proposed }

extension PackPlan.Row {
  /// Prices, coins of a pack, and what a thousand of them leave in base currency, on one side.
  fileprivate subscript(side: Side) -> (terms: ProceedsTerms, coins: Int64, net: Fraction?) {
    side == .now ? (now, coins, net) : (proposed, proposedCoins, proposedNet)
  }
}

extension PackLists {
  /// The packs in each storefront, now and as proposed.
  var packs: List<Pack> {
    let members = [
      "tier", "price", "proceeds", "commission", "deduction", "coins", "coins_per_unit",
      "net_per_thousand_coins", "against_channel", "units",
    ]
    return List(
      [
        Column("storefront", .text("@shared.storefront")) { .text($0.storefront.code) }
          .told(.text("")),
        Column("product", .text("@shared.product")) { .text($0.sku) }.ofProducts.told(.text("")),
        Column("currency", .text("@shared.currency")) { .text($0.now.currency.code) }
          .told(.text("")),
      ] + priceColumns + coinColumns + netColumns + sumColumns + searchColumns,
      scripts: ["storefront", "product", "currency"]
        + Side.allCases.flatMap { side in members.map { "\(side).\($0)" } }
        + ["equal_net_coins", "coins_of_this_storefront"])
  }

  /// Two columns of one figure, now and as proposed.
  private func both(
    _ name: String, _ title: Wording, _ proposed: Wording,
    _ cell: @escaping @Sendable (Pack, Side) -> Cell
  ) -> [Column<Pack>] {
    [
      Column("now.\(name)", .number(title)) { cell($0, .now) },
      Column("proposed.\(name)", .number(proposed)) { cell($0, .proposed) },
    ]
  }

  /// The column of what is taken of a price.
  private func deduction(_ side: Side, _ head: ColumnHead?) -> Column<Pack> {
    Column("\(side).deduction", head) {
      $0[side].terms.share.map {
        .formula("1-{\(side).proceeds}/{\(side).price}", .share(Fraction.one - $0))
      } ?? .blank
    }.toTheMillionth
  }

  /// The columns of tiers, prices, deductions and proceeds.
  private var priceColumns: [Column<Pack>] {
    let places = ProceedsPlaces(
      price: "{now.price}", tax: "{tax}", deducted: "{deducted}", commission: "{now.commission}")
    return [
      Column("now.tier", .text("@shared.tier")) { .text(ifAny: $0.tier?.tier) },
      Column("proposed.tier", .text("@plan.proposed-tier")) { row in
        search("tier", row).map { .formula($0, .text(row.proposedTier?.tier ?? "")) }
          ?? .text(ifAny: row.proposedTier?.tier)
      },
      Column("now.price", .number("@shared.price")) { .money($0.now.price, $0.now.currency) },
      Column("proposed.price", .number("@plan.proposed-price")) {
        .formula(
          search("price", $0) ?? "{now.price}", .money($0.proposed.price, $0.now.currency))
      },
      Column("tax", .number("@shared.tax")) { $0.now.taxCell(places) },
      Column("deducted", .number("@plan.deducted")) { .ratio($0.now.deducted) },
      Column("now.commission", .number("@shared.commission")) { $0.now.commissionCell },
      Column("proposed.commission") { .ratio($0.proposed.commission) },
      Column("now.proceeds", .number("@shared.proceeds")) { $0.now.proceedsCell(places) },
      Column("proposed.proceeds", .number("@plan.proposed-proceeds")) {
        .formula(
          search("proceeds", $0) ?? "{now.proceeds}",
          .money($0.proposed.proceeds, $0.now.currency))
      },
      deduction(.now, nil), deduction(.proposed, .number("@shared.deduction")),
      Column("worth", .number("@plan.worth")) {
        .formula(rateCell($0.now.currency), .exchange($0.worth.value))
      },
    ]
  }

  /// The columns of coins: now, exact and rounded at which the target is met, proposed, and per
  /// unit of money.
  private var coinColumns: [Column<Pack>] {
    let proceedsForCoins = "MIN({proposed.proceeds},{proposed.price}*(1-margin))"
    let isStrict = "{proposed.price}*(1-margin)<{proposed.proceeds}"
    let exact = "{equal_net_coins}"
    let figures =
      "IF(\(exact)<20,1,IF(\(exact)<100,5,IF(\(exact)<10000,10,"
      + "POWER(10,LEN(ROUNDDOWN(\(exact),0))-3))))"
    let step = "IF(rounding>0,rounding,\(figures))"
    let spare = "IF(AND(margin>0,\(isStrict)),0.000000001,0)"
    return [
      Column("now.coins", .number("@shared.coins")) { .integer($0.coins) },
      Column("equal_net_coins", .number("@plan.equal-net")) {
        .formula(
          "\(proceedsForCoins)*{worth}/(\(channelNet($0)))", .quotient($0.exactCoins, places: 4))
      }.toTheMillionth,
      Column("coins_of_this_storefront", .number("@plan.of-this-storefront")) {
        .formula(
          "(\(step))*ROUNDDOWN(ROUND(\(exact)/(\(step))-\(spare),9),0)", .integer($0.ownCoins))
      },
      Column("proposed.coins", .number("@plan.proposed-coins")) {
        .formula(proposedCoins($0), .integer($0.proposedCoins))
      },
    ]
      + both("coins_per_unit", "@plan.coins-per-unit", "@plan.proposed-coins-per-unit") {
        row, side in
        row[side].terms.coinsPerUnit(row[side].coins).map {
          .formula("{\(side).coins}/{\(side).price}", .quotient($0, places: 4))
        } ?? .blank
      }.map(\.toTheMillionth)
  }

  /// The formula of a row's proposed coins: the fewest of all rows that get the same; its own where
  /// prices are sought.
  private func proposedCoins(_ row: Pack) -> String {
    guard plan.goal == .coins else { return "{now.coins}" }
    let same = plan.rows.indices.filter {
      plan.rows[$0].group == row.group && plan.rows[$0].sku == row.sku
    }
    let (first, last) = (same.first!, same.last!)
    precondition(same.count == last - first + 1, "packs with the same coins stand together")
    let body = places[.packs]
    return "MIN({coins_of_this_storefront$\(body.row(of: first))}"
      + ":{coins_of_this_storefront$\(body.row(of: last))})"
  }

  /// The formula's part with what a coin nets on the other channel, in base currency.
  private func channelNet(_ row: Pack) -> String {
    let number = places[.counterparts].row(of: row.counterpart)
    return "\(onChannel.price)$\(number)*\(leftOfChannel)*\(rateCell(plan.channel.currency))"
      + "/\(onChannel.coins)$\(number)"
  }

  /// The columns of what 1,000 coins net, beside the other channel.
  private var netColumns: [Column<Pack>] {
    /// The column of what 1,000 coins net; blank without coins.
    func net(_ side: Side, _ title: Wording) -> Column<Pack> {
      Column("\(side).net_per_thousand_coins", .number(title)) {
        $0[side].net.map {
          .formula("1000*{\(side).proceeds}*{worth}/{\(side).coins}", .quotient($0, places: 4))
        } ?? .blank
      }.toTheMillionth
    }
    /// The column of how much more 1,000 coins net than on the other channel, as a part of that;
    /// blank without coins.
    func against(_ side: Side, _ title: Wording, _ told: Wording) -> Column<Pack> {
      /// That part of a row.
      @Sendable func part(_ row: Pack) -> Fraction? {
        row[side].net.map { $0 / (plan.channelNet(row) * Fraction(1_000)) - .one }
      }
      return Column("\(side).against_channel", .number(title)) {
        part($0).map {
          .formula("{\(side).net_per_thousand_coins}/{channel_net}-1", .share($0))
        } ?? .blank
      }.toTheMillionth.told(.number(told)) { part($0)?.signedPercent ?? "-" }
    }
    return [
      net(.now, "@plan.net-per-1-000"),
      net(.proposed, "@plan.proposed-net-per-1-000").told(.number("@plan.proposed-net")),
      Column("channel_net", .number("@plan.other-channel-net-per-1")) {
        .formula(
          "1000*\(channelNet($0))", .quotient(plan.channelNet($0) * Fraction(1_000), places: 4))
      },
      against(.now, "@plan.against", "@plan.vs-channel"),
      against(.proposed, "@plan.proposed-against", "@plan.proposed-vs-channel"),
    ]
  }

  /// The columns of units and of what they bring, in base currency.
  private var sumColumns: [Column<Pack>] {
    let base = plan.baseCurrency
    let digits = base.minorDigits
    let ratio = "{proposed.price}*{now.coins}/({now.price}*{proposed.coins})"
    let isHeld = "elasticity*{now.coins}*{proposed.coins}*{now.price}=0"
    let moved = "ROUND({now.units}*(1+elasticity*(\(ratio)-1)),9)"
    return [
      Column("now.units", .number("@shared.units")) { .integer($0.units) },
      Column("proposed.units", .number("@plan.proposed-units")) {
        .formula(
          "IF(\(isHeld),{now.units},MAX(0,ROUND(\(moved),0)))", .integer($0.proposedUnits))
      },
    ]
      + both("sum", "@shared.proceeds", "@plan.proposed-proceeds") { row, side in
        let sum = plan.sum(row)
        return .formula(
          "ROUND({\(side).units}*{\(side).proceeds}*{worth},\(digits))",
          .money(side == .now ? sum.proceeds : sum.proposedProceeds, base))
      } + [
        Column("difference", .number("@shared.difference-2")) {
          .formula("{proposed.sum}-{now.sum}", .money(plan.sum($0).difference, base))
        }
      ]
      + both("ahead", "@plan.against-the-other-channel", "@plan.proposed-against") {
        row, side in
        let sum = plan.sum(row)
        let each = "{\(side).proceeds}*{worth}-{\(side).coins}*\(channelNet(row))"
        return .formula(
          "ROUND({\(side).units}*(\(each)),\(digits))",
          .money(side == .now ? sum.ahead : sum.proposedAhead, base))
      }
  }

  /// The columns of the price that is needed and of the number of the price point that is the first
  /// to leave it; nothing stands there where no price is sought.
  private var searchColumns: [Column<Pack>] {
    [
      Column("needed", .number("@plan.needed")) { row in
        guard row.ladder != nil else { return .blank }
        let needed = plan.channelNet(row) * Fraction(Int128(row.coins)) / row.worth.value
        return .formula(
          "{now.coins}*\(channelNet(row))/{worth}", .quotient(needed, places: 6))
      },
      Column("step", .number("@plan.price-point")) { row in
        guard let reached = block("reached", row) else { return .blank }
        let step = plan.ladders[row.ladder!].steps.firstIndex { $0.tier == row.proposedTier } ?? 0
        return .formula(
          "1+SUMPRODUCT(--(\(reached)<{needed}-0.000000001))", .ordinal(Int64(step + 1)))
      },
    ]
  }

  /// The cells of a column of the price points that a row's price is looked for in; nil where no
  /// price is sought.
  private func block(_ column: String, _ row: Pack) -> String? {
    guard let ladder = row.ladder, !ladders.isEmpty else { return nil }
    let (letter, rows) = (pricePoints.letter(column), ladders[ladder].rows)
    return "\(quoted(sheet: PricePointSheet.name))!"
      + "$\(letter)$\(rows.lowerBound):$\(letter)$\(rows.upperBound)"
  }

  /// The formula that takes a column's value from the price point that was found; nil where no
  /// price is sought.
  private func search(_ column: String, _ row: Pack) -> String? {
    block(column, row).map { "INDEX(\($0),{step})" }
  }
}

extension ProceedsTerms {
  /// How many coins there are for one unit of the price's money; nil where nothing is paid.
  fileprivate func coinsPerUnit(_ coins: Int64) -> Fraction? {
    price > 0 ? Fraction(Int128(coins) * 1_000_000, over: Int128(price)) : nil
  }
}

extension Fraction {
  /// A part of one in per cent, with a plus above zero.
  var signedPercent: String { (self > .zero ? "+" : "") + percent(micros) }
}

extension PackPlan.Counterpart.Source {
  /// Where a pack's figures come from, for scripts.
  fileprivate var name: String {
    switch self {
    case .given: "given"
    case .orders: "orders"
    case .rate: "rate"
    }
  }
}
