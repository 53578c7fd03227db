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

  mutating func takeBlock() -> FactBlock { collector.takeBlock(kind) }

  /// The messages that the record on the tape stands for. A record at fault leaves no row.
  mutating func read(_ tape: JSONTape, line: Int) throws(RecordDiagnostic) -> Int {
    collector.beginRecord()
    let counts = payloads.counts
    do throws(RecordDiagnostic) {
      let context = RecordContext(line: Int32(truncatingIfNeeded: line))
      try read(tape, 0, context, bodies: 0)
      return collector.endRecord()
    } catch {
      collector.dropRecord()
      payloads.counts = counts
      throw error
    }
  }

  private mutating func read(
    _ tape: JSONTape, _ node: Int32, _ outer: RecordContext, bodies depth: Int
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
      try receipts.readNotification(tape, node, context, into: &collector)
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
        """
        this record is neither a receipt nor a notification nor an App Store response
        """,
        offset: tape.place(of: node),
        help: "leave it out, or store the whole of what Apple sent")
    }
  }

  /// Whether the record has what only verifyReceipt answers.
  private var isResponse: Bool {
    let fields = receipts.fields
    return fields[.receipt] >= 0 || fields[.latestReceiptInfo] >= 0
      || fields[.latestExpiredReceiptInfo] >= 0 || fields[.pendingRenewalInfo] >= 0
      || fields[.inApp] >= 0
  }

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

  /// Reads what a server stored of Apple's words: an object, or a text that holds one.
  private mutating func readBody(
    _ tape: JSONTape, _ node: Int32, _ context: RecordContext, _ depth: Int
  ) throws(RecordDiagnostic) {
    guard depth < Self.bodyLimit else {
      throw RecordDiagnostic(
        nil, "form", "bodies lie in each other more than \(Self.bodyLimit) deep",
        offset: tape.place(of: node), help: "store what Apple sent, as it came")
    }
    guard tape.kind(of: node) == .text else {
      guard tape.kind(of: node) == .object else { throw Self.noBody(tape, node) }
      return try read(tape, node, context, bodies: depth + 1)
    }
    let text = trimmed(tape.text(node))
    guard text.first == 0x7B else {
      // A signed payload itself.
      return try read(tape, node, context, bodies: depth + 1)
    }
    let inner = bodies[depth]
    if let fault = inner.read(copying: text, origin: tape.place(of: node)).fault {
      throw Self.noBody(tape, node, "what Apple sent is not stored as JSON: \(fault)")
    }
    try read(inner, 0, context, bodies: depth + 1)
  }

  private static func noBody(
    _ tape: JSONTape, _ node: Int32, _ message: Wording = "what Apple sent is not stored as JSON"
  ) -> RecordDiagnostic {
    RecordDiagnostic(
      nil, "json", message, offset: tape.place(of: node),
      help: "store the body as it came: the JSON object, or the text of it")
  }

  func summary(_ log: ReadingLog) throws -> RowSummary {
    if let line = collector.firstUndividedPrice {
      log.warn(
        "amount", line: Int(line),
        "the price of a signed transaction is no multiple of its quantity: it has no unit price",
        help: "nothing to do; the order or the tier gives the price")
    }
    if let line = collector.firstOtherEnvironment {
      log.warn(
        "environment", line: Int(line),
        "the environment is neither Production nor Sandbox nor Xcode",
        help: "what it tells is kept, and counts as nothing sold; find out what Apple means by it")
    }
    if let line = payloads.counts.firstPlaceholder {
      log.warn(
        "form", line: Int(line),
        """
        a decoded notification has a text that is no signed payload where its transaction or \
        renewal should be
        """, help: "it is kept without them; store what Apple sent, as it came")
    }
    if let line = payloads.counts.firstUntimedStatus {
      log.warn(
        "form", line: Int(line),
        "a subscription's status stands without a transaction, a renewal or a time of its own",
        help: "it is left out; store received_at beside what Apple answered")
    }
    var totals = TotalsByCurrency()
    for (terms, rows) in zip(collector.knownTransactionTerms, collector.rowsOfTransactionTerms) {
      guard let price = terms.unitPrice else { continue }
      totals.add(terms.currency, units: rows * Int64(terms.quantity), price: price)
    }
    return RowSummary(
      begin: collector.span.begin, end: collector.span.end,
      totals: try totals.totals(file: log.file),
      tallies: tallies)
  }

  private var tallies: [Tally] {
    var counts: [Wording: Int] = [
      "transactions": collector.transactionCount, "renewals": collector.renewalCount,
      "signed": payloads.counts.signed, "not signed": payloads.counts.unsigned,
      "empty payloads": payloads.counts.empty, "unknown payloads": payloads.counts.unknown,
      "texts instead of payloads": payloads.counts.placeholders,
      "statuses without a time": payloads.counts.untimedStatuses,
    ]
    for (terms, rows) in zip(collector.knownMessageTerms, collector.rowsOfMessageTerms) {
      counts[Self.what(terms), default: 0] += rows
    }
    return counts.filter { $0.value > 0 }.map { Tally(what: $0.key, count: $0.value) }
      .sorted { $0.what.english < $1.what.english }
  }

  private static func what(_ terms: MessageTerms) -> Wording {
    if let status = terms.status { return "status \(status): \(statusMeaning(status))" }
    switch (terms.factSource, terms.type) {
    case (.receipt, _): return "receipts without a status"
    case (_, "unknown"): return "unknown payloads"
    case (_, "empty"): return "empty payloads"
    case (_, "transaction"), (_, "renewal"), (_, "history"), (_, "statuses"),
      (_, "app-transaction"):
      return "message \(terms.type)"
    default:
      return terms.subtype.isEmpty
        ? "notification \(terms.type)" : "notification \(terms.type)/\(terms.subtype)"
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
