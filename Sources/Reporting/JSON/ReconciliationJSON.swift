package import Billing
import Languages
package import Matching

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
      json.string("period", reconciliation.period.description)
      json.string("base_currency", reconciliation.baseCurrency.code)
      json.string("as_of", reconciliation.asOf.description)
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
        json.integer("error", counts[.error])
        json.integer("warning", counts[.warning])
        json.integer("info", counts[.info])
      }
      json.integer("matched_units", reconciliation.matchedUnits)
      json.integer("unmatched_units", reconciliation.unmatchedUnits)
    }
  }

  private mutating func write(_ input: InputFile) {
    object { json in
      json.string("kind", input.kind.rawValue)
      json.string("file", input.file)
      json.string("sha256", input.sha256)
      json.integer("rows", Int64(input.rows))
      json.string("from", input.from?.description)
      json.string("to", input.to?.description)
      json.string("status", input.status.rawValue)
    }
  }

  private mutating func write(_ cutoff: Cutoff) {
    object { json in
      json.string("storefront", cutoff.storefront.code)
      json.string("rule", cutoff.rule)
      json.string("zone", cutoff.zone)
      json.integer("utc_offset_minutes", Int64(cutoff.utcOffsetMinutes))
      json.decimal("confidence", cutoff.confidence)
      json.integer("residual_units", cutoff.residualUnits)
      json.string("runner_up", cutoff.runnerUp)
    }
  }

  private mutating func write(_ line: ProceedsLine, base: Currency) {
    object { json in
      json.string("storefront", line.storefront.code)
      json.string("currency", line.currency.code)
      json.string("proceeds_currency", line.proceedsCurrency.code)
      json.integer("units_sold", line.unitsSold)
      json.integer("units_refunded", line.unitsRefunded)
      json.key("gross")
      json.money(line.gross, line.currency)
      json.key("tax")
      json.money(line.tax, line.currency)
      json.key("commission")
      json.money(line.commission, line.currency)
      json.key("proceeds")
      json.money(line.proceeds, line.proceedsCurrency)
      json.decimal("deduction", line.deduction)
      json.key("proceeds_base")
      json.money(line.proceedsBase, base)
      json.decimal("rate", line.rate)
    }
  }

  private mutating func write(_ bridge: Bridge) {
    object { json in
      json.string("storefront", bridge.storefront)
      json.string("currency", bridge.currency.code)
      json.key("steps")
      json.array(of: bridge.steps) { $0.write($1) }
      json.key("unexplained")
      json.money(bridge.unexplained, bridge.currency)
    }
  }

  private mutating func write(_ step: BridgeStep) {
    object { json in
      json.string("cause", step.cause.rawValue)
      json.integer("units", step.units)
      json.key("amount")
      json.money(step.amount, step.currency)
      json.string("currency", step.currency.code)
      json.key("total")
      json.bool(step.isTotal)
    }
  }

  /// A finding as `reconcile` prints it.
  package mutating func write(_ finding: Finding) {
    object { json in
      json.string("code", finding.code.rawValue)
      json.string("severity", finding.severity.rawValue)
      json.integer("level", Int64(finding.code.level))
      json.string("storefront", finding.storefront?.code)
      json.string("currency", finding.currency?.code)
      json.string("date", finding.date?.description)
      json.string("sku", finding.sku)
      json.integer("units", finding.units)
      json.decimal("amount", finding.amount, minimumDigits: finding.currency?.minorDigits ?? 2)
      json.key("order_ids")
      json.array(of: finding.orderIDs) { $0.string($1) }
      json.key("transaction_ids")
      json.array(of: finding.transactionIDs) { $0.string($1) }
      json.key("sources")
      json.array(of: finding.sources) { $0.write($1) }
      json.string("explanation", say(finding.explanation))
      json.string("action", say(finding.action))
      json.string("id", finding.id)
      json.writeWork(of: finding)
    }
  }

  private mutating func write(_ source: Source) {
    object { json in
      json.string("file", source.file)
      json.integer("line", Int64(source.line))
    }
  }

  /// An amount at its currency's minor digits, or at as many more as it needs.
  package mutating func money(_ micros: Int64?, _ currency: Currency) {
    decimal(micros, minimumDigits: currency.minorDigits)
  }
}
