internal import Billing
internal import SignedPayload

/// Reads what the App Store signs: notifications of version 2, transactions, renewals, and the
/// answers of the App Store Server API that hold them; and the same saved without signatures.
struct PayloadReader {
  /// What the places around a payload say of it.
  struct Scope {
    var context: RecordContext
    /// How many payloads this one lies in.
    var depth = 0
    /// Whether the payload stands for its record, and becomes its message.
    var isMessage = true
    var factSource = FactSource.unsigned
    var appItemID = nothing
    /// Of a transaction that does not name its own.
    var bundleID = nothing
    var environment = nothing
    var isRefundReversed = false
    /// The notification says that Family Sharing ended.
    var isUnshared = false
    /// When the payload around this one was signed.
    var signedAt: Instant?
    /// Of the subscription, where the place around the payload tells it.
    var status = nothing
    /// No renewal beside the transaction will tell the status.
    var isAlone = false
  }

  /// Payloads inside each other that are followed: an answer's notification has a transaction.
  private static let depthLimit = 5
  /// Texts without a payload after which none is expected, until one is met.
  private static let textsSearched = 2

  private var verifier: PayloadVerifier
  private let ahead: PayloadsAhead
  /// Texts in a row in which there was no payload.
  private var textsWithout = 0
  private let bundleIDs: Set<String>
  private let tapes = (0...depthLimit).map { _ in JSONTape() }
  let fields = (0...depthLimit).map { _ in ObjectFields<PayloadKey>() }
  let dataFields = (0...depthLimit).map { _ in ObjectFields<PayloadKey>() }
  var terms = PieceRecord<TermsField>()
  var messageTerms = PieceRecord<MessageField>()
  var renewalTerms = PieceRecord<RenewalField>()
  var extraTerms = PieceRecord<ExtraField>()
  let items = ItemFields()
  var itemAmount = PieceRecord<ItemField>()
  var times = TimeColumn()
  var counts = PayloadCounts()
  /// What the page that is being read has told of itself.
  var page: PageContents?

  init(hints: ReadingHints, file: String) throws {
    bundleIDs = hints.bundleIDs
    do {
      verifier = try PayloadVerifier(trusting: hints.roots)
    } catch {
      throw Diagnostic(
        topic: "trust", at: SourceLocation(file: file),
        "@purchase.certificate-of-trust-roots-cannot",
        help: "@purchase.name-root-certificates-in-der")
    }
    ahead = PayloadsAhead(verifier)
  }

  /// Looks for signed payloads in a text that will be read soon, and has them opened meanwhile on
  /// other threads. After more than ``textsSearched`` texts in a row without one it looks no more,
  /// until a payload is read.
  mutating func expect(_ text: UnsafeRawBufferPointer) {
    if textsWithout > Self.textsSearched { return }
    textsWithout = ahead.expect(in: text) ? 0 : textsWithout + 1
  }

  /// Reads a signed payload, or the decoded one that stands in its place.
  ///
  /// - Returns: when it was signed, else received; nil when it is absent, or neither is known.
  @discardableResult
  mutating func read(
    _ tape: JSONTape, _ node: Int32, _ scope: Scope, into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) -> Instant? {
    guard scope.depth < Self.depthLimit else {
      throw RecordDiagnostic(
        nil, "form", "@purchase.payloads-are-nested-more-than \(Self.depthLimit)",
        offset: tape.place(of: node), help: "@purchase.store-what-apple-sent")
    }
    switch tape.kind(of: node) {
    case .text?: return try readSigned(tape, node, scope, into: &collector)
    case .object?:
      var scope = scope
      scope.factSource = .unsigned
      counts.unsigned += 1
      return try readDecoded(tape, node, scope, into: &collector)
    case nil, .null?:
      addEmpty(scope, into: &collector)
      return nil
    default:
      throw RecordDiagnostic(
        nil, "form", "@purchase.signed-payload-was-expected-here \(shown(tape.text(node)))",
        offset: tape.place(of: node), help: "@purchase.store-what-apple-sent")
    }
  }

