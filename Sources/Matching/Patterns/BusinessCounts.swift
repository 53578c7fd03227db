import Billing

/// How a period's orders or transactions divide over minutes, terms and files: what the share among
/// findings is held against.
struct BusinessCounts {
  /// Seconds since 1970 of the period's first moment.
  let start: Int64
  /// Rows before each minute of the period, and all rows at the end.
  private(set) var before: [Int]
  /// Rows by their terms.
  private(set) var byTerms: [Int]
  /// Rows by the file that they came from.
  private(set) var byFile: [String: Int] = [:]
  /// All rows of the period.
  var total: Int { before[before.count - 1] }
  /// What is not counted.
  private let leftOut: LeftOut
  /// Whether what is left out is counted, and then taken from the whole: it is mostly little.
  private let isSubtracted: Bool

  /// Begins without any row.
  ///
  /// - Parameters:
  ///   - terms: how many terms there are.
  ///   - leftOut: which rows do not belong to the result.
  ///   - whole: the result if nothing were left out. Where it is given, the rows that are left out
  ///     are added up instead of the others, and in the end subtracted from it.
  private init(_ context: MatchingContext, terms: Int, _ leftOut: LeftOut, of whole: Self?) {
    self.leftOut = leftOut
    isSubtracted = whole != nil
    let zone = context.settings.businessZone
    start = zone.start(of: context.period.first).seconds
    let end = zone.start(of: context.period.last.advanced(by: 1)).seconds
    before = Array(repeating: 0, count: Int((end - start + 59) / 60) + 1)
    byTerms = Array(repeating: 0, count: terms)
  }

  /// How orders of Apple's channel divide over minutes, terms and files.
  ///
  /// - Parameters:
  ///   - files: ascending by first row.
  ///   - countedFile: the name of the file that purchases which Spark counted are added to: that
  ///     with the rows handed over beside them; nil where it counted none.
  ///   - leftOut: which orders do not belong to the result.
  ///   - whole: the result if nothing were left out; nil where nothing is.
  init(
    orders table: MatchTable, files: [RowFile<OrderRow>], countedFile: String?,
    leaving leftOut: LeftOut, of whole: Self?, _ context: MatchingContext
  ) {
    self.init(context, terms: table.orderTerms.count, leftOut, of: whole)
    let further = table.mergedOrders
    var counter = FileCounter(files, leaving: leftOut.files)
    for index in table.orders.indices where table.transactionOf[index] != .merged {
      let entry = table.orders[index]
      guard table.isApple[Int(entry.terms)] else { continue }
      add(entry.placedAt, entry.terms, entry.row, index, further, &counter)
    }
    let counted = add(table.counts.placed, table.counts.sold, \.order)
    finish(counter, of: whole)
    if let countedFile, counted > 0 { byFile[countedFile, default: 0] += counted }
  }

  /// How billable transactions, without those that restore earlier ones, divide over minutes, terms
  /// and files.
  ///
  /// - Parameters:
  ///   - files: ascending by first row.
  ///   - countedFile: the name of the file that purchases which Spark counted are added to: that
  ///     with the rows handed over beside them; nil where it counted none.
  ///   - leftOut: which transactions do not belong to the result.
  ///   - whole: the result if nothing were left out; nil where nothing is.
  init(
    transactions table: MatchTable, files: [RowFile<TransactionRow>], countedFile: String?,
    leaving leftOut: LeftOut, of whole: Self?, _ context: MatchingContext
  ) {
    self.init(context, terms: table.transactionTerms.count, leftOut, of: whole)
    let billable = table.transactionTerms.map(context.isBillable)
    let further = table.mergedTransactions
    var counter = FileCounter(files, leaving: leftOut.files)
    for index in table.transactions.indices where table.orderOf[index] != .merged {
      let entry = table.transactions[index]
      guard billable[Int(entry.terms)], table.chains.role(of: index) != .restore else { continue }
      add(
        entry.purchasedAt, entry.terms, entry.row, index, further, &counter)
    }
    let counted = add(table.counts.bought, table.counts.sold, \.transaction)
    finish(counter, of: whole)
    if let countedFile, counted > 0 { byFile[countedFile, default: 0] += counted }
  }

