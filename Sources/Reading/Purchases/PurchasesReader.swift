internal import Billing

/// Reads the records in which Apple told of purchases, each by its own form: a file of one kind may
/// hold records of another.
struct PurchasesReader: TapeReader {
  private let kind: InputKind
  private var collector: PurchaseCollector
  private var receipts = ReceiptReader()
  private var payloads: PayloadReader
  private let bodies = (0..<bodyLimit).map { _ in JSONTape() }
  private var times = TimeColumn()

  /// Bodies inside each other that are followed.
  private static let bodyLimit = 3

  init(
    _ kind: InputKind, hints: ReadingHints, storefronts: StorefrontLookup, file: String
  ) throws {
    self.kind = kind
    collector = PurchaseCollector(storefronts: storefronts)
    payloads = try PayloadReader(hints: hints, file: file)
  }

  var pending: Int { collector.pending }

  /// Opens signed payloads in bytes that are read soon, on other threads.
  mutating func expect(_ text: UnsafeRawBufferPointer) { payloads.expect(text) }

  mutating func takeBlock() -> FactBlock { collector.takeBlock(kind) }

  /// Reads the record on the tape into rows, and returns how many messages it stands for. A record
  /// at fault leaves no row.
  mutating func read(_ tape: JSONTape, line: Int) throws(RecordDiagnostic) -> Int {
    collector.beginRecord()
    let counts = payloads.counts
    do throws(RecordDiagnostic) {
      let context = RecordContext(line: Int32(truncatingIfNeeded: line))
      try read(tape, 0, context, insideBodies: 0)
      return collector.endRecord()
    } catch {
      collector.dropRecord()
      payloads.counts = counts
      throw error
    }
  }

  /// Adds the rows of the JSON object or signed payload at `node` of the tape. Its keys show its
  /// form: a response, a notification, an answer, or what a server stored around one of these.
  ///
  /// - Parameters:
  ///   - outer: line, receiver and time, as the objects around it say them.
  ///   - depth: how many stored bodies it lies inside; 0 for a record of the file.
  private mutating func read(
    _ tape: JSONTape, _ node: Int32, _ outer: RecordContext, insideBodies depth: Int
  ) throws(RecordDiagnostic) {
    guard tape.kind(of: node) == .object else {
      try payloads.read(tape, node, PayloadReader.Scope(context: outer), into: &collector)
      return
    }
    let fields = receipts.fields
    try fields.find(tape, node)
    let context = try context(tape, outer)
    if fields[.response] >= 0 {
      try readBody(tape, fields[.response], context, depth)
    } else if fields[.notificationType] >= 0 {
      let isComplete = try receipts.readNotification(tape, node, context, into: &collector)
      if !isComplete {
        let type = trimmed(tape.text(fields[.notificationType]))
        payloads.counts.noteIncomplete(type, line: context.line)
      }
    } else if isResponse {
      let receipt = fields[.inApp] >= 0 ? node : fields[.receipt]
      try receipts.readResponse(tape, node, receipt: receipt, context, into: &collector)
    } else if try readPayloads(tape, node, context) {
      return
    } else if fields[.body] >= 0 {
      try readBody(tape, fields[.body], context, depth)
    } else if fields[.status] >= 0 {
      try receipts.readResponse(tape, node, receipt: -1, context, into: &collector)
    } else if fields[.transactionId] >= 0, fields[.productId] >= 0 {
      try receipts.readResponse(tape, node, receipt: node, context, into: &collector)
    } else {
      throw RecordDiagnostic(
        nil, "kind",
        "@purchase.this-record-is-neither",
        offset: tape.place(of: node),
        help: "@purchase.leave-it-out-or-store")
    }
  }

  /// Whether the record has what only verifyReceipt answers.
  private var isResponse: Bool {
    let fields = receipts.fields
    return fields[.receipt] >= 0 || fields[.latestReceiptInfo] >= 0
      || fields[.latestExpiredReceiptInfo] >= 0 || fields[.pendingRenewalInfo] >= 0
      || fields[.inApp] >= 0
  }

  /// Reads an answer of the App Store Server API, or a payload that was saved decoded; false when
  /// the object is neither.
  private mutating func readPayloads(
    _ tape: JSONTape, _ node: Int32, _ context: RecordContext
  ) throws(RecordDiagnostic) -> Bool {
    let fields = payloads.fields[0]
    try fields.find(tape, node)
    if try payloads.readAnswer(tape, node, context, into: &collector) { return true }
    guard fields.isPayload else { return false }
    try payloads.read(tape, node, PayloadReader.Scope(context: context), into: &collector)
    return true
  }

