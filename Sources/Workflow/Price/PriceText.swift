import Billing
import Languages
import Pricing
import Reporting

extension PriceAnswers {
  /// Writes the answers as `price` prints them.
  ///
  /// - Parameters:
  ///   - hasEveryRate: whether each commission gets an answer of its own, not only the one that
  ///     holds. Text compares them anyway.
  ///   - hasTables: whether text names the rows of tables that the figures come from.
  package func write(
    _ form: PriceForm, everyRate hasEveryRate: Bool, tables hasTables: Bool = false,
    to sink: ([UInt8]) throws -> Void
  ) throws {
    if form == .text, let rates = rates.first, self.rates.count == 1 {
      return try sink(Array(text(rates, hasTables).utf8))
    }
    try writePrices(form, to: sink) { emit in
      for (index, (quote, rates)) in zip(quotes, rates).enumerated() {
        if hasEveryRate {
          for rated in rates { try emit(row(rated.quote, rates)) }
        } else {
          for quote in [quote] + undecided[index] { try emit(row(quote, rates)) }
        }
      }
    }
  }

  /// An answer with the proceeds at the commissions that are compared.
  ///
  /// - Parameter rates: the same answer at every commission.
  private func row(_ quote: PriceQuote, _ rates: [RatedQuote]) -> PricedRow {
    PricedRow(
      quote,
      beside: PricedRow.compared.compactMap { rate in
        rates.first { $0.quote.expectation.basis.commission == rate }?.quote.expectation.proceeds
      })
  }

  /// One price for a person: what goes where, at each commission, and how that is known.
  ///
  /// - Parameters:
  ///   - rates: the answer at every commission.
  ///   - hasTables: whether the rows of tables that the figures come from are named.
  private func text(_ rates: [RatedQuote], _ hasTables: Bool) -> String {
    guard let quote = quotes.first else { return "" }
    let found = quote.expectation
    var text = "\(say(heading(quote)))\n\n\(figures(found))\n\(say("@price.at-each-commission"))\n"
    text += rateTable(rates) + "\n\(say("@price.by-the-rule \(found.rule)"))\n"
    let evidence = found.basis.taxEvidence?.wording ?? "@price.none-known"
    text += "\(say("@price.tax-evidence \(evidence)"))\n"
    guard hasTables, !sources.isEmpty else { return text }
    return text + "\n\(say("@price.by-the-tables"))\n" + sourceTable
  }

  /// The line that names price, storefront, day and tier.
  private func heading(_ quote: PriceQuote) -> Wording {
    let found = quote.expectation
    let price = "\(found.shown(found.price)) \(found.currency)"
    let name = StorefrontTable.builtIn.name(of: found.storefront)
    let place: Wording = name.map { "\(found.storefront) (\($0))" } ?? "\(found.storefront)"
    guard let tier = quote.tierPrice, tier.price == found.price else {
      return "@price.in \(price) \(place) \(found.day)"
    }
    return "@price.in-on-tier \(price) \(place) \(found.day) \(tier.tier)"
  }

  /// The table of what goes where: price, tax, commission, proceeds and total deduction.
  private func figures(_ found: PriceExpectation) -> String {
    var table = TextTable("lrll")
    table.add(say("@price.customer-price"), found.shown(found.price), found.currency.code, "")
    for part in taxParts(found) {
      table.add(say(part.name), found.shown(-part.amount), "", part.rate)
    }
    let commission = exactPercent(found.basis.commission)
    table.add(say("@shared.commission"), found.shown(-found.commission), "", commission)
    table.add(say("@shared.proceeds"), found.shown(found.proceeds), found.currency.code, "")
    let deduction = found.deduction.map { percent($0) } ?? "-"
    table.add(say("@price.total-deduction"), deduction, "", "")
    return table.text
  }

  /// What is taken off before the commission, in micro-units: tax inside the price, and a further
  /// deduction where there is one. Together they are the tax of the answer.
  private func taxParts(_ found: PriceExpectation) -> [(name: Wording, amount: Int64, rate: String)]
  {
    let basis = found.basis
    let further = roundedHalfUp(
      Int128(found.price) * Int128(basis.deducted), dividedBy: 1_000_000,
      toMultipleOf: found.currency.minorUnit)
    let known = basis.taxOrigin == .unknown ? say("@price.none-known") : exactPercent(basis.inside)
    var parts: [(name: Wording, amount: Int64, rate: String)] = [
      ("@shared.tax", found.tax - further, known)
    ]
    if basis.deducted != 0 {
      parts.append(("@price.further-deduction", further, exactPercent(basis.deducted)))
    }
    return parts
  }

  /// The table of tax, commission, proceeds and deduction at each commission, with who pays it.
  private func rateTable(_ rates: [RatedQuote]) -> String {
    var table = TextTable("rlrrrr")
    table.name(
      columns: "", "", "@shared.tax", "@shared.commission", "@shared.proceeds", "@shared.deduction")
    for rated in rates {
      let found = rated.quote.expectation
      let payers = rated.payers.map(\.wording).joined(separator: ", ")
      table.add(
        exactPercent(found.basis.commission),
        say(rated.holds ? "@price.as-above \(payers)" : payers),
        found.shown(found.tax), found.shown(found.commission), found.shown(found.proceeds),
        found.deduction.map { percent($0) } ?? "-")
    }
    return table.text
  }

  /// The table of the rows that the figures come from.
  private var sourceTable: String {
    var table = TextTable("llll")
    for source in sources {
      let days = "\(source.from?.description ?? "")..\(source.to?.description ?? "")"
      table.add(
        say(source.figure.wording), say(source.place), days == ".." ? say("@price.always") : days,
        say(source.evidence))
    }
    return table.text
  }
}

/// Many answers for a person, a line each, in columns.
func priceTable(_ rows: [PricedRow]) -> String {
  var table = TextTable("llrlrrrrrrrl")
  table.name(
    columns: "", "@shared.date", "@shared.price", "", "@shared.tax", "@shared.commission",
    "@price.commission-rate", "@shared.proceeds",
    "@shared.deduction",
    "@price.proceeds \(exactPercent(PricedRow.compared[0]))",
    "@price.proceeds \(exactPercent(PricedRow.compared[1]))", "@price.evidence-of-the-tax")
  for row in rows {
    let found = row.expectation
    let beside = row.beside.map { found.shown($0) } + ["", ""]
    table.add(
      found.storefront.code, found.day.description, found.shown(found.price), found.currency.code,
      found.shown(found.tax), found.shown(found.commission), exactPercent(found.basis.commission),
      found.shown(found.proceeds), found.deduction.map { percent($0) } ?? "-", beside[0], beside[1],
      say(found.basis.taxEvidence?.wording ?? "@price.none-known"))
  }
  return table.text
}

extension Payer {
  /// Who pays, and on which condition.
  fileprivate var wording: Wording {
    let who: Wording =
      switch commissionClass {
      case .standard: "@shared.standard"
      case .afterOneYear: "@price.subscriptions-after-one-year"
      case .smallBusiness: "@price.small-businesses"
      case .miniApps: "@shared.mini-apps"
      case .videoPartner: "@price.video-partners"
      case .newsPartner: "@price.news-partners"
      }
    guard let agreement else { return who }
    return agreement.isAccepted
      ? "@price.with \(who) \(agreement.name)" : "@price.without \(who) \(agreement.name)"
  }
}

extension PriceExpectation {
  /// An amount of the answer's currency, given in micro-units, as a person reads it.
  fileprivate func shown(_ micros: Int64) -> String { grouped(Money(micros: micros, currency)) }
}
