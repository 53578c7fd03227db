internal import Billing

extension PayloadReader {
  /// Reads the object at `node`, whose members `fields[0]` has found, as an answer of the App Store
  /// Server API or a notification as it was posted. Returns false when it is none of these.
  mutating func readAnswer(
    _ tape: JSONTape, _ node: Int32, _ context: RecordContext,
    into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) -> Bool {
    let fields = fields[0]
    var scope = Scope(context: context)
    // What lies in the answer is read at the next depth: the answer's own members stay.
    scope.depth = 1
    scope.appItemID = tape.text(fields[.appAppleId])
    scope.bundleID = tape.text(fields[.bundleId])
    scope.environment = trimmed(tape.text(fields[.environment]))
    if fields[.signedPayload] >= 0 {
      try read(tape, fields[.signedPayload], scope, into: &collector)
      return true
    }
    if fields[.notificationHistory] >= 0 {
      page = PageContents(tape, fields, .notifications, context)
      defer { page = nil }
      try readNotifications(tape, fields[.notificationHistory], scope, into: &collector)
      if let page { collector.addPage(page.ended(context)) }
      return true
    }
    let isStatuses = tape.kind(of: fields[.data]) == .array || fields[.lastTransactions] >= 0
    let isHistory = fields[.signedTransactions] >= 0
    let isOne =
      fields[.notificationType] < 0
      && (fields[.signedTransactionInfo] >= 0 || fields[.signedRenewalInfo] >= 0
        || fields[.signedAppTransactionInfo] >= 0)
    guard isStatuses || isHistory || isOne else { return false }
    scope.isMessage = false
    let before = counts
    var observedAt: Instant?
    if isHistory {
      page = PageContents(tape, fields, nil, context)
      defer { page = nil }
      observedAt = try readList(tape, fields[.signedTransactions], scope, into: &collector)
      if let page { collector.addPage(page.ended(context)) }
    } else if isStatuses {
      observedAt = try readStatuses(tape, node, scope, into: &collector)
    } else {
      observedAt = try readPair(tape, fields, scope, into: &collector)
    }
    // The answer itself is not signed: it is as good as what it holds.
    scope.factSource =
      counts.unsigned == before.unsigned && counts.signed > before.signed
      ? .signed : .unsigned
    let isTransaction = fields[.signedTransactionInfo] >= 0
    let isRenewal = fields[.signedRenewalInfo] >= 0
    addMessage(
      isHistory
        ? "history"
        : isStatuses
          ? "statuses" : isTransaction ? "transaction" : isRenewal ? "renewal" : "app-transaction",
      environment: tape.text(fields[.environment]), bundleID: tape.text(fields[.bundleId]),
      observedAt: observedAt ?? context.receivedAt, scope, into: &collector)
    return true
  }

  /// Reads a page of the notification history: each notification is a message of its own.
  private mutating func readNotifications(
    _ tape: JSONTape, _ list: Int32, _ scope: Scope, into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) {
    let items = try elements(tape, list)
    for item in items {
      let fields = dataFields[0]
      try fields.find(tape, item)
      let payload = fields[.signedPayload]
      try read(
        tape, payload >= 0 || tape.kind(of: item) == .object ? payload : item, scope,
        into: &collector)
    }
    if items.isEmpty {
      addMessage(
        "history", environment: nothing, bundleID: nothing, observedAt: scope.context.receivedAt,
        scope,
        into: &collector)
    }
  }

  /// Reads the payloads of a list. Returns when the last was signed, else received; nil for
  /// neither.
  private mutating func readList(
    _ tape: JSONTape, _ list: Int32, _ scope: Scope, into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) -> Instant? {
    var last: Instant?
    for item in try elements(tape, list) {
      let observedAt = try read(tape, item, scope, into: &collector)
      last = [last, observedAt].compactMap(\.self).max()
    }
    return last
  }

  /// Reads the signed transaction, renewal and app transaction among the fields. Returns when the
  /// last was signed, else received; nil for neither.
  private mutating func readPair(
    _ tape: JSONTape, _ fields: ObjectFields<PayloadKey>, _ scope: Scope,
    into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) -> Instant? {
    let nodes = [
      fields[.signedTransactionInfo], fields[.signedRenewalInfo], fields[.signedAppTransactionInfo],
    ]
    var last: Instant?
    for node in nodes where node >= 0 {
      let observedAt = try read(tape, node, scope, into: &collector)
      last = [last, observedAt].compactMap(\.self).max()
    }
    return last
  }

  /// Reads the states of subscriptions: groups with the last transaction of each subscription.
  /// Returns when the last payload was signed, else received; nil for neither.
  private mutating func readStatuses(
    _ tape: JSONTape, _ node: Int32, _ scope: Scope, into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) -> Instant? {
    var (groups, scope) = ([node], scope)
    if fields[0][.data] >= 0 { groups = try elements(tape, fields[0][.data]) }
    var last: Instant?
    for group in groups {
      try dataFields[0].find(tape, group)
      for item in try elements(tape, dataFields[0][.lastTransactions]) {
        try dataFields[0].find(tape, item)
        let fields = dataFields[0]
        scope.status = trimmed(tape.text(fields[.status]))
        scope.isAlone = fields[.signedRenewalInfo] < 0
        if scope.isAlone, fields[.signedTransactionInfo] < 0 {
          try readStatus(tape, fields, observedAt: scope.context.receivedAt, scope, &collector)
        }
        let observedAt = try readPair(tape, dataFields[0], scope, into: &collector)
        last = [last, observedAt].compactMap(\.self).max()
      }
    }
    return last
  }

  /// The values of an array; none for no part (−1). Throws a diagnostic for anything else.
  func elements(_ tape: JSONTape, _ list: Int32) throws(RecordDiagnostic) -> [Int32] {
    guard list >= 0 else { return [] }
    guard tape.kind(of: list) == .array else {
      throw RecordDiagnostic(
        nil, "value", "@purchase.list-was-expected-here", offset: tape.place(of: list),
        help: "@purchase.store-what-apple-answered")
    }
    let end = tape.nodes[Int(list)].next
    var elements: [Int32] = []
    var node = list + 1
    while node < end {
      elements.append(node)
      node = tape.nodes[Int(node)].next
    }
    return elements
  }
}
