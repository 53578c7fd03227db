import Billing
import Conclusions
import Foundation
import Matching

/// What `reconcile --format json` printed of a period, as far as it is read again: the findings of
/// a closed one, and the figures of closes that keep none of their own.
struct PrintedReconciliation: Decodable {
  struct Finding: Decodable {
    let id: String
    let severity: String
    /// What people said of it; nil where nobody said anything.
    let state: String?
  }

  let findings: [Finding]
  private let bridge: [Bridge]
  private let proceeds: [Line]
  private let paymentBridge: [Region]
  private let totals: Totals

  private struct Bridge: Decodable {
    let storefront: String
    let currency: String
    let steps: [Step]
  }

  private struct Step: Decodable {
    let cause: String
    let units: Int64?
    let amount: Amount
    let currency: String
  }

  private struct Line: Decodable {
    let storefront: String
    let currency: String
    let proceedsCurrency: String
    let unitsSold: Int64
    let unitsRefunded: Int64
    let gross: Amount
    let tax: Amount
    let commission: Amount
    let proceeds: Amount
  }

  private struct Region: Decodable {
    let region: String
    let currency: String
    let steps: [Step]
  }

  private struct Totals: Decodable {
    let matchedUnits: Int64
    let unmatchedUnits: Int64
  }

  /// A decimal text, or null where there is no amount.
  private struct Amount: Decodable {
    let micros: Int64?

    /// Reads a decimal text, or null; throws for any other value.
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      micros =
        container.decodeNil()
        ? nil : try read(container.decode(String.self)) { Billing.micros(decimal: $0) }
    }

    /// The amount in micro-units; throws where there is none.
    func given() throws -> Int64 { try read("null") { _ in micros } }
  }

  /// Reads it from the JSON document that a close kept.
  init(_ json: [UInt8]) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    self = try decoder.decode(Self.self, from: Data(json))
  }

  /// The figures, each of which must be there and be readable.
  func figures() throws -> PeriodFigures {
    var figures = PeriodFigures()
    for bridge in bridge {
      let sums = try bridge.steps.map {
        (
          cause: try read($0.cause) { BridgeCause(rawValue: $0) },
          sum: PeriodFigures.Sum(units: $0.units, amount: try $0.amount.given())
        )
      }
      figures.add(sums, storefront: bridge.storefront, try currency(bridge.currency))
    }
    for line in proceeds {
      let key = PeriodFigures.Line(
        storefront: try read(line.storefront) { Storefront($0) },
        currency: try currency(line.currency),
        proceedsCurrency: try currency(line.proceedsCurrency))
      figures.proceeds[key] = PeriodFigures.Proceeds(
        unitsSold: line.unitsSold, unitsRefunded: line.unitsRefunded,
        gross: try line.gross.given(), tax: try line.tax.given(),
        commission: line.commission.micros ?? 0, proceeds: try line.proceeds.given())
    }
    for region in paymentBridge {
      let bank = try region.steps.first { $0.cause == "paid" }.map { try currency($0.currency) }
      let key = PeriodFigures.Region(
        region: region.region, currency: try currency(region.currency), bankCurrency: bank)
      for step in region.steps {
        // The exchange is a rate.
        let amount = step.cause == "exchange" ? 0 : try step.amount.given()
        figures.payments[key, default: [:]][PeriodFigures.cause(step.cause), default: 0] += amount
      }
    }
    figures.findings = findings.map(\.id).sorted()
    figures.matchedUnits = totals.matchedUnits
    figures.unmatchedUnits = totals.unmatchedUnits
    return figures
  }
}

/// The currency of a code; throws where it is none.
private func currency(_ code: String) throws -> Currency { try read(code) { Currency($0) } }

/// What the closure makes of a text; throws where that is nil.
private func read<Value>(_ text: String, _ reading: (String) -> Value?) throws -> Value {
  guard let value = reading(text) else {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: [], debugDescription: text))
  }
  return value
}
