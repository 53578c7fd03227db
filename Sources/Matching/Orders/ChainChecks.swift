import Billing

extension OrderTieOut {
  /// Checks over whole chains: shared subscriptions, missing periods, offers taken twice.
  mutating func judgeChains() {
    var chains: [IDKey: [Int]] = [:]
    for (position, detail) in zip(book.chains.positions, book.chains.details) {
      let index = Int(position)
      guard book.orderOf[index] != ClaimBook.merged,
        billable[Int(book.transactions[index].terms)]
      else { continue }
      let original = detail.original.isNone ? book.transactions[index].key : detail.original
      chains[original, default: []].append(index)
    }
    for (_, members) in chains.sorted(by: { $0.key < $1.key }) {
      let ordered = members.sorted { left, right in
        let (a, b) = (book.transactions[left], book.transactions[right])
        return (a.purchasedAt, a.key) < (b.purchasedAt, b.key)
      }
      judgeSharing(ordered)
      judgeGaps(ordered.filter { book.chains.role(of: $0) != .restore })
    }
    judgeOffers()
  }

  private func user(of transaction: Int) -> IDKey {
    if let user = userOf(transaction: transaction), !user.isNone { return user }
    let order = book.orderOf[transaction]
    guard order >= 0 else { return .none }
    return details.orders[book.orders[Int(order)].row]?.user ?? .none
  }

  private func isSubscription(_ transaction: Int) -> Bool {
    kind(of: transaction) == .autoRenewable || kind(of: transaction) == .nonRenewing
  }

  private func kind(of transaction: Int) -> ProductKind? {
    let terms = book.transactionTerms[Int(book.transactions[transaction].terms)]
    return terms.kind ?? context.catalogue.kind(terms.sku)
  }

  /// One original serves several users: dated where the second one appears.
  private mutating func judgeSharing(_ chain: [Int]) {
    guard chain.count > 1, isSubscription(chain[0]) else { return }
    var users: [IDKey] = []
    var second: Int?
    for transaction in chain {
      let user = user(of: transaction)
      if user.isNone || users.contains(user) { continue }
      users.append(user)
      if users.count == 2 { second = transaction }
    }
    guard let second, let day = dayInPeriod(book.transactions[second].purchasedAt) else { return }
    let terms = effective(second, order: nil)
    add(
      Draft(
        .subscriptionShared, storefront: terms.storefront, currency: terms.currency, day: day,
        sku: terms.sku, units: Int64(users.count),
        orders: chain.compactMap { book.orderOf[$0] >= 0 ? Int(book.orderOf[$0]) : nil }
          .flatMap { book.rows(ofOrder: $0) },
        transactions: chain.flatMap { book.rows(ofTransaction: $0) },
        explanation: "\(users.count) users are served by one original transaction"))
  }

  /// A purchase that falls on a whole number of periods after the one before it ended: what lies
  /// between was paid and is missing. A lapse or a billing retry would end at any moment.
  private mutating func judgeGaps(_ chain: [Int]) {
    guard chain.count > 1, kind(of: chain[0]) == .autoRenewable else { return }
    for (before, after) in zip(chain, chain.dropFirst()) {
      let start = Int64(book.transactions[before].purchasedAt)
      let next = Int64(book.transactions[after].purchasedAt)
      let end = Int64(book.chains.detail(of: before)?.expiresAt ?? 0)
      guard end > start, let day = dayInPeriod(book.transactions[after].purchasedAt) else {
        continue
      }
      let length = end - start
      let slack = min(86_400, length / 4)
      let missing = (next - end + length / 2) / length
      guard next - end > slack, missing >= 1, abs(next - end - missing * length) <= slack
      else { continue }
      let terms = effective(after, order: nil)
      add(
        Draft(
          .renewalGap, storefront: terms.storefront, currency: terms.currency, day: day,
          sku: terms.sku, units: missing,
          transactions: [before, after].flatMap { book.rows(ofTransaction: $0) },
          explanation: "\(missing) paid periods of \(spokenDuration(length)) are missing between "
            + "\(Instant(seconds: end)) and \(Instant(seconds: next))"))
    }
  }

  /// A trial or introductory price that one user took before in the same subscription group.
  private mutating func judgeOffers() {
    struct Claimant: Hashable {
      var user: IDKey
      var group: String
    }
    var offers: [Claimant: [Int]] = [:]
    for index in book.transactions.indices where book.orderOf[index] != ClaimBook.merged {
      let terms = book.transactionTerms[Int(book.transactions[index].terms)]
      guard terms.isTrial || terms.isIntro, billable[Int(book.transactions[index].terms)],
        book.chains.role(of: index) != .restore
      else { continue }
      let day = context.businessDay(book.transactions[index].purchasedAt)
      let group = context.catalogue.product(terms.sku, on: day)?.subscriptionGroup ?? ""
      let user = user(of: index)
      guard !group.isEmpty, !user.isNone else { continue }
      offers[Claimant(user: user, group: group), default: []].append(index)
    }
    let twice = offers.filter { $0.value.count > 1 }
    for (claimant, members) in twice.sorted(by: {
      ($0.key.user, $0.key.group) < ($1.key.user, $1.key.group)
    }) {
      let ordered = members.sorted {
        (book.transactions[$0].purchasedAt, book.transactions[$0].key)
          < (book.transactions[$1].purchasedAt, book.transactions[$1].key)
      }
      addOfferReused(ordered, group: claimant.group)
    }
  }

  private mutating func addOfferReused(_ ordered: [Int], group: String) {
    // A pay-as-you-go introduction may span several renewals of one chain: that is one offer.
    var chains: Set<IDKey> = []
    for (position, transaction) in ordered.enumerated() {
      let detail = book.chains.detail(of: transaction)
      let original = detail.map {
        $0.original.isNone ? book.transactions[transaction].key : $0.original
      }
      let isNew = chains.insert(original ?? book.transactions[transaction].key).inserted
      let isTrial = book.transactionTerms[Int(book.transactions[transaction].terms)].isTrial
      guard position > 0, isNew || isTrial,
        let day = dayInPeriod(book.transactions[transaction].purchasedAt)
      else { continue }
      let terms = effective(transaction, order: nil)
      let order = book.orderOf[transaction]
      add(
        Draft(
          .offerReused, storefront: terms.storefront, currency: terms.currency, day: day,
          sku: terms.sku, units: Int64(terms.quantity),
          orders: order >= 0 ? book.rows(ofOrder: Int(order)) : [],
          transactions: [ordered[0], transaction].flatMap { book.rows(ofTransaction: $0) },
          explanation: "the user took a trial or introductory price in group \(group) before, at "
            + "\(Instant(seconds: Int64(book.transactions[ordered[0]].purchasedAt)))"))
    }
  }
}
