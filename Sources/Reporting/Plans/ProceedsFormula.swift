import Billing
import Pricing

/// Where the figures stand that a formula for proceeds reads: references of cells, or terms.
struct ProceedsPlaces {
  var price: String
  /// Tax inside the price, of the net price.
  var tax: String
  var deducted: String
  var commission: String
}

extension ProceedsTerms {
  /// The formula of a unit's proceeds over cells, by the rule that made `proceeds`; the tier list's
  /// own figure counts at a commission of 30 %.
  func proceedsFormula(_ places: ProceedsPlaces) -> String {
    let rule = ruleFormula(places)
    guard let tierProceeds else { return rule }
    return "IF(\(places.commission)=0.3,\(decimalText(micros: tierProceeds)),\(rule))"
  }

  /// The formula of the tax inside the price over the cell of the commission; nil where it does not
  /// hang on it.
  func taxFormula(commission: String) -> String? {
    if commissionShare == 0 { return nil }
    let share = "\(decimalText(micros: commissionShare))*\(commission)"
    if inside == 0 { return share }
    let (vat, net) = (decimalText(micros: inside), decimalText(micros: 1_000_000 + inside))
    return "ROUND(\(vat)+\(net)*\(share),6)"
  }

  /// The formula of a unit's proceeds by the rule, the tier list's figure left aside.
  private func ruleFormula(_ places: ProceedsPlaces) -> String {
    let digits = currency.minorDigits
    guard let usList else {
      let net = "\(places.price)*(1-\(places.deducted))/(1+\(places.tax))"
      return rounded("\(net)*(1-\(places.commission))", digits)
    }
    let usPrice =
      usList.priceMarkup == 0
      ? places.price : "ROUND(\(places.price)/\(factor(usList.priceMarkup)),2)"
    let cent =
      "IF(AND(\(places.commission)=0.3,MOD(ROUND(\(usPrice)*100,0),10)=9),0.01,0)"
    let markup = usList.proceedsMarkup == 0 ? "" : "*\(factor(usList.proceedsMarkup))"
    return rounded("(\(usPrice)+\(cent))*(1-\(places.commission))\(markup)", digits)
  }

  /// The formula of an amount rounded to decimal places. A half is rounded up even where a binary
  /// number lacks something of it in the tenth place.
  private func rounded(_ amount: String, _ digits: Int) -> String {
    "ROUND(ROUND(\(amount),9),\(digits))"
  }

  /// One and a markup in millionths, as a decimal.
  private func factor(_ markup: Int64) -> String { decimalText(micros: 1_000_000 + markup) }
}
