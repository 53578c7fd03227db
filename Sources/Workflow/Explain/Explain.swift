package import Billing
import Languages
import Ledger
import Matching
import Pricing

/// What to explain.
package struct ExplainRequest: Sendable {
  package var ledgerPath: String
  /// Of a finding, an order, a transaction, a user, `STOREFRONT/SKU/DAY` or `COIN/DAY`.
  package var id: String
  /// What the id is, where that is known; nil finds it out.
  package var kind: Explanation.Kind?
  /// Whose reconciliation is meant, where several have the day.
  package var period: Period?
  package var settings: Settings
  package var asOf: Day
  /// Of the program; nil does not ask whether a reconciliation is out of date.
  package var version: String?

  package init(ledgerPath: String, id: String, settings: Settings, asOf: Day) {
    self.ledgerPath = ledgerPath
    self.id = id
    self.settings = settings
    self.asOf = asOf
  }
}

/// All that the ledger tells of what an id stands for, an explanation for each thing that it is.
///
/// - Throws: a ``Stop`` where nothing in the ledger has the id, with what is like it, or where the
///   ledger cannot be read.
package func explain(_ request: ExplainRequest) throws -> [Explanation] {
  try stopping {
    // A user's orders and transactions are looked for at the same time.
    try Ledger.reading(request.ledgerPath, connections: 2) { ledger in
      try explain(request, Explainer(request, ledger))
    }
  }
}

/// An explanation for each meaning of the id; notes where users were not searched for it.
private func explain(
  _ request: ExplainRequest, _ explainer: Explainer
) throws -> [Explanation] {
  let meanings = try explainer.meanings()
  guard !meanings.isEmpty else { throw try explainer.nothingFound() }
  var explanations = try meanings.map { try explainer.explanation($0) }
  if request.kind == nil, !meanings.contains(where: \.isUser), explanations[0].kind != .finding,
    ![Explanation.Kind.cell, .coins].contains(explanations[0].kind)
  {
    let id = explanations[0].id
    explanations[0].notes.append(
      "@explain.users-were-not-searched \(id)")
  }
  return explanations
}

/// One of the things that an id is.
private enum Meaning {
  case finding(RecordedFinding)
  case order(String, [OrderRow.ID])
  case transaction(String, [TransactionRow.ID])
  case chain([TransactionRow.ID])
  case user(UserRows)
  case cell(Storefront, String, Day)
  case coins(String, Day)

  var isUser: Bool { if case .user = self { true } else { false } }
}

extension Explainer {
  /// Explains one of the things that the id is.
  fileprivate func explanation(_ meaning: Meaning) throws -> Explanation {
    switch meaning {
    case .finding(let found): try explanation(finding: found)
    case .order(let id, let rows): try explanation(order: id, rows)
    case .transaction(let id, let rows): try explanation(transaction: id, rows)
    case .chain(let rows): try explanation(chain: request.id, rows)
    case .user(let rows): try explanation(user: request.id, rows)
    case .cell(let storefront, let sku, let day): try explanation(storefront, sku, day)
    case .coins(let coin, let day): try explanation(coin: coin, day)
    }
  }

