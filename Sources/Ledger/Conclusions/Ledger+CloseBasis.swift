package import Billing
import GRDB

/// What of each kind of input a period rests on, as digests: two are equal where it rests on the
/// same.
package struct InputDigests: Hashable, Sendable {
  /// By the kind of a file, and for days recorded without sales by ``noSales``.
  package var byKind: [String: String] = [:]

  package static let noSales = "no_sales"
  /// Payments, statements and rates before the spans of their kinds: an open invoice may have been
  /// set off against any of them.
  package static let earlierPayments = "earlier_payments"

  /// Kinds that some closes kept nothing of; those that do keep a digest of nothing too.
  private static let keptLater = Set(
    (InputKind.allCases.filter(\.isSubscriptions) + Ledger.coins).map(\.rawValue)
      + [earlierPayments])

  package init() {}

  /// The kinds of which this has another digest than `earlier`, ascending; not those of which
  /// `earlier` is unknown.
  package func changes(since earlier: InputDigests) -> [String] {
    Set(byKind.keys).union(earlier.byKind.keys).sorted().filter {
      byKind[$0] != earlier.byKind[$0]
        && (earlier.byKind[$0] != nil || !Self.keptLater.contains($0))
    }
  }
}

/// The days of which a conclusion reads its inputs.
package struct InputDays: Sendable {
  /// Of orders and transactions.
  package var purchases: ClosedRange<Day>
  /// Of Apple's reports, and of days without sales.
  package var reports: ClosedRange<Day>
  package var rates: ClosedRange<Day>
  /// Whether financial reports, payments and the bank are among them.
  package var hasSettlement: Bool
  /// Of balances of coins; nil where no coins are among them.
  package var coinBalances: ClosedRange<Day>?

  package init(
    purchases: ClosedRange<Day>, reports: ClosedRange<Day>, rates: ClosedRange<Day>,
    hasSettlement: Bool, coinBalances: ClosedRange<Day>? = nil
  ) {
    self.purchases = purchases
    self.reports = reports
    self.rates = rates
    self.hasSettlement = hasSettlement
    self.coinBalances = coinBalances
  }
}

/// The digests of a period as a close kept them.
package struct KeptBasis: Hashable, Sendable {
  package var period: String
  package var digests: InputDigests

  package init(period: String, digests: InputDigests) {
    self.period = period
    self.digests = digests
  }
}

extension Ledger {
  /// Digests of what is loaded for these days now, by kind of input.
  package func inputDigests(_ days: InputDays) throws -> InputDigests {
    try read { db in
      var digests: [String: Digest] = [:]
      /// Adds, for each row that a query gives, the text in its second column to the one of
      /// `digests` that its first column names.
      ///
      /// - Parameters:
      ///   - sql: with ?1 for the first day of `span`, and ?2 for the day after its last.
      ///   - seconds: what numbers of days are multiplied by: 86,400 for a query of seconds.
      func add(_ sql: String, _ span: ClosedRange<Day>, seconds: Int64 = 1) throws {
        let select = try RawStatement(db, sql)
        select.bind(Int64(span.lowerBound.number) * seconds, at: 1)
        select.bind((Int64(span.upperBound.number) + 1) * seconds, at: 2)
        while try select.step() {
          digests[select.text(0), default: Digest()].add(select.text(1))
        }
      }
      let kinds = Self.list(Self.reports(days.hasSettlement))
      if days.hasSettlement {
        digests[InputDigests.earlierPayments] = try Self.earlierPayments(days, db)
      } else {
        for kind in Self.subscriptions { digests[kind.rawValue] = Digest() }
      }
      try add(
        """
        SELECT kind, sha256 FROM source WHERE kind IN (\(kinds)) AND status <> 'superseded'
          AND begin_day < ?2 AND end_day >= ?1 ORDER BY sha256
        """, days.reports)
      /// Adds the SHA-256 of each file of these kinds that may have rows of the span to the one of
      /// `digests` of its kind.
      func add(rowsOf kinds: [InputKind], _ span: ClosedRange<Day>) throws {
        try add(
          """
          SELECT DISTINCT b.kind, s.sha256 FROM \(blockTimes) b JOIN source s ON s.id = b.source_id
          WHERE b.kind IN (\(Self.list(kinds)))
            AND b.first_at < ?2 AND b.last_at >= ?1 ORDER BY s.sha256
          """, span, seconds: 86_400)
      }
      try add(rowsOf: Self.purchases, days.purchases)
      if let balances = days.coinBalances {
        for kind in Self.coins { digests[kind.rawValue] = Digest() }
        // What is left comes of all movements before.
        let all = min(Day(number: 0), days.purchases.lowerBound)...days.purchases.upperBound
        try add(rowsOf: [.coinMovements], all)
        try add(
          """
          SELECT kind, sha256 FROM source WHERE kind = 'items' OR id IN (
            SELECT source_id FROM \(BlockTables.coinBalances.table.blocks)
            WHERE first_day < ?2 AND last_day >= ?1)
          ORDER BY sha256
          """, balances)
      }
      try add(
        """
        SELECT '\(InputDigests.noSales)', day || ' ' || vendor FROM no_sales
        WHERE day >= ?1 AND day < ?2 ORDER BY day, vendor
        """, days.reports)
      if !days.hasSettlement {
        for empty in try Self.emptySubscriptionReports(days.reports, db) {
          digests[empty.kind.rawValue, default: Digest()].add("none \(empty.day) \(empty.vendor)")
        }
      }
      let last = days.reports.upperBound
      /// Puts a digest of all rows of a small table into `digests`; none where there are no rows.
      func add<Row: TableValue>(_ kind: InputKind, _ rows: [Row]) {
        if rows.isEmpty { return }
        var digest = Digest()
        for row in rows { digest.add(row) }
        digests[kind.rawValue] = digest
      }
      // What holds from a later day on is not read.
      add(.products, try Self.products(db).filter { $0.effectiveFrom.map { $0 <= last } ?? true })
      add(.tiers, try Self.tiers(db).filter { $0.effectiveFrom.map { $0 <= last } ?? true })
      add(.taxes, try Self.taxes(db).filter { $0.effectiveFrom.map { $0 <= last } ?? true })
      add(
        .commissions,
        try Self.commissions(db).filter { $0.effectiveFrom.map { $0 <= last } ?? true })
      add(.rates, try Self.rates(days.rates, db))
      var found = InputDigests()
      found.byKind = digests.mapValues(\.text)
      return found
    }
  }

