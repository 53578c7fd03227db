import Billing
import Conclusions
import Matching
import Pricing

/// A planned rate, and where it is one.
struct RemarkedRate {
  var storefront: Storefront
  var terms: ProceedsTerms
  var unit: Int64
  var rate: RatePlan.PlannedRate
}

extension TierPlan {
  /// The rates of the nearest tiers, where there are any.
  var remarkedRates: [RemarkedRate] {
    rows.compactMap { row in
      guard let nearest = row.nearest, let rate = nearest.rate else { return nil }
      return RemarkedRate(
        storefront: row.storefront, terms: nearest.terms, unit: nearest.unit, rate: rate)
    }
  }
}

extension RatePlan {
  /// The rates of the plan's rows, where there are any.
  var remarkedRates: [RemarkedRate] {
    rows.compactMap { row in
      row.rate.map {
        RemarkedRate(storefront: row.storefront, terms: row.terms, unit: row.unit, rate: $0)
      }
    }
  }
}

/// A remark on the storefront whose rounded rate changes most how much money a coin leaves the
/// company, and on how many others it changes too; empty where no change is above
/// `Rules.roundedCoins`.
func roundingRemark(_ rates: [RemarkedRate]) -> [Wording] {
  let moved = rates.filter { $0.moved > Rules.roundedCoins }
  guard let most = moved.max(by: { $0.moved < $1.moved }) else { return [] }
  let others = Set(moved.map(\.storefront)).count - 1
  if others == 0 { return [most.wording] }
  let limit = percent(Rules.roundedCoins)
  return [
    counted(others, "@plan.more-than-in-1-other \(most.wording) \(limit)") {
      "@plan.more-than-in-other-storefronts \(most.wording) \(limit) \($0)"
    }
  ]
}

extension RemarkedRate {
  /// The part by which rounding the rate down raises what a coin leaves, in millionths; the largest
  /// number where no coin is left.
  fileprivate var moved: Int64 {
    if rate.isHeldUp || rate.exact <= .zero { return 0 }
    return rate.planned == 0 ? .max : (rate.exact / Fraction(Int128(rate.planned)) - .one).micros
  }

  /// The sentence that says what rounding does to the rate.
  fileprivate var wording: Wording {
    let currency = terms.currency
    let per = unit == 1 ? currency.code : "\(grouped(unit)) \(currency)"
    let exact = rate.exact.rateText
    return rate.planned == 0
      ? "@plan.rounding-leaves-no-coin \(storefront) \(exact) \(per)"
      : """
      @plan.rounding-lowers-the-rate \(storefront) \(exact) \(grouped(rate.planned)) \(per) \
      \(percent(moved))
      """
  }
}

/// Remarks on where Apple's commission of the day is not the 30 % that figures are often expected
/// by, and what the rates would be at it.
///
/// - Parameters:
///   - rates: commissions in millionths, by storefront.
///   - planned: the plan's rates.
///   - usual: the same rates at 30 %, in the same order; empty where none are compared.
func commissionRemarks(
  _ rates: [(storefront: Storefront, commission: Int64)], _ book: PriceBook, on day: Day,
  planned: [RemarkedRate] = [], usual: [RemarkedRate] = []
) -> [Wording] {
  var storefronts: [Int64: [Storefront]] = [:]
  for rate in rates where rate.commission != PriceBook.standardRate {
    if storefronts[rate.commission]?.contains(rate.storefront) ?? false { continue }
    storefronts[rate.commission, default: []].append(rate.storefront)
  }
  return storefronts.sorted { $0.key < $1.key }.map { commission, places in
    let held = book.terms(of: TermsScope(places[0]), on: day)
    let names = places.sorted().map(\.code).asList
    let own = exactPercent(commission)
    var text: Wording = "@plan.apple-commission-is-not-30 \(names) \(own)"
    if places.count == 1, held.rate == commission, let since = held.from {
      text = "@plan.apple-commission-is-since-not \(names) \(own) \(since)"
    }
    let known = planned.indices.first {
      planned[$0].terms.commission == commission && usual.indices.contains($0)
    }
    guard let known else { return text }
    let (rate, other) = (planned[known].rate.planned, usual[known].rate.planned)
    return rate == other
      ? "@plan.at-30-the-rate-would \(text)"
      : "@plan.at-30-the-rate-would-be-instead \(text) \(grouped(other)) \(grouped(rate))"
  }
}

/// What one unit of a planned product brings, where it is sold.
typealias PlannedTerms = (storefront: Storefront, sku: String, terms: ProceedsTerms)

/// Remarks on agreements of which nobody knows whether they were accepted by a day, one for all
/// storefronts at the same commissions, with the deduction of the first planned price both ways.
func openAgreementRemarks(
  _ rows: [PlannedTerms], _ book: PriceBook, on day: Day
) -> [Wording] {
  struct Open: Hashable {
    var name: String
    var without: Int64
    var with: Int64
  }
  var found: [(open: Open, first: PlannedTerms, other: ProceedsTerms, places: [Storefront])] = []
  for row in rows where row.terms.price > 0 {
    let (storefront, terms) = (row.storefront, row.terms)
    if found.contains(where: { $0.places.contains(storefront) }) { continue }
    let question = PriceQuestion(
      storefront: storefront, currency: terms.currency, price: terms.price, day: day, sku: row.sku)
    guard let name = book.openAgreements(question).last,
      let expected = try? book.quote(question, accepting: name).expectation
    else { continue }
    var other = terms
    (other.commission, other.proceeds) = (expected.basis.commission, expected.proceeds)
    let open = Open(name: name, without: terms.commission, with: other.commission)
    if let place = found.firstIndex(where: { $0.open == open }) {
      found[place].places.append(storefront)
    } else {
      found.append((open, row, other, [storefront]))
    }
  }
  return found.map { open, first, other, places in
    /// The part that Apple takes of the first price.
    func deduction(_ terms: ProceedsTerms) -> String {
      percent((Fraction.one - (terms.share ?? .zero)).micros)
    }
    let line = "agreements = [{ name = \"\(open.name)\", accepted = \(day) }]"
    return """
      @plan.agreement-is-open \(places.sorted().map(\.code).asList) \(open.name) \(day) \
      \(first.storefront) \(deduction(first.terms)) \(exactPercent(open.without)) \
      \(deduction(other)) \(exactPercent(open.with)) \(line)
      """
  }
}

/// Remarks on which of a plan's exchange rates into a currency are too old to be used.
func staleRateRemarks(
  _ currencies: some Sequence<Currency>, to currency: Currency, on day: Day, _ rates: RateBook
) -> [Wording] {
  Set(currencies).sorted().compactMap { other in
    guard let rate = rates.dated(from: other, to: currency, on: day), rate.isStale(on: day) else {
      return nil
    }
    return "@plan.exchange-rate-to-is \(other) \(currency) \(rate.day)"
  }
}
