import Billing
import Pricing

/// The cells of one pack in one storefront.
struct PackCells {
  /// Where the figures stand that its formulas read.
  struct Places {
    var number: Int
    /// Base currency for one unit of the price's money, and of the other channel's.
    var rate: String
    var channelRate: String
    /// The row of the pack on the other channel.
    var counterpart: Int
    /// The rows that get the same coins.
    var group: ClosedRange<Int>
    /// The rows of this storefront's price points; nil where no price is sought.
    var ladder: ClosedRange<Int>?
  }

  let row: PackPlan.Row
  let plan: PackPlan
  let places: Places

  /// The cell of the row in a column, as formulas write it.
  private func at(_ column: PackSheet.Column) -> String { "\(column.letter)\(places.number)" }
  /// The currency of the pack's price.
  private var money: Currency { row.now.currency }
  private var base: Currency { plan.baseCurrency }

  /// The formula's part with what a coin nets on the other channel, in base currency.
  private var channelNet: String {
    let (price, coins) = (PackSheet.CounterpartColumn.price, PackSheet.CounterpartColumn.coins)
    return "\(price.letter)$\(places.counterpart)*\(leftOfChannel)*\(places.channelRate)"
      + "/\(coins.letter)$\(places.counterpart)"
  }

  /// All cells of the row, in the order of the columns.
  var cells: [Cell] {
    [.text(row.storefront.code), .text(row.sku), .text(money.code)] + priceCells + coinCells
      + netCells + sumCells + searchCells
  }

  /// The cells of tiers, prices, deductions and proceeds, now and as proposed.
  private var priceCells: [Cell] {
    let now = row.now
    let tax = Cell.ratio(now.tax)
    let proceeds = ProceedsPlaces(
      price: at(.price), tax: at(.tax), deducted: at(.deducted), commission: at(.commission))
    let proposed = Cell.money(row.proposed.price, money)
    return [
      .text(ifAny: row.tier?.tier),
      search(.tier).map { .formula($0, .text(row.proposedTier?.tier ?? "")) }
        ?? .text(ifAny: row.proposedTier?.tier),
      .money(now.price, money), .formula(search(.price) ?? at(.price), proposed),
      now.taxFormula(commission: at(.commission)).map { .formula($0, tax) } ?? tax,
      .ratio(now.deducted), now.commissionCell,
      .formula(now.proceedsFormula(proceeds), .money(now.proceeds, money)),
      .formula(search(.proceeds) ?? at(.proceeds), .money(row.proposed.proceeds, money)),
      row.proposed.share.map {
        .formula(
          "1-\(at(.proposedProceeds))/\(at(.proposedPrice))", .share(Fraction.one - $0))
      } ?? .blank,
      .formula(places.rate, .exchange(row.worth.value)),
    ]
  }

  /// The cells of coins: now, exact and rounded at which the target is met, proposed, and per unit
  /// of money.
  private var coinCells: [Cell] {
    let proceedsForCoins = "MIN(\(at(.proposedProceeds)),\(at(.proposedPrice))*(1-margin))"
    let isStrict = "\(at(.proposedPrice))*(1-margin)<\(at(.proposedProceeds))"
    let exact = at(.exact)
    let figures =
      "IF(\(exact)<20,1,IF(\(exact)<100,5,IF(\(exact)<10000,10,"
      + "POWER(10,LEN(ROUNDDOWN(\(exact),0))-3))))"
    let step = "IF(rounding>0,rounding,\(figures))"
    let spare = "IF(AND(margin>0,\(isStrict)),0.000000001,0)"
    let own = PackSheet.Column.own.letter
    let group = "MIN(\(own)$\(places.group.lowerBound):\(own)$\(places.group.upperBound))"
    /// The cell of coins per unit of money; blank where nothing is paid.
    func perMoney(_ coins: PackSheet.Column, _ price: PackSheet.Column, _ value: Fraction?) -> Cell
    {
      value.map { .formula("\(at(coins))/\(at(price))", .quotient($0, places: 4)) } ?? .blank
    }
    return [
      .integer(row.coins),
      .formula(
        "\(proceedsForCoins)*\(at(.worth))/(\(channelNet))", .quotient(row.exactCoins, places: 4)),
      .formula(
        "(\(step))*ROUNDDOWN(ROUND(\(exact)/(\(step))-\(spare),9),0)", .integer(row.ownCoins)),
      .formula(plan.goal == .coins ? group : at(.coins), .integer(row.proposedCoins)),
      perMoney(.coins, .price, row.now.coinsPerUnit(row.coins)),
      perMoney(
        .proposedCoins, .proposedPrice, row.proposed.coinsPerUnit(row.proposedCoins)),
    ]
  }

