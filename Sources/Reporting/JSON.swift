package import Billing

/// What `reconcile --format json` prints (SPEC section 6), without a final line feed.
package func reconciliationJSON(_ reconciliation: Reconciliation) -> String {
  var writer = JSONWriter(reserving: 4096 + reconciliation.findings.count * 1024)
  writer.write(reconciliation.inOutputOrder(), flush: { _ in })
  return writer.text()
}

/// The same bytes in runs of about 256 KiB, for a document too long to hold.
package func reconciliationJSON(
  _ reconciliation: Reconciliation, to sink: ([UInt8]) throws -> Void
) rethrows {
  let runLength = 256 * 1024
  var writer = JSONWriter(reserving: runLength + 16 * 1024)
  try writer.write(reconciliation.inOutputOrder()) { writer in
    if writer.byteCount >= runLength { try sink(writer.takeBytes()) }
  }
  try sink(writer.takeBytes())
}

extension JSONWriter {
  /// - Parameter flush: called between findings.
  fileprivate mutating func write(
    _ reconciliation: Reconciliation, flush: (inout JSONWriter) throws -> Void
  ) rethrows {
    try object { json in
      json.key("period")
      json.string(reconciliation.period.description)
      json.key("base_currency")
      json.string(reconciliation.baseCurrency.code)
      json.key("as_of")
      json.string(reconciliation.asOf.description)
      json.key("inputs")
      json.array(of: reconciliation.inputs) { $0.write($1) }
      json.key("cutoffs")
      json.array(of: reconciliation.cutoffs) { $0.write($1) }
      json.key("proceeds")
      json.array(of: reconciliation.proceeds) {
        $0.write($1, base: reconciliation.baseCurrency)
      }
      json.key("bridge")
      json.array(of: reconciliation.bridges) { $0.write($1) }
      json.key("payment_bridge")
      json.array(of: reconciliation.settlement?.payments ?? []) { $0.write($1) }
      json.key("findings")
      try json.array(of: reconciliation.findings) {
        $0.write($1)
        try flush(&$0)
      }
      json.key("patterns")
      json.array(of: reconciliation.patterns) { $0.write($1) }
      json.key("flow")
      json.array(of: reconciliation.flow) { $0.write($1) }
      json.key("totals")
      json.writeTotals(of: reconciliation)
    }
  }

  private mutating func writeTotals(of reconciliation: Reconciliation) {
    let counts = reconciliation.findingCounts
    object { json in
      json.key("findings")
      json.object { json in
        json.key("error")
        json.integer(counts[.error])
        json.key("warning")
        json.integer(counts[.warning])
        json.key("info")
        json.integer(counts[.info])
      }
      json.key("matched_units")
      json.integer(reconciliation.matchedUnits)
      json.key("unmatched_units")
      json.integer(reconciliation.unmatchedUnits)
    }
  }

  private mutating func write(_ input: InputFile) {
    object { json in
      json.key("kind")
      json.string(input.kind.rawValue)
      json.key("file")
      json.string(input.file)
      json.key("sha256")
      json.string(input.sha256)
      json.key("rows")
      json.integer(Int64(input.rows))
      json.key("from")
      json.string(input.from?.description)
      json.key("to")
      json.string(input.to?.description)
      json.key("status")
      json.string(input.status.rawValue)
    }
  }

  private mutating func write(_ cutoff: Cutoff) {
    object { json in
      json.key("storefront")
      json.string(cutoff.storefront.code)
      json.key("rule")
      json.string(cutoff.rule)
      json.key("zone")
      json.string(cutoff.zone)
      json.key("utc_offset_minutes")
      json.integer(Int64(cutoff.utcOffsetMinutes))
      json.key("confidence")
      json.decimal(cutoff.confidence)
      json.key("residual_units")
      json.integer(cutoff.residualUnits)
      json.key("runner_up")
      json.string(cutoff.runnerUp)
    }
  }

  private mutating func write(_ line: ProceedsLine, base: Currency) {
    object { json in
      json.key("storefront")
      json.string(line.storefront.code)
      json.key("currency")
      json.string(line.currency.code)
      json.key("proceeds_currency")
      json.string(line.proceedsCurrency.code)
      json.key("units_sold")
      json.integer(line.unitsSold)
      json.key("units_refunded")
      json.integer(line.unitsRefunded)
      json.key("gross")
      json.money(line.gross, line.currency)
      json.key("tax")
      json.money(line.tax, line.currency)
      json.key("commission")
      json.money(line.commission, line.currency)
      json.key("proceeds")
      json.money(line.proceeds, line.proceedsCurrency)
      json.key("deduction")
      json.decimal(line.deduction)
      json.key("proceeds_base")
      json.money(line.proceedsBase, base)
      json.key("rate")
      json.decimal(line.rate)
    }
  }

  private mutating func write(_ bridge: Bridge) {
    object { json in
      json.key("storefront")
      json.string(bridge.storefront)
      json.key("currency")
      json.string(bridge.currency.code)
      json.key("steps")
      json.array(of: bridge.steps) { $0.write($1) }
      json.key("unexplained")
      json.money(bridge.unexplained, bridge.currency)
    }
  }

  private mutating func write(_ step: BridgeStep) {
    object { json in
      json.key("cause")
      json.string(step.cause.rawValue)
      json.key("units")
      json.integer(step.units)
      json.key("amount")
      json.money(step.amount, step.currency)
      json.key("currency")
      json.string(step.currency.code)
      json.key("total")
      json.bool(step.isTotal)
    }
  }

  /// A finding as `reconcile` prints it.
  package mutating func write(_ finding: Finding) {
    object { json in
      json.key("code")
      json.string(finding.code.rawValue)
      json.key("severity")
      json.string(finding.severity.rawValue)
      json.key("level")
      json.integer(Int64(finding.code.level))
      json.key("storefront")
      json.string(finding.storefront?.code)
      json.key("currency")
      json.string(finding.currency?.code)
      json.key("date")
      json.string(finding.date?.description)
      json.key("sku")
      json.string(finding.sku)
      json.key("units")
      json.integer(finding.units)
      json.key("amount")
      json.decimal(finding.amount, minimumDigits: finding.currency?.minorDigits ?? 2)
      json.key("order_ids")
      json.array(of: finding.orderIDs) { $0.string($1) }
      json.key("transaction_ids")
      json.array(of: finding.transactionIDs) { $0.string($1) }
      json.key("sources")
      json.array(of: finding.sources) { $0.write($1) }
      json.key("explanation")
      json.string(finding.explanation.english)
      json.key("action")
      json.string(finding.action.english)
      json.key("id")
      json.string(finding.id)
      json.writeWork(of: finding)
    }
  }

  private mutating func write(_ source: Source) {
    object { json in
      json.key("file")
      json.string(source.file)
      json.key("line")
      json.integer(Int64(source.line))
    }
  }

  /// An amount at its currency's minor digits, or at as many more as it needs.
  package mutating func money(_ micros: Int64?, _ currency: Currency) {
    decimal(micros, minimumDigits: currency.minorDigits)
  }
}
