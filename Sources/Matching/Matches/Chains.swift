package import Billing

/// What each transaction is in its chain: a purchase of its own, a renewal, or an earlier
/// transaction restored.
package struct Chains: Sendable {
  /// What a transaction is: a purchase of its own, a renewal of a subscription, or an earlier
  /// transaction that Apple restored under another id.
  package enum Role: UInt8, Sendable { case original, renewal, restore }

  private var roles: [Role] = []
  /// Positions of transactions with details, ascending, beside their details.
  package private(set) var positions: [Int32] = []
  package private(set) var details = PlacedDetails()
  /// Per transaction the one that its chain began with, where it is a renewal and that is known;
  /// else -1. Empty where there are no chains.
  private var originals: [Int32] = []
  /// Positions of restores, each with that of the transaction that it restores.
  private var earlier: [Int32: Int32] = [:]
  /// Per transaction whether others restore it; empty where nothing is restored.
  private var restored: [Bool] = []
  /// Users of transactions that sources tell of more than one, by position.
  private(set) var furtherUsers: [Int32: Set<IDKey>] = [:]

  /// No chains: each transaction is a purchase of its own.
  init() {}

  /// Finds what each transaction of a table is in its chain.
  ///
  /// - Parameter all: details, ascending by row, of each transaction that may belong to a chain.
  init(details all: [TransactionDetail], of table: MatchTable, catalogue: CatalogueBook) {
    guard !all.isEmpty else { return }
    roles = Array(repeating: .original, count: table.transactions.count)
    storeDetails(all, of: table)
    let kinds = table.transactionTerms.map { $0.kind ?? catalogue.kind($0.sku) }
    assignRoles(kinds, table)
    findOriginals(table)
  }

  /// Drops the details of transactions; keeps what each transaction is in its chain.
  mutating func giveUpDetails() { details = PlacedDetails() }

  /// Sets the role of each transaction with details. One that names another as its original is a
  /// renewal of a subscription, or a restore of what is bought once; of several with the same line
  /// item, or of several purchases of what is bought once with the same original, all but the
  /// earliest are restores.
  ///
  /// - Parameter kinds: of the product, per transaction terms; nil where nothing tells it.
  private mutating func assignRoles(_ kinds: [ProductKind?], _ table: MatchTable) {
    for (place, position) in positions.enumerated() {
      let (entry, detail) = (table.transactions[Int(position)], details[place])
      // Only an auto-renewable subscription has a line item or, of a kind that nobody told, ends.
      let kind =
        kinds[Int(entry.terms)]
        ?? (detail.webOrderLineItem.isNone && detail.expiresAt == 0 ? nil : .autoRenewable)
      guard !detail.original.isNone, detail.original != entry.key else { continue }
      switch kind {
      case .autoRenewable: roles[Int(position)] = .renewal
      // The original may lie in a period that was not read.
      case .nonConsumable, .nonRenewing: roles[Int(position)] = .restore
      case .consumable, nil: break
      }
    }
    markRestores(table, by: details.map(\.webOrderLineItem))
    let purchases = positions.indices.map { place in
      let entry = table.transactions[Int(positions[place])]
      guard let kind = kinds[Int(entry.terms)], kind == .nonConsumable || kind == .nonRenewing
      else { return IDKey.none }
      return details[place].original.isNone ? entry.key : details[place].original
    }
    markRestores(table, by: purchases)
  }

  /// Stores the details beside the positions of their transactions, ascending; those of merged rows
  /// fill what the kept row's lack. Most transactions have one row, whose detail is stored at once;
  /// the others are put together and inserted after that.
  ///
  /// - Parameter all: ascending by row.
  private mutating func storeDetails(_ all: [TransactionDetail], of table: MatchTable) {
    positions.reserveCapacity(all.count)
    details = PlacedDetails(told: all)
    var rows = RowPositions(table.transactions)
    var others: [(position: Int32, detail: TransactionDetail)] = []
    for (place, detail) in all.enumerated() {
      guard let position = rows.position(of: detail.row) else { continue }
      if rows.isAdded(position) || table.orderOf[position] == .merged
        || table.mergedTransactions.hasRows(of: position)
      {
        others.append((Int32(position), detail))
      } else {
        positions.append(Int32(position))
        details.append(told: place)
      }
    }
    if !others.isEmpty { insert(combined(others, table)) }
  }

  /// Puts the details of several rows of one transaction together, those of stronger sources before
  /// those of weaker ones; ascending by the position of the kept row. Users beyond the first go to
  /// `furtherUsers`.
  ///
  /// - Parameter all: details of single rows, with the rows' positions.
  private mutating func combined(
    _ all: [(position: Int32, detail: TransactionDetail)], _ table: MatchTable
  ) -> [(position: Int32, detail: TransactionDetail)] {
    /// The position of the row that is kept of a row's transaction.
    func kept(_ position: Int) -> Int32 {
      table.keptOf.isEmpty ? Int32(position) : table.keptOf[position]
    }
    // Of one transaction the strongest source first.
    let ascending = sortedByKey(count: all.count) {
      let position = Int(all[$0].position)
      let weakness = UInt8.max - table.factSource(of: position).rawValue
      return UInt64(kept(position)) << 8 | UInt64(weakness)
    }
    var combined: [(position: Int32, detail: TransactionDetail)] = []
    combined.reserveCapacity(all.count)
    var source = UInt64.max
    var user = IDKey.none
    // What rows of one source tell of one transaction.
    var group: TransactionDetail?
    /// Completes the last transaction with what the rows of one source told.
    func endGroup() {
      if let group { combined[combined.count - 1].detail.complete(from: group) }
      group = nil
    }
    for item in ascending {
      let position = all[Int(item.index)].position
      var detail = all[Int(item.index)].detail
      let place = kept(Int(position))
      if item.key != source { endGroup() }
      source = item.key
      if combined.last?.position != place {
        combined.append((place, TransactionDetail(row: table.transactions[Int(place)].row)))
        user = .none
      }
      if user.isNone {
        user = detail.user
      } else if !detail.user.isNone, detail.user != user {
        furtherUsers[place, default: [user]].insert(detail.user)
      }
      if !table.adds(Int(position), to: Int(place)) {
        // Who bought is the company's own word.
        detail = TransactionDetail(row: detail.row, token: detail.token, user: detail.user)
      }
      group?.fill(from: detail)
      group = group ?? detail
    }
    endGroup()
    return combined
  }

  /// Merges others into the details that are there, so that all ascend by position.
  ///
  /// - Parameter others: ascending by position.
  private mutating func insert(_ others: [(position: Int32, detail: TransactionDetail)]) {
    var (own, other) = (positions.count, others.count)
    positions += others.map(\.position)
    details.append(combined: others.map(\.detail))
    // From behind, so that nothing is written over that was not moved yet.
    while other > 0 {
      let end = own + other - 1
      if own > 0, positions[own - 1] > others[other - 1].position {
        own -= 1
        positions[end] = positions[own]
        details.move(own, to: end)
      } else {
        other -= 1
        positions[end] = others[other].position
        details.put(combined: other, at: end)
      }
    }
  }

  /// Marks all but the earliest of the transactions that share a key as restores of it, within one
  /// app, one environment, and apart from those that are no purchases.
  ///
  /// - Parameter keys: one for each of `positions`; `none` leaves its transaction out.
  private mutating func markRestores(_ table: MatchTable, by keys: [IDKey]) {
    let withKey = keys.indices.filter { !keys[$0].isNone }
    let keyed = sortedByKey(count: withKey.count) { keys[withKey[$0]].raw }
    for run in runs(of: keyed) {
      let members = run.map { positions[withKey[Int(keyed[$0].index)]] }
      // What was bought in the Sandbox, by the family or in another app restores nothing here.
      let stores = Dictionary(grouping: members) { member in
        let terms = table.transactionTerms[Int(table.transactions[Int(member)].terms)]
        return Place(
          bundleID: terms.bundleID, isSandbox: terms.isSandbox, isShared: terms.isNoPurchase)
      }
      for same in stores.values where same.count > 1 { markRestores(table, among: same) }
    }
  }

  /// Where a transaction was made; none restores what was bought in another place.
  private struct Place: Hashable {
    var bundleID: String
    var isSandbox: Bool
    var isShared: Bool
  }

  /// Marks all but the earliest of transactions of one purchase as restores of it: Apple gives each
  /// restore an id of its own.
  ///
  /// - Parameter members: the transactions' positions.
  private mutating func markRestores(_ table: MatchTable, among members: [Int32]) {
    let transactions = table.transactions
    let ranked = members.sorted { left, right in
      let (a, b) = (transactions[Int(left)], transactions[Int(right)])
      return (a.purchasedAt, a.key) < (b.purchasedAt, b.key)
    }
    if restored.isEmpty { restored = Array(repeating: false, count: roles.count) }
    for other in ranked.dropFirst() where earlier[other] == nil {
      roles[Int(other)] = .restore
      earlier[other] = ranked[0]
      restored[Int(ranked[0])] = true
    }
  }

  /// Finds for each renewal the transaction that its chain began with, where the table has it; of
  /// one that is a restore, the transaction that it restores.
  private mutating func findOriginals(_ table: MatchTable) {
    let renewals = positions.indices.filter { roles[Int(positions[$0])] == .renewal }
    guard !renewals.isEmpty else { return }
    originals = Array(repeating: -1, count: roles.count)
    let byOriginal = sortedByKey(count: renewals.count) { details[renewals[$0]].original.raw }
    var next = 0
    for item in byOriginal {
      while next < table.transactionsByKey.count,
        table.transactionsByKey[next].key < item.key
          || (table.transactionsByKey[next].key == item.key
            && table.orderOf[Int(table.transactionsByKey[next].index)] == .merged)
      { next += 1 }
      guard next < table.transactionsByKey.count, table.transactionsByKey[next].key == item.key
      else { continue }
      let original = Int32(table.transactionsByKey[next].index)
      originals[Int(positions[renewals[Int(item.index)]])] = earlier[original] ?? original
    }
  }

  /// What the transaction at a position is in its chain; a purchase of its own where there are no
  /// chains.
  package func role(of transaction: Int) -> Role {
    roles.isEmpty ? .original : roles[transaction]
  }

  /// Whether the transaction at a position is a renewal.
  package func isRenewal(_ transaction: Int) -> Bool { role(of: transaction) == .renewal }

  /// The position of the transaction that a renewal's chain began with; nil where the table does
  /// not have it, or this is no renewal.
  func original(of transaction: Int) -> Int? {
    if originals.isEmpty || originals[transaction] < 0 { return nil }
    return Int(originals[transaction])
  }

  /// The position of the transaction that this one restores; nil where it is no restore, or the
  /// table does not have that one.
  func earlier(of transaction: Int) -> Int? {
    role(of: transaction) == .restore ? earlier[Int32(transaction)].map(Int.init) : nil
  }

  /// Restores with the transactions that they restore, in the order of position.
  var restores: [(restore: Int, earlier: Int)] {
    earlier.sorted { $0.key < $1.key }.map { (Int($0.key), Int($0.value)) }
  }

  /// Whether other transactions restore the one at a position.
  func hasRestores(_ transaction: Int) -> Bool {
    !restored.isEmpty && restored[transaction]
  }

  /// The details of the transaction at a position; nil where it can belong to no chain.
  package func detail(of transaction: Int) -> TransactionDetail? {
    let place = positions.partitioningIndex { $0 >= Int32(transaction) }
    return place < positions.count && positions[place] == Int32(transaction) ? details[place] : nil
  }
}

