package import Billing
import Languages
package import Conclusions

/// What `reconcile --format json` prints, without a final line feed.
package func reconciliationJSON(_ reconciliation: Reconciliation) -> String {
  var writer = JSONWriter(reserving: 4096 + reconciliation.findings.count * 1024)
  writer.write(reconciliation.inOutputOrder(), flush: { _ in })
  return writer.text()
}

/// What `reconcile --format json` prints, without a final line feed, in runs of about 256 KiB: for
/// a document too long to hold.
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
  /// An object of the whole reconciliation, which must be in output order.
  ///
  /// - Parameter flush: called after some findings.
  fileprivate mutating func write(
    _ reconciliation: Reconciliation, flush: (inout JSONWriter) throws -> Void
  ) rethrows {
    try object { json in
      json.string("period", reconciliation.period.description)
      json.string("base_currency", reconciliation.baseCurrency.code)
      json.string("as_of", reconciliation.asOf.description)
      json.key("basis")
      json.writeBasis(of: reconciliation)
      json.lines("inputs", reconciliation.inputs, of: .inputs)
      json.lines("cutoffs", reconciliation.dayBoundaries, of: .dayBoundaries)
      json.lines("terms", reconciliation.terms, of: .terms)
      json.lines(
        "proceeds", reconciliation.proceeds, of: .proceeds(inBase: reconciliation.baseCurrency))
      json.lines("bridge", reconciliation.bridges, of: .bridges)
      json.lines("payment_bridge", reconciliation.settlement?.payments ?? [], of: .paymentBridge)
      if let changes = reconciliation.settlement?.changes, !changes.isEmpty {
        json.lines("payment_changes", changes, of: .paymentChanges)
      }
      if let basis = reconciliation.openingBasis {
        json.object("receivable_opening") { json in
          json.string("basis", basis.rawValue)
          json.string("assumption", basis.assumption.map { say($0) })
          let gaps = reconciliation.openingGaps
          if !gaps.isEmpty { json.lines("left_out", gaps, of: .openingGaps) }
        }
      }
      if !reconciliation.receivable.isEmpty {
        let base = reconciliation.baseCurrency
        json.object("receivable_closing") { json in
          json.string("currency", base.code)
          json.key("amount")
          json.money(reconciliation.owedByApple?.micros, base)
        }
      }
      if let errors = reconciliation.carryErrors {
        json.lines("carry_estimate", errors, of: .carryErrors)
      }
      json.key("findings")
      let findings = reconciliation.findings
      try json.array(
        ofMany: findings.count, { $0.write(ListedFinding(findings, at: $1)) }, flush: flush)
      json.lines("patterns", reconciliation.patterns, of: .patterns(in: nil))
      json.lines("flow", reconciliation.flow, of: .purchaseFlow)
      json.writeStages(of: reconciliation)
      json.writeCoins(of: reconciliation)
      if !reconciliation.subscriptionReports.isEmpty {
        json.lines(
          "subscription_reports", reconciliation.subscriptionReports, of: .subscriptionReports)
      }
      json.key("totals")
      json.writeTotals(of: reconciliation)
    }
  }

  /// An object of the totals: findings by severity, units, and the difference in base currency.
  private mutating func writeTotals(of reconciliation: Reconciliation) {
    let counts = reconciliation.findingCounts
    object { json in
      json.object("findings") { json in
        json.integer("error", counts[.error])
        json.integer("warning", counts[.warning])
        json.integer("info", counts[.info])
      }
      json.integer("matched_units", reconciliation.matchedUnits)
      json.integer("unmatched_units", reconciliation.unmatchedUnits)
      json.key("difference")
      if let sides = reconciliation.sidesInBase {
        json.object { $0.members(sides, of: .difference) }
      } else {
        json.null()
      }
    }
  }

  /// An object of a finding, as `reconcile` prints it.
  package mutating func write(_ finding: Finding) { write(ListedFinding([finding], at: 0)) }

  /// An object of a finding, with what people said of it.
  private mutating func write(_ listed: ListedFinding) {
    object { json in
      json.members(listed, of: documentedFindings)
      json.writeWork(of: listed.finding)
    }
  }

  /// A string with an amount at its currency's minor digits, or at as many more as it needs; null
  /// without one.
  ///
  /// - Parameter micros: micro-units.
  package mutating func money(_ micros: Int64?, _ currency: Currency) {
    decimal(micros, minimumDigits: currency.minorDigits)
  }
}

/// Findings as they stand in documents.
private let documentedFindings = List.findings(scripts: [
  "code", "severity", "level", "storefront", "currency", "date", "sku", "units", "amount",
  "parts",
  "order_ids", "transaction_ids", "sources", "explanation", "action", "id",
])
