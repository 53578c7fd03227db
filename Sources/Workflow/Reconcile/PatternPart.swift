import Billing
import Conclusions
import Ledger
import Matching

/// Looks for what many findings of a reconciliation have in common, after they have their ids and
/// places. Where no code has findings enough, nothing is looked up.
///
/// - Parameters:
///   - cases: the findings, as patterns are looked for in them.
///   - traces: of the company's log of events; nil where none is loaded.
/// - Returns: the patterns, and users of whose orders Spark has not said how many there are.
func searchPatterns(
  _ cases: [PatternCase], _ ledger: Ledger, _ table: MatchTable, _ reports: SalesReports,
  _ traces: EventTraces?, _ context: MatchingContext
) throws -> (patterns: [Pattern], usersAsked: [String]) {
  /// The files of a table's rows, each with its first row.
  func files<Table>(_ table: FactRowTable<Table>) throws -> [RowFile<Table>] {
    try ledger.firstRows(of: table).map { RowFile(firstRow: $0.firstRow, name: $0.name) }
  }
  var search = PatternSearch(
    cases, table, reports, orderFiles: try files(.orders),
    transactionFiles: try files(.transactions),
    countedFiles: table.counts.isEmpty ? [:] : try ledger.handedOver(context.period),
    // Events of purchases that were counted elsewhere cannot be told from others'.
    traces: table.counts.isEmpty ? traces : nil, context)
  if search.isEmpty { return ([], []) }
  let users = search.usersAsked()
  if !table.counts.isEmpty {
    let patterns = search.patterns(ordersByUser: table.counts.users)
    return (patterns, users.filter { table.counts.users[$0] == nil })
  }
  let zone = context.settings.businessZone
  let last = zone.start(of: context.period.last.advanced(by: 1)).seconds - 1
  let placed = zone.start(of: context.period.first)...Instant(seconds: last)
  let patterns = search.patterns(
    ordersByUser: users.isEmpty ? [:] : try ledger.orderCounts(ofUsers: users, placed: placed))
  return (patterns, [])
}