  /// The kinds of files that stand for whole days of Apple's or the bank's and that a conclusion
  /// reads: sales, and with settlement financial reports, payments, bank and commission invoices,
  /// without it subscription reports.
  private static func reports(_ hasSettlement: Bool) -> [InputKind] {
    let settlement = InputKind.allCases.filter(\.isSettlement) + [.bank, .commissionInvoice]
    return [.sales] + (hasSettlement ? settlement : subscriptions)
  }

  fileprivate static let coins: [InputKind] = [.coinMovements, .coinBalances, .items]

  private static let subscriptions = InputKind.allCases.filter(\.isSubscriptions)

  /// A digest of what lies between the oldest commission invoice and the days of a conclusion:
  /// payments and bank statements before `days.reports`, and rates before `days.rates`.
  private static func earlierPayments(_ days: InputDays, _ db: Database) throws -> Digest {
    var digest = Digest()
    let oldest = try RawStatement(db, "SELECT min(last_day) FROM commission_invoice")
    var first = days.reports.lowerBound
    if try oldest.step(), !oldest.isNull(0) { first = min(first, oldest.day(0)) }
    let select = try RawStatement(
      db,
      """
      SELECT sha256 FROM source WHERE kind IN (\(list([.payments, .bank])))
        AND status <> 'superseded' AND begin_day < ?2 AND end_day >= ?1 ORDER BY sha256
      """, Int64(first.number), Int64(days.reports.lowerBound.number))
    while first < days.reports.lowerBound, try select.step() { digest.add(select.text(0)) }
    if first < days.rates.lowerBound {
      let before = first...days.rates.lowerBound.advanced(by: -1)
      for rate in try rates(before, db) { digest.add(rate) }
    }
    return digest
  }

  /// The kinds of files that have orders, transactions or their counts.
  private static var purchases: [InputKind] {
    [.orders, .transactions, .unitCounts] + InputKind.allCases.filter(\.isPurchases)
  }

  /// Kinds as SQL lists them, in quotation marks.
  private static func list(_ kinds: [InputKind]) -> String {
    kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")
  }

  /// The digests that closes kept, the oldest close first.
  package func keptBases() throws -> [(close: Int64, basis: KeptBasis)] {
    try read { db in
      let select = try RawStatement(
        db, "SELECT close_id, period, kind, digest FROM close_basis ORDER BY close_id, period")
      var kept: [(close: Int64, basis: KeptBasis)] = []
      while try select.step() {
        let (close, period) = (select.int64(0), select.text(1))
        if kept.last.map({ $0.close != close || $0.basis.period != period }) ?? true {
          kept.append((close, KeptBasis(period: period, digests: InputDigests())))
        }
        kept[kept.count - 1].basis.digests.byKind[select.text(2)] = select.text(3)
      }
      return kept
    }
  }

  /// Adds the digests that the close with this number keeps of a period.
  static func insert(_ basis: KeptBasis, _ close: Int64, _ db: Database) throws {
    let insert = try RawStatement(
      db, "INSERT INTO close_basis (close_id, period, kind, digest) VALUES (?, ?, ?, ?)")
    for (kind, digest) in basis.digests.byKind.sorted(by: { $0.key < $1.key }) {
      try insert.run(with: close, basis.period, kind, digest)
    }
  }
}

/// 128 bits of rows in an order: not against chosen input, which nobody gains by.
struct Digest: ValueVisitor {
  private var first: UInt64 = 0x243F_6A88_85A3_08D3
  private var second: UInt64 = 0x1319_8A2E_0370_7344

  /// Mixes a text in.
  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      let raw = UnsafeRawBufferPointer(bytes)
      first = hash64(raw, seed: first)
      second = hash64(raw, seed: second)
    }
  }

  /// Mixes a row's values in, in the order of its columns.
  mutating func add(_ row: some TableValue) {
    var row = row
    row.values(&self)
  }

  /// Mixes a value in. Places of a rate are left out where they are six: closes of versions before
  /// this one kept digests of rates without them.
  mutating func callAsFunction<Value: CellValue>(_ name: String, _ value: inout Value) {
    if name == "places", case .integer(6) = value.content { return }
    switch value.content {
    case .null: add("-")
    case .integer(let number): add("i\(number)")
    case .text(let text): add("t\(text)")
    }
  }

  /// The digest as 32 hexadecimal digits.
  var text: String { "\(hex(first))\(hex(second))" }

  /// A number as sixteen hexadecimal digits.
  private func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
