import Billing

extension MatchTable {
  /// Whether orders tell of more apps than one.
  var tellsSeveralApps: Bool {
    Set(orderTerms.lazy.map(\.bundleID).filter { !$0.isEmpty }).count > 1
  }

  /// Gives orders of different apps that share an id other keys, and so the transactions that name
  /// them: an order is known by its app and its id, where the app is told. Returns whether there
  /// are such orders.
  mutating func tellOrdersOfAppsApart() -> Bool {
    let bundles = orderTerms.map(\.bundleID)
    let shared = keysOfSeveralApps(bundles)
    if shared.isEmpty { return false }
    for index in orders.indices where shared.contains(orders[index].key) {
      let bundle = bundles[Int(orders[index].terms)]
      if bundle.isEmpty { continue }
      let before = orders[index]
      orders[index].key = before.key.of(app: bundle)
      note(before, at: index)
    }
    // A row that does not tell its app is of that of the transaction's other rows.
    let told = transactionTerms.map(\.bundleID)
    let naming = transactions.indices.filter { shared.contains(transactions[$0].order) }
    var bundleOf: [IDKey: String] = [:]
    for index in naming where !told[Int(transactions[index].terms)].isEmpty {
      bundleOf[transactions[index].key] = told[Int(transactions[index].terms)]
    }
    for index in naming {
      guard let bundle = bundleOf[transactions[index].key] else { continue }
      let before = transactions[index]
      transactions[index].order = before.order.of(app: bundle)
      note(before, at: index)
    }
    return true
  }

  /// Keys that orders of more than one app have.
  ///
  /// - Parameter bundles: per order terms; empty where the app is not told.
  private func keysOfSeveralApps(_ bundles: [String]) -> Set<IDKey> {
    let byKey = ordersByKey
    var shared: Set<IDKey> = []
    for run in runs(of: byKey) {
      let apps = Set(run.map { bundles[Int(orders[Int(byKey[$0].index)].terms)] })
      if apps.subtracting([""]).count > 1 { shared.insert(IDKey(raw: byKey[run.lowerBound].key)) }
    }
    return shared
  }
}

extension IDKey {
  /// The key of the same id within one app.
  fileprivate func of(app bundle: String) -> IDKey { IDKey("\(raw)\u{1F}\(bundle)") }
}