  /// Who received the record and when, by its own members or those around it.
  private mutating func context(
    _ tape: JSONTape, _ outer: RecordContext
  ) throws(RecordDiagnostic) -> RecordContext {
    let fields = receipts.fields
    var context = outer
    if fields[.receivedAt] >= 0 {
      context.receivedAt = try tape.time(fields[.receivedAt], "received_at", &times)
    }
    if let id = try plainID(tape, fields[.orderId], "order_id") { context.orderID = id }
    if let id = try plainID(tape, fields[.userId], "user_id") { context.userID = id }
    // A page's own members of these names ask for the next one.
    if fields[.body] >= 0 || fields[.response] >= 0 {
      for (key, name) in [
        (ResponseKey.revision, "revision"), (.paginationToken, "pagination_token"),
      ] as [(ResponseKey, StaticString)] where fields[key] >= 0 {
        try tape.requirePlain(fields[key], name)
        context.asked = trimmed(tape.text(fields[key]))
      }
    }
    return context
  }

  /// Reads the body at `node`, what a server stored of Apple's words: an object, a text that holds
  /// one, or a signed payload.
  ///
  /// - Parameter depth: how many bodies this one lies inside; from ``bodyLimit`` on it is refused.
  private mutating func readBody(
    _ tape: JSONTape, _ node: Int32, _ context: RecordContext, _ depth: Int
  ) throws(RecordDiagnostic) {
    guard depth < Self.bodyLimit else {
      throw RecordDiagnostic(
        nil, "form", "@purchase.bodies-are-nested-more-than \(Self.bodyLimit)",
        offset: tape.place(of: node), help: "@purchase.store-what-apple-sent")
    }
    guard tape.kind(of: node) == .text else {
      guard tape.kind(of: node) == .object else { throw Self.noBody(tape, node) }
      return try read(tape, node, context, insideBodies: depth + 1)
    }
    let text = trimmed(tape.text(node))
    guard text.first == 0x7B else {
      // A signed payload itself.
      return try read(tape, node, context, insideBodies: depth + 1)
    }
    let inner = bodies[depth]
    if let fault = inner.read(copying: text, origin: tape.place(of: node)).fault {
      throw Self.noBody(tape, node, "@purchase.what-apple-sent-is-not-stored \(fault)")
    }
    try read(inner, 0, context, insideBodies: depth + 1)
  }

  /// What is wrong with a body in which there are no words of Apple's.
  private static func noBody(
    _ tape: JSONTape, _ node: Int32, _ message: Wording = "@purchase.what-apple-sent-is-not"
  ) -> RecordDiagnostic {
    RecordDiagnostic(
      nil, "json", message, offset: tape.place(of: node),
      help: "@purchase.store-the-body")
  }

  /// The days and the sums of all purchases, and how many messages and payloads there are of each
  /// sort, with warnings about what was odd.
  func summary(_ log: ReadingLog) throws -> RowSummary {
    if let line = collector.firstUndividedPrice {
      log.warn(
        "amount", line: Int(line),
        "@purchase.price-of-a-signed-transaction",
        help: "@purchase.nothing-to-do-the-order")
    }
    collector.unknown.warn(
      log,
      help: "@purchase.kept-as-written-transactions")
    if let line = payloads.counts.firstPlaceholder {
      log.warn(
        "form", line: Int(line),
        "@purchase.decoded-notification-has-text-other", help: "@purchase.it-is-kept-without-them")
    }
    if let line = payloads.counts.firstIncomplete {
      let incomplete = payloads.counts.incomplete
      let types = incomplete.keys.sorted().prefix(5).joined(separator: ", ")
      log.warn(
        "form", line: Int(line),
        counted(
          incomplete.values.reduce(0, +), "@purchase.1-notification-lacks-its-transaction \(types)"
        ) { "@purchase.notifications-lack-their-transaction \($0) \(types)" },
        help: "@purchase.refunds-in-them-do-not-count")
    }
    if let line = payloads.counts.firstUntimedStatus {
      log.warn(
        "form", line: Int(line),
        "@purchase.subscription-status-comes-without",
        help: "@purchase.it-is-left-out-store")
    }
    if let line = payloads.counts.firstForeign {
      let apps = payloads.counts.foreign.sorted { $0.key < $1.key }
      let names = apps.prefix(3).map(\.key).joined(separator: ", ")
      log.warn(
        "bundle", line: Int(line),
        counted(apps.reduce(0) { $0 + $1.value }, "@purchase.1-record-is-about-another \(names)") {
          "@purchase.records-are-about-other-apps \($0) \(names)"
        },
        help: "@purchase.they-are-set-aside")
    }
    var totals = TotalsByCurrency()
    for (terms, rows) in zip(collector.knownTransactionTerms, collector.rowsOfTransactionTerms) {
      guard let price = terms.unitPrice, !terms.isNoPurchase else { continue }
      totals.add(terms.currency, units: rows * Int64(terms.quantity), price: price)
    }
    return RowSummary(
      begin: collector.span.begin, end: collector.span.end,
      totals: try totals.totals(file: log.file),
      tallies: tallies)
  }

