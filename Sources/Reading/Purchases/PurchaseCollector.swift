internal import Billing

/// What repeats in messages, as fields of one record.
enum MessageField: Int, CaseIterable {
  case factSource, type, subtype, status, environment, bundleID, requestReason
  /// The words of environment and type where they are not known.
  case environmentWord, typeWord
}

extension PieceRecord<MessageField> {
  /// Adds the last two fields, which keep the words for environment and type where these are not
  /// known; a known one leaves its field blank.
  ///
  /// - Parameter type: of a notification; empty for other messages.
  mutating func putUnknown(_ environment: UnsafeRawBufferPointer, type: UnsafeRawBufferPointer) {
    put(.environmentWord, storeEnvironment(environment) == .other ? environment : nothing, at: 0)
    let type = trimmed(type)
    let isKnown = knownNotificationTypes.contains(String(decoding: type, as: UTF8.self))
    put(.typeWord, isKnown ? nothing : type, at: 0)
  }
}

/// True where a transaction names another one as its bundle's; nil where it does not.
func isAnother(_ bundle: UnsafeRawBufferPointer, than id: UnsafeRawBufferPointer) -> Bool? {
  let bundle = trimmed(bundle)
  return bundle.isEmpty || bundle.elementsEqual(trimmed(id)) ? nil : true
}

/// What repeats in what is told of renewals, as fields of one record.
enum RenewalField: Int, CaseIterable {
  case factSource, sku, nextSKU, willRenew, expirationIntent, billingRetry
  case status, offer, offerID, offerDiscount, offerPeriod, price, currency
}

/// What is said beside transactions and repeats, as fields of one record.
enum ExtraField: Int, CaseIterable {
  case reason, offerID, offerDiscount, offerPeriod, billingPlan, billingPeriod, billingPeriods
  case commitmentPrice, taxCode, taxRate, estimatedTax, priceWithoutTax
}

/// A transaction's ids and times, as its source has them.
struct CollectedTransaction {
  var id = nothing
  var originalID = nothing
  var webOrderLineItemID = nothing
  var appAccountToken = nothing
  var purchasedAt: Instant
  var expiresAt: Instant?
  var revokedAt: Instant?
  var observedAt: Instant?
}

/// What a record says beside what Apple told: where it stands, who received it and when.
struct RecordContext {
  var line: Int32
  var receivedAt: Instant?
  var orderID = nothing
  var userID = nothing
  /// The token that a page of an answer was asked for with.
  var asked = nothing
}

/// Collects the rows of blocks. A record's rows count only when the record is read to its end.
struct PurchaseCollector {
  private(set) var messages: [MessageRow] = []
  private(set) var transactions: [TransactionRow] = []
  private(set) var renewals: [RenewalRow] = []
  private var pages: [AnswerPage] = []
  private var extras: [ExtraRow] = []
  private var items: [AdvancedItem] = []
  private var itemRefunds: [AdvancedItemRefund] = []
  private var text = IDText()
  private var transactionTerms: Interner<TransactionTerms>
  private var messageTerms: Interner<MessageTerms>
  private var renewalTerms: Interner<RenewalTerms>
  private var extraTerms: Interner<ExtraTerms>
  private let storefronts: StorefrontLookup

  /// Over the whole file: terms in the order of their codes, and the rows that have them.
  private(set) var knownTransactionTerms: [TransactionTerms] = []
  /// Of transactions with a price, each counted once, however many messages tell of it.
  private(set) var rowsOfTransactionTerms: [Int64] = []
  /// Hashes of the ids of transactions that were counted.
  private var counted: Set<UInt64> = []
  private(set) var knownMessageTerms: [MessageTerms] = []
  private(set) var rowsOfMessageTerms: [Int] = []
  private(set) var transactionCount = 0
  private(set) var renewalCount = 0
  private(set) var span = TimeSpan()
  /// The line of the first price that was no multiple of its quantity.
  private(set) var firstUndividedPrice: Int32?
  /// Values that are not known.
  private(set) var unknown = UnknownWords()