  /// Opens a signed payload, proves it and reads what is in it; throws a diagnostic where it is not
  /// Apple's. Returns when it was signed; nil when it says nothing.
  private mutating func readSigned(
    _ outer: JSONTape, _ node: Int32, _ scope: Scope, into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) -> Instant? {
    let place = outer.place(of: node)
    let opened: OpenedPayload
    do throws(PayloadDiagnostic) {
      let jws = trimmed(outer.text(node))
      textsWithout = 0
      // Apple signed a notification with the transaction in it.
      let isCovered = scope.factSource == .signed
      let known = isCovered ? nil : ahead.opened(jws)
      opened = if let known { known } else { try verifier.open(jws, isCovered: isCovered) }
    } catch {
      throw Self.diagnostic(error, at: place)
    }
    var inner = scope
    inner.depth += 1
    inner.factSource = .signed
    let tape = tapes[inner.depth]
    let parse = opened.payload.withUnsafeBytes { tape.read(copying: $0, origin: place) }
    if let fault = parse.fault {
      throw Self.form("@purchase.signed-payload-is-not-json \(fault)", at: place)
    }
    switch tape.kind(of: 0) {
    case .object?: break
    case .null?:
      try prove(opened, at: place, signedAt: scope.signedAt ?? scope.context.receivedAt)
      addEmpty(inner, into: &collector)
      return nil
    default: throw Self.form("@purchase.signed-payload-is-not", at: place)
    }
    try verify(opened, tape, inner, at: place)
    counts.signed += 1
    return try readDecoded(tape, 0, inner, into: &collector)
  }

  /// Throws a diagnostic unless the payload is Apple's. One about another app than the company's is
  /// kept with its app, so that it counts for nothing and an order that claims it is found.
  private mutating func verify(
    _ opened: OpenedPayload, _ tape: JSONTape, _ scope: Scope, at place: Int
  ) throws(RecordDiagnostic) {
    let fields = fields[scope.depth]
    try fields.find(tape, 0)
    let data = dataFields[scope.depth]
    try data.find(tape, PayloadReader.data(fields))
    for node in [fields[.environment], data[.environment]]
    where isLocalEnvironment(trimmed(tape.text(node))) {
      throw RecordDiagnostic(
        nil, PayloadDiagnostic.Reason.xcode.rawValue,
        "@purchase.payload-was-made-by-xcode",
        offset: place, help: "@purchase.leave-out-what-was-bought")
    }
    let bundle = trimmed(tape.text(fields[.bundleId] >= 0 ? fields[.bundleId] : data[.bundleId]))
    let signed = fields[.signedDate] >= 0 ? fields[.signedDate] : fields[.receiptCreationDate]
    let signedAt = try tape.time(signed, "signedDate", &times)
    try prove(opened, at: place, signedAt: signedAt)
    if !bundle.isEmpty, !bundleIDs.isEmpty,
      !bundleIDs.contains(String(decoding: bundle, as: UTF8.self))
    {
      counts.noteForeign(shown(bundle), line: scope.context.line)
    }
    if signedAt == nil {
      throw RecordDiagnostic(
        nil, PayloadDiagnostic.Reason.expired.rawValue,
        "@purchase.payload-does-not-say-when",
        offset: place, help: "@purchase.ask-apple-for-it-again")
    }
  }

  /// Throws a diagnostic unless Apple signed the payload.
  ///
  /// - Parameter signedAt: nil where it is not known; signature and chain are proven all the same.
  private mutating func prove(
    _ opened: OpenedPayload, at place: Int, signedAt: Instant?
  ) throws(RecordDiagnostic) {
    do throws(PayloadDiagnostic) {
      try verifier.verify(opened, signedAt: signedAt)
    } catch {
      throw Self.diagnostic(error, at: place)
    }
  }

  /// What is wrong with a payload that is not as Apple makes them.
  private static func form(_ message: Wording, at place: Int) -> RecordDiagnostic {
    RecordDiagnostic(
      nil, PayloadDiagnostic.Reason.form.rawValue, message, offset: place,
      help: "@purchase.store-what-apple-sent")
  }

  /// The diagnostic of a payload that does not verify.
  private static func diagnostic(_ refusal: PayloadDiagnostic, at place: Int) -> RecordDiagnostic {
    RecordDiagnostic(
      nil, refusal.reason.rawValue, refusal.message, offset: place, help: refusal.help)
  }

  /// The member of a notification that says what it is about; −1 for none.
  static func data(_ fields: ObjectFields<PayloadKey>) -> Int32 {
    for key in [PayloadKey.data, .summary, .externalPurchaseToken, .appData]
    where fields[key] >= 0 {
      return fields[key]
    }
    return -1
  }

