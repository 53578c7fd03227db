import Billing

extension OrderTieOut {
  /// What transactions of one product, storefront and currency have in common that is not known.
  private struct WordKey: Hashable {
    var words: String
    var sku: String
    var storefront: Storefront?
    var currency: Currency?
    var isBillable: Bool

    /// What findings of words are sorted by.
    var sortKey: [String] {
      [storefront?.code ?? "", sku, words, currency?.code ?? "", isBillable ? "" : "not"]
    }
  }

  /// Transactions that have an unknown word, product, storefront and currency in common, added up.
  private struct Worded {
    var units: Int64 = 0
    /// Nil where a price is not known.
    var amount: Int64? = 0
    var day: Day
    /// Whether the company's own table says it.
    var isOwn: Bool
    var rows: [TransactionRow.ID] = []
  }

  /// Adds a finding for each word of Apple's that is not known, by product, storefront and
  /// currency, with the units and the amount of the transactions that have it.
  mutating func judgeWords() {
    let hasWords = table.transactionTerms.map { !$0.unknownWords.isEmpty }
    guard hasWords.contains(true) else { return }
    var found: [WordKey: Worded] = [:]
    for index in table.transactions.indices where table.orderOf[index] != .merged {
      let entry = table.transactions[index]
      guard hasWords[Int(entry.terms)], table.chains.role(of: index) != .restore,
        let day = dayInPeriod(entry.purchasedAt)
      else { continue }
      let terms = effective(index)
      let key = WordKey(
        words: table.transactionTerms[Int(entry.terms)].unknownWords, sku: terms.sku,
        storefront: terms.storefront, currency: terms.currency,
        isBillable: billable[Int(entry.terms)])
      let isOwn = table.transactionTerms[Int(entry.terms)].factSource == .company
      var sum = found[key] ?? Worded(day: day, isOwn: isOwn)
      sum.isOwn = sum.isOwn && isOwn
      sum.units += Int64(terms.quantity)
      sum.amount = terms.gross.flatMap { gross in sum.amount.map { $0 + gross } }
      sum.day = min(sum.day, day)
      if sum.rows.count < Rules.namedRows { sum.rows += table.rows(ofTransaction: index) }
      found[key] = sum
    }
    for (key, sum) in found.sorted(by: { $0.key.sortKey.lexicographicallyPrecedes($1.key.sortKey) })
    {
      add(finding(of: key, sum))
    }
  }

  /// The finding of transactions that have an unknown word in common.
  private func finding(of key: WordKey, _ sum: Worded) -> UnresolvedFinding {
    let units = spoken(units: sum.units)
    let amount = spoken(sum.amount, key.currency)
    var finding = UnresolvedFinding(
      .wordUnknown, storefront: key.storefront, currency: key.currency, day: sum.day,
      sku: key.sku, units: sum.units, amount: sum.amount, transactions: sum.rows,
      explanation: key.isBillable
        ? "@word-unknown.counted-as-sold-the-value \(amount) \(units) \(key.words)"
        : "@word-unknown.not-counted-as-sold \(amount) \(units) \(key.words)")
    if sum.isOwn { finding.action = AdviceByFact.ownWord }
    return finding
  }
}
