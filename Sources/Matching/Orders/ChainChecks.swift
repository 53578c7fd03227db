package import Billing

extension OrderTieOut {
  /// Adds the findings about whole chains: shared subscriptions, missing periods, offers taken
  /// twice.
  ///
  /// - Parameter earlierOffers: trials and introductory prices taken before the table's purchases.
  mutating func judgeChains(_ earlierOffers: [ChainLink]) {
    let (positions, details) = (table.chains.positions, table.chains.details)
    let keyed = sortedByKey(count: positions.count) { place in
      let entry = table.transactions[Int(positions[place])]
      guard billable[Int(entry.terms)] else { return 0 }
      return (details[place].original.isNone ? entry.key : details[place].original).raw
    }
    let instalments = Set(renewals.instalments.map(\.key))
    var cursor = 0
    // One list for all chains: there are as many as subscribers.
    var places: [Int] = []
    for run in chainRuns(keyed) where keyed[run.lowerBound].key != 0 {
      let earlier = history.links(of: IDKey(raw: keyed[run.lowerBound].key), near: &cursor)
      places.removeAll(keepingCapacity: true)
      for item in keyed[run] { places.append(Int(item.index)) }
      if places.count == 1 {
        if earlier.isEmpty, table.chains.furtherUsers[positions[places[0]]] == nil { continue }
      } else {
        places.sort { left, right in
          let (a, b) = (
            table.transactions[Int(positions[left])], table.transactions[Int(positions[right])]
          )
          return (a.purchasedAt, a.key) < (b.purchasedAt, b.key)
        }
      }
      judgeChain(places, earlier, instalments)
    }
    judgeInstalments()
    judgeOffers(earlierOffers)
  }

  /// Adds the findings about one chain: users who share it, and paid periods that are missing in
  /// it.
  ///
  /// - Parameters:
  ///   - places: of a chain's transactions in `table.chains`, in the order of purchase.
  ///   - earlier: the chain's transactions before those of the table, in that order.
  ///   - instalments: keys of transactions that are numbered instalments: what is missing before
  ///     one its number tells, and not the time since the last.
  private mutating func judgeChain(
    _ places: [Int], _ earlier: ArraySlice<ChainLink>, _ instalments: Set<IDKey>
  ) {
    judgeSharing(places, earlier)
    var before = earlier.last
    for place in places {
      if table.chains.role(of: Int(table.chains.positions[place])) == .restore { continue }
      let link = link(at: place)
      // What was looked up beside the history is part of it.
      if let before, link.purchasedAt <= before.purchasedAt { continue }
      let position = Int(table.chains.positions[place])
      if let before, !instalments.contains(table.transactions[position].key) {
        judgeGap(before, link, position)
      }
      before = link
    }
  }

  /// Ranges of `keyed` with equal keys, each a chain: only those of several transactions, unless
  /// chains have a history or further users, which say something of a single one too.
  ///
  /// - Parameter keyed: places of transactions in `table.chains`, ascending by their original's
  ///   key.
  private func chainRuns(_ keyed: [KeyedIndex]) -> [Range<Int>] {
    if history.isEmpty, table.chains.furtherUsers.isEmpty { return Array(runs(of: keyed)) }
    var runs: [Range<Int>] = []
    var start = 0
    for index in 1..<max(keyed.count + 1, 1)
    where index == keyed.count || keyed[index].key != keyed[start].key {
      runs.append(start..<index)
      start = index
    }
    return runs
  }

  /// The kind of product that the transaction at a position bought; nil where nothing tells it.
  private func kind(of transaction: Int) -> ProductKind? {
    kind(ofTerms: table.transactions[transaction].terms)
      ?? (table.chains.isRenewal(transaction) ? .autoRenewable : nil)
  }

  /// The kind of product of the transaction terms at an index, as they tell it or the catalogue;
  /// nil where neither does.
  private func kind(ofTerms terms: Int32) -> ProductKind? {
    let terms = table.transactionTerms[Int(terms)]
    return terms.kind ?? context.catalogue.kind(terms.sku)
  }

