import Billing

/// Decides which transactions only Apple tells of, and in which messages. Its randomness is its
/// own, so that trade is the same whoever tells of it.
struct TellingPlanner {
  private let store: Store
  /// In millionths.
  private let share: Int
  private var random: RandomNumbers
  /// The last purchases of some customers, for receipts that carry more than one.
  private var histories: [UInt32: [TransactionRecord]] = [:]

  init(store: Store) {
    self.store = store
    share = Int((store.parameters.appleShare * 1_000_000).rounded())
    random = RandomNumbers(seed: store.parameters.seed ^ 0xA991_E000)
  }

  /// What the company's table has of a visit, and what Apple tells of it.
  mutating func divide(_ visit: Visit) -> (rows: [TransactionRecord], tellings: [Telling]) {
    var rows = visit.rows
    var tellings = visit.tellings
    for transaction in visit.transactions {
      switch transaction.teller {
      case .deposit: continue
      case .company: rows.append(transaction)
      case .drawn:
        let isApples = random.below(1_000_000) < share
        var forms = forms(for: transaction, in: visit, onlyApple: isApples)
        // A few are told by both, and agree.
        let isBoth = !isApples && share > 0 && random.chance(30)
        if isApples || isBoth, let form = draw(&forms) {
          tell(transaction, form, in: visit, into: &tellings)
          if isApples, needsUser(transaction, in: visit), form.tellsPrice {
            // The signed payload tells the price, the receipt who bought.
            tellings.append(receipt(of: transaction, after: 300, in: visit))
          }
          if isApples { tellAgain(transaction, in: visit, into: &tellings) }
        } else {
          rows.append(transaction)
          continue
        }
        if isBoth { rows.append(transaction) }
      }
    }
    if let failed = failure(in: visit) { tellings.append(failed) }
    remember(visit)
    return (rows, tellings)
  }

  /// Now and then a verification failed before the one that did not.
  private mutating func failure(in visit: Visit) -> Telling? {
    guard let first = visit.transactions.first, random.below(20_000_000) < share else { return nil }
    var telling = Telling(form: .receipt, at: first.purchased + 1, subject: first)
    telling.order = visit.orders.first?.number ?? 0
    telling.user = first.user
    telling.failure = random.pick([
      21000, 21002, 21002, 21003, 21004, 21005, 21005, 21009, 21010, 21100, 21150, 21199,
    ])
    return telling
  }
}

extension TellingPlanner {
  /// Forms and how often each is drawn.
  private typealias Forms = [(form: AppleForm, weight: Int)]

  private mutating func draw(_ forms: inout Forms) -> AppleForm? {
    guard !forms.isEmpty else { return nil }
    return forms[random.index(cumulative: cumulative(forms.map(\.weight)))].form
  }

  /// Forms that leave the truth as it is.
  ///
  /// - Parameter onlyApple: no row of the company's table adds what the form does not tell.
  private func forms(
    for transaction: TransactionRecord, in visit: Visit, onlyApple: Bool
  ) -> Forms {
    let kind = store.shelf.items[transaction.item].kind
    let isSubscription = kind == .autoRenewable
    var forms: Forms = [
      (.oldReceipt, 22), (.receipt, 33), (.notificationV1, 25), (.notificationV2, 15),
      (.history, 20),
    ]
    func keep(_ suits: (AppleForm) -> Bool) { forms = forms.filter { suits($0.form) } }
    // Version 1 told of consumables only that they were refunded.
    if !isSubscription, !transaction.isRefunded { keep { $0 != .notificationV1 } }
    if transaction.isRestore { keep { $0 != .notificationV1 } }
    if transaction.isFamilyShared { keep { $0 != .oldReceipt && $0 != .notificationV1 } }
    // A signed payload of another app's bundle is refused.
    if transaction.isForeign { keep { $0.isReceipt } }
    if transaction.isUpgraded { keep { $0 != .notificationV2 } }
    guard onlyApple else { return forms }
    // Who shares a subscription is known from the wrappers of receipts.
    if isShared(transaction, in: visit) { keep(\.isReceipt) }
    if !visit.standsWithoutPrice(transaction) { keep(\.tellsPrice) }
    switch visit.claim(of: transaction)?.tie {
    case .orderNamesIt: break
    case .itNamesOrder:
      let tokensAgree =
        transaction.token != 0 && visit.orders.contains { $0.token == transaction.token }
      // Only the wrapper of a receipt can name the order instead.
      keep { $0.isReceipt || (tokensAgree && $0 != .oldReceipt) }
    case .token: keep { $0 != .oldReceipt }
    case .trace: keep { transaction.user == 0 ? $0.tellsPrice : $0.isReceipt }
    case nil: break
    }
    return forms
  }

