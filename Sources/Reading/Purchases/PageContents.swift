internal import Billing

/// What a page of an answer tells of itself, and of the rows that are not on it.
struct PageContents {
  private var page: AnswerPage
  /// Nil until a row is on the page; false where rows are of several customers.
  private var isOfOne: Bool?
  private var firstAt: Instant?
  private var lastAt: Instant?
  private var lastRevokedAt: Instant?

  /// How far back a notification history goes: 180 days in Production, fewer in the Sandbox.
  private static let notificationSpan: Int64 = 180 * 86_400

  /// Begins a page by the members of an answer; nil for an answer that is no page.
  ///
  /// - Parameter list: nil for a list of transactions: the refund history is the one that names no
  ///   app.
  init?(
    _ tape: JSONTape, _ fields: ObjectFields<PayloadKey>, _ list: AnswerPage.Listing?,
    _ context: RecordContext
  ) {
    let next = fields[fields[.paginationToken] >= 0 ? .paginationToken : .revision]
    let isPage =
      fields[.hasMore] >= 0 || fields[.paginationToken] >= 0 || !context.asked.isEmpty
    if !isPage { return nil }
    let namesApp =
      fields[.bundleId] >= 0 || fields[.appAppleId] >= 0 || fields[.environment] >= 0
    let hasMore =
      fields[.hasMore] < 0
      ? fields[.paginationToken] >= 0 : isWord(trimmed(tape.text(fields[.hasMore])), "true")
    page = AnswerPage(
      list ?? (namesApp ? .history : .refunds), line: context.line, hasMore: hasMore)
    page.bundleID = Self.string(tape.text(fields[.bundleId]))
    page.environment = storeEnvironment(trimmed(tape.text(fields[.environment])))
    page.userID = Self.string(context.userID)
    page.asked = Self.string(context.asked)
    page.next = Self.string(tape.text(next))
  }

  /// The trimmed text of bytes.
  private static func string(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: trimmed(bytes), as: UTF8.self)
  }

  /// Notes a notification of the page: its id, its app and when it was signed.
  mutating func addNotification(
    _ tape: JSONTape, _ fields: ObjectFields<PayloadKey>, _ data: ObjectFields<PayloadKey>,
    at moment: Instant?
  ) {
    guard page.list == .notifications else { return }
    page.lastID = Self.string(tape.text(fields[.notificationUUID]))
    addApp(tape, data, at: moment)
  }

  /// Notes a transaction of the page: its id, its app and its customer, when it was signed and
  /// revoked.
  mutating func addTransaction(
    _ tape: JSONTape, _ fields: ObjectFields<PayloadKey>, _ transaction: CollectedTransaction
  ) {
    guard page.list != .notifications else { return }
    page.lastID = Self.string(transaction.id)
    addApp(tape, fields, at: transaction.observedAt)
    lastRevokedAt = [lastRevokedAt, transaction.revokedAt].compactMap(\.self).max()
    let customer = Self.string(tape.text(fields[.appTransactionId]))
    isOfOne = (isOfOne ?? true) && (isOfOne == nil || customer == page.appTransactionID)
    page.appTransactionID = isOfOne == true ? customer : ""
  }

  /// Notes the app and the time of a row.
  private mutating func addApp(
    _ tape: JSONTape, _ fields: ObjectFields<PayloadKey>, at moment: Instant?
  ) {
    if page.bundleID.isEmpty { page.bundleID = Self.string(tape.text(fields[.bundleId])) }
    if page.environment == nil {
      page.environment = storeEnvironment(trimmed(tape.text(fields[.environment])))
    }
    firstAt = [firstAt, moment].compactMap(\.self).min()
    lastAt = [lastAt, moment].compactMap(\.self).max()
  }

  /// The page, once all its rows are read, with when it was answered and which days the rows of
  /// other pages may have. Transactions are signed as they are answered, notifications as they
  /// happened.
  func ended(_ context: RecordContext) -> AnswerPage {
    var page = page
    switch page.list {
    case .history, .refunds:
      page.answeredAt = context.receivedAt ?? lastAt
      page.restTo = page.answeredAt
      if page.list == .refunds { page.restFrom = lastRevokedAt }
    case .notifications:
      page.answeredAt = context.receivedAt
      let span = Self.notificationSpan
      page.restTo = context.receivedAt ?? firstAt.map { Instant(seconds: $0.seconds + span) }
      page.restFrom = (context.receivedAt ?? lastAt).map { Instant(seconds: $0.seconds - span) }
    }
    return page
  }
}
