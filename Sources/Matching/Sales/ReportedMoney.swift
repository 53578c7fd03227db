package import Billing
package import Conclusions
import Pricing

extension SalesReports {
  /// Apple's money of the period by bridge step: apps and credits, tax and commission by the rule,
  /// and what Apple really pays.
  func reportedMoney() -> BridgeSteps {
    var bridge = BridgeSteps()
    for (index, group) in groups.groups.enumerated() where isCounted(index) {
      guard let currency = currency(of: group), let expected = knownQuote(group) else { continue }
      let storefront = group.terms.storefront
      let units = group.units
      bridge.add(.reportedGross, storefront, currency, units: units, amount: group.gross)
      if group.type != .covered {
        bridge.add(.apps, storefront, currency, units: units, amount: group.gross)
      } else if group.zeroRows > 0 {
        bridge.add(.partialRefund, storefront, currency, units: 0, amount: group.gross)
      }
      let signed = units - group.zeroRows
      let expectedProceeds = expected.proceeds.multipliedExactly(by: signed)
      bridge.add(
        .tax, storefront, currency, units: 0, amount: -expected.tax.multipliedExactly(by: signed))
      bridge.add(
        .commission, storefront, currency, units: 0,
        amount: -expected.commission.multipliedExactly(by: signed))
      let paid = group.terms.proceedsCurrency ?? currency
      bridge.add(.reportedProceeds, storefront, paid, units: units, amount: group.proceeds)
      if paid == currency {
        bridge.add(
          .proceedsDifference, storefront, currency, units: 0,
          amount: group.proceeds - expectedProceeds)
      } else {
        bridge.add(.exchange, storefront, currency, units: 0, amount: -expectedProceeds)
        bridge.add(.exchange, storefront, paid, units: 0, amount: group.proceeds)
      }
    }
    return bridge
  }

  /// What Apple's rows of the period add up to, per storefront and pair of currencies; ascending by
  /// their codes.
  package func proceedsLines(rates: RateBook) -> [ProceedsLine] {
    struct Key: Hashable {
      var storefront: Storefront
      var currency: Currency
      var paid: Currency
    }
    var places: [Key: Int] = [:]
    var lines: [ProceedsLine] = []
    // Groups of a storefront stand together.
    var last: (key: Key, place: Int)?
    for (index, group) in groups.groups.enumerated() where isCounted(index) {
      guard let currency = currency(of: group), let quote = knownQuote(group) else { continue }
      let key = Key(
        storefront: group.terms.storefront, currency: currency,
        paid: group.terms.proceedsCurrency ?? currency)
      let place = last?.key == key ? last!.place : places[key, default: lines.count]
      if place == lines.count {
        places[key] = place
        lines.append(
          ProceedsLine(
            storefront: key.storefront, currency: key.currency, proceedsCurrency: key.paid))
      }
      last = (key, place)
      if group.units > 0 {
        lines[place].unitsSold += group.units
      } else {
        lines[place].unitsRefunded -= group.units
      }
      lines[place].gross.micros += group.gross
      lines[place].tax.micros += quote.tax
        .multipliedExactly(by: group.units - group.zeroRows)
      lines[place].proceeds.micros += group.proceeds
    }
    return lines.map { line in
      var line = line
      line.complete(in: context.settings.baseCurrency, rates: rates, on: context.period.last)
      return line
    }
    .sorted {
      ($0.storefront.code, $0.currency.code, $0.proceedsCurrency.code)
        < ($1.storefront.code, $1.currency.code, $1.proceedsCurrency.code)
    }
  }
}

extension ProceedsLine {
  /// Computes what follows from gross, tax and proceeds: commission and deduction, where proceeds
  /// have the same currency, and the proceeds in base currency at the last rate on or before `day`,
  /// nil without one.
  package mutating func complete(in base: Currency, rates: RateBook, on day: Day) {
    if currency == proceedsCurrency {
      commission = gross - tax - proceeds
      deduction = PriceExpectation.deduction(
        price: gross.micros, proceeds: proceeds.micros)
    }
    rate = rates.rate(from: proceedsCurrency, to: base, on: day)
    proceedsBase = rate.map { proceeds.converted(at: $0, to: base) }
  }
}