  /// Whether its chain serves several users.
  private func isShared(_ transaction: TransactionRecord, in visit: Visit) -> Bool {
    visit.transactions.contains {
      $0.original == transaction.original && $0.user != transaction.user
    }
  }

  /// Whether only its user keeps a transaction from being traced back to a stranger's order.
  private func needsUser(_ transaction: TransactionRecord, in visit: Visit) -> Bool {
    transaction.isBillable && transaction.user != 0
      && transaction.number == transaction.original && visit.claim(of: transaction) == nil
  }
}

extension TellingPlanner {
  /// The message of the purchase, and that of its revocation.
  private mutating func tell(
    _ transaction: TransactionRecord, _ form: AppleForm, in visit: Visit,
    into tellings: inout [Telling]
  ) {
    var bought = telling(
      of: transaction, form, at: transaction.purchased + Int64(random.within(1...20)), in: visit)
    let kind = store.shelf.items[transaction.item].kind
    switch form {
    case .history:
      bought.at =
        max(transaction.purchased, transaction.revoked) + Int64(random.within(3600...3 * 86_400))
      tellings.append(bought)
      return
    case .oldReceipt, .receipt:
      bought.order = transaction.order
      bought.user = transaction.user
      bought.needsWrapper =
        visit.claim(of: transaction)?.tie != .orderNamesIt || isShared(transaction, in: visit)
      tellings.append(bought)
    case .notificationV1:
      if kind == .autoRenewable { tellings.append(bought) }
    case .notificationV2:
      if random.chance(50) { bought.deliveries = 2 }
      tellings.append(bought)
      if random.chance(100) {
        var answer = bought
        (answer.form, answer.deliveries) = (.history, 1)
        answer.at += Int64(random.within(3600...86_400))
        tellings.append(answer)
      }
    }
    guard transaction.revoked != 0 else { return }
    var revoked = telling(
      of: transaction, form, at: transaction.revoked + Int64(random.within(60...5400)), in: visit)
    revoked.event = transaction.isUpgraded ? .upgrade : .refund
    if form.isReceipt { revoked.user = transaction.user }
    tellings.append(revoked)
  }

  private mutating func telling(
    of transaction: TransactionRecord, _ form: AppleForm, at moment: Int64, in visit: Visit
  ) -> Telling {
    var telling = Telling(form: form, at: moment, subject: transaction)
    telling.goesOn =
      visit.transactions.contains {
        $0.original == transaction.original && $0.purchased > transaction.purchased
      } || random.chance(600)
    let isUpgrade = visit.transactions.contains {
      $0.isUpgraded && $0.original == transaction.original && $0.revoked == transaction.purchased
    }
    if isUpgrade { telling.event = .upgrade }
    guard form == .receipt || form == .notificationV1 else { return telling }
    telling.others = others(beside: transaction, at: moment, form, in: visit)
    return telling
  }

  /// Earlier transactions of the customer, which the form tells too.
  private func others(
    beside transaction: TransactionRecord, at moment: Int64, _ form: AppleForm, in visit: Visit
  ) -> [TransactionRecord] {
    guard isOrdinary(transaction) else { return [] }
    let chain = visit.transactions.filter {
      isOrdinary($0) && $0.purchased <= moment && $0.number != transaction.number
        && $0.original == transaction.original && $0.user == transaction.user
    }
    let bought = form == .receipt ? histories[transaction.user] ?? [] : []
    return bought.filter { $0.purchased <= moment && $0.number != transaction.number } + chain
  }

  private func isOrdinary(_ transaction: TransactionRecord) -> Bool {
    !transaction.isSandbox && !transaction.isForeign && transaction.user != 0
      && transaction.teller == .drawn
  }

  /// A later receipt of the same customer tells it once more.
  private mutating func tellAgain(
    _ transaction: TransactionRecord, in visit: Visit, into tellings: inout [Telling]
  ) {
    guard transaction.user != 0, random.chance(80) else { return }
    tellings.append(receipt(of: transaction, after: random.within(3600...10 * 86_400), in: visit))
  }

  private mutating func receipt(
    of transaction: TransactionRecord, after seconds: Int, in visit: Visit
  ) -> Telling {
    var again = telling(
      of: transaction, .receipt, at: transaction.purchased + Int64(seconds), in: visit)
    again.user = transaction.user
    again.needsWrapper = true
    return again
  }

  /// Keeps the purchases of one customer in four who may come back.
  private mutating func remember(_ visit: Visit) {
    for transaction in visit.transactions
    where isOrdinary(transaction) && transaction.user <= store.regulars
      && transaction.user % 4 == 0 && !transaction.isFamilyShared
    {
      histories[transaction.user, default: []].append(transaction)
      if histories[transaction.user]!.count > 3 { histories[transaction.user]!.removeFirst() }
    }
  }
}