  /// The user of the transaction at a place in the chains, asking the ledger's details only where
  /// the chain's say none.
  private func user(at place: Int) -> IDKey {
    let user = table.chains.details[place].user
    return user.isNone
      ? table.user(ofTransaction: Int(table.chains.positions[place]), details) : user
  }

  /// All users that sources tell of the transaction at a place in the chains.
  private func users(at place: Int) -> Set<IDKey> {
    table.chains.furtherUsers[table.chains.positions[place]] ?? [user(at: place)]
  }

  /// Whether at most one user is told of in a chain, as in almost every one.
  ///
  /// - Parameters:
  ///   - places: of the chain's transactions in `table.chains`.
  ///   - earlier: its transactions before those of the table.
  private func isOneUsers(_ places: [Int], _ earlier: ArraySlice<ChainLink>) -> Bool {
    var known = IDKey.none
    /// Whether a user is told and is not `known`, the first user asked about, which this sets.
    func isOther(_ user: IDKey) -> Bool {
      if user.isNone { return false }
      if known.isNone { known = user }
      return user != known
    }
    return !earlier.contains { isOther($0.user) }
      && !places.contains { place in
        table.chains.furtherUsers[table.chains.positions[place]].map {
          $0.contains(where: isOther)
        } ?? isOther(user(at: place))
      }
  }

  /// Adds a finding where one original subscription serves several users, dated where the second
  /// one appears.
  ///
  /// - Parameters:
  ///   - places: of the chain's transactions in `table.chains`, in the order of purchase.
  ///   - earlier: its transactions before those of the table.
  private mutating func judgeSharing(_ places: [Int], _ earlier: ArraySlice<ChainLink>) {
    if isOneUsers(places, earlier) { return }
    var users = Set(earlier.map(\.user).filter { !$0.isNone })
    var second: Int?
    for place in places {
      let before = users.count
      users.formUnion(self.users(at: place).filter { !$0.isNone })
      if before < 2, users.count >= 2 { second = Int(table.chains.positions[place]) }
    }
    let chain = places.map { Int(table.chains.positions[$0]) }
    guard let second, let day = dayInPeriod(table.transactions[second].purchasedAt),
      chain.contains(where: { [.autoRenewable, .nonRenewing].contains(kind(of: $0)) })
    else { return }
    let terms = effective(second)
    add(
      UnresolvedFinding(
        .subscriptionShared, storefront: terms.storefront, currency: terms.currency, day: day,
        sku: terms.sku, units: Int64(users.count),
        orders: chain.compactMap { table.orderOf[$0].position }
          .flatMap { table.rows(ofOrder: $0) },
        transactions: earlier.map(\.row) + chain.flatMap { table.rows(ofTransaction: $0) },
        explanation: "@subscription-shared.users-share-one-original-transaction \(users.count)"
      ).about(transaction: second))
  }

  /// The transaction at a place in the chains, in the form of a chain's history.
  private func link(at place: Int) -> ChainLink {
    let entry = table.transactions[Int(table.chains.positions[place])]
    let detail = table.chains.details[place]
    return ChainLink(
      row: entry.row, terms: entry.terms, original: detail.original,
      webOrderLineItem: detail.webOrderLineItem, user: detail.user,
      purchasedAt: entry.purchasedAt, expiresAt: detail.expiresAt, revokedAt: entry.revokedAt)
  }