  /// Reads a payload that is an object, by its keys. Returns when it was signed, else when it was
  /// received.
  private mutating func readDecoded(
    _ tape: JSONTape, _ node: Int32, _ scope: Scope, into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) -> Instant? {
    let fields = fields[scope.depth]
    try fields.find(tape, node)
    var observedAt = try tape.time(fields[.signedDate], "signedDate", &times)
    if observedAt == nil {
      observedAt = try tape.time(fields[.receiptCreationDate], "receiptCreationDate", &times)
    }
    observedAt = observedAt ?? scope.context.receivedAt
    if fields[.notificationType] >= 0 {
      try readNotification(tape, observedAt: observedAt, scope, into: &collector)
      return observedAt
    }
    let isTransaction =
      fields[.transactionId] >= 0 || fields[.productId] >= 0 && fields[.purchaseDate] >= 0
    let isRenewal = fields[.autoRenewProductId] >= 0 || fields[.autoRenewStatus] >= 0
    let isApp = fields[.receiptType] >= 0 || fields[.originalApplicationVersion] >= 0
    if isTransaction {
      try readTransaction(tape, node, observedAt: observedAt, scope, into: &collector)
    } else if isRenewal {
      try readRenewal(tape, node, observedAt: observedAt, scope, into: &collector)
    }
    if scope.isMessage {
      let type: StaticString =
        isTransaction
        ? "transaction" : isRenewal ? "renewal" : isApp ? "app-transaction" : "unknown"
      addMessage(
        type, environment: tape.text(fields[.environment]), bundleID: tape.text(fields[.bundleId]),
        observedAt: observedAt, scope, into: &collector)
    } else if !isTransaction, !isRenewal, !isApp {
      counts.unknown += 1
    }
    return observedAt
  }

  /// Reads the notification whose members `fields[scope.depth]` has found, and the payloads in it.
  ///
  /// - Parameter observedAt: when it was signed, else received; nil where neither is known.
  private mutating func readNotification(
    _ tape: JSONTape, observedAt: Instant?, _ scope: Scope, into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) {
    let fields = fields[scope.depth]
    let data = dataFields[scope.depth]
    try data.find(tape, PayloadReader.data(fields))
    if scope.isMessage {
      try addNotification(tape, fields, data, observedAt: observedAt, scope, into: &collector)
    }
    page?.addNotification(tape, fields, data, at: observedAt)
    var inner = scope
    inner.depth += 1
    inner.isMessage = false
    let type = trimmed(tape.text(fields[.notificationType]))
    inner.bundleID = tape.text(data[.bundleId])
    inner.environment = trimmed(tape.text(data[.environment]))
    inner.signedAt = observedAt
    inner.appItemID = tape.text(data[.appAppleId])
    inner.isRefundReversed = names(type, "REFUND_REVERSED")
    inner.isUnshared = names(type, "REVOKE")
    inner.status = trimmed(tape.text(data[.status]))
    let transaction = inside(tape, fields, data, .signedTransactionInfo, .transactionInfo, scope)
    let renewal = inside(tape, fields, data, .signedRenewalInfo, .renewalInfo, scope)
    inner.isAlone = renewal < 0
    var isComplete = scope.factSource == .signed || (tape.kind(of: transaction) ?? .null) != .null
    for node in [transaction, renewal, data[.signedAppTransactionInfo]] where node >= 0 {
      // Nothing of a notification that was saved decoded is proven: what stands in it for a payload
      // and is none takes nothing away.
      if scope.factSource == .unsigned, tape.kind(of: node) == .text,
        tape.text(node).count(where: { $0 == 0x2E }) != 2
      {
        counts.placeholders += 1
        counts.firstPlaceholder = counts.firstPlaceholder ?? scope.context.line
        continue
      }
      // What nobody signed says nothing about what Apple did.
      if scope.factSource == .unsigned, tape.kind(of: node) == .text {
        (inner.isRefundReversed, inner.isUnshared, inner.appItemID) = (false, false, nothing)
      }
      try read(tape, node, inner, into: &collector)
      if node == transaction, tape.kind(of: node) == .object, names(type, "REFUND") {
        let date = self.fields[inner.depth][.revocationDate]
        isComplete = try tape.time(date, "revocationDate", &times) != nil
      }
    }
    let isOfTransaction =
      !names(type, "TEST")
      && [.summary, .externalPurchaseToken, .appData].allSatisfy { fields[$0] < 0 }
    if isOfTransaction, !isComplete { counts.noteIncomplete(type, line: scope.context.line) }
  }

  /// The payload of a notification under `key` of its data; −1 for none. Of a notification that was
  /// saved decoded it may also have the `plain` name, or stand beside the data.
  private func inside(
    _ tape: JSONTape, _ fields: ObjectFields<PayloadKey>, _ data: ObjectFields<PayloadKey>,
    _ key: PayloadKey, _ plain: PayloadKey, _ scope: Scope
  ) -> Int32 {
    let own = data[key]
    if scope.factSource == .signed { return own }
    let places = [own, data[plain], fields[key], fields[plain]]
    return places.first { (tape.kind(of: $0) ?? .null) != .null } ?? own
  }