/// Details in an order of their own: most stay where they were read, those that several rows tell
/// together stand beside them.
package struct PlacedDetails: RandomAccessCollection, Sendable {
  /// As they were read, one for each row.
  private let told: [TransactionDetail]
  /// Those that several rows tell together.
  private var combined: [TransactionDetail] = []
  /// Per place that among those that were read, or the complement of that among the combined.
  private var places: [Int32] = []

  /// An empty list, with room for as many details as were read; `append(told:)` takes them in.
  fileprivate init(told: [TransactionDetail] = []) {
    self.told = told
    places.reserveCapacity(told.count)
  }

  /// Appends the detail that stands at a place of those that were read.
  fileprivate mutating func append(told place: Int) { places.append(Int32(place)) }

  /// Appends details that several rows tell together.
  fileprivate mutating func append(combined more: [TransactionDetail]) {
    places += more.indices.map { ~Int32(combined.count + $0) }
    combined += more
  }

  /// Puts the detail at one place over the one at another.
  fileprivate mutating func move(_ place: Int, to end: Int) { places[end] = places[place] }

  /// Puts the combined detail of a number, counted from the first, over the one at a place.
  fileprivate mutating func put(combined number: Int, at place: Int) {
    places[place] = ~Int32(number)
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { places.count }

  /// The detail at a place, as it was read or combined.
  package subscript(place: Int) -> TransactionDetail {
    let index = Int(places[place])
    return index >= 0 ? told[index] : combined[~index]
  }
}

extension TransactionDetail {
  /// Fills what these details lack with what a weaker source tells.
  fileprivate mutating func complete(from weaker: TransactionDetail) {
    if original.isNone { original = weaker.original }
    if webOrderLineItem.isNone { webOrderLineItem = weaker.webOrderLineItem }
    if token.isNone { token = weaker.token }
    if user.isNone { user = weaker.user }
    if expiresAt == 0 { expiresAt = weaker.expiresAt }
  }

  /// Fills what these details lack; of two ids the smaller counts, of two ends the later, so that
  /// no order of rows decides.
  mutating func fill(from other: TransactionDetail) {
    original = smaller(original, other.original)
    webOrderLineItem = smaller(webOrderLineItem, other.webOrderLineItem)
    token = smaller(token, other.token)
    user = smaller(user, other.user)
    expiresAt = max(expiresAt, other.expiresAt)
  }
}

extension OrderDetail {
  /// Fills the user and the token that this detail lacks; of two ids the smaller counts.
  mutating func fill(from other: OrderDetail) {
    user = smaller(user, other.user)
    token = smaller(token, other.token)
  }
}

/// Of two ids the one that is told, the smaller where both are.
private func smaller(_ left: IDKey, _ right: IDKey) -> IDKey {
  left.isNone ? right : right.isNone ? left : min(left, right)
}
