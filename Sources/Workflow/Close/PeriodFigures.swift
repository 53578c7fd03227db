import Billing
import Conclusions
import Foundation
import Languages
import Ledger
import Matching

/// The figures of a reconciliation that a later import may change, by what they are about: as it
/// is now, or as a close kept it. Amounts are micro-units of the currency that the key names.
struct PeriodFigures: Codable, Equatable {
  /// A step of a storefront's bridge.
  struct Step: FigureKey {
    var storefront: String
    var currency: Currency
    var cause: BridgeCause
    /// Steps of the same cause before it: `unexplained` stands before each total.
    var ordinal: Int
  }

  struct Sum: Codable, Equatable {
    var units: Int64?
    var amount: Int64 = 0
  }

  struct Line: FigureKey {
    var storefront: Storefront
    var currency: Currency
    var proceedsCurrency: Currency
  }

  /// Of a line of proceeds: `gross`, `tax` and `commission` in the customers' currency.
  struct Proceeds: Codable, Equatable {
    var unitsSold: Int64 = 0
    var unitsRefunded: Int64 = 0
    var gross: Int64 = 0
    var tax: Int64 = 0
    /// 0 where customers paid another currency than Apple does.
    var commission: Int64 = 0
    var proceeds: Int64 = 0

    /// The differences of all figures of two lines.
    static func - (left: Self, right: Self) -> Self { left.adding(right, -1) }

    static func + (left: Self, right: Self) -> Self { left.adding(right, 1) }

    /// The line with each figure of another added to it, times `sign` (1 or -1).
    private func adding(_ other: Self, _ sign: Int64) -> Self {
      var sum = self
      sum.unitsSold += sign * other.unitsSold
      sum.unitsRefunded += sign * other.unitsRefunded
      sum.gross += sign * other.gross
      sum.tax += sign * other.tax
      sum.commission += sign * other.commission
      sum.proceeds += sign * other.proceeds
      return sum
    }
  }

  struct Region: FigureKey {
    var region: String
    var currency: Currency
    var bankCurrency: Currency?
  }

  struct Offset: Codable, Equatable {
    var place: String
    var currency: String
    var amount: Int64
    /// The day's number.
    var day: Int32
    var invoices: [String]
    /// Of the invoices, in their order; nil in closes of versions before this one.
    var currencies: [String]?

    /// Copies from an offset what a close keeps of it.
    init(_ offset: InvoiceOffset) {
      place = offset.place
      (currency, amount) = (offset.amount.currency.code, offset.amount.micros)
      (day, invoices) = (offset.day.number, offset.invoices.map(\.number))
      currencies = offset.invoices.map(\.currency.code)
    }

    /// The invoices by number and currency; nil where the close kept no currencies.
    var keys: [CommissionInvoice.Key]? {
      guard let known = currencies?.compactMap(Currency.init), known.count == invoices.count else {
        return nil
      }
      return zip(invoices, known).map { CommissionInvoice.Key(number: $0, currency: $1) }
    }
  }

  /// A finding that sums up a storefront's rows: with one row more it is another finding.
  struct RowSum: Codable, Equatable {
    var code: String
    var storefront: String
    var currency: String?
    var units: Int64?
    /// Micro-units.
    var amount: Int64?

    /// Copies the sums from such a finding; nil for one of single rows, of a product or of an id.
    init?(_ finding: Finding) {
      // What a file states of itself is no sum of rows.
      guard finding.code.level == 2, finding.code != .footerMismatch, finding.sku == nil,
        let storefront = finding.storefront, finding.orderIDs.isEmpty,
        finding.transactionIDs.isEmpty
      else { return nil }
      (code, self.storefront) = (finding.code.rawValue, storefront.code)
      (currency, units, amount) = (finding.currency?.code, finding.units, finding.amount)
    }

    /// Whether both sum up the same.
    func isOfSameRows(as other: Self) -> Bool {
      (code, storefront) == (other.code, other.storefront) && currency == other.currency
    }
  }

