import Billing

/// A fiscal month's part of `truth.json`.
struct SettlementJSON {
  let month: TrueSettlement

  var text: String {
    let payout = fields([
      ("amount", amount(month.payout.amount, month.payout.currency)),
      ("currency", quoted(month.payout.currency.code)),
      ("paid_on", quoted(month.payout.day.description)),
    ])
    let parts = [
      "      \"period\": \(quoted(month.month.description))",
      list("storefronts", month.storefronts.map(object)),
      list("regions", month.regions.map(object)),
      "      \"payout\": \(payout)",
      list("findings", month.findings.map(object)),
    ]
    return "    {\n" + parts.joined(separator: ",\n") + "\n    }"
  }

  private func object(_ row: TrueStorefrontSettlement) -> String {
    fields([
      ("storefront", quoted(row.storefront.code)), ("currency", quoted(row.currency.code)),
      ("reported_proceeds", amount(row.reportedProceeds, row.currency)),
      ("carry_in", amount(row.carryIn, row.currency)),
      ("carry_out", amount(row.carryOut, row.currency)),
      ("difference", amount(row.difference, row.currency)),
      ("settled", amount(row.settled, row.currency)),
    ])
  }

  private func object(_ row: TrueRegionPayment) -> String {
    fields([
      ("region", quoted(row.region)), ("currency", quoted(row.currency.code)),
      ("settled", amount(row.settled, row.currency)),
      ("earned", amount(row.earned, row.currency)),
      ("adjustment", amount(row.adjustment, row.currency)),
      ("withholding", amount(row.withholding, row.currency)),
      ("input_tax", amount(row.inputTax, row.currency)),
      ("carried_balance", amount(row.carriedBalance, row.currency)),
      ("owed", amount(row.owed, row.currency)),
      ("proceeds", amount(row.proceeds, row.bankCurrency)),
      ("bank_currency", quoted(row.bankCurrency.code)),
    ])
  }

  private func object(_ finding: TrueSettlementFinding) -> String {
    fields([
      ("code", quoted(finding.code)), ("storefront", quoted(finding.place)),
      ("currency", quoted(finding.currency?.code)), ("date", quoted(finding.date.description)),
      ("sku", quoted(finding.sku)), ("units", finding.units.map { "\($0)" } ?? "null"),
      ("amount", finding.currency.map { amount(finding.amount, $0) } ?? "null"),
    ])
  }

  private func amount(_ micros: Int64?, _ currency: Currency) -> String {
    quoted(micros.map { Money(micros: $0, currency).text })
  }

  private func list(_ name: String, _ objects: [String]) -> String {
    guard !objects.isEmpty else { return "      \"\(name)\": []" }
    let lines = objects.map { "        \($0)" }.joined(separator: ",\n")
    return "      \"\(name)\": [\n\(lines)\n      ]"
  }
}
