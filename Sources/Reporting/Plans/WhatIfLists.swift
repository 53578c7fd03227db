import Billing
import Pricing

/// The tables of changes: text, JSON and sheet follow from their columns. Only formulas need to
/// know where things stand.
struct WhatIfLists: Sendable {
  let plan: WhatIf
  var places = BlockPlaces<Block>()
  /// The columns of the tiers that can be named.
  let choices = List<WhatIf.TierChoice>.tierChoices
  /// The letters of the column with the values that changes set.
  private var value = ""

  /// What formulas point at: things as they are, the changes by their size, and all together; what
  /// is sold; the tiers.
  enum Block { case outcomes, sold, choices }

  init(_ plan: WhatIf) {
    self.plan = plan
    value = outcomes.letter("value")
  }

  /// What comes of some of the changes.
  struct Outcome {
    var name: Wording
    var sum: WhatIf.Sum
    /// 0 is as things are, then one per change, then all together.
    var number: Int
    /// The one change that it comes of.
    var change: WhatIf.Change?

    /// Whether it is things as they are.
    var isBefore: Bool { number == 0 }
  }

  /// Things as they are.
  var before: Outcome { Outcome(name: "@plan.as-it-is", sum: plan.before, number: 0) }

  /// Each change alone, by the size of its effect.
  var alone: [Outcome] {
    plan.ranking.map {
      Outcome(
        name: plan.changes[$0].name, sum: plan.alone[$0], number: $0 + 1, change: plan.changes[$0])
    }
  }

  /// All changes together.
  var together: Outcome {
    Outcome(name: "@plan.all-together", sum: plan.together, number: plan.changes.count + 1)
  }

  /// The columns of outcomes: proceeds, effect, and what 1,000 coins net.
  var outcomes: List<Outcome> {
    let (base, sold, body) = (plan.baseCurrency, sold, places[.sold])
    let first = places[.outcomes].firstRow
    /// The cells of a column of what is sold.
    @Sendable func cells(_ name: String) -> String {
      let letter = sold.letter(name)
      return "\(letter)$\(body.firstRow):\(letter)$\(body.lastRow)"
    }
    return List(
      [
        Column("change", .text("@shared.change")) { .words($0.name) }.coded { $0.name.english }
          .told(.text("")),
        Column("value", .number("@shared.value")) { $0.change?.valueCell ?? .blank },
        Column("from") { .day(ifAny: $0.change?.from) },
        Column("proceeds", .number("@shared.proceeds")) {
          .formula("SUM(\(cells("outcome_\($0.number)")))", .money($0.sum.proceeds, base))
        }.coded { rounded($0.sum.proceeds).text }.told {
          Fraction(micros: $0.sum.proceeds).amountText(base)
        },
        Column("effect", .number("@plan.effect")) {
          $0.isBefore
            ? .blank : .formula("{proceeds}-{proceeds$\(first)}", .money(plan.effect($0.sum), base))
        }.coded { rounded(plan.effect($0.sum)).text }.told {
          let effect = plan.effect($0.sum)
          return $0.isBefore
            ? "" : (effect > 0 ? "+" : "") + Fraction(micros: effect).amountText(base)
        },
        Column("share", .number("@shared.in")) {
          $0.isBefore
            ? .blank
            : share($0).map { .formula("{effect}/{proceeds$\(first)}", .share($0)) } ?? .blank
        }.told(.number("")) { $0.isBefore ? "" : share($0)?.signedPercent ?? "-" },
        Column("net_per_thousand_coins", .number("@plan.net-per-1-000")) { outcome in
          outcome.sum.netPerThousand.map {
            let (coins, proceeds) = (cells("coins"), cells("outcome_\(outcome.number)"))
            return .formula(
              "1000*SUMIF(\(coins),\">0\",\(proceeds))/SUM(\(coins))", .quotient($0, places: 4))
          } ?? .blank
        }.toTheMillionth.told(.number("@plan.net-per-1-000-coins")),
        Column("net_share", .number("@shared.in")) {
          let net = "net_per_thousand_coins"
          return $0.isBefore
            ? .blank
            : netShare($0).map { .formula("{\(net)}/{\(net)$\(first)}-1", .share($0)) } ?? .blank
        }.told(.number("")) {
          $0.isBefore || $0.sum.netPerThousand == nil ? "" : netShare($0)?.signedPercent ?? "-"
        },
      ], scripts: ["change", "from", "proceeds", "effect", "net_per_thousand_coins"])
  }

  /// Micro-units of base currency, rounded half up to its minor unit.
  private func rounded(_ micros: Int64) -> Money {
    let unit = plan.baseCurrency.minorUnit
    return Money(
      micros: roundedHalfUp(Int128(micros), dividedBy: 1, toMultipleOf: unit), plan.baseCurrency)
  }