  /// Everything that the id is, of the kind that is asked for; empty where it is nothing. No index
  /// leads to users, so they are only looked for where nothing else has the id, or they are meant.
  fileprivate func meanings() throws -> [Meaning] {
    let id = request.id
    /// Whether the id may be of this kind: all kinds are meant where none is named.
    func isMeant(_ kind: Explanation.Kind) -> Bool { request.kind.map { $0 == kind } ?? true }
    var meanings: [Meaning] = []
    if isMeant(.cell) { meanings += try cells() }
    if isMeant(.coins), let found = try coinDay() { meanings.append(.coins(found.coin, found.day)) }
    if isMeant(.finding), let found = try finding() { meanings.append(.finding(found)) }
    if isMeant(.order) {
      let rows = try rows(ofOrders: [id])
      if !rows.isEmpty { meanings.append(.order(id, rows)) }
    }
    let own = try rows(ofTransactions: [id])
    if isMeant(.transaction), !own.isEmpty { meanings.append(.transaction(id, own)) }
    if isMeant(.originalTransaction) {
      let chain = try rows(ofChain: id)
      if !Set(chain).isSubset(of: own) || (request.kind != nil && !chain.isEmpty) {
        meanings.append(.chain(chain))
      }
    }
    // So short an id is that of an order, or a beginning.
    if isMeant(.finding), meanings.isEmpty, let found = try finding(begins: 4..<6) {
      meanings.append(.finding(found))
    }
    guard meanings.isEmpty else { return meanings }
    let mayBegin = id.utf8.count >= Self.shortestBeginning
    guard isMeant(.user) || mayBegin else { return [] }
    let found = try ledger.search(
      id, days: request.period?.days, limit: mayBegin ? Self.named + 1 : 0)
    if isMeant(.user), !found.user.isEmpty { return [.user(found.user)] }
    return mayBegin
      ? try meaningsOfBeginning(
        orders: isMeant(.order) ? found.orders : [],
        transactions: isMeant(.transaction) ? found.transactions : []) : []
  }

  /// The one finding, order or transaction whose ID begins with the text asked for; empty where
  /// none does.
  ///
  /// - Parameter orders: ids that begin so; of transactions likewise.
  /// - Throws: a ``Stop`` that names some of several such IDs.
  private func meaningsOfBeginning(orders: [String], transactions: [String]) throws -> [Meaning] {
    let beginning = request.id
    let isFinding = request.kind.map { $0 == .finding } ?? true
    let findings =
      isFinding && beginning.allSatisfy(\.isHexDigit)
      ? try ledger.findingIDs(beginning: beginning.lowercased(), limit: Self.named + 1) : []
    let all = Set(findings + orders + transactions).sorted()
    guard all.count <= 1 else {
      throw Stop(
        .badInput, "@explain.several-ids-start \(beginning)",
        help: "@shared.type-more-of-the-id \(all.prefix(Self.named).asList)")
    }
    return try findings.compactMap { try ledger.recordedFinding(id: $0).map { .finding($0) } }
      + orders.map { .order($0, try rows(ofOrders: [$0])) }
      + transactions.map { .transaction($0, try rows(ofTransactions: [$0])) }
  }

  /// IDs that are named where several begin so.
  private static let named = 5

  /// Characters of an ID that are enough where no other ID begins with them.
  private static let shortestBeginning = 3

  /// The recorded finding with the id, or the only one that it is the beginning of; nil where there
  /// is none.
  ///
  /// - Parameter begins: how many characters a beginning has.
  private func finding(begins: Range<Int> = 6..<16) throws -> RecordedFinding? {
    let id = request.id.lowercased()
    if let found = try ledger.recordedFinding(id: id) { return found }
    guard begins.contains(id.utf8.count), id.allSatisfy(\.isHexDigit) else { return nil }
    let like = try ledger.findingIDs(beginning: id, limit: 2)
    return like.count == 1 ? try ledger.recordedFinding(id: like[0]) : nil
  }

  /// The rows of the chain of renewals that began with the transaction of this id.
  private func rows(ofChain id: String) throws -> [TransactionRow.ID] {
    let rows = try ledger.chainTransactions(
      [IDKey(id)], purchased: Instant(seconds: 0)...Instant(seconds: Int64(UInt32.max)),
      outside: RelatedRows.never
    ) { entry, _ in entry.row }
    let originals = try ledger.originals(rows)
    return rows.filter { originals[$0] == id }
  }

