import Billing

extension OrderTieOut {
  /// Adds a finding for each transaction that sources contradict each other about, whatever
  /// contradicts; one for all of many refunds that one source tells against signed payloads.
  mutating func judgeContradictions() {
    let all = Dictionary(grouping: table.contradictions, by: \.transaction)
    let alike = refusedAlike(all)
    for source in alike.keys.sorted() { addRefused(alike[source]!, by: source) }
    let grouped = Set(alike.values.joined().map(\.transaction))
    for (position, contradictions) in all.sorted(by: { $0.key < $1.key })
    where !grouped.contains(position) {
      let transaction = Int(position)
      guard
        let day = dayInPeriod(table.transactions[transaction].purchasedAt)
          ?? contradictions.compactMap({ dayInPeriod($0.revokedAt) }).min()
      else { continue }
      let terms = effective(transaction)
      let orders = Set(contradictions.flatMap(\.orders)).sorted()
      add(
        UnresolvedFinding(
          .sourcesContradict, storefront: terms.storefront, currency: terms.currency, day: day,
          sku: terms.sku, units: Int64(terms.quantity),
          orders: orders.flatMap { table.rows(ofOrder: Int($0)) },
          transactions: Set(contradictions.flatMap(\.rows)).sorted(),
          explanation: contradictions.map(\.what).sorted { $0.english < $1.english }
            .joined(separator: "; ")
        ).about(transaction: transaction))
    }
  }

  /// By source, refunds that it reports and signed payloads of the same transactions do not have,
  /// where a source has so many that they have one cause: the company has signed payloads of its
  /// sales only.
  ///
  /// - Parameter all: contradictions by the transaction's position.
  private func refusedAlike(
    _ all: [Int32: [MatchTable.Contradiction]]
  ) -> [FactSource: [MatchTable.Contradiction]] {
    var alike: [FactSource: [MatchTable.Contradiction]] = [:]
    for contradictions in all.values where contradictions.count == 1 {
      let one = contradictions[0]
      guard let source = one.refusedSource, day(of: one) != nil else { continue }
      alike[source, default: []].append(one)
    }
    return alike.filter { $0.value.count >= Rules.alikeContradictions }
  }

  /// The day of the purchase, else of the refund, where it lies in the period; else nil.
  private func day(of contradiction: MatchTable.Contradiction) -> Day? {
    dayInPeriod(table.transactions[Int(contradiction.transaction)].purchasedAt)
      ?? dayInPeriod(contradiction.revokedAt)
  }

  /// Adds one finding for all refunds that a source reports and signed payloads of the same
  /// transactions do not have.
  ///
  /// - Parameter alike: those refunds, at least one.
  private mutating func addRefused(
    _ alike: [MatchTable.Contradiction], by source: FactSource
  ) {
    let ordered = alike.sorted { ($0.revokedAt, $0.transaction) < ($1.revokedAt, $1.transaction) }
    let units = alike.reduce(Int64(0)) { $0 + Int64(effective(Int($1.transaction)).quantity) }
    let (first, last) = (ordered[0].revokedAt, ordered[ordered.count - 1].revokedAt)
    add(
      UnresolvedFinding(
        .sourcesContradict, day: alike.compactMap(day(of:)).min(), units: units,
        transactions: Array(ordered.flatMap(\.rows).prefix(Rules.namedRows)).sorted(),
        explanation: """
          @sources-contradict.reports-refunds \(source.wording) \(alike.count) \
          \(Instant(seconds: Int64(first))) \(Instant(seconds: Int64(last)))
          """))
  }
}

extension OrderTieOut {
  /// Adds a finding for each ID that stands for nothing and that orders of the period name.
  mutating func judgeRepeatedIDs() {
    for repeated in table.repeatedIDs {
      let orders = repeated.orders.map { table.orders[Int($0)] }
        .filter { dayInPeriod($0.placedAt) != nil }
        .sorted { ($0.placedAt, $0.key) < ($1.placedAt, $1.key) }
      if orders.isEmpty { continue }
      let id = Wording(verbatim: repeated.text)
      var finding = UnresolvedFinding(
        .idRepeated, orders: orders.prefix(Rules.namedRows).map(\.row),
        explanation: "@id-repeated.orders-name-the-transaction-id \(orders.count) \(id)")
      finding.action = "@id-repeated.find-out-why-these-orders \(id)"
      add(finding)
    }
  }
}
