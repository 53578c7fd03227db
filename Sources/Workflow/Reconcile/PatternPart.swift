import Billing
import Ledger
import Matching

/// What is behind many findings of a reconciliation, looked for after they have their ids and
/// places. Where no code has findings enough, nothing is counted.
func patterns(
  _ cases: [PatternCase], _ ledger: Ledger, _ table: MatchTable, _ reports: SalesReports,
  _ context: MatchingContext
) throws -> [Pattern] {
  func files<Table>(_ table: FactRowTable<Table>) throws -> [RowFile<Table>] {
    try ledger.firstRows(of: table).map { RowFile(firstRow: $0.firstRow, name: $0.name) }
  }
  var search = PatternSearch(
    cases, table, reports, orderFiles: try files(.orders),
    transactionFiles: try files(.transactions), context)
  if search.isEmpty { return [] }
  let users = search.usersAsked
  let zone = context.settings.businessZone
  let last = zone.start(of: context.period.last.advanced(by: 1)).seconds - 1
  let placed = zone.start(of: context.period.first)...Instant(seconds: last)
  return search.patterns(
    ordersByUser: users.isEmpty ? [:] : try ledger.orderCounts(ofUsers: users, placed: placed))
}