  /// How billable transactions that Apple took back divide over the minutes at which it did, terms
  /// and files.
  ///
  /// - Parameters:
  ///   - files: ascending by first row.
  ///   - leftOut: which of them do not belong to the result.
  ///   - whole: the result if nothing were left out; nil where nothing is.
  init(
    refunds table: MatchTable, files: [RowFile<TransactionRow>], leaving leftOut: LeftOut,
    of whole: Self?, _ context: MatchingContext
  ) {
    self.init(context, terms: table.transactionTerms.count, leftOut, of: whole)
    let billable = table.transactionTerms.map(context.isBillable)
    let further = table.mergedTransactions
    var counter = FileCounter(files, leaving: leftOut.files)
    for index in table.transactions.indices where table.orderOf[index] != .merged {
      let entry = table.transactions[index]
      guard entry.revokedAt != 0, billable[Int(entry.terms)] else { continue }
      add(entry.revokedAt, entry.terms, entry.row, index, further, &counter)
    }
    finish(counter, of: whole)
  }

  /// Adds a row to its minute, its terms and its file, and each row that was merged into it to that
  /// one's file: findings name all of them. Where the result is found by subtraction, only rows
  /// that are left out are added, else only the others.
  ///
  /// - Parameters:
  ///   - moment: seconds since 1970; outside of the period nothing is added.
  ///   - index: the row's position in the table of matches.
  ///   - further: the rows that were merged into others, by position.
  ///   - counter: adds the rows up by file.
  private mutating func add<Table>(
    _ moment: UInt32, _ terms: Int32, _ row: RowID<Table>,
    _ index: Int, _ further: borrowing FurtherRows<Table>, _ counter: inout FileCounter<Table>
  ) {
    let minute = minute(of: Int64(moment))
    guard minute >= 0 else { return }
    var isLeftOut = leftOut.has(minute: minute, terms: terms)
    if !isLeftOut, counter.leavesAny {
      isLeftOut = counter.isLeftOut(row) || further[index].contains { counter.isLeftOut($0) }
    }
    guard isLeftOut == isSubtracted else { return }
    before[minute + 1] += 1
    byTerms[Int(terms)] += 1
    counter.add(row)
    for row in further[index] { counter.add(row) }
  }

  /// Adds purchases that Spark counted to their minutes and terms; returns how many are of the
  /// period.
  ///
  /// - Parameters:
  ///   - moments: the minutes at which they were placed or bought.
  ///   - sold: the same purchases by their terms.
  ///   - terms: the terms that the result is by: those of the order or of the transaction.
  /// - Precondition: each was placed and bought on one business day.
  private mutating func add(
    _ moments: [PurchaseCounts.Moment], _ sold: [PurchaseCounts.Sold],
    _ terms: KeyPath<PurchaseCounts.Sold, Int32>
  ) -> Int {
    var all = 0
    for moment in moments {
      let minute = minute(of: Int64(moment.at))
      guard minute >= 0 else { continue }
      before[minute + 1] += Int(moment.count)
      all += Int(moment.count)
    }
    for one in sold where minute(of: Int64(one.at)) >= 0 {
      byTerms[Int(one[keyPath: terms])] += Int(one.count)
    }
    return all
  }

  /// Ends the additions: makes running sums of the minutes and, where a whole is given, subtracts
  /// from it what was added, which then are the rows that are left out.
  ///
  /// - Parameters:
  ///   - counter: has the rows by file.
  ///   - whole: the result if nothing were left out; nil where nothing is.
  private mutating func finish<Table>(_ counter: FileCounter<Table>, of whole: Self?) {
    for minute in before.indices.dropFirst() { before[minute] += before[minute - 1] }
    byFile = counter.counts
    guard let whole else { return }
    for minute in before.indices { before[minute] = whole.before[minute] - before[minute] }
    for terms in byTerms.indices { byTerms[terms] = whole.byTerms[terms] - byTerms[terms] }
    byFile = whole.byFile.merging(byFile.mapValues { -$0 }, uniquingKeysWith: +)
      .filter { $0.value > 0 }
  }

  /// The minute of the period that a moment, in seconds since 1970, is of, or -1 outside.
  func minute(of moment: Int64) -> Int {
    let minute = moment >= start ? Int((moment - start) / 60) : -1
    return minute < before.count - 1 ? minute : -1
  }

