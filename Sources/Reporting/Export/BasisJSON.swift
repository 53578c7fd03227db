package import Billing
import Languages
import Conclusions

extension JSONWriter {
  /// An object of what the figures rest on: what is absent, both sides in money, the ledger's money
  /// by age and currency, and the causes.
  mutating func writeBasis(of reconciliation: Reconciliation) {
    object { json in
      json.assumed(reconciliation.assumptions)
      json.lines("missing", reconciliation.listedAbsences, of: .absences)
      json.lines("rates", reconciliation.namedRates, of: .rates)
      json.lines("money", reconciliation.bothSides, of: .bothSides)
      json.lines("ages", reconciliation.basis.money, of: .ages)
      json.lines("causes", reconciliation.causes, of: .causes(in: reconciliation.baseCurrency))
    }
  }
}

extension JSONWriter {
  /// A member with the values that nobody configured, an object each; none without any.
  package mutating func assumed(_ assumptions: [Settings.Assumption]) {
    if assumptions.isEmpty { return }
    objects("assumed", of: assumptions) { json, assumption in
      json.string("key", assumption.key)
      json.string("value", assumption.value)
      json.string("text", say(assumption.text))
    }
  }
}

/// A rate into base currency at which figures are converted.
private struct NamedRate {
  var currency: Currency
  var rate: CurrencyRate
  var day: Day
}

extension Reconciliation {
  /// The rates at which figures are converted, with their days, ascending by currency.
  fileprivate var namedRates: [NamedRate] {
    rateDays.sorted { $0.key < $1.key }.compactMap { currency, day in
      rates[currency].map { NamedRate(currency: currency, rate: $0, day: day) }
    }
  }
}

extension List<NamedRate> {
  /// The columns of rates.
  fileprivate static var rates: List {
    List([
      Column("currency") { .text($0.currency.code) }, Column("rate") { .quoted($0.rate) },
      Column("date") { .day($0.day) }, Column("quotes") { .text($0.rate.quotes) },
    ])
  }
}

/// What is absent, as documents list it.
private struct ListedAbsence {
  var what: String
  var count: Int
  var total: Int?
  var days: [Day]
  var names: [String]
  var text: String
}

extension Reconciliation {
  /// What the workbook names as missing: inputs, and last the bank statements that would prove
  /// payments.
  fileprivate var listedAbsences: [ListedAbsence] {
    let inputs = basis.absences.map {
      ListedAbsence(
        what: $0.kind.rawValue, count: $0.count, total: $0.total, days: $0.days, names: $0.names,
        text: say($0.wording))
    }
    guard let settlement else { return inputs }
    let unproven = settlement.unprovenPayouts
    if unproven.isEmpty { return inputs }
    let statements = ListedAbsence(
      what: "bank-statements", count: unproven.count,
      total: settlement.payouts.count(where: \.isPaid), days: Set(unproven.map(\.day)).sorted(),
      names: Set(unproven.map(\.account)).filter { !$0.isEmpty }.sorted(),
      text: settlement.unprovenReceipts.map(say).joined(separator: "; "))
    return inputs + [statements]
  }
}

extension List<ListedAbsence> {
  /// The columns of what is missing.
  fileprivate static var absences: List {
    List([
      Column("what") { .text($0.what) }, Column("count") { .integer(Int64($0.count)) },
      Column("of") { .integer(ifAny: $0.total.map(Int64.init)) },
      Column("days", script: .list { $0.days.map(\.description) }),
      Column("names", script: .list { $0.names }),
      Column("text", script: .text { $0.text }),
    ])
  }
}

extension List<BothSides> {
  /// The columns of both sides in money; explained is all that has a cause, what is open among it.
  fileprivate static var bothSides: List {
    List([
      Column("currency") { .text($0.currency.code) },
      amount("ledger") { $0.ledger }, amount("reported") { $0.apple },
      amount("difference") { $0.difference },
      // All that has a cause, what is open among it.
      amount("explained") { side in
        side.explained.flatMap { explained in side.open.map { explained + $0 } }
      },
      amount("open") { $0.open }, amount("unexplained") { $0.unexplained },
    ])
  }

  /// The columns of the summary bridge's difference: what is open stands beside what is explained.
  static var difference: List {
    List([
      amount("ledger") { $0.ledger }, amount("apple") { $0.apple },
      amount("explained") { $0.explained }, amount("open") { $0.open },
      amount("unexplained") { $0.unexplained },
    ])
  }
}

extension List<AgedMoney> {
  /// The columns of the ledger's money by age.
  fileprivate static var ages: List {
    List([
      Column("from_days") { .integer(Int64($0.from)) },
      Column("to_days") { .integer(ifAny: $0.to.map(Int64.init)) },
      Column("storefront") { .text(ifAny: $0.storefront?.code) },
      Column("currency") { .text($0.currency.code) },
      amount("ledger") { $0.ledger }, amount("timely") { $0.timely },
      amount("complete") { $0.complete }, amount("cleared") { $0.cleared },
    ])
  }
}

extension List<Cause> {
  /// The columns of the causes of findings.
  ///
  /// - Parameter base: the base currency.
  fileprivate static func causes(in base: Currency) -> List {
    List([
      Column("code") { .text($0.code.rawValue) },
      Column("severity") { .text($0.severity.rawValue) },
      Column("findings") { .integer($0.findings) }, Column("units") { .integer(ifAny: $0.units) },
      Column("amounts", script: .json { $0.lines($1.amounts, of: .money) }),
      Column("at_stake_base") { .money(ifAny: $0.atStake, base) },
    ])
  }
}

extension List {
  /// A column of money; blank where a line has none.
  private static func amount(
    _ name: String, _ part: @escaping @Sendable (Line) -> Money?
  ) -> Column<Line> {
    Column(name) { line in part(line).map { .money($0) } ?? .blank }
  }
}