  /// How much there was when the record that is being read began.
  private var begun = (
    messages: 0, transactions: 0, renewals: 0, pages: 0, extras: 0, items: 0, itemRefunds: 0,
    text: 0,
    transactionTerms: 0, messageTerms: 0
  )
  private var transactionMark: Interner<TransactionTerms>.Mark
  private var messageMark: Interner<MessageTerms>.Mark
  private var renewalMark: Interner<RenewalTerms>.Mark
  private var extraMark: Interner<ExtraTerms>.Mark

  /// Transactions or renewals that one record may have, so that no block outgrows its limit.
  static let recordLimit = FactBlock.rowLimit / 2 - 1

  init(storefronts: StorefrontLookup) {
    self.storefronts = storefronts
    transactionTerms = Interner(fields: TermsField.allCases.map(\.rawValue))
    messageTerms = Interner(fields: MessageField.allCases.map(\.rawValue))
    renewalTerms = Interner(fields: RenewalField.allCases.map(\.rawValue))
    extraTerms = Interner(fields: ExtraField.allCases.map(\.rawValue))
    transactionMark = transactionTerms.mark
    messageMark = messageTerms.mark
    renewalMark = renewalTerms.mark
    extraMark = extraTerms.mark
  }

  /// Rows since the last block, so counted that a block is full before a record can overfill it.
  var pending: Int { max(messages.count, 2 * max(transactions.count, renewals.count)) }

  /// Notes how much there is, so that a record at fault can be forgotten.
  mutating func beginRecord() {
    begun = (
      messages.count, transactions.count, renewals.count, pages.count, extras.count, items.count,
      itemRefunds.count, text.length, knownTransactionTerms.count, knownMessageTerms.count
    )
    transactionMark = transactionTerms.mark
    messageMark = messageTerms.mark
    renewalMark = renewalTerms.mark
    extraMark = extraTerms.mark
  }

  /// Adds the rows of the record to what the file adds up to. Returns how many messages it has.
  mutating func endRecord() -> Int {
    for row in transactions[begun.transactions...] {
      if knownTransactionTerms[Int(row.terms)].unitPrice != nil,
        counted.insert(text.hash(of: row.transactionID)).inserted
      {
        rowsOfTransactionTerms[Int(row.terms)] += 1
      }
      span.add(row.purchasedAt.seconds)
    }
    for row in messages[begun.messages...] { rowsOfMessageTerms[Int(row.terms)] += 1 }
    transactionCount += transactions.count - begun.transactions
    renewalCount += renewals.count - begun.renewals
    return messages.count - begun.messages
  }

  /// Forgets all of the record.
  mutating func dropRecord() {
    messages.removeLast(messages.count - begun.messages)
    transactions.removeLast(transactions.count - begun.transactions)
    renewals.removeLast(renewals.count - begun.renewals)
    pages.removeLast(pages.count - begun.pages)
    extras.removeLast(extras.count - begun.extras)
    items.removeLast(items.count - begun.items)
    itemRefunds.removeLast(itemRefunds.count - begun.itemRefunds)
    text.cut(to: begun.text)
    transactionTerms.forget(since: transactionMark)
    messageTerms.forget(since: messageMark)
    renewalTerms.forget(since: renewalMark)
    extraTerms.forget(since: extraMark)
    knownTransactionTerms.removeLast(knownTransactionTerms.count - begun.transactionTerms)
    rowsOfTransactionTerms.removeLast(rowsOfTransactionTerms.count - begun.transactionTerms)
    knownMessageTerms.removeLast(knownMessageTerms.count - begun.messageTerms)
    rowsOfMessageTerms.removeLast(rowsOfMessageTerms.count - begun.messageTerms)
  }