  /// The part of all rows without findings from one moment to another, its minutes counted whole.
  ///
  /// - Parameters:
  ///   - hits: findings between the two moments.
  ///   - all: findings of the period.
  func share(from first: Int64, to last: Int64, hits: Int, of all: Int) -> Double {
    let rows = before[minute(of: last) + 1] - before[minute(of: first)]
    return share(rows, without: hits, of: all)
  }

  /// The part that some rows are of all, rows with findings left out of both; one is added to each,
  /// so that it is never zero.
  ///
  /// - Parameters:
  ///   - rows: how many there are, with those that have findings.
  ///   - hits: findings among the rows.
  ///   - all: findings among all.
  func share(_ rows: Int, without hits: Int, of all: Int) -> Double {
    Double(max(rows - hits, 0) + 1) / Double(max(total - all, 0) + 1)
  }

  /// Rows by quarter hour of the company's day. Where its clocks change, a quarter hour is told by
  /// the time since midnight.
  func quarters(_ context: MatchingContext) -> [Int] {
    var rows = [Int](repeating: 0, count: SharedHours.quarters)
    for day in context.period.days {
      let zone = context.settings.businessZone
      let first = Int((zone.start(of: day).seconds - start) / 60)
      let end = Int((zone.start(of: day.advanced(by: 1)).seconds - start) / 60)
      for quarter in rows.indices {
        let from = min(first + quarter * 15, end, minutes)
        let isLast = quarter == rows.count - 1
        let to = min(isLast ? end : min(from + 15, end), minutes)
        rows[quarter] += before[to] - before[from]
      }
    }
    return rows
  }

  /// How many minutes the period has.
  var minutes: Int { before.count - 1 }

  /// The minutes of the period that lie in some quarter hours of the company's day: a range for
  /// each day of the period and each quarter hour.
  ///
  /// - Parameter quarters: their numbers from midnight.
  func minutes(of quarters: [Int], _ context: MatchingContext) -> [ClosedRange<Int>] {
    let zone = context.settings.businessZone
    return context.period.days.flatMap { day in
      let first = Int((zone.start(of: day).seconds - start) / 60)
      return quarters.map { first + $0 * 15...first + $0 * 15 + 14 }
    }
  }

  /// Rows by a text that their terms tell; those that tell none are left out.
  ///
  /// - Parameter texts: by the number of the terms.
  func counts(_ texts: [String]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for (text, rows) in zip(texts, byTerms) where rows > 0 && !text.isEmpty {
      counts[text, default: 0] += rows
    }
    return counts
  }
}

/// Counts rows by file; rows that follow one another mostly come from the same.
private struct FileCounter<Table> {
  private let files: [RowFile<Table>]
  private var rows: [Int]
  private var current = 0
  /// By file, whether its rows are counted nowhere.
  private let leftOut: [Bool]
  let leavesAny: Bool

  /// Begins without any row.
  ///
  /// - Parameters:
  ///   - files: ascending by first row.
  ///   - names: of the files that are left out.
  init(_ files: [RowFile<Table>], leaving names: Set<String>) {
    self.files = files
    rows = Array(repeating: 0, count: files.count)
    leftOut = names.isEmpty ? [] : files.map { names.contains($0.name) }
    leavesAny = leftOut.contains(true)
  }

  /// Whether a row came from a file that is left out.
  ///
  /// - Precondition: a file is left out.
  mutating func isLeftOut(_ row: RowID<Table>) -> Bool {
    find(row)
    return leftOut[current]
  }

  /// Adds a row to its file.
  mutating func add(_ row: RowID<Table>) {
    guard !files.isEmpty else { return }
    find(row)
    rows[current] += 1
  }

  /// Makes the file that a row came from the current one.
  private mutating func find(_ row: RowID<Table>) {
    if row < files[current].firstRow
      || (current + 1 < files.count && row >= files[current + 1].firstRow)
    {
      current = max(files.partitioningIndex { $0.firstRow > row } - 1, 0)
    }
  }

  /// How many rows each file has, without those that have none.
  var counts: [String: Int] {
    Dictionary(zip(files.map(\.name), rows), uniquingKeysWith: +).filter { $0.value > 0 }
  }
}
