import Billing
import Languages
import Pricing

extension RatePlan {
  /// The columns of what offers bring: by the price list, and beside it what Apple paid.
  var rateList: List<Row> {
    let observed = List(Self.observedColumns())
    return List(
      Self.offerColumns + rateColumns + Self.observedColumns("observed.") + worthColumns + [
        Column("tier") { .text(ifAny: $0.tier) },
        Column("rule") { .text(say($0.rule)) },
        Column("present_coins") { .integer(ifAny: $0.presentCoins) },
        Column(
          "observed",
          script: .json { writer, row in
            if row.observed == nil { return writer.null() }
            writer.object { $0.members(row, of: observed) }
          }),
      ],
      scripts: [
        "storefront", "product", "tier", "currency", "price", "proceeds", "deduction",
        "commission", "rule", "unit", "equal_net", "planned", "above_equal_net", "coins",
        "present_coins", "net_per_thousand_coins", "observed",
      ])
  }

  /// The columns of an offer's price and what Apple takes of it by the list.
  private static var offerColumns: [Column<Row>] {
    [
      Column("storefront", .text("@shared.storefront")) { .text($0.storefront.code) }
        .told(.text("")),
      Column("product", .text("@shared.product")) { .text(ifAny: $0.product) }.told(.text("")),
      Column("currency", .text("@shared.currency")) { .text($0.terms.currency.code) }
        .told(.text("")),
      Column("price", .number("@shared.price")) { .money($0.terms.price, $0.terms.currency) },
      Column("tax", .number("@shared.tax")) { row in
        let tax = Cell.ratio(row.terms.tax)
        return row.terms.taxFormula(commission: "{commission}").map { .formula($0, tax) } ?? tax
      },
      Column("deducted", .number("@plan.deducted")) { .ratio($0.terms.deducted) },
      Column("commission", .number("@shared.commission")) { row in
        let own = row.terms.commission
        return .formula(
          "IF(commission=\"\",\(decimalText(micros: own)),commission)", .ratio(own))
      },
      Column("proceeds", .number("@shared.proceeds")) { row in
        let places = ProceedsPlaces(
          price: "{price}", tax: "{tax}", deducted: "{deducted}", commission: "{commission}")
        return .formula(
          row.terms.proceedsFormula(places), .money(row.terms.proceeds, row.terms.currency))
      },
      Column("deduction", .number("@shared.apple-share")) {
        $0.terms.share.map { .formula("1-{proceeds}/{price}", .share(Fraction.one - $0)) }
          ?? .blank
      }.toTheMillionth.told(.number("@shared.deduction")),
      Column("worth", .number("@plan.worth")) { .quoted(ifAny: $0.worth) },
      Column("unit", .number("@plan.per")) { .integer($0.unit) }
        .told(.text("")) { $0.rate == nil ? "" : perUnit($0.unit, $0.terms.currency) },
    ]
  }

  /// The columns of the rate by the list, and of the coins and the net that follow from it, planned
  /// and now.
  private var rateColumns: [Column<Row>] {
    /// A column of what 1,000 coins net in base currency, where an offer has so many coins, which
    /// stand in the column of a name; blank where nobody knows.
    func net(
      _ name: String, _ title: Wording, of column: String,
      _ coins: @escaping @Sendable (Row) -> Int64?
    ) -> Column<Row> {
      Column(name, .number(title)) { row in
        row.netPerThousand(coins(row), self).map {
          .formula(
            "IF({\(column)}=0,0,1000*{proceeds}*{worth}*channel_worth/{\(column)})",
            .quotient($0, places: 4))
        } ?? .blank
      }.toTheMillionth
    }
    return Self.columns(
      "", ("@plan.equal-net", "@plan.planned"), left: "{proceeds}/{price}",
      scale: { _ in Self.scale }
    ) { $0.rate } + [
      Column("coins", .number("@shared.coins")) {
        $0.plannedCoins.map {
          .formula("ROUNDDOWN(ROUND({price}*{planned}/{unit},6),0)", .integer($0))
        } ?? .blank
      },
      net("net_per_thousand_coins", "@plan.net-per-1-000", of: "coins") { $0.plannedCoins },
      Column("coins_now", .number("@plan.coins-now")) {
        .integer(ifAny: $0.presentCoins.flatMap { $0 > 0 ? $0 : nil })
      },
      net("net_now", "@plan.net-now", of: "coins_now") { $0.presentCoins },
    ]
  }

  /// The columns of what Apple paid, the rate that it gives, and the difference to the list; blank
  /// without sales.
  ///
  /// - Parameter object: what stands before their names.
  private static func observedColumns(_ object: String = "") -> [Column<Row>] {
    let left = "{\(object)proceeds}/{\(object)gross}"
    return [
      Column("\(object)units", .number("@shared.units")) { .integer(ifAny: $0.observed?.units) },
      Column("\(object)gross", .number("@shared.gross")) {
        .money(ifAny: $0.observed?.gross, $0.terms.currency)
      },
      Column("\(object)proceeds", .number("@shared.paid")) {
        .money(ifAny: $0.observed?.proceeds, $0.terms.currency)
      },
      Column("\(object)deduction", .number("@plan.paid-apple-share")) {
        $0.observed?.deduction.map { .formula("1-\(left)", .share($0)) } ?? .blank
      }.toTheMillionth.told(.number("@shared.deduction")),
    ]
      + Self.columns(
        object, ("@plan.paid-rate", "@plan.paid-plan"), left: left, scale: { _ in scale }
      ) { $0.observed?.rate } + [
        Column("\(object)difference", .number("@shared.difference-2")) {
          $0.observedDifference.map {
            .formula("{\(object)equal_net}-{equal_net}", .quotient($0, places: 4))
          } ?? .blank
        }.toTheMillionth.told { $0.observedDifference.map(\.signedText) ?? "-" }
      ]
  }

