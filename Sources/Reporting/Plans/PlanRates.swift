import Billing
import Pricing

extension PlanSheet {
  private static let titles: (words: [Wording], numbers: [Wording]) = (
    ["@shared.storefront", "@shared.product", "@shared.currency"],
    [
      "@shared.price", "@shared.tax", "@plan.deducted", "@shared.commission", "@shared.proceeds",
      "@shared.apple-share", "@plan.worth", "@plan.per",
      "@plan.equal-net", "@plan.planned", "@shared.coins", "@plan.net-per-1-000", "@plan.coins-now",
      "@plan.net-now", "@shared.units", "@shared.gross",
      "@shared.paid", "@plan.paid-apple-share", "@plan.paid-rate", "@plan.paid-plan",
      "@shared.difference-2", "@plan.gross-converted",
      "@plan.paid-converted", "@plan.list-converted",
    ]
  )

  /// Adds one row per offer: the list, and beside it what Apple paid.
  mutating func addRates() {
    addSection(
      "@plan.rates-by-the-price-list \(plan.channel.currency) \(plan.baseCurrency)")
    add(.tableHeader(Self.titles.words, numbers: Self.titles.numbers))
    begin(.rates, count: plan.rows.count)
    for row in plan.rows { add(RateCells(row: row, number: rows.next, plan: plan).cells) }
  }
}

/// The cells of one row of rates.
private struct RateCells {
  let row: RatePlan.Row
  let number: Int
  let plan: RatePlan

  /// The cell of the row in a column, as formulas write it.
  private func at(_ column: PlanSheet.Column) -> String { "\(column.letter)\(number)" }

  /// All cells of the row, in the order of the columns.
  var cells: [Cell] {
    [.text(row.storefront.code), .text(ifAny: row.product), .text(row.terms.currency.code)]
      + listCells + rateCells + presentCells + observedCells + worthCells
  }

  /// The cells of price, deductions and proceeds by the list.
  private var listCells: [Cell] {
    let terms = row.terms
    let own = decimalText(micros: terms.commission)
    let places = ProceedsPlaces(
      price: at(.price), tax: at(.tax), deducted: at(.deducted), commission: at(.commission))
    let tax = Cell.ratio(terms.tax)
    return [
      .money(terms.price, terms.currency),
      terms.taxFormula(commission: at(.commission)).map { .formula($0, tax) } ?? tax,
      .ratio(terms.deducted),
      .formula("IF(commission=\"\",\(own),commission)", .ratio(terms.commission)),
      .formula(terms.proceedsFormula(places), .money(terms.proceeds, terms.currency)),
      terms.share.map {
        .formula("1-\(at(.proceeds))/\(at(.price))", .share(Fraction.one - $0))
      } ?? .blank,
    ]
  }

  /// The cells of the rate: exact, planned, and the coins and net that follow; blank without a
  /// rate.
  private var rateCells: [Cell] {
    guard let rate = row.rate, let worth = row.worth else {
      return [
        row.worth.map { .quoted($0) } ?? .blank, .integer(row.unit), .blank, .blank, .blank, .blank,
      ]
    }
    let coins = row.plannedCoins ?? 0
    let net = row.netPerThousand(plan)
    return [
      .quoted(worth), .integer(row.unit),
      .formula(
        equalNetFormula(left: "\(at(.proceeds))/\(at(.price))", scale: scale),
        .quotient(rate.exact, places: 4)),
      .formula(
        plannedFormula(
          rate: at(.equalNet), left: "\(at(.proceeds))/\(at(.price))", scale: scale),
        .integer(rate.planned)),
      .formula(
        "ROUNDDOWN(ROUND(\(at(.price))*\(at(.planned))/\(at(.unit)),6),0)", .integer(coins)),
      netCell(net, coins: at(.coins)),
    ]
  }

  /// The formula's factor from one unit of the channel's money to the row's units of its own.
  private var scale: String { "\(at(.worth))*\(at(.unit))" }

  /// The cell with what 1,000 coins net in base currency; blank where it is not known.
  ///
  /// - Parameter coins: the cell with the coins of one purchase.
  private func netCell(_ net: Fraction?, coins: String) -> Cell {
    guard let net else { return .blank }
    return .formula(
      "IF(\(coins)=0,0,1000*\(at(.proceeds))*\(at(.worth))*channel_worth/\(coins))",
      .quotient(net, places: 4))
  }

  /// The cells of the coins that the catalogue has now, and what they net; blank without any.
  private var presentCells: [Cell] {
    guard let coins = row.presentCoins, coins > 0 else { return [.blank, .blank] }
    let net = plan.channel.worth.flatMap { base in
      row.worth.map {
        Fraction(micros: row.terms.proceeds) * $0.value * base.value
          * Fraction(1_000, over: Int128(coins))
      }
    }
    return [.integer(coins), netCell(net, coins: at(.presentCoins))]
  }

  /// The cells of what Apple paid, the rate that it gives, and the difference to the list; blank
  /// without sales.
  private var observedCells: [Cell] {
    guard let observed = row.observed else { return Array(repeating: .blank, count: 7) }
    let currency = row.terms.currency
    let share = Fraction(Int128(observed.proceeds), over: Int128(observed.gross))
    let left = "\(at(.paid))/\(at(.gross))"
    var cells: [Cell] = [
      .integer(observed.units), .money(observed.gross, currency),
      .money(observed.proceeds, currency), .formula("1-\(left)", .share(Fraction.one - share)),
    ]
    guard let rate = observed.rate, let list = row.rate else {
      return cells + [.blank, .blank, .blank]
    }
    cells += [
      .formula(
        equalNetFormula(left: left, scale: scale), .quotient(rate.exact, places: 4)),
      .formula(
        plannedFormula(rate: at(.paidEqualNet), left: left, scale: scale), .integer(rate.planned)),
      .formula(
        "\(at(.paidEqualNet))-\(at(.equalNet))", .quotient(rate.exact - list.exact, places: 4)),
    ]
    return cells
  }

  /// The cells that the group's choices weigh by, in the channel's money to the millionth; none
  /// without sales.
  private var worthCells: [Cell] {
    guard let observed = row.observed, let worth = row.worth, row.terms.price > 0 else { return [] }
    /// Converts micro-units of the row's currency into micro-units of the channel's currency.
    func converted(_ micros: Int64) -> Int64 { worth.value.micros(of: micros) }
    let gross = converted(observed.gross)
    let list = roundedHalfUp(
      Int128(gross) * Int128(row.terms.proceeds), dividedBy: Int128(row.terms.price),
      toMultipleOf: 1)
    let money = plan.channel.currency
    return [
      .formula("ROUND(\(at(.gross))*\(at(.worth)),6)", .money(gross, money)),
      .formula("ROUND(\(at(.paid))*\(at(.worth)),6)", .money(converted(observed.proceeds), money)),
      .formula(
        "ROUND(\(at(.grossWorth))*\(at(.proceeds))/\(at(.price)),6)", .money(list, money)),
    ]
  }
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