  /// Adds a finding where a purchase falls on a whole number of periods after the one before it
  /// ended: what lies between was paid and is missing. A lapse or a billing retry would end at any
  /// moment.
  ///
  /// - Parameters:
  ///   - before, after: two purchases of a chain, one after the other.
  ///   - transaction: the position of the later one.
  private mutating func judgeGap(
    _ before: ChainLink, _ after: ChainLink, _ transaction: Int
  ) {
    let (end, next) = (before.expiresAt, after.purchasedAt)
    // Most renewals follow at once; a refund ends a chain.
    guard end != 0, Int64(next) - Int64(end) > Rules.promptRenewal, before.revokedAt == 0,
      let day = dayInPeriod(next), (kind(ofTerms: after.terms) ?? .autoRenewable) == .autoRenewable
    else { return }
    let span =
      SubscriptionSpan(from: before.purchasedAt, to: end, isPaid: !trials[Int(before.terms)])
      ?? SubscriptionSpan(from: next, to: after.expiresAt, isPaid: true)
    guard let missing = span?.periods(from: end, to: next),
      !renewals.explainsLapse(
        of: after.original.isNone ? before.original : after.original, from: end, to: next)
    else { return }
    let terms = effective(transaction)
    add(
      UnresolvedFinding(
        .renewalGap, storefront: terms.storefront, currency: terms.currency, day: day,
        sku: terms.sku, units: missing, transactions: [before.row, after.row],
        explanation: missingWords(
          missing, Instant(seconds: Int64(end)), Instant(seconds: Int64(next)))
      ).about(transaction: transaction))
  }

  /// Says how many paid periods are missing between the end of one and the next purchase.
  private func missingWords(_ count: Int64, _ end: Instant, _ next: Instant) -> Wording {
    count == 1
      ? "@subscription.1-paid-period-is-missing \(end) \(next)"
      : "@subscription.paid-periods-are-missing-between \(count) \(end) \(next)"
  }

  /// A trial or introductory price, and who took it.
  private struct TakenOffer {
    let user: IDKey
    let group: String
    /// The position of the transaction.
    let transaction: Int
  }

  /// Adds a finding for each trial or introductory price that a user took before in the same
  /// subscription group.
  ///
  /// - Parameter earlierOffers: those taken before the table's purchases.
  private mutating func judgeOffers(_ earlierOffers: [ChainLink]) {
    var offers: [TakenOffer] = []
    let isOffer = table.transactionTerms.indices.map {
      billable[$0] && table.transactionTerms[$0].isIntroductoryOffer
    }
    for index in table.transactions.indices
    where isOffer[Int(table.transactions[index].terms)] && table.orderOf[index] != .merged
      && table.chains.role(of: index) != .restore
    {
      let entry = table.transactions[index]
      let offer = TakenOffer(
        user: table.user(ofTransaction: index, details),
        group: subscriptionGroup(entry.terms, entry.purchasedAt), transaction: index)
      if !offer.group.isEmpty, !offer.user.isNone { offers.append(offer) }
    }
    let byUser = sortedByKey(count: offers.count) { offers[$0].user.raw }
    var earlier: [IDKey: [(group: String, link: ChainLink)]] = [:]
    let inTable = earlierOffers.isEmpty ? [] : Set(table.transactions.map(\.row))
    for link in earlierOffers
    where isOffer[Int(link.terms)] && inTable.isDisjoint(with: [link.row] + link.others) {
      let group = subscriptionGroup(link.terms, link.purchasedAt)
      earlier[link.user, default: []].append((group, link))
    }
    var start = 0
    while start < byUser.count {
      let user = offers[Int(byUser[start].index)].user
      let end = byUser[start...].firstIndex { $0.key != user.raw } ?? byUser.count
      // Nearly all took one.
      if end - start > 1 || earlier[user] != nil {
        let taken = byUser[start..<end].map { offers[Int($0.index)] }
        judgeOffers(taken, earlier: earlier[user] ?? [])
      }
      start = end
    }
  }

