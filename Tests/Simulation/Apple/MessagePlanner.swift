import Billing

/// Decides which transactions stand in Apple's messages only, and in which. Its randomness is its
/// own, so that trade is the same wherever it can be read.
struct MessagePlanner {
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

  /// What the company's table has of a visit, and what Apple's messages have.
  mutating func divide(_ visit: Visit) -> (rows: [TransactionRecord], messages: [SimulatedMessage])
  {
    var rows = visit.rows
    var messages = visit.messages
    for transaction in visit.transactions {
      switch transaction.source {
      case .deposit: continue
      case .company: rows.append(transaction)
      case .drawn:
        let isApples = random.below(1_000_000) < share
        var forms = forms(for: transaction, in: visit, onlyApple: isApples)
        // A few stand in both, and agree.
        let isBoth = !isApples && share > 0 && random.chance(30)
        if isApples || isBoth, let form = draw(&forms) {
          announce(transaction, form, in: visit, into: &messages)
          if isApples, needsUser(transaction, in: visit), form.statesPrice {
            // The signed payload has the price, the receipt who bought.
            messages.append(receipt(of: transaction, after: 300, in: visit))
          }
          if isApples { repeatLater(transaction, in: visit, into: &messages) }
        } else {
          rows.append(transaction)
          continue
        }
        if isBoth { rows.append(transaction) }
      }
    }
    if let failed = failure(in: visit) { messages.append(failed) }
    remember(visit)
    return (rows, messages)
  }

  /// Now and then a verification failed before the one that did not.
  private mutating func failure(in visit: Visit) -> SimulatedMessage? {
    guard let first = visit.transactions.first, random.below(20_000_000) < share else { return nil }
    var message = SimulatedMessage(form: .receipt, at: first.purchased + 1, subject: first)
    message.order = visit.orders.first?.number ?? 0
    message.user = first.user
    message.failure = random.pick([
      21000, 21002, 21002, 21003, 21004, 21005, 21005, 21009, 21010, 21100, 21150, 21199,
    ])
    return message
  }
}

extension MessagePlanner {
  /// Forms and how often each is drawn.
  private typealias Forms = [(form: AppleForm, weight: Int)]

  private mutating func draw(_ forms: inout Forms) -> AppleForm? {
    guard !forms.isEmpty else { return nil }
    return forms[random.index(cumulative: cumulative(forms.map(\.weight)))].form
  }

  /// Forms that leave the truth as it is.
  ///
  /// - Parameter onlyApple: no row of the company's table adds what the form lacks.
  private func forms(
    for transaction: TransactionRecord, in visit: Visit, onlyApple: Bool
  ) -> Forms {
    let kind = store.stock.items[transaction.item].kind
    let isSubscription = kind == .autoRenewable
    var forms: Forms = [
      (.oldReceipt, 22), (.receipt, 33), (.notificationV1, 25), (.notificationV2, 15),
      (.history, 20),
    ]
    func keep(_ suits: (AppleForm) -> Bool) { forms = forms.filter { suits($0.form) } }
    // Version 1 said of consumables only that they were refunded.
    if !isSubscription, !transaction.isRefunded { keep { $0 != .notificationV1 } }
    if transaction.isRestore { keep { $0 != .notificationV1 } }
    if transaction.isFamilyShared { keep { $0 != .oldReceipt && $0 != .notificationV1 } }
    // Signed payloads of another app are a fault of their own.
    if transaction.isForeign { keep { $0.isReceipt } }
    if transaction.isUpgraded { keep { $0 != .notificationV2 } }
    guard onlyApple else { return forms }
    // Who shares a subscription is known from the wrappers of receipts.
    if isShared(transaction, in: visit) { keep(\.isReceipt) }
    if !visit.standsWithoutPrice(transaction) { keep(\.statesPrice) }
    switch visit.claim(of: transaction)?.tie {
    case .orderNamesIt: break
    case .itNamesOrder:
      let tokensAgree =
        transaction.token != 0 && visit.orders.contains { $0.token == transaction.token }
      // Only the wrapper of a receipt can name the order instead.
      keep { $0.isReceipt || (tokensAgree && $0 != .oldReceipt) }
    case .token: keep { $0 != .oldReceipt }
    case .trace: keep { transaction.user == 0 ? $0.statesPrice : $0.isReceipt }
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

extension MessagePlanner {
  /// The message of the purchase, and that of its revocation.
  private mutating func announce(
    _ transaction: TransactionRecord, _ form: AppleForm, in visit: Visit,
    into messages: inout [SimulatedMessage]
  ) {
    var bought = message(
      of: transaction, form, at: transaction.purchased + Int64(random.within(1...20)), in: visit)
    let kind = store.stock.items[transaction.item].kind
    switch form {
    case .history:
      bought.at =
        max(transaction.purchased, transaction.revoked) + Int64(random.within(3600...3 * 86_400))
      messages.append(bought)
      return
    case .oldReceipt, .receipt:
      bought.order = transaction.order
      bought.user = transaction.user
      bought.needsWrapper =
        visit.claim(of: transaction)?.tie != .orderNamesIt || isShared(transaction, in: visit)
      messages.append(bought)
    case .notificationV1:
      if kind == .autoRenewable { messages.append(bought) }
    case .notificationV2:
      if random.chance(50) { bought.deliveries = 2 }
      messages.append(bought)
      if random.chance(100) {
        var answer = bought
        (answer.form, answer.deliveries) = (.history, 1)
        answer.at += Int64(random.within(3600...86_400))
        messages.append(answer)
      }
    }
    guard transaction.revoked != 0 else { return }
    var revoked = message(
      of: transaction, form, at: transaction.revoked + Int64(random.within(60...5400)), in: visit)
    revoked.event = transaction.isUpgraded ? .upgrade : .refund
    if form.isReceipt { revoked.user = transaction.user }
    messages.append(revoked)
  }

  private mutating func message(
    of transaction: TransactionRecord, _ form: AppleForm, at moment: Int64, in visit: Visit
  ) -> SimulatedMessage {
    var message = SimulatedMessage(form: form, at: moment, subject: transaction)
    message.goesOn =
      visit.transactions.contains {
        $0.original == transaction.original && $0.purchased > transaction.purchased
      } || random.chance(600)
    let isUpgrade = visit.transactions.contains {
      $0.isUpgraded && $0.original == transaction.original && $0.revoked == transaction.purchased
    }
    if isUpgrade { message.event = .upgrade }
    guard form == .receipt || form == .notificationV1 else { return message }
    message.others = others(beside: transaction, at: moment, form, in: visit)
    return message
  }

  /// Earlier transactions of the customer, which the form has too.
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
      && transaction.source == .drawn
  }

  /// A later receipt of the same customer has it once more.
  private mutating func repeatLater(
    _ transaction: TransactionRecord, in visit: Visit, into messages: inout [SimulatedMessage]
  ) {
    guard transaction.user != 0, random.chance(80) else { return }
    messages.append(receipt(of: transaction, after: random.within(3600...10 * 86_400), in: visit))
  }

  private mutating func receipt(
    of transaction: TransactionRecord, after seconds: Int, in visit: Visit
  ) -> SimulatedMessage {
    var again = message(
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
