import Billing
import Crypto
import Ledger
import Matching

/// A finding before and after its rows were resolved, and what its rows tell beside that.
struct ResolvedFinding {
  var unresolved: UnresolvedFinding
  var finding: Finding
  /// Of the orders, or of the transactions where no order tells one; empty texts among them.
  var users: [String]
  var orderFiles: [String]
  var transactionFiles: [String]
}

/// Turns unresolved findings, which name rows, into findings, which name ids and places in files.
struct Resolver {
  private var orders: [OrderRow.ID: ResolvedRow<OrderRow>] = [:]
  private var transactions: [TransactionRow.ID: ResolvedRow<TransactionRow>] = [:]
  private var sales: [SalesRow.ID: Source] = [:]
  private var finance: [FinanceRow.ID: Source] = [:]

  /// Looks up every row of the findings.
  init(_ ledger: Ledger, _ findings: [UnresolvedFinding]) throws {
    func rows<Table>(_ part: (UnresolvedFinding) -> [RowID<Table>]) -> [RowID<Table>] {
      Set(findings.flatMap(part)).sorted()
    }
    for row in try ledger.resolveOrders(rows(\.orders)) { orders[row.row] = row }
    for row in try ledger.resolveTransactions(rows(\.transactions)) { transactions[row.row] = row }
    for (row, source) in try ledger.resolveSales(rows(\.sales)) { sales[row] = source }
    for (row, source) in try ledger.resolveFinance(rows(\.finance)) { finance[row] = source }
  }

  /// The findings with what they became, in the findings' order, one per code and key.
  func resolved(_ findings: [UnresolvedFinding]) -> [ResolvedFinding] {
    var seen: Set<String> = []
    return findings.map(resolved).filter { seen.insert($0.finding.id).inserted }
      .sorted { Finding.isOrderedBefore($0.finding, $1.finding) }
  }

  private func resolved(_ unresolved: UnresolvedFinding) -> ResolvedFinding {
    let orders = unresolved.orders.map { self.orders[$0]! }
    let transactions = unresolved.transactions.map { self.transactions[$0]! }
    let users = orders.map(\.user).filter { !$0.isEmpty }
    return ResolvedFinding(
      unresolved: unresolved, finding: finding(unresolved),
      users: users.isEmpty ? transactions.map(\.user) : users,
      orderFiles: orders.map(\.source.file), transactionFiles: transactions.map(\.source.file))
  }

  private func finding(_ unresolved: UnresolvedFinding) -> Finding {
    let orders = unresolved.orders.map { self.orders[$0]! }.sorted(by: Self.isOrderedBefore)
    let transactions = unresolved.transactions.map { self.transactions[$0]! }
      .sorted(by: Self.isOrderedBefore)
    // Sources stand in the order of the ids they belong to, then Apple's rows, then whole files.
    let sources =
      unique(orders.map(\.source)) + unique(transactions.map(\.source))
      + Set(unresolved.sales.map { sales[$0]! }).sorted()
      + Set(unresolved.finance.map { finance[$0]! }).sorted()
      + unresolved.places.sorted()
      + unresolved.files.map { Source(file: $0, line: 0) }
    var finding = Finding(
      code: unresolved.code, severity: unresolved.severity ?? unresolved.code.severity,
      storefront: unresolved.storefront, currency: unresolved.currency, date: unresolved.day,
      sku: unresolved.sku,
      units: unresolved.units,
      amount: unresolved.amount == 0 ? nil : unresolved.amount,
      orderIDs: Set(orders.map(\.id)).sorted(),
      transactionIDs: Set(transactions.map(\.id)).sorted(), sources: sources,
      explanation: unresolved.explanation, action: unresolved.code.action, id: "")
    finding.parts = unresolved.parts
    finding.id = Self.digest(of: finding)
    return finding
  }

  private static func isOrderedBefore<Table>(
    _ left: ResolvedRow<Table>, _ right: ResolvedRow<Table>
  ) -> Bool {
    left.id != right.id ? left.id < right.id : left.source < right.source
  }

  private func unique(_ sources: [Source]) -> [Source] {
    var seen: Set<Source> = []
    return sources.filter { seen.insert($0).inserted }
  }

  /// The first 16 hex digits of the SHA-256 over what the finding says: the same facts give the
  /// same id, whatever the files' names, the order of import or the language.
  private static func digest(of finding: Finding) -> String {
    let parts: [String] =
      [
        finding.code.rawValue, finding.storefront?.code ?? "", finding.currency?.code ?? "",
        finding.date?.description ?? "", finding.sku ?? "", finding.units.map(String.init) ?? "",
        finding.amount.map(String.init) ?? "", finding.orderIDs.joined(separator: "\u{1F}"),
        finding.transactionIDs.joined(separator: "\u{1F}"),
      ]
      + finding.parts.map {
        "\($0.storefront?.code ?? "") \($0.amount.currency) \($0.amount.micros)"
      }
    let text = parts.joined(separator: "\u{1E}")
    return SHA256.hash(data: Array(text.utf8)).prefix(8).map { byte in
      let hex = String(byte, radix: 16)
      return hex.count == 1 ? "0" + hex : hex
    }.joined()
  }
}
