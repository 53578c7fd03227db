package import Billing

/// A clock that is off, as it is told to a person.
package struct ClockShift: Sendable {
  enum Side { case orders, transactions, both }

  /// What says whose clock it is.
  enum Proof {
    /// Apple itself told the other times.
    case apple
    /// Apple told the same transactions, of so many that both tell.
    case sameTransactions
    /// Other files of the same kind are right.
    case files
    /// Units by which purchases and Apple's reports differ, as they are and corrected.
    case reports(before: Int64, after: Int64)
    case none
  }

  var side: Side
  /// Ahead of Apple's clock; less than 0 is behind.
  var seconds: Int64
  /// Ascending; empty where all files are meant.
  var files: [String]
  /// What the rows of these files have in common that are meant, as `JP`; empty where all are.
  var part = ""
  /// The zone whose local times would be so far ahead; nil where none is likely.
  var zone: String?
  /// Whether it is all rows of each of the files.
  var isWhole = false
  /// Pairs that stand so far apart, and all that these files have.
  var pairs: Int
  var allPairs: Int
  /// Whether ids tie the pairs; else each is the only one of its product and storefront for a day.
  var isByID = true
  var proof: Proof
  /// Whether it is less than a quarter hour, and of all rows of its side.
  var isSkew = false
  /// Rows that show it.
  var orders: [OrderRow.ID] = []
  var transactions: [TransactionRow.ID] = []
}

/// What was found of a period's clocks.
package struct FoundClocks: Sendable {
  package var correction: ClockCorrection
  /// The facts by right times, and matched by ids alone. Where no clock is off, their orders and
  /// transactions may be the table's alone.
  package var facts: MonthFacts
  package var table: MatchTable
  /// Units by which Apple's report days fit no documented boundary, and all of the large
  /// storefronts, where several clocks would explain that: nothing tells which.
  package var unclear: (units: Int64, all: Int64)?

  /// Whether no clock is off, as far as rows tell.
  package var areRight: Bool { correction.isEmpty && unclear == nil }
}

extension FoundClocks {
  /// Facts whose clocks are known to be right.
  package init(rightIn facts: MonthFacts, _ table: MatchTable) {
    self.init(correction: ClockCorrection(), facts: facts, table: table)
  }
}