  /// The columns that the group's choices weigh by, in the channel's money to the millionth; blank
  /// without sales.
  private var worthColumns: [Column<Row>] {
    /// A column of an amount, by the row, its sales and what its currency is worth.
    func converted(
      _ name: String, _ title: Wording, _ formula: String,
      _ amount: @escaping @Sendable (Row, Observation, Fraction) -> Int64
    ) -> Column<Row> {
      Column(name, .number(title)) { row in
        guard let observed = row.observed, let worth = row.worth?.value, row.terms.price > 0
        else { return .blank }
        return .formula(
          "ROUND(\(formula),6)", .money(amount(row, observed, worth), channel.currency))
      }
    }
    return [
      converted("gross_worth", "@plan.gross-converted", "{observed.gross}*{worth}") {
        $2.micros(of: $1.gross)
      },
      converted("paid_worth", "@plan.paid-converted", "{observed.proceeds}*{worth}") {
        $2.micros(of: $1.proceeds)
      },
      converted("list_worth", "@plan.list-converted", "{gross_worth}*{proceeds}/{price}") {
        roundedHalfUp(
          Int128($2.micros(of: $1.gross)) * Int128($0.terms.proceeds),
          dividedBy: Int128($0.terms.price), toMultipleOf: 1)
      },
    ]
  }

  /// The formula's factor from one unit of the channel's money to an offer's units of its own.
  private static let scale = "{worth}*{unit}"
}

extension RatePlan.Row {
  /// By how much the rate that Apple's payments give is above that of the list; nil without both.
  fileprivate var observedDifference: Fraction? {
    observed?.rate.flatMap { seen in rate.map { seen.exact - $0.exact } }
  }
}

extension Fraction {
  /// The number with four places, with a plus above zero and no minus before zero.
  fileprivate var signedText: String {
    let text = text(places: 4)
    return self > .zero && text != "0.0000" ? "+\(text)" : text == "-0.0000" ? "0.0000" : text
  }
}

extension RatePlan {
  /// The columns of a rate: exact and planned, and for scripts whether it is held above the exact
  /// one; blank without a rate.
  ///
  /// - Parameters:
  ///   - object: what stands before the columns' names.
  ///   - titles: over the exact rate and over the planned one.
  ///   - left: the formula of what is left of the price, as a part of it.
  ///   - scale: the formula's factor from one unit of the channel's money to the units that the
  ///     rate is for.
  static func columns<Line>(
    _ object: String, _ titles: (exact: Wording, planned: Wording), left: String,
    scale: @escaping @Sendable (Line) -> String,
    _ rate: @escaping @Sendable (Line) -> RatePlan.PlannedRate?
  ) -> [Column<Line>] {
    let exact = "\(object)equal_net"
    return [
      Column(exact, .number(titles.exact)) { line in
        rate(line).map {
          .formula(
            equalNetFormula(left: left, scale: scale(line)), .quotient($0.exact, places: 4))
        } ?? .blank
      }.toTheMillionth.told(.number("@plan.equal-net")),
      Column("\(object)planned", .number(titles.planned)) { line in
        rate(line).map {
          .formula(
            plannedFormula(rate: "{\(exact)}", left: left, scale: scale(line)),
            .integer($0.planned))
        } ?? .blank
      }.told(.number("@plan.planned-rate")) { line in
        rate(line).map { grouped($0.planned) + ($0.isHeldUp ? "!" : "") } ?? "-"
      },
      Column("\(object)above_equal_net", script: .bool { rate($0)?.isHeldUp }),
    ]
  }
}

/// For how much money a rate is, in words: `per 10 JPY`.
func perUnit(_ unit: Int64, _ currency: Currency) -> String {
  say("@plan.per-2 \(unitWords(unit, currency))")
}

/// The formula of the coins at which the target is met.
///
/// - Parameters:
///   - left: the formula of what is left of the price, as a part of it.
///   - scale: the factor from one unit of the channel's money to the units that the rate is for.
func equalNetFormula(left: String, scale: String) -> String {
  "channel_rate*MIN(\(left),1-margin)/(\(leftOfChannel))*\(scale)"
}

/// The formula of the planned rate: the exact one rounded down, below it where the margin decides,
/// and not under the floor. What a binary number lacks or has too much in the tenth place is no
/// coin.
///
/// - Parameters:
///   - rate: the cell with the exact rate.
///   - left: the formula of what is left of the price, as a part of it.
///   - scale: the factor from one unit of the channel's money to the units that the rate is for.
func plannedFormula(rate: String, left: String, scale: String) -> String {
  let spare = "IF(AND(margin>0,1-margin<=\(left)),0.000000001,0)"
  let down = "rounding*ROUNDDOWN(ROUND(\(rate)/rounding-\(spare),9),0)"
  let floor = "rounding*ROUNDUP(ROUND(lowest_rate*\(scale)/rounding,9),0)"
  return "MAX(\(down),\(floor))"
}

/// The formula of the part of a price that the other channel leaves, by the sheet's inputs.
let leftOfChannel = "(1-channel_fee)/(1+channel_tax)"
