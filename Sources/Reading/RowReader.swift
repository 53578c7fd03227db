internal import Billing

/// Turns flat records of one kind into rows of blocks.
protocol RowReader: BlockSource {
  /// The rows that one record stands for, each counting as a record: 1 but for tables that hold
  /// several facts per line. A record at fault leaves no row.
  mutating func read(_ record: Record) throws(Fault) -> Int
}

/// Turns JSON records of any depth into rows of blocks.
protocol TapeReader: BlockSource {
  /// The records that the one on the tape stands for. A record at fault leaves no row.
  ///
  /// - Parameter line: the line on which it begins.
  mutating func read(_ tape: JSONTape, line: Int) throws(Fault) -> Int
}

/// Collects rows until they are handed over as blocks.
protocol BlockSource {
  associatedtype Block: RecordBlock
  /// Rows since the last block, and footers.
  var pending: Int { get }
  /// Records so far that are neither rows nor rejects: what a report says of itself.
  var footerCount: Int { get }
  /// Hands over those rows, and the dictionary entries that are new with them.
  mutating func takeBlock() -> Block
  /// Days and sums of all rows, and warnings about them.
  func summary(_ log: ReadingLog) throws -> RowSummary
}

extension BlockSource {
  var footerCount: Int { 0 }
}

/// A run of a file's records: those that were understood and those that were not.
protocol RecordBlock {
  var rowCount: Int { get }
  /// In file order.
  var rejects: [Reject] { get set }
}

extension FactBlock: RecordBlock {}

/// What a reader's rows add up to.
struct RowSummary {
  var begin: Day?
  var end: Day?
  var totals: [ReadingTotal] = []
  var tallies: [Tally] = []
}

/// Sums per currency, exact; an amount that leaves 64 bits is the file's fault.
struct TotalsByCurrency {
  private struct Sums {
    var units: Int128 = 0
    var gross: Int128 = 0
    var proceeds: Int128 = 0
  }
  private var sums: [UInt16: Sums] = [:]

  mutating func add(_ currency: Currency?, units: Int64, price: Int64) {
    let key = currency?.packed ?? 0
    sums[key, default: Sums()].units += Int128(units)
    sums[key, default: Sums()].gross += Int128(units) * Int128(price)
  }

  mutating func add(_ currency: Currency?, units: Int64, proceeds: Int64) {
    sums[currency?.packed ?? 0, default: Sums()].proceeds += Int128(units) * Int128(proceeds)
  }

  mutating func add(_ currency: Currency?, proceeds: Int128) {
    sums[currency?.packed ?? 0, default: Sums()].proceeds += proceeds
  }

  mutating func add(_ currency: Currency, owed: Int64) {
    sums[currency.packed, default: Sums()].gross += Int128(owed)
  }

  func totals(file: String) throws -> [ReadingTotal] {
    try sums.sorted { $0.key < $1.key }.map { key, sum in
      guard let units = Int64(exactly: sum.units), let gross = Int64(exactly: sum.gross),
        let proceeds = Int64(exactly: sum.proceeds)
      else {
        throw Objection(
          topic: "amount", at: SourceLocation(file: file),
          "the amounts of the file add up to more than can be counted",
          help: "a price or a count of units must be wrong: export the file again")
      }
      return ReadingTotal(
        currency: Currency(packed: key), units: units, gross: gross, proceeds: proceeds)
    }
  }
}

/// First and last of the times seen.
struct TimeSpan {
  private(set) var first = Int64.max
  private(set) var last = Int64.min

  @inline(__always)
  mutating func add(_ seconds: Int64) {
    if seconds < first { first = seconds }
    if seconds > last { last = seconds }
  }

  var begin: Day? { first <= last ? Instant(seconds: first).day() : nil }
  var end: Day? { first <= last ? Instant(seconds: last).day() : nil }
}