  /// The cell that `STOREFRONT/SKU/DAY` names, of an SKU in several apps each of them; empty where
  /// the id is no such text.
  private func cells() throws -> [Meaning] {
    let parts = request.id.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 3, let day = Day(parts[parts.count - 1]) else { return [] }
    let written = parts[1..<(parts.count - 1)].joined(separator: "/")
    let (place, sku) = (String(parts[0]), AppProduct.written(written))
    guard let storefront = knownStorefront(place) else {
      throw Stop(
        .badInput, "@explain.apple-has-no-storefront \(place)",
        help: likelyStorefront(place).map { "@shared.did-you-mean \($0)" }
          ?? "@explain.write-the-country-iso-3166")
    }
    let known = try ledger.skus()
    let (shared, product) = (try ledger.sharedSKUs(), AppProduct(sku))
    let names = shared.names(of: product.sku)
    guard known.contains(sku) || names.contains(sku) else {
      throw Stop(
        .badInput, "@explain.nothing-in-the-ledger-has-the-sku \(sku)",
        help: nearest(to: sku, among: known + names).map { "@shared.did-you-mean \($0)" }
          ?? "@explain.write-the-sku-as-apple")
    }
    if names.isEmpty || names.contains(sku) { return [.cell(storefront, sku, day)] }
    let apart = shared.unlinked.contains(sku) ? [sku] : names
    return apart.map { .cell(storefront, $0, day) }
  }

  /// The error that nothing has the id, with ids that one slip of the finger makes of it, or what
  /// it may mean else.
  fileprivate func nothingFound() throws -> Stop {
    let id = request.id
    let slips = slips(of: id)
    let orders = try rows(ofOrders: slips)
    let transactions = try rows(ofTransactions: slips)
    let like =
      Set(try ledger.resolveOrders(orders).map(\.id)).sorted()
      + Set(try ledger.resolveTransactions(transactions).map(\.id)).sorted()
      + (try findingIDs(like: id, in: ledger))
    let what: Wording =
      request.kind.map { "@explain.nothing-in-the-ledger-has-the-id \(id) \($0.words)" }
      ?? "@explain.nothing-in-the-ledger-has \(id)"
    guard like.isEmpty else {
      let ids = like.prefix(3).asList
      return Stop(.badInput, what, help: "@explain.did-you-mean-one \(ids)")
    }
    if request.kind == nil, let code = likelyCode(id) {
      return Stop(.badInput, what, help: "@explain.did-you-mean-the-finding \(code)")
    }
    let periods = try ledger.countedPeriods()
    if !periods.isEmpty {
      return Stop(
        .badInput, what,
        help: "@explain.purchases-of-were-counted-by \(periods.asList)")
    }
    return Stop(
      .badInput, what,
      help: "@explain.id-names-a-finding")
  }
}

/// The finding code that is most like a word of letters and hyphens; nil for a word with a digit,
/// which is an ID.
package func likelyCode(_ word: String) -> String? {
  guard word.contains("-") || word.contains("_") || word.contains(where: \.isLetter),
    !word.contains(where: \.isNumber)
  else { return nil }
  return nearest(
    to: word.replacing("_", with: "-"), among: FindingCode.allCases.map(\.rawValue))
}

/// Texts that one slip of the finger turns into `word`, or the other way round: a character more,
/// less, or another, two exchanged, and the other case.
func slips(of word: String) -> [String] {
  let characters = Array(word)
  guard (2...40).contains(characters.count) else { return [] }
  var typed = Set(characters.filter { $0.isASCII })
  // Digits and the letters that are taken for some of them.
  if typed.contains(where: \.isNumber) { typed.formUnion("0123456789OIl") }
  let letters = typed.sorted()
  var found: Set<String> = [word.uppercased(), word.lowercased()]
  for index in 0...characters.count {
    for letter in letters {
      found.insert(String(characters[..<index] + [letter] + characters[index...]))
      if index < characters.count {
        found.insert(String(characters[..<index] + [letter] + characters[(index + 1)...]))
      }
    }
    guard index < characters.count else { continue }
    found.insert(String(characters[..<index] + characters[(index + 1)...]))
    if index + 1 < characters.count {
      var swapped = characters
      swapped.swapAt(index, index + 1)
      found.insert(String(swapped))
    }
  }
  found.remove(word)
  return found.sorted()
}