  /// Adds the message of a notification.
  ///
  /// - Parameters:
  ///   - fields: the notification's members.
  ///   - data: the members of what it is about: of its `data`, `summary`, token or `appData`.
  private mutating func addNotification(
    _ tape: JSONTape, _ fields: ObjectFields<PayloadKey>, _ data: ObjectFields<PayloadKey>,
    observedAt: Instant?, _ scope: Scope, into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) {
    try tape.requirePlain(fields[.notificationType], "notificationType")
    let uuid = try plainID(tape, fields[.notificationUUID], "notificationUUID") ?? nothing
    messageTerms.begin()
    messageTerms.put(.factSource, scope.factSource.rawValue)
    messageTerms.put(.type, tape.text(fields[.notificationType]), at: 0)
    messageTerms.put(.subtype, tape.text(fields[.subtype]), at: 0)
    messageTerms.put(.status, nil as UInt8?)
    let environment = trimmed(tape.text(data[.environment]))
    messageTerms.put(.environment, storeEnvironment(environment)?.rawValue)
    messageTerms.put(.bundleID, tape.text(data[.bundleId]), at: 0)
    messageTerms.put(.requestReason, tape.text(data[.consumptionRequestReason]), at: 0)
    messageTerms.putUnknown(environment, type: tape.text(fields[.notificationType]))
    var token: ExternalPurchaseToken?
    if let id = try plainID(tape, data[.externalPurchaseId], "externalPurchaseId") {
      token = ExternalPurchaseToken(
        id: id,
        createdAt: try tape.time(data[.tokenCreationDate], "tokenCreationDate", &times))
    }
    collector.addMessage(
      messageTerms.record(line: scope.context.line), uuid: uuid, observedAt: observedAt,
      scope.context, token: token)
  }

  /// Adds a message of the type `empty` for a payload that says nothing, where it stands for its
  /// record; inside another it is only noted in ``counts``.
  private mutating func addEmpty(_ scope: Scope, into collector: inout PurchaseCollector) {
    guard scope.isMessage else {
      counts.empty += 1
      return
    }
    addMessage(
      "empty", environment: nothing, bundleID: nothing, observedAt: scope.context.receivedAt, scope,
      into: &collector)
  }

  /// Adds a message that is no notification, of a type of ours such as `history` or `empty`.
  ///
  /// - Parameters:
  ///   - environment: Apple's word for it; blank where none is said.
  ///   - observedAt: the time as of which it speaks; nil where that is not known.
  mutating func addMessage(
    _ type: StaticString, environment: UnsafeRawBufferPointer, bundleID: UnsafeRawBufferPointer,
    observedAt: Instant?, _ scope: Scope, into collector: inout PurchaseCollector
  ) {
    messageTerms.begin()
    messageTerms.put(.factSource, scope.factSource.rawValue)
    messageTerms.put(.type, type)
    messageTerms.put(.subtype, nil as UInt8?)
    messageTerms.put(.status, nil as UInt8?)
    messageTerms.put(.environment, storeEnvironment(trimmed(environment))?.rawValue)
    messageTerms.put(.bundleID, bundleID, at: 0)
    messageTerms.put(.requestReason, nil as UInt8?)
    messageTerms.putUnknown(trimmed(environment), type: nothing)
    collector.addMessage(
      messageTerms.record(line: scope.context.line), uuid: nothing, observedAt: observedAt,
      scope.context)
  }
}

/// Payloads of a file, by how they came.
struct PayloadCounts {
  /// Signature and certificates verified.
  var signed = 0
  /// Saved decoded.
  var unsigned = 0
  /// Inside of others, signed and saying `null`.
  var empty = 0
  /// Inside of others, and of a sort that is not known.
  var unknown = 0
  /// Texts in decoded notifications that stand for a payload and are none.
  var placeholders = 0
  var firstPlaceholder: Int32?
  /// Notifications that nobody signed and that lack the transaction or the refund that they are
  /// about, by type.
  private(set) var incomplete: [String: Int] = [:]
  private(set) var firstIncomplete: Int32?
  /// Statuses of subscriptions with which no renewal, no transaction and no time stands.
  var untimedStatuses = 0
  var firstUntimedStatus: Int32?
  /// Records about other apps than the company's, by app.
  private(set) var foreign: [String: Int] = [:]
  private(set) var firstForeign: Int32?
  private var lastForeign: Int32?

  /// Notes a notification without what it is about.
  mutating func noteIncomplete(_ type: UnsafeRawBufferPointer, line: Int32) {
    firstIncomplete = firstIncomplete ?? line
    incomplete[shown(type), default: 0] += 1
  }

  /// Notes a record about the app `bundle`, which is not the company's.
  ///
  /// - Parameter line: of the record, which counts once, however many payloads are in it.
  mutating func noteForeign(_ bundle: String, line: Int32) {
    if lastForeign == line { return }
    firstForeign = firstForeign ?? line
    lastForeign = line
    foreign[bundle, default: 0] += 1
  }
}