  var steps: [Step: Sum] = [:]
  var proceeds: [Line: Proceeds] = [:]
  /// By cause of `payment_bridge`; `paid` in the bank's currency.
  var payments: [Region: [String: Int64]] = [:]
  /// What a payment of a fiscal month likely paid, by the finding that says so; nil for none, as
  /// closes of versions before this one have it.
  var offsets: [String: Offset]?
  /// Ids, ascending.
  var findings: [String] = []
  /// Of these the sums of rows, by id; nil in closes of versions before this one.
  var sums: [String: RowSum]?
  var matchedUnits: Int64 = 0
  var unmatchedUnits: Int64 = 0

  init() {}

  /// Copies the figures from a reconciliation.
  init(_ result: Reconciliation) {
    for bridge in result.bridges {
      add(
        bridge.steps.map { ($0.cause, Sum(units: $0.units, amount: $0.amount.micros)) },
        storefront: bridge.storefront, bridge.currency)
    }
    for line in result.proceeds {
      let key = Line(
        storefront: line.storefront, currency: line.currency,
        proceedsCurrency: line.proceedsCurrency)
      proceeds[key] = Proceeds(line)
    }
    for payment in result.settlement?.payments ?? [] {
      let key = Region(
        region: payment.region, currency: payment.currency, bankCurrency: payment.bankCurrency)
      payments[key] = Dictionary(
        payment.steps.map { (Self.cause($0.cause), $0.amount?.micros ?? 0) }, uniquingKeysWith: +)
    }
    for offset in result.settlement?.offsets ?? [] {
      let finding = result.findings.first {
        $0.code == .offset && $0.documents == offset.documents
          && ($0.storefront == nil || $0.storefront == Storefront(offset.place))
      }
      if let finding { offsets = (offsets ?? [:]).merging([finding.id: Offset(offset)]) { $1 } }
    }
    findings = result.findings.map(\.id).sorted()
    sums = Dictionary(
      result.findings.compactMap { finding in RowSum(finding).map { (finding.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    matchedUnits = result.matchedUnits
    unmatchedUnits = result.unmatchedUnits
  }

  /// Whether the figures are equal to `earlier`, as far as that close kept them.
  func isSame(as earlier: PeriodFigures) -> Bool {
    var copy = self
    for (finding, offset) in earlier.offsets ?? [:] where offset.currencies == nil {
      copy.offsets?[finding]?.currencies = nil
    }
    if earlier.sums == nil { copy.sums = nil }
    return copy == earlier
  }

  /// The name under which figures keep a step of a payment's bridge, given its cause.
  ///
  /// The first step is always `settled`, also where only the payments summary told what was earned:
  /// what a financial report brings later is then a change of the same sum.
  static func cause(_ step: String) -> String { step == RegionPayment.earned ? "settled" : step }

  /// Adds the steps of a bridge, in their order; a summary in base currency is none of its own.
  mutating func add(
    _ sums: [(cause: BridgeCause, sum: Sum)], storefront: String, _ currency: Currency
  ) {
    guard storefront != "ALL" else { return }
    var seen: [BridgeCause: Int] = [:]
    for (cause, sum) in sums {
      let ordinal = seen[cause, default: 0]
      seen[cause] = ordinal + 1
      steps[Step(storefront: storefront, currency: currency, cause: cause, ordinal: ordinal)] = sum
    }
  }
}

extension PeriodFigures.Proceeds {
  /// Copies the figures of a line.
  init(_ line: ProceedsLine) {
    self.init(
      unitsSold: line.unitsSold, unitsRefunded: line.unitsRefunded,
      gross: line.gross.micros, tax: line.tax.micros, commission: line.commission?.micros ?? 0,
      proceeds: line.proceeds.micros)
  }
}

// MARK: - What a close keeps

extension PeriodFigures {
  /// Of the form in which figures are kept: another form gets another number.
  private static let version = 1

  /// The figures as JSON bytes, as a close keeps them.
  func kept(for period: Period) throws -> KeptFigures {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return KeptFigures(
      period: period.description, version: Self.version, bytes: Array(try encoder.encode(self)))
  }

  /// Reads figures that a close kept; throws where they are of another form.
  init(_ kept: KeptFigures) throws {
    guard kept.version == Self.version else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "\(kept.version)"))
    }
    self = try JSONDecoder().decode(Self.self, from: Data(kept.bytes))
  }

  /// What a closed period came to when it was closed, or when its changes were last booked. Closes
  /// that keep no figures tell it by what they printed.
  ///
  /// - Parameter booking: the last close that booked changes of the period; nil for none.
  /// - Throws: `LedgerError` where a figure is missing or is none.
  init(of close: CloseRecord, booking: CloseRecord?, _ ledger: Ledger) throws {
    let (period, number) = (close.period.description, booking?.number ?? close.number)
    do {
      if let kept = try ledger.figures(of: period, keptBy: number) {
        try self.init(kept)
        return
      }
      let json =
        try ledger.booked(period, byClose: number)
        ?? ledger.document(CloseDocument.reconciliation, ofClose: close.number)
      self = try PrintedReconciliation(json ?? []).figures()
    } catch is DecodingError {
      throw LedgerError.corrupt(
        path: ledger.path, detail: say("@close.close-no-cannot-be-read \(number)"))
    }
  }
}

extension PeriodFigures {
  /// The lines of proceeds that a close stated: its own period's, with what it booked of earlier
  /// ones.
  ///
  /// - Throws: `LedgerError` where a figure is missing or is none.
  static func statedProceeds(
    of close: CloseRecord, _ book: CloseBook, _ ledger: Ledger
  ) throws -> [Line: Proceeds] {
    var lines = try PeriodFigures(of: close, booking: nil, ledger).proceeds
    // Closes that keep no figures tell them with what they booked.
    guard try ledger.figures(of: close.period.description, keptBy: close.number) != nil else {
      return lines
    }
    for earlier in book.closed {
      let all = book.conclusions(of: earlier)
      guard let place = all.firstIndex(where: { $0.number == close.number }), place > 0 else {
        continue
      }
      let now = try PeriodFigures(of: earlier, booking: close, ledger)
      let before = try PeriodFigures(of: earlier, booking: all[place - 1], ledger)
      for (key, figures) in now.proceeds { lines[key] = (lines[key] ?? Proceeds()) + figures }
      for (key, figures) in before.proceeds { lines[key] = (lines[key] ?? Proceeds()) - figures }
    }
    return lines.filter { $0.value != Proceeds() }
  }
}

/// What a figure is about: its raw value names it where figures are kept.
protocol FigureKey: RawRepresentable<String>, Hashable, Codable, CodingKeyRepresentable {}

/// Divides a key's text at blanks into so many parts, of which only the last may hold blanks; nil
/// where there are fewer.
private func parts(_ text: String, _ count: Int) -> [String]? {
  let parts = text.split(
    separator: " ", maxSplits: count - 1, omittingEmptySubsequences: false
  ).map(String.init)
  return parts.count == count ? parts : nil
}

extension PeriodFigures.Step {
  var rawValue: String { "\(currency.code) \(cause.rawValue) \(ordinal) \(storefront)" }

