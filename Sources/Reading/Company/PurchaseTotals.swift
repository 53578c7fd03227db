internal import Billing

/// What the rows of a company's table of purchases add up to, counted by the codes of their terms:
/// of terms it keeps only what is added up.
struct PurchaseTotals {
  private struct Terms {
    var currency: Currency?
    var quantity: Int32
    var price: Int64?
    var hasStorefront: Bool
    /// Why its rows do not count as Apple's: an order's channel, words that nobody knows.
    var word = ""
  }

  /// Rows by such words.
  private(set) var wordCounts: [String: Int64] = [:]
  /// Whether an order names Apple's channel.
  private var namesApple = false
  private(set) var rows: Int64 = 0

  private var terms: [Terms] = []
  /// By terms, apart from them: each row counts at another place, and so fewer places are far away.
  private var rowsOfTerms: [Int64] = []
  /// Of terms that were forgotten since.
  private var totals = TotalsByCurrency()
  private var rowsWithoutStorefront = 0

  /// Keeps what the sums need of the terms of orders, under the code that follows the last one.
  mutating func add(_ order: OrderTerms) {
    if order.isApple, !order.channel.isEmpty { namesApple = true }
    rowsOfTerms.append(0)
    terms.append(
      Terms(
        currency: order.currency, quantity: order.quantity, price: order.unitPrice,
        hasStorefront: order.storefront != nil, word: order.isApple ? "" : order.channel))
  }

  /// Keeps what the sums need of the terms of transactions, under the code that follows the last
  /// one.
  mutating func add(_ transaction: TransactionTerms) {
    rowsOfTerms.append(0)
    terms.append(
      Terms(
        currency: transaction.currency, quantity: transaction.quantity,
        price: transaction.isNoPurchase ? nil : transaction.unitPrice,
        hasStorefront: transaction.storefront != nil, word: transaction.unknownWords))
  }

  /// Adds a row to those of its terms.
  ///
  /// - Parameter code: of its terms, less the codes that were forgotten.
  @inline(__always)
  mutating func count(_ code: Int32) { rowsOfTerms[Int(code)] &+= 1 }

  /// Adds the rows of all terms up and forgets these, after which codes begin at 0 again.
  mutating func forgetTerms() {
    for (terms, count) in zip(terms, rowsOfTerms) {
      rows += count
      if !terms.word.isEmpty { wordCounts[terms.word, default: 0] += count }
      if !terms.hasStorefront { rowsWithoutStorefront += Int(count) }
      guard let price = terms.price else { continue }
      totals.add(terms.currency, units: count * Int64(terms.quantity), price: price)
    }
    (terms, rowsOfTerms) = ([], [])
  }

  /// Throws a diagnostic when each row has a word for its environment that nobody knows: no row
  /// could be taken for a purchase, and nothing that follows would be true.
  mutating func refuseUncounted(_ log: ReadingLog) throws {
    forgetTerms()
    let prefix = "environment \""
    let words = wordCounts.filter { $0.key.hasPrefix(prefix) }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    guard rows > 0, words.reduce(0, { $0 + $1.value }) == rows else { return }
    let values = words.map { String($0.key.dropFirst(prefix.count).prefix { $0 != "\"" }) }
    let counts = zip(values, words).map { "\"\($0)\" (\(grouped($1.value)))" }
    throw log.advised(
      Diagnostic(
        topic: "word", at: SourceLocation(file: log.file),
        "@company.no-row-counts \(grouped(rows)) \(counts.asList)",
        help: "@company.which-are-production"),
      .word(values[0], column: "environment"), words: values)
  }

  /// How many orders belong to other channels than Apple's; nil for none. Where one of these may be
  /// Apple's under another name, or where they are the most and none names Apple's, a warning says
  /// so instead, and the result is nil.
  func channels(_ log: ReadingLog) -> Tally? {
    if wordCounts.isEmpty { return nil }
    let words = wordCounts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let list = words.prefix(8).map { "\($0.key) (\(grouped($0.value)))" }.joined(separator: ", ")
    let others = words.reduce(0) { $0 + $1.value }
    let likely = words.map(\.key).filter(OrderTerms.mayBeApples)
    let areMost = 2 * others > rows
    if likely.isEmpty, others < rows, namesApple || !areMost {
      return Tally(
        what: "@company.orders-of-other-channels \(list)",
        one: "@company.order-of-another-channel \(list)", count: Int(others))
    }
    let apples = likely.isEmpty ? ["…"] : likely
    let quoted = apples.map { "\"\($0)\"" }.joined(separator: ", ")
    let line = "import.orders.words.channel = { apple = [\(quoted)] }"
    let counts = words.prefix(8).map { "\"\($0.key)\" (\(grouped($0.value)))" }
    log.warn(
      "channel",
      "@company.orders-are-not-held-against-apple \(grouped(others)) \(grouped(rows)) \(list)",
      help: "@company.if-one-is-apple-say \(line)",
      setting: line + "  # " + counts.joined(separator: ", "), comesFirst: areMost)
    return nil
  }

  /// The sums of all rows.
  ///
  /// - Parameters:
  ///   - span: of the rows' times.
  ///   - period: of the counts beside which the rows were handed over; empty for none.
  func summary(_ span: TimeSpan, of period: String, _ log: ReadingLog) throws -> RowSummary {
    var all = self
    all.forgetTerms()
    var summary = RowSummary(
      begin: span.begin, end: span.end, totals: try all.totals.totals(file: log.file))
    summary.rowsWithoutStorefront = all.rowsWithoutStorefront
    summary.countedPeriod = period
    return summary
  }
}