  /// How much more an outcome's proceeds are, as a part of those as they are; nil without any.
  private func share(_ outcome: Outcome) -> Fraction? {
    let before = plan.before.proceeds
    return before == 0 ? nil : Fraction(Int128(plan.effect(outcome.sum)), over: Int128(before))
  }

  /// How much more 1,000 coins net, as a part of what they net as things are; nil without that.
  private func netShare(_ outcome: Outcome) -> Fraction? {
    guard let net = outcome.sum.netPerThousand, let before = plan.before.netPerThousand,
      before != .zero
    else { return nil }
    return net / before - .one
  }

  /// The columns of what is sold: its figures, proceeds under each outcome, and the tiers that
  /// products are moved to.
  var sold: List<WhatIf.Row> {
    let names = ["@plan.as-it-is"] + plan.changes.map(\.name) + ["@plan.all-together"]
    return List(
      [
        Column("storefront", .text("@shared.storefront")) { .text($0.storefront.code) },
        Column("product", .text("@shared.product")) { .text(ifAny: $0.sku) },
        Column("currency", .text("@shared.currency")) { .text($0.before.plain.currency.code) },
        Column("units", .number("@shared.units")) { .integer($0.units) },
        Column("reduced_units", .number("@plan.after-a-year")) { .integer($0.reducedUnits) },
        Column("coins", .number("@shared.coins")) { row in
          .integer(ifAny: row.coins.map { $0.multipliedExactly(by: row.units) })
        },
        Column("price", .number("@shared.price")) {
          .money($0.before.plain.price, $0.before.plain.currency)
        },
        Column("tax", .number("@shared.tax")) { .ratio($0.before.plain.inside) },
        Column("deducted", .number("@plan.deducted")) { .ratio($0.before.plain.deducted) },
        Column("commission", .number("@shared.commission")) {
          .ratio($0.before.plain.commission)
        },
        Column("reduced_commission", .number("@plan.after-a-year")) {
          .ratio(ifAny: $0.before.reduced?.commission)
        },
        Column("worth", .number("@plan.worth")) { .quoted($0.worth) },
      ]
        + names.enumerated().map { outcome, name in
          Column("outcome_\(outcome)", .number(name)) { proceeds(of: $0, outcome) }
        } + plan.changes.indices.filter { plan.changes[$0].isTier }.flatMap(moved))
  }
}

extension WhatIfLists {
  /// The cell with the value of a change, by its index in the plan, as formulas write it. The rows
  /// of changes are below that of things as they are.
  private func valueCell(_ index: Int) -> String {
    "$\(value)$\(places[.outcomes].row(of: 1 + plan.ranking.firstIndex(of: index)!))"
  }

  /// The two columns of a change of tier: the price of the tier that a row's product is moved to,
  /// and the proceeds that the tier list has for it; blank where the change does not move it.
  private func moved(by change: Int) -> [Column<WhatIf.Row>] {
    [
      Column("price_\(change)", .number("@plan.tier-price")) { row in
        guard let (key, tier) = target(row, change) else { return .blank }
        return .formula(
          "IF(\(isMissing(key)),\"\",\(look("price", key)))",
          tier.map { .money($0.price) } ?? .text(""))
      },
      Column("listed_\(change)", .number("@plan.tier-proceeds")) { row in
        guard let (key, tier) = target(row, change) else { return .blank }
        let listed = look("listed", key)
        return .formula(
          "IF(\(isMissing(key)),\"\",IF(\(listed)=\"\",\"\",\(listed)))",
          tier?.listed.map { .money($0, row.before.plain.currency) } ?? .text(""))
      },
    ]
  }

  /// The key of the tier that a change moves a row's product to, as formulas write it, and that
  /// tier where there is one; nil where the change does not move the product.
  private func target(
    _ row: WhatIf.Row, _ change: Int
  ) -> (key: String, tier: WhatIf.TierChoice?)? {
    guard case .tier(_, let tier) = plan.changes[change].kind, row.moves.contains(change),
      !plan.tierChoices.isEmpty
    else { return nil }
    let own = plan.tierChoices.first {
      $0.storefront == row.storefront && $0.table == row.table && $0.tier == tierName(tier)
    }
    return ("\"\(row.storefront.code) \(row.table.rawValue) \"&\(valueCell(change))", own)
  }

  /// The cells of a column of the tiers that can be named.
  private func cells(_ column: String) -> String {
    let (letter, body) = (choices.letter(column), places[.choices])
    return "$\(letter)$\(body.firstRow):$\(letter)$\(body.lastRow)"
  }

  /// The formula's part that says whether no tier that can be named has a key.
  private func isMissing(_ key: String) -> String { "COUNTIF(\(cells("key")),\(key))=0" }

  /// The formula's part that takes a column's value from the tier with a key, below in the sheet.
  private func look(_ column: String, _ key: String) -> String {
    "INDEX(\(cells(column)),MATCH(\(key),\(cells("key")),0))"
  }

