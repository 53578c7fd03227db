package import Billing

/// Why a price should bring what it should: the rates that apply and where they come from.
package struct PriceBasis: Hashable, Sendable {
  /// Who says what is taken off before the commission.
  package enum TaxOrigin: Hashable, Sendable {
    /// The built-in table.
    case table
    /// The company's own file.
    case override
    /// Apple's own rows, which agree on another one than the table has.
    case rows
    /// Nobody: nothing is taken off.
    case unknown
  }

  /// How proceeds come from the price.
  package enum Method: Hashable, Sendable {
    /// price × (1 − deducted) ÷ (1 + inside) × (1 − commission), rounded once.
    case formula
    /// As the US list has it: the price less `priceMarkup` is the US price, and what that brings
    /// plus `proceedsMarkup` are the proceeds. Millionths.
    case usCopy(usPrice: Int64, priceMarkup: Int64, proceedsMarkup: Int64)
    /// The tier table says so itself.
    case tier(String)
    /// price × a factor that Apple's list of the time has rounded up at seven places: its digits.
    case factor(String)
  }

  package var taxOrigin: TaxOrigin
  /// Nil where no tax is known.
  package var taxEvidence: TaxEvidence?
  /// Tax inside the price, millionths of the net price.
  package var inside: Int64
  /// What of `inside` does not hang on the commission.
  package var vat: Int64
  /// Further deduction, millionths of the price; below zero where rows bring more than the table.
  package var deducted: Int64
  /// Millionths of the commission that are a tax, too; 0 where none hangs on the commission.
  package var commissionShare: Int64
  /// Millionths of the net price.
  package var commission: Int64
  /// Nil where the caller named the rate.
  package var terms: HeldTerms?
  package var commissionClass: CommissionClass? { terms?.commissionClass }
  package var method: Method
}

extension PriceExpectation {
  /// The rule with its figures, in one line for a person.
  package var rule: Wording {
    "\(calculation): \(taxWords), \(commissionWords)"
  }

  /// The calculation from the price to the proceeds, with its figures.
  private var calculation: Wording {
    switch basis.method {
    case .formula:
      return Wording(verbatim: "\(amount(price))\(factors) = \(amount(proceeds)) \(currency)")
    case .factor(let factor):
      return """
        @price-basis.factor-1-rounded-up \(amount(price)) \(factor) \(amount(proceeds)) \
        \(currency) \(factors)
        """
    case .tier(let tier):
      return """
        @price-basis.as-the-tier-table-has \(amount(proceeds)) \(currency) \(tier) \
        \(amount(price))
        """
    case .usCopy(let usPrice, let priceMarkup, let proceedsMarkup):
      let cent = PriceBook.countsOneCentMore(usPrice: usPrice, commission: basis.commission)
      let counted = cent ? "(\(amount(usPrice)) + 0.01)" : amount(usPrice)
      let markup = proceedsMarkup == 0 ? "" : " × \(factor(1_000_000 + proceedsMarkup))"
      let rate = factor(1_000_000 - basis.commission)
      let formula = "\(counted) × \(rate)\(markup) = \(amount(proceeds)) \(currency)"
      if priceMarkup == 0 { return "@price-basis.as-in-the-us-list \(formula)" }
      let origin = "\(amount(price)) ÷ \(factor(1_000_000 + priceMarkup)) = \(amount(usPrice))"
      return "@price-basis.as-in-the-us-list-2 \(formula) \(origin)"
    }
  }

  /// What the price is multiplied with and divided by: deduction, tax, commission.
  private var factors: String {
    var text = ""
    if basis.deducted != 0 { text += " × \(factor(1_000_000 - basis.deducted))" }
    if basis.inside != 0 { text += " ÷ \(factor(1_000_000 + basis.inside))" }
    return text + " × \(factor(1_000_000 - basis.commission))"
  }

  /// What is taken off before the commission, and by whose table, in words.
  private var taxWords: Wording {
    if basis.taxOrigin == .unknown {
      return "@price-basis.no-tax-known \(storefront) \(currency)"
    }
    if basis.inside == 0, basis.deducted == 0 {
      return basis.taxOrigin == .override
        ? "@price-basis.no-tax-by-the-company" : "@price-basis.no-tax-in-the-price"
    }
    var text: Wording = "@price-basis.tax-in-the-price \(exactPercent(basis.inside))"
    if basis.commissionShare != 0, basis.vat == 0 {
      text += "@price-basis.of-the-commission \(exactPercent(basis.commissionShare))"
    } else if basis.commissionShare != 0 {
      text += """
        @price-basis.of-which-vat \(exactPercent(basis.vat)) \
        \(exactPercent(basis.commissionShare))
        """
    }
    if basis.deducted > 0 { text += "@price-basis.deducted \(exactPercent(basis.deducted))" }
    if basis.deducted < 0 { text += "@price-basis.less-deducted \(exactPercent(-basis.deducted))" }
    switch basis.taxOrigin {
    case .override: return text + "@price-basis.by-the-company-table"
    case .rows: return text + "@price-basis.by-apple-rows"
    case .table, .unknown: return text
    }
  }

  /// The commission, its terms and its class, in words.
  private var commissionWords: Wording {
    let text: Wording = "@shared.commission-2 \(exactPercent(basis.commission))"
    guard let terms = basis.terms else { return text }
    let named = terms.name == "standard" ? text : "@price-basis.by \(text) \(terms.name)"
    return switch terms.commissionClass {
    case .standard: named
    case .afterOneYear: named + "@price-basis.after-one-year"
    case .smallBusiness: named + "@price-basis.for-a-small-business"
    case .miniApps: named + "@price-basis.for-mini-apps"
    case .videoPartner: named + "@price-basis.for-a-video-partner"
    case .newsPartner: named + "@price-basis.for-a-news-partner"
    }
  }

  /// An amount in micro-units as text, with its thousands apart.
  private func amount(_ micros: Int64) -> String {
    grouped(decimal: decimalText(micros: micros, minimumDigits: currency.minorDigits))
  }

  /// Millionths as a decimal: `0.7` is written `0.70`.
  private func factor(_ millionths: Int64) -> String {
    decimalText(micros: millionths, minimumDigits: 2)
  }
}
