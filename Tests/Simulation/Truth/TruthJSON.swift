import Billing

extension Truth {
  /// `truth.json`: amounts as decimal text, what is left open as null.
  package var json: String {
    var members = [
      member("period", text: period.description), member("day_rule", text: dayRule.rawValue),
      "  \"seed\": \(seed)", list("expected", expected) { $1.put($0) },
    ]
    if !leftOut.isEmpty {
      members.append(list("left_out", leftOut) { $1.put($0) })
    }
    if !patterns.isEmpty { members.append(list("patterns", patterns) { $1.put($0) }) }
    members += [
      list("boundaries", boundaries) { $1.put($0) }, list("proceeds", proceeds) { $1.put($0) },
      list("ledger", ledger) { total, json in
        json.put(total.storefront, total.currency)
        json.put("gross", total.gross, total.currency)
      },
      list("apps", appUnits.sorted { $0.key < $1.key }) { units, json in
        json.put("storefront", units.key.code)
        json.put("units", number: units.value)
      },
    ]
    if !stages.isEmpty { members.append(list("stages", stages) { $1.put($0) }) }
    if let coins { members.append("  \"coins\": \(coins.json)") }
    if let settlement {
      let months = settlement.map { "    \($0.json)" }.joined(separator: ",\n")
      members.append("  \"settlement\": [\n\(months)\n  ]")
    }
    members.append("  \"counts\": \(text { $0.put(counts) })")
    return page(members) + "\n"
  }
}

extension TrueCoins {
  fileprivate var json: String {
    var members = [list("expected", expected, depth: 4) { $1.put($0) }]
    if !leftOut.isEmpty { members.append(list("left_out", leftOut, depth: 4) { $1.put($0) }) }
    members += [
      list("flows", flows, depth: 4) { $1.put($0) },
      list("balances", balances, depth: 4) { $1.put($0) },
    ]
    return page(members, depth: 2)
  }
}

extension TrueSettlement {
  fileprivate var json: String {
    let paid = text { json in
      json.put("amount", payout.amount, payout.currency)
      json.put("currency", payout.currency.code)
      json.put("paid_on", payout.day.description)
    }
    let members = [
      member("period", text: month.description, depth: 6),
      list("storefronts", storefronts, depth: 6) { $1.put($0) },
      list("regions", regions, depth: 6) { $1.put($0) }, "      \"payout\": \(paid)",
      list("findings", findings, depth: 6) { $1.put($0) },
    ]
    return page(members, depth: 4)
  }
}

extension SimulatedJSON {
  fileprivate mutating func put(_ storefront: Storefront, _ currency: Currency) {
    put("storefront", storefront.code)
    put("currency", currency.code)
  }

  /// An amount in micro-units of `currency`.
  fileprivate mutating func put(
    _ key: StaticString, _ micros: Int64?, _ currency: Currency?
  ) {
    put(
      key,
      optional: micros.flatMap { micros in currency.map { Money(micros: micros, $0).text } })
  }

  private mutating func put(_ key: StaticString, ids: [String]) {
    array(key) { json in
      for id in ids { json.element(.text(id)) }
    }
  }

  fileprivate mutating func put(_ finding: ExpectedFinding) {
    put("code", finding.code.rawValue)
    put("storefront", optional: finding.storefront?.code)
    put("date", optional: finding.date?.description)
    put("sku", optional: finding.sku)
    put("units", number: finding.units)
    put("amount", finding.amount, finding.currency)
    put("currency", optional: finding.currency?.code)
    put("order_ids", ids: finding.orderIDs)
    put("transaction_ids", ids: finding.transactionIDs)
  }

  fileprivate mutating func put(_ left: LeftOutFaults) {
    put("kind", left.kind)
    put("asked", number: left.asked)
    put("made", number: left.made)
  }

  fileprivate mutating func put(_ finding: TrueCoinFinding) {
    put("code", finding.code)
    put("date", finding.date.description)
    put("user_id", optional: finding.user)
    put("order_id", optional: finding.orderID)
    put("sku", optional: finding.sku)
    put("coin", finding.coin)
    put("channel", optional: finding.channel)
    put("coins", number: finding.coins)
    put("amount", finding.amount, finding.currency)
    put("currency", optional: finding.currency?.code)
  }

  fileprivate mutating func put(_ row: TrueCoinDay) {
    put("date", row.day.description)
    put("coin", row.coin)
    put("channel", row.channel)
    put("sold", number: row.sold)
    put("granted", number: row.granted)
    put("given", number: row.given)
    put("spent", number: row.spent)
    put("expired", number: row.expired)
    put("taken_back", number: row.takenBack)
    put("adjusted", number: row.adjusted)
    put("paid", number: row.paid)
    put("free", number: row.free)
  }