  /// Adds a row for a message.
  ///
  /// - Parameters:
  ///   - record: its terms, as ``MessageField``s.
  ///   - context: what the record around it says.
  mutating func addMessage(
    _ record: Record, uuid: UnsafeRawBufferPointer, observedAt: Instant?, _ context: RecordContext,
    token: ExternalPurchaseToken? = nil
  ) {
    var code = messageTerms.find(record)
    if code < 0 {
      func field(_ field: MessageField) -> Int { field.rawValue }
      var value = MessageTerms(
        factSource: record.digit(field(.factSource)).flatMap(FactSource.init(rawValue:))
          ?? .unsigned,
        type: record.text(field(.type)), subtype: record.text(field(.subtype)),
        status: wholeNumber(record[field(.status)]).flatMap { Int32(exactly: $0) },
        environment: record.optionalEnvironment(field(.environment)),
        bundleID: record.text(field(.bundleID)))
      value.requestReason = record.text(field(.requestReason))
      value.unknownWords = record.unknownWords([
        (field(.environmentWord), "environment", false),
        (field(.typeWord), "notificationType", false),
      ])
      unknown.add(value.unknownWords, line: record.line)
      code = messageTerms.insert(value, for: record)
      if Int(code) == knownMessageTerms.count {
        knownMessageTerms.append(value)
        rowsOfMessageTerms.append(0)
      }
    }
    var row = MessageRow(
      line: context.line, terms: code, uuid: text.add(uuid), orderID: text.add(context.orderID),
      userID: text.add(context.userID), observedAt: observedAt)
    if let token {
      row.externalPurchaseID = text.add(token.id)
      row.tokenCreatedAt = token.createdAt
    }
    messages.append(row)
  }

  /// Adds a row for a transaction; throws a diagnostic for terms that cannot be read.
  ///
  /// - Parameters:
  ///   - record: its terms, as ``TermsField``s.
  ///   - names: what these are called in the file.
  @inline(__always)
  mutating func addTransaction(
    _ transaction: CollectedTransaction, _ record: Record, _ names: TermsNames,
    _ context: RecordContext
  ) throws(RecordDiagnostic) {
    var code = transactionTerms.find(record)
    if code < 0 { code = try newTransactionTerms(record, names) }
    if transactions.count &- begun.transactions >= Self.recordLimit { throw Self.overfull() }
    transactions.append(
      TransactionRow(
        line: context.line, terms: code, transactionID: text.add(transaction.id),
        originalTransactionID: text.add(transaction.originalID),
        webOrderLineItemID: text.add(transaction.webOrderLineItemID),
        orderID: text.add(context.orderID),
        appAccountToken: text.addLowercased(transaction.appAccountToken),
        userID: text.add(context.userID),
        purchasedAt: transaction.purchasedAt, expiresAt: transaction.expiresAt,
        revokedAt: transaction.revokedAt,
        observedAt: transaction.observedAt))
  }

  /// Reads and keeps terms that no row before had; returns their code, by which rows name them.
  @inline(never)
  private mutating func newTransactionTerms(
    _ record: Record, _ names: TermsNames
  ) throws(RecordDiagnostic) -> Int32 {
    let value = try TransactionTerms(record, names, storefronts)
    if let price = try record.milliunitPrice(of: value.quantity), !price.divides {
      firstUndividedPrice = firstUndividedPrice ?? record.line
    }
    unknown.add(value.unknownWords, line: record.line)
    let code = transactionTerms.insert(value, for: record)
    if Int(code) == knownTransactionTerms.count {
      knownTransactionTerms.append(value)
      rowsOfTransactionTerms.append(0)
    }
    return code
  }

  /// Adds a row for a renewal; throws a diagnostic for terms that cannot be read.
  ///
  /// - Parameters:
  ///   - record: its terms, as ``RenewalField``s.
  ///   - originalID: of the subscription.
  mutating func addRenewal(
    _ record: Record, originalID: UnsafeRawBufferPointer, observedAt: Instant,
    graceExpiresAt: Instant?, renewsAt: Instant? = nil,
    _ context: RecordContext
  ) throws(RecordDiagnostic) {
    var code = renewalTerms.find(record)
    if code < 0 {
      let value = try Self.renewalTerms(record)
      unknown.add(value.unknownWords, line: record.line)
      code = renewalTerms.insert(value, for: record)
    }
    if renewals.count - begun.renewals >= Self.recordLimit { throw Self.overfull() }
    var row = RenewalRow(
      line: context.line, terms: code, originalTransactionID: text.add(originalID),
      observedAt: observedAt, graceExpiresAt: graceExpiresAt)
    row.renewsAt = renewsAt
    renewals.append(row)
  }