  /// Adds the findings about one user's offers, group by group.
  ///
  /// - Parameters:
  ///   - taken: those that the user took, of the table's transactions.
  ///   - earlier: those that the user took before the table's purchases.
  private mutating func judgeOffers(
    _ taken: [TakenOffer], earlier: [(group: String, link: ChainLink)]
  ) {
    let groups = Dictionary(grouping: taken, by: \.group).sorted { $0.key < $1.key }
    for (group, offers) in groups {
      let before = earlier.filter { $0.group == group }.map(\.link)
        .sorted { ($0.purchasedAt, $0.row) < ($1.purchasedAt, $1.row) }
      if offers.count == 1, before.isEmpty { continue }
      let ordered = offers.map(\.transaction).sorted {
        (table.transactions[$0].purchasedAt, table.transactions[$0].key)
          < (table.transactions[$1].purchasedAt, table.transactions[$1].key)
      }
      addOfferReused(ordered, group: group, earlier: before)
    }
  }

  /// The subscription group of a purchase, by the catalogue on its day, else by its terms; empty
  /// where neither tells it.
  ///
  /// - Parameters:
  ///   - terms: index of the transaction terms.
  ///   - purchasedAt: seconds since 1970.
  private func subscriptionGroup(_ terms: Int32, _ purchasedAt: UInt32) -> String {
    let terms = table.transactionTerms[Int(terms)]
    let listed = context.catalogue.product(terms.sku, on: context.businessDay(purchasedAt))
    return listed.map(\.subscriptionGroup).flatMap { $0.isEmpty ? nil : $0 }
      ?? terms.subscriptionGroup
  }

  /// Adds a finding for each further offer that one user took in one group.
  ///
  /// - Parameters:
  ///   - ordered: positions of the transactions with such an offer, in the order of purchase.
  ///   - earlier: the user's offers in the group before those, in that order.
  private mutating func addOfferReused(_ ordered: [Int], group: String, earlier: [ChainLink]) {
    // A pay-as-you-go introduction may span several renewals of one chain: that is one offer.
    var chains = Set(earlier.map(\.original))
    let items = Set(earlier.map(\.webOrderLineItem).filter { !$0.isNone })
    for (position, transaction) in ordered.enumerated() {
      let detail = table.chains.detail(of: transaction)
      let original = detail.map {
        $0.original.isNone ? table.transactions[transaction].key : $0.original
      }
      // The same period again is no further offer.
      if let item = detail?.webOrderLineItem, items.contains(item) { continue }
      let isNew = chains.insert(original ?? table.transactions[transaction].key).inserted
      let isTrial = table.transactionTerms[Int(table.transactions[transaction].terms)].isTrial
      guard position > 0 || !earlier.isEmpty, isNew || isTrial,
        let day = dayInPeriod(table.transactions[transaction].purchasedAt)
      else { continue }
      let terms = effective(transaction)
      let order = table.orderOf[transaction].position
      let first = earlier.first?.purchasedAt ?? table.transactions[ordered[0]].purchasedAt
      let before =
        earlier.first.map { [$0.row] + $0.others } ?? table.rows(ofTransaction: ordered[0])
      add(
        UnresolvedFinding(
          .offerReused, storefront: terms.storefront, currency: terms.currency, day: day,
          sku: terms.sku, units: Int64(terms.quantity),
          orders: order.map { table.rows(ofOrder: $0) } ?? [],
          transactions: before + table.rows(ofTransaction: transaction),
          explanation:
            "@offer-reused.user-already-had-a-trial \(group) \(Instant(seconds: Int64(first)))"
        ).about(order: order, transaction: transaction))
    }
  }
}

extension MatchTable {
  /// The users who took a trial or an introductory price in the period.
  package func usersOfOffers(_ details: MatchDetails, _ context: MatchingContext) -> Set<IDKey> {
    let isOffer = transactionTerms.map { $0.isIntroductoryOffer && context.isBillable($0) }
    guard isOffer.contains(true) else { return [] }
    var users: Set<IDKey> = []
    for index in transactions.indices
    where isOffer[Int(transactions[index].terms)] && orderOf[index] != .merged
      && context.period.contains(context.businessDay(transactions[index].purchasedAt))
    {
      let user = user(ofTransaction: index, details)
      if !user.isNone { users.insert(user) }
    }
    return users
  }
}