  fileprivate mutating func put(_ balance: TrueCoinBalance) {
    put("date", balance.day.description)
    put("user_id", balance.user)
    put("coin", balance.coin)
    put("channel", balance.channel)
    put("paid", number: balance.paid)
    put("free", number: balance.free)
  }

  fileprivate mutating func put(_ pattern: ExpectedPattern) {
    put("code", pattern.code.rawValue)
    put("dimension", pattern.dimension.rawValue)
    put("value", optional: pattern.value.isEmpty ? nil : pattern.value)
    put("from", optional: pattern.span?.lowerBound.description)
    put("to", optional: pattern.span?.upperBound.description)
    put("findings", number: pattern.findings)
  }

  fileprivate mutating func put(_ boundary: TrueBoundary) {
    put("storefront", boundary.storefront.code)
    put("units", number: boundary.units)
    put("rule", boundary.rule)
    put("zone", boundary.zone)
    put("utc_offset_minutes", number: boundary.utcOffsetMinutes)
  }

  fileprivate mutating func put(_ stage: TrueStageDay) {
    put("date", stage.day.description)
    put("stage", stage.stage)
    put("events", number: stage.events)
    put("failed", number: stage.failed)
    put("cancelled", number: stage.cancelled)
    put("median_ms", number: stage.medianDuration)
    put("p95_ms", number: stage.lateDuration)
  }

  fileprivate mutating func put(_ row: TrueProceeds) {
    put(row.storefront, row.currency)
    put("proceeds_currency", row.proceedsCurrency.code)
    put("units_sold", number: row.unitsSold)
    put("units_refunded", number: row.unitsRefunded)
    put("gross", row.gross, row.currency)
    put("proceeds", row.proceeds, row.proceedsCurrency)
    put("partial_refund_gross", row.partialRefundGross, row.currency)
    put("partial_refund_proceeds", row.partialRefundProceeds, row.proceedsCurrency)
  }

  fileprivate mutating func put(_ counts: TrueCounts) {
    put("orders", number: counts.orders)
    put("transactions", number: counts.transactions)
    put("sales_rows", number: counts.salesRows)
    put("sales_reports", number: counts.salesReports)
    guard let apple = counts.apple else { return }
    put("receipts", number: apple.receipts)
    put("notifications_v1", number: apple.notificationsV1)
    put("notifications_v2", number: apple.notificationsV2)
    put("history_transactions", number: apple.historyTransactions)
    put("transactions_only_apple_told", number: apple.transactionsOnlyHere)
  }

  fileprivate mutating func put(_ row: TrueStorefrontSettlement) {
    put(row.storefront, row.currency)
    put("reported_proceeds", row.reportedProceeds, row.currency)
    put("carry_in", row.carryIn, row.currency)
    put("carry_out", row.carryOut, row.currency)
    put("difference", row.difference, row.currency)
    put("settled", row.settled, row.currency)
  }

  fileprivate mutating func put(_ row: TrueRegionPayment) {
    put("region", row.region)
    put("currency", row.currency.code)
    put("settled", row.settled, row.currency)
    put("earned", row.earned, row.currency)
    put("adjustment", row.adjustment, row.currency)
    put("withholding", row.withholding, row.currency)
    put("input_tax", row.inputTax, row.currency)
    put("carried_balance", row.carriedBalance, row.currency)
    put("owed", row.owed, row.currency)
    put("proceeds", row.proceeds, row.bankCurrency)
    put("bank_currency", row.bankCurrency.code)
  }

  fileprivate mutating func put(_ finding: TrueSettlementFinding) {
    put("code", finding.code)
    put("storefront", optional: finding.place)
    put("currency", optional: finding.currency?.code)
    put("date", finding.date.description)
    put("sku", optional: finding.sku)
    put("units", number: finding.units)
    put("amount", finding.amount, finding.currency)
  }
}

private func text(_ fields: (inout SimulatedJSON) -> Void) -> String {
  String(decoding: SimulatedJSON(fields).bytes, as: UTF8.self)
}

private func member(_ name: String, text: String, depth: Int = 2) -> String {
  "\(blanks(depth))\"\(name)\": \"\(text)\""
}

/// An object with a line for each member.
private func page(_ members: [String], depth: Int = 0) -> String {
  "{\n" + members.joined(separator: ",\n") + "\n\(blanks(depth))}"
}

/// A member that is a list with a line for each object.
private func list<Row>(
  _ name: String, _ rows: [Row], depth: Int = 2, _ fields: (Row, inout SimulatedJSON) -> Void
) -> String {
  let lines = rows.map { row in blanks(depth + 2) + text { fields(row, &$0) } }
  let inside = lines.isEmpty ? "" : "\n" + lines.joined(separator: ",\n") + "\n\(blanks(depth))"
  return "\(blanks(depth))\"\(name)\": [\(inside)]"
}

private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
