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

  mutating func expect(_ text: UnsafeRawBufferPointer) { payloads.expect(text) }

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
        nil, "form", "bodies are nested more than \(Self.bodyLimit) deep",
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
      help: "store the body as it came: the JSON object, or its text")
  }

  func summary(_ log: ReadingLog) throws -> RowSummary {
    if let line = collector.firstUndividedPrice {
      log.warn(
        "amount", line: Int(line),
        "the price of a signed transaction is no multiple of its quantity: it has no unit price",
        help: "nothing to do; the order or the tier gives the price")
    }
    collector.unknown.warn(
      log,
      help: """
        kept as written; transactions of an unknown environment or ownership do not count as sold, \
        those of an unknown type do, and reconcile lists all of them
        """)
    if let line = payloads.counts.firstPlaceholder {
      log.warn(
        "form", line: Int(line),
        """
        a decoded notification has text other than a signed payload where its transaction or \
        renewal should be
        """, help: "it is kept without them; store what Apple sent, as it came")
    }
    if let line = payloads.counts.firstUntimedStatus {
      log.warn(
        "form", line: Int(line),
        "a subscription status comes without a transaction, a renewal or a time of its own",
        help: "it is left out; store received_at with Apple's answer")
    }
    if let line = payloads.counts.firstForeign {
      let apps = payloads.counts.foreign.sorted { $0.key < $1.key }
      let names = apps.prefix(3).map(\.key).joined(separator: ", ")
      log.warn(
        "bundle", line: Int(line),
        counted(apps.reduce(0) { $0 + $1.value }, "1 record is about another app: \(names)") {
          "\($0) records are about other apps: \(names)"
        },
        help: """
          they are set aside and do not count as sold; add the app to bundle_ids if it is the \
          company's
          """)
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

  private var tallies: [Tally] {
    let found = payloads.counts
    var counts: [Counted: Int] = [
      Self.transactions: collector.transactionCount, Self.renewals: collector.renewalCount,
      Self.signed: found.signed, Self.unsigned: found.unsigned, Self.empty: found.empty,
      Self.unknown: found.unknown, Self.placeholders: found.placeholders,
      Self.untimed: found.untimedStatuses, Self.foreign: found.foreign.values.reduce(0, +),
    ]
    for (terms, rows) in zip(collector.knownMessageTerms, collector.rowsOfMessageTerms) {
      counts[Self.what(terms), default: 0] += rows
    }
    return counts.filter { $0.value > 0 }
      .map { Tally(what: $0.key.many, one: $0.key.one, count: $0.value) }
      .sorted { $0.what.english < $1.what.english }
  }

  /// What is counted, as one of it is called and as several are.
  private struct Counted: Hashable {
    var one: Wording
    var many: Wording
  }

  private static let transactions = Counted(one: "transaction", many: "transactions")
  private static let renewals = Counted(one: "renewal", many: "renewals")
  private static let signed = Counted(one: "signed payload", many: "signed payloads")
  private static let unsigned = Counted(one: "unsigned payload", many: "unsigned payloads")
  private static let empty = Counted(one: "empty payload", many: "empty payloads")
  private static let unknown = Counted(one: "unknown payload", many: "unknown payloads")
  private static let placeholders = Counted(
    one: "text in place of a payload", many: "texts in place of payloads")
  private static let untimed = Counted(
    one: "status without a time", many: "statuses without a time")
  private static let foreign = Counted(
    one: "record of another app", many: "records of other apps")

  private static func what(_ terms: MessageTerms) -> Counted {
    if let status = terms.status {
      let meaning = statusMeaning(status)
      return Counted(
        one: "receipt with status \(status): \(meaning)",
        many: "receipts with status \(status): \(meaning)")
    }
    switch (terms.factSource, terms.type) {
    case (.receipt, _):
      return Counted(one: "receipt without a status", many: "receipts without a status")
    case (_, "unknown"): return unknown
    case (_, "empty"): return empty
    case (_, "transaction"), (_, "renewal"), (_, "history"), (_, "statuses"),
      (_, "app-transaction"):
      return Counted(
        one: "message of type \(terms.type)", many: "messages of type \(terms.type)")
    default:
      let name = terms.subtype.isEmpty ? terms.type : "\(terms.type)/\(terms.subtype)"
      return Counted(
        one: "notification of type \(name)", many: "notifications of type \(name)")
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