  /// Adds what is said beside the transaction that was added last.
  ///
  /// - Parameter record: what of it repeats, as ``ExtraField``s.
  mutating func addExtra(_ record: Record, _ extra: CollectedExtra) throws(RecordDiagnostic) {
    var code = extraTerms.find(record)
    if code < 0 { code = extraTerms.insert(try ExtraTerms(record), for: record) }
    extras.append(
      ExtraRow(
        terms: code, appTransactionID: text.add(extra.appTransactionID),
        requestReference: text.add(extra.requestReference),
        commitmentEndsAt: extra.commitmentEndsAt))
    transactions[transactions.count - 1].extra = Int32(extras.count)
  }

  /// Adds an item of the transaction whose extra was added last.
  mutating func addItem(_ item: AdvancedItem) throws(RecordDiagnostic) {
    if items.count - begun.items >= Self.recordLimit { throw Self.overfull() }
    var item = item
    item.extra = Int32(extras.count)
    items.append(item)
  }

  /// Adds a refund of an item of the transaction whose extra was added last.
  mutating func addItemRefund(_ refund: AdvancedItemRefund) throws(RecordDiagnostic) {
    if itemRefunds.count - begun.itemRefunds >= Self.recordLimit { throw Self.overfull() }
    var refund = refund
    refund.extra = Int32(extras.count)
    itemRefunds.append(refund)
  }

  /// Keeps what a page of an answer says of itself.
  mutating func addPage(_ page: AnswerPage) { pages.append(page) }

  /// The terms whose values are the ``RenewalField``s of a record.
  private static func renewalTerms(_ record: Record) throws(RecordDiagnostic) -> RenewalTerms {
    func field(_ field: RenewalField) -> Int { field.rawValue }
    let intent = try record.count(field(.expirationIntent), "expiration intent", atLeast: 0)
    var terms = RenewalTerms(
      factSource: record.digit(field(.factSource)).flatMap(FactSource.init(rawValue:)) ?? .unsigned,
      sku: record.text(field(.sku)), nextSKU: record.text(field(.nextSKU)),
      willRenew: try record.optionalFlag(field(.willRenew), "auto-renew status"),
      expirationIntent: intent.flatMap { Int32(exactly: $0) },
      isInBillingRetry: try record.optionalFlag(field(.billingRetry), "billing retry"))
    terms.status = record.known(field(.status), SubscriptionStatus.init(rawValue:))
    terms.offer = record.known(field(.offer), OfferKind.init(rawValue:))
    terms.offerID = record.text(field(.offerID))
    terms.offerDiscount = record.text(field(.offerDiscount))
    terms.offerPeriod = record.text(field(.offerPeriod))
    terms.renewalPrice = try record.milliunits(field(.price), "renewalPrice")
    terms.currency = try record.currency(field(.currency), "currency")
    if terms.renewalPrice == 0, terms.currency == nil { terms.renewalPrice = nil }
    terms.unknownWords = record.unknownWords([
      (field(.status), "status", terms.status != nil),
      (field(.offer), "offerType", terms.offer != nil),
    ])
    return terms
  }

  /// What is wrong with a record that has more rows than a block can take.
  private static func overfull() -> RecordDiagnostic {
    RecordDiagnostic(
      nil, "length", "@purchase.record-has-more-than-transactions \(recordLimit)",
      help: "@purchase.no-response-of-apple-has")
  }

  /// Hands over the rows since the last block, with the terms that are new with them.
  mutating func takeBlock(_ kind: InputKind) -> FactBlock {
    var block = FactBlock(
      rows: .purchases(
        kind,
        PurchaseRows(
          messages: messages, transactions: transactions, renewals: renewals, pages: pages,
          extras: extras, items: items, itemRefunds: itemRefunds)))
    block.text = text.take()
    block.newTransactionTerms = transactionTerms.takeFresh()
    block.newMessageTerms = messageTerms.takeFresh()
    block.newRenewalTerms = renewalTerms.takeFresh()
    block.newExtraTerms = extraTerms.takeFresh()
    messages = []
    transactions = []
    renewals = []
    pages = []
    extras = []
    items = []
    itemRefunds = []
    return block
  }
}