  /// Reads the key of a bridge's step from what `rawValue` gives; nil for any other text.
  init?(rawValue: String) {
    guard let parts = parts(rawValue, 4), let currency = Currency(parts[0]),
      let cause = BridgeCause(rawValue: parts[1]), let ordinal = Int(parts[2])
    else { return nil }
    self.init(storefront: parts[3], currency: currency, cause: cause, ordinal: ordinal)
  }
}

extension PeriodFigures.Line {
  var rawValue: String { "\(storefront.code) \(currency.code) \(proceedsCurrency.code)" }

  /// Reads the key of a line of proceeds from what `rawValue` gives; nil for any other text.
  init?(rawValue: String) {
    guard let parts = parts(rawValue, 3), let storefront = Storefront(parts[0]),
      let currency = Currency(parts[1]), let paid = Currency(parts[2])
    else { return nil }
    self.init(storefront: storefront, currency: currency, proceedsCurrency: paid)
  }
}

extension PeriodFigures.Region {
  var rawValue: String { "\(currency.code) \(bankCurrency?.code ?? "-") \(region)" }

  /// Reads the key of a region's payment from what `rawValue` gives; nil for any other text.
  init?(rawValue: String) {
    guard let parts = parts(rawValue, 3), let currency = Currency(parts[0]) else { return nil }
    let bank = Currency(parts[1])
    guard bank != nil || parts[1] == "-" else { return nil }
    self.init(region: parts[2], currency: currency, bankCurrency: bank)
  }
}