  /// How many there are of each sort of message, transaction and payload, by name.
  private var tallies: [Tally] {
    let found = payloads.counts
    var counts: [TallyName: Int] = [
      Self.transactions: collector.transactionCount, Self.renewals: collector.renewalCount,
      Self.signed: found.signed, Self.unsigned: found.unsigned, Self.empty: found.empty,
      Self.unknown: found.unknown, Self.placeholders: found.placeholders,
      Self.untimed: found.untimedStatuses, Self.foreign: found.foreign.values.reduce(0, +),
    ]
    for (terms, rows) in zip(collector.knownMessageTerms, collector.rowsOfMessageTerms) {
      counts[Self.tallyName(terms), default: 0] += rows
    }
    let zeroTimes = times.zeroTimes + receipts.zeroTimes + payloads.times.zeroTimes
    return counts.filter { $0.value > 0 }
      .map { Tally(what: $0.key.many, one: $0.key.one, count: $0.value) }
      .sorted { $0.what.english < $1.what.english } + [zeroTimes.tally].compactMap(\.self)
  }

  /// What one message, transaction or payload of a sort is called, and several are.
  private struct TallyName: Hashable {
    var one: Wording
    var many: Wording
  }

  private static let transactions = TallyName(
    one: "@shared.transaction", many: "@shared.transactions")
  private static let renewals = TallyName(
    one: "@purchase.renewal", many: "@purchase.renewals")
  private static let signed = TallyName(
    one: "@purchase.signed-payload", many: "@purchase.signed-payloads")
  private static let unsigned = TallyName(
    one: "@purchase.unsigned-payload", many: "@purchase.unsigned-payloads")
  private static let empty = TallyName(
    one: "@purchase.empty-payload", many: "@purchase.empty-payloads")
  private static let unknown = TallyName(
    one: "@purchase.unknown-payload", many: "@purchase.unknown-payloads")
  private static let placeholders = TallyName(
    one: "@purchase.text-in-place", many: "@purchase.texts-in-place-of-payloads")
  private static let untimed = TallyName(
    one: "@purchase.status-without-a-time", many: "@purchase.statuses-without-a-time")
  private static let foreign = TallyName(
    one: "@purchase.record-of-another-app", many: "@purchase.records-of-other-apps")

  /// What messages with these terms are called.
  private static func tallyName(_ terms: MessageTerms) -> TallyName {
    if let status = terms.status {
      let meaning = statusMeaning(status)
      return TallyName(
        one: "@purchase.receipt-with-status \(status) \(meaning)",
        many: "@purchase.receipts-with-status \(status) \(meaning)")
    }
    switch (terms.factSource, terms.type) {
    case (.receipt, _):
      return TallyName(
        one: "@purchase.receipt-without-a-status", many: "@purchase.receipts-without-a-status")
    case (_, "unknown"): return unknown
    case (_, "empty"): return empty
    case (_, "transaction"), (_, "renewal"), (_, "history"), (_, "statuses"),
      (_, "app-transaction"):
      return TallyName(
        one: "@purchase.message-of-type \(terms.type)",
        many: "@purchase.messages-of-type \(terms.type)")
    default:
      let name = terms.subtype.isEmpty ? terms.type : "\(terms.type)/\(terms.subtype)"
      return TallyName(
        one: "@purchase.notification-of-type \(name)",
        many: "@purchase.notifications-of-type \(name)")
    }
  }
}

extension ObjectFields<PayloadKey> {
  /// Whether the object is a payload, saved decoded.
  var isPayload: Bool {
    self[.notificationType] >= 0 || self[.transactionId] >= 0
      || self[.productId] >= 0 && self[.purchaseDate] >= 0
      || self[.autoRenewProductId] >= 0 || self[.autoRenewStatus] >= 0
      || self[.receiptType] >= 0 || self[.originalApplicationVersion] >= 0
  }
}