  /// The cells of what 1,000 coins net, now and as proposed, beside the other channel.
  private var netCells: [Cell] {
    /// The cell of what 1,000 coins net; blank without coins.
    func net(_ proceeds: PackSheet.Column, _ coins: PackSheet.Column, _ value: Fraction?) -> Cell {
      value.map {
        .formula("1000*\(at(proceeds))*\(at(.worth))/\(at(coins))", .quotient($0, places: 4))
      } ?? .blank
    }
    /// The cell of how much more 1,000 coins net than on the other channel, as a share; blank
    /// without coins.
    func against(_ column: PackSheet.Column, _ value: Fraction?) -> Cell {
      value.map {
        .formula("\(at(column))/\(at(.channelNet))-1", .share($0 / channel - .one))
      } ?? .blank
    }
    let channel = plan.channelNet(row) * Fraction(1_000)
    return [
      net(.proceeds, .coins, row.net), net(.proposedProceeds, .proposedCoins, row.proposedNet),
      .formula("1000*\(channelNet)", .quotient(channel, places: 4)),
      against(.net, row.net), against(.proposedNet, row.proposedNet),
    ]
  }

  /// The cells of units and of what they bring, now and as proposed, in base currency.
  private var sumCells: [Cell] {
    let sum = plan.sum(row)
    let digits = base.minorDigits
    let ratio =
      "\(at(.proposedPrice))*\(at(.coins))/(\(at(.price))*\(at(.proposedCoins)))"
    let isHeld = "elasticity*\(at(.coins))*\(at(.proposedCoins))*\(at(.price))=0"
    let moved = "ROUND(\(at(.units))*(1+elasticity*(\(ratio)-1)),9)"
    /// The cell of the proceeds of all units, in base currency.
    ///
    /// - Parameters:
    ///   - units: the column with their number.
    ///   - proceeds: the column with those of one unit, in the price's currency.
    ///   - value: what the formula comes to, in micro-units.
    func left(_ units: PackSheet.Column, _ proceeds: PackSheet.Column, _ value: Int64) -> Cell {
      .formula(
        "ROUND(\(at(units))*\(at(proceeds))*\(at(.worth)),\(digits))", .money(value, base))
    }
    /// The cell of what so many units bring beyond what their coins would net on the other channel.
    func ahead(
      _ units: PackSheet.Column, _ proceeds: PackSheet.Column, _ coins: PackSheet.Column,
      _ value: Int64
    ) -> Cell {
      let each = "\(at(proceeds))*\(at(.worth))-\(at(coins))*\(channelNet)"
      return .formula("ROUND(\(at(units))*(\(each)),\(digits))", .money(value, base))
    }
    return [
      .integer(row.units),
      .formula(
        "IF(\(isHeld),\(at(.units)),MAX(0,ROUND(\(moved),0)))", .integer(row.proposedUnits)),
      left(.units, .proceeds, sum.proceeds),
      left(.proposedUnits, .proposedProceeds, sum.proposedProceeds),
      .formula("\(at(.proposedSum))-\(at(.sum))", .money(sum.difference, base)),
      ahead(.units, .proceeds, .coins, sum.ahead),
      ahead(.proposedUnits, .proposedProceeds, .proposedCoins, sum.proposedAhead),
    ]
  }

  /// The cells with the price that is needed and the number of the price point that is the first to
  /// leave it; none where no price is sought.
  private var searchCells: [Cell] {
    guard let reached = block(.reached) else { return [] }
    let needed = plan.channelNet(row) * Fraction(Int128(row.coins)) / row.worth.value
    let step = plan.ladders[row.ladder!].steps.firstIndex { $0.tier == row.proposedTier } ?? 0
    return [
      .formula(
        "\(at(.coins))*\(channelNet)/\(at(.worth))", .quotient(needed, places: 6)),
      .formula(
        "1+SUMPRODUCT(--(\(reached)<\(at(.needed))-0.000000001))", .ordinal(Int64(step + 1))),
    ]
  }

  /// The cells of this storefront's price points in a column; nil where no price is sought.
  private func block(_ column: PricePointSheet.Column) -> String? {
    places.ladder.map { rows in
      "\(quoted(sheet: PricePointSheet.name))!"
        + "$\(column.letter)$\(rows.lowerBound):$\(column.letter)$\(rows.upperBound)"
    }
  }

  /// The formula that takes a column's value from the price point that was found; nil where no
  /// price is sought.
  private func search(_ column: PricePointSheet.Column) -> String? {
    block(column).map { "INDEX(\($0),\(at(.step)))" }
  }
}

extension ProceedsTerms {
  /// How many coins there are for one unit of the price's money; nil where nothing is paid.
  func coinsPerUnit(_ coins: Int64) -> Fraction? {
    price > 0 ? Fraction(Int128(coins) * 1_000_000, over: Int128(price)) : nil
  }
}