  /// The cell of a row's proceeds under an outcome, by the outcome's number.
  private func proceeds(of row: WhatIf.Row, _ outcome: Int) -> Cell {
    // Which of the tiers that a product is moved to counts, the last one first.
    let own = plan.tierChoices.isEmpty ? [] : Array(row.moves.reversed())
    let (terms, moves): (WhatIf.Terms, [Int]) =
      switch outcome {
      case 0: (row.before, [])
      case ...plan.changes.count: (row.alone[outcome - 1], own.filter { $0 == outcome - 1 })
      default: (row.together, own)
      }
    return .formula(
      formula(terms, before: row.before, moves),
      .money(terms.proceeds(of: row.units), plan.baseCurrency))
  }

  /// The formula of the proceeds of all units under some terms, from the row's own cells and the
  /// changes' values.
  ///
  /// - Parameters:
  ///   - before: the terms as they are.
  ///   - moves: the changes of its tier, of which the first counts that has a price here.
  private func formula(
    _ terms: WhatIf.Terms, before: WhatIf.Terms, _ moves: [Int]
  ) -> String {
    let origins = terms.origins
    let commission = origins.commission.map(valueCell) ?? "${commission}"
    let plain = unitFormula(
      terms.plain, origins, before: before.plain, commission: commission, moves)
    var unit = plain
    if let reduced = terms.reduced {
      let lower =
        origins.commission.map { "MIN(\(valueCell($0)),${reduced_commission})" }
        ?? "${reduced_commission}"
      let share =
        origins.share.map(valueCell) ?? "${reduced_units}/${units}"
      let second = unitFormula(
        reduced, origins, before: before.reduced, commission: lower, moves)
      unit = "((1-\(share))*\(plain)+\(share)*\(second))"
    }
    return "ROUND(${units}*\(unit)*\(worth(origins)),6)"
  }

  /// The formula's part with what the price's money is worth in base currency: the row's cell, or
  /// as a change sets or shifts it.
  private func worth(_ origins: WhatIf.Origins) -> String {
    guard let index = origins.worth else { return "${worth}" }
    if case .worthShift = plan.changes[index].kind {
      return "${worth}*(1+\(valueCell(index)))"
    }
    return valueCell(index)
  }

  /// The formula of one unit's proceeds under terms that some changes have made.
  ///
  /// - Parameters:
  ///   - origins: which change each figure of the terms comes from.
  ///   - before: the terms as they are; nil where the product has none at this commission.
  ///   - commission: the cell or formula with it.
  ///   - moves: the changes of its tier, of which the first counts that has a price here.
  private func unitFormula(
    _ terms: ProceedsTerms, _ origins: WhatIf.Origins, before: ProceedsTerms?,
    commission: String, _ moves: [Int]
  ) -> String {
    let changedTax = origins.tax.map(valueCell)
    let tax =
      changedTax
      ?? terms.taxFormula(commission: commission).map { "(\($0))" } ?? "${tax}"
    let places = ProceedsPlaces(
      price: "${price}", tax: tax,
      deducted: changedTax == nil ? "${deducted}" : "0",
      commission: commission)
    var own = terms
    // Where it is moved to no tier that is there, the tier that it had counts.
    if origins.price != nil { own.tierProceeds = changedTax == nil ? before?.tierProceeds : nil }
    var formula = own.proceedsFormula(places)
    for move in moves.reversed() {
      let (price, proceeds) = ("${price_\(move)}", "${listed_\(move)}")
      var there = places
      there.price = price
      var plain = terms
      plain.tierProceeds = nil
      let rule = plain.proceedsFormula(there)
      let listed =
        changedTax == nil
        ? "IF(AND(\(commission)=0.3,\(proceeds)<>\"\"),\(proceeds),\(rule))" : rule
      formula = "IF(\(price)=\"\",\(formula),\(listed))"
    }
    return formula
  }
}

extension WhatIf.Change {
  /// The cell with the value that the change sets.
  fileprivate var valueCell: Cell {
    switch kind {
    case .commission(let value, _), .afterOneYear(let value), .tax(let value, _),
      .worthShift(let value, _):
      .ratio(value)
    case .worth(let rate, _): .quoted(rate)
    case .tier(_, let tier): .text(tierName(tier))
    }
  }
}

extension List<WhatIf.TierChoice> {
  /// The columns of the tiers that can be named. The key, by which the cells of a moved product
  /// find a tier, is its storefront, table and name.
  fileprivate static var tierChoices: List {
    List([
      Column(.text("@shared.storefront")) { .text($0.storefront.code) },
      Column(.text("@shared.tier")) { .text($0.tier) },
      Column(.text("@shared.currency")) { .text($0.price.currency.code) },
      Column("price", .number("@shared.price")) { .money($0.price) },
      Column("listed", .number("@plan.proceeds-at-30")) {
        .money(ifAny: $0.listed, $0.price.currency)
      },
      Column("key", .number("@plan.key")) {
        .text("\($0.storefront.code) \($0.table.rawValue) \($0.tier)")
      },
    ])
  }
}
