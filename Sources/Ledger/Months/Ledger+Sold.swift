package import Billing

extension Ledger {
  /// The different terms of the rows that the counting sales reports have of `days`, without those
  /// that bring nothing; in no order.
  package func soldTerms(_ days: ClosedRange<Day>) throws -> [SalesTerms] {
    try read { db in
      let terms = try TermsDictionary<SalesTerms>.all(db)
      let reports = CountedReport.counting(try CountedReport.current(db))
      let ranges = try RowRanges(
        .sales, touching: Int64(days.lowerBound.number)...Int64(days.upperBound.number),
        of: Set(reports.map(\.source)), db)
      var isSold = [Bool](repeating: false, count: terms.count)
      try ranges.forEach(db, "terms_id, begin_day, end_day", from: "sales_row") { row in
        guard row.day(2) <= days.upperBound, row.day(3) >= days.lowerBound else { return }
        isSold[Int(row.int32(1)) - 1] = true
      }
      return terms.indices.lazy.filter { isSold[$0] && terms[$0].proceeds != 0 }.map { terms[$0] }
    }
  }
}
