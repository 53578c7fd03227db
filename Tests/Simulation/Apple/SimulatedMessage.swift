import Billing

/// The forms of Apple's messages about purchases.
enum AppleForm: Hashable, CaseIterable {
  /// A verifyReceipt response of the iOS 6 style: one transaction.
  case oldReceipt
  /// A verifyReceipt response of the iOS 7 style.
  case receipt
  /// A server notification of version 1.
  case notificationV1
  /// A signed server notification of version 2.
  case notificationV2
  /// A signed transaction in an answer of the App Store Server API.
  case history

  /// Whether it states price, currency and storefront.
  var statesPrice: Bool { self == .notificationV2 || self == .history }
  var isReceipt: Bool { self == .oldReceipt || self == .receipt }
}

/// One message of Apple's about purchases, before it is put into its form.
struct SimulatedMessage {
  enum Event { case purchase, refund, upgrade, refundReversed, billingRetry }

  var form: AppleForm
  /// When it reached the company; transactions are in it as they were then.
  var at: Int64
  var subject: TransactionRecord
  var event = Event.purchase
  /// What else an iOS 7 receipt or a V1 notification carries.
  var others: [TransactionRecord] = []
  /// The order that a receipt came in for; 0 is nowhere said.
  var order: UInt64 = 0
  /// The user whom a receipt is of; 0 is nowhere said.
  var user: UInt32 = 0
  /// Whether the subscription goes on after the subject's period.
  var goesOn = false
  /// Apple's identifier of another app's product with the same SKU, in an iOS 6 receipt.
  var itemID: Int?
  /// Nothing in the message says whether it is of the sandbox.
  var hidesEnvironment = false
  /// The wrapper, with what it adds, is part of the evidence.
  var needsWrapper = false
  /// Verification failed: a receipt's status, and no transaction.
  var failure: Int?
  /// How often it was delivered; each time the same.
  var deliveries = 1

  /// Whether the subject's period had ended and nothing follows it.
  var isOver: Bool { !goesOn && subject.expires < at }
  /// The subject as it was known then.
  var known: TransactionRecord { subject.known(at: at) }
  /// All transactions of the message as they were then, the subject last.
  var all: [TransactionRecord] { others.map { $0.known(at: at) } + [known] }
}

/// What happened together: one customer's orders and transactions, or those of a fault.
struct Visit {
  var orders: [OrderRecord] = []
  var transactions: [TransactionRecord] = []
  /// Messages that a fault consists of.
  var messages: [SimulatedMessage] = []
  /// Rows that the company's table has of transactions of the deposit.
  var rows: [TransactionRecord] = []

  /// What ties a transaction to its order, strongest first.
  enum Tie { case orderNamesIt, itNamesOrder, token, trace }

  /// The order that claims a transaction, apart from its chain.
  func claim(of transaction: TransactionRecord) -> (order: OrderRecord, tie: Tie)? {
    let orders = orders.filter { $0.channel != .web }
    func first(_ tie: Tie, _ claims: (OrderRecord) -> Bool) -> (OrderRecord, Tie)? {
      orders.filter(claims).min { $0.placed < $1.placed }.map { ($0, tie) }
    }
    return first(.orderNamesIt) { $0.transaction == transaction.number }
      ?? first(.itNamesOrder) { $0.number == transaction.order }
      ?? first(.token) { $0.token != 0 && $0.token == transaction.token }
      ?? first(.trace) {
        $0.transaction == 0 && $0.item == transaction.item
          && (transaction.user == 0 || transaction.user == $0.user)
          && transaction.number == transaction.original && transaction.order == 0
      }
  }

  /// The order whose terms hold where a transaction does not state its own: its claimant, for a
  /// renewal its original's.
  func owner(of transaction: TransactionRecord) -> OrderRecord? {
    if let claim = claim(of: transaction) { return claim.order }
    guard transaction.number != transaction.original,
      let original = transactions.first(where: { $0.number == transaction.original })
    else { return nil }
    return claim(of: original)?.order
  }

  /// Whether the truth is the same where neither price nor currency nor storefront of the
  /// transaction is stated.
  func standsWithoutPrice(_ transaction: TransactionRecord) -> Bool {
    guard transaction.isBillable else { return true }
    guard let owner = owner(of: transaction) else { return false }
    return transaction.isTrial
      || (owner.price == transaction.price && owner.currency == transaction.currency)
  }
}
