internal import Billing

/// What is said beside a transaction and does not repeat.
struct CollectedExtra {
  var appTransactionID = nothing
  var requestReference = nothing
  var commitmentEndsAt: Instant?
}

/// A token for purchases outside the App Store.
struct ExternalPurchaseToken {
  var id = nothing
  var createdAt: Instant?
}

extension PayloadReader {
  /// Adds what a transaction says beside its terms, such as reason, billing plan and tax. It is the
  /// one that the collector was given last; `fields[scope.depth]` has found its members.
  mutating func readExtra(
    _ tape: JSONTape, _ scope: Scope, into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) {
    let fields = fields[scope.depth]
    let says = [
      PayloadKey.appTransactionId, .transactionReason, .offerIdentifier, .offerDiscountType,
      .offerPeriod, .billingPlanType, .commitmentInfo, .advancedCommerceInfo,
    ]
    guard says.contains(where: { fields[$0] >= 0 }) else { return }
    var extra = CollectedExtra()
    extra.appTransactionID =
      try plainID(tape, fields[.appTransactionId], "appTransactionId") ?? nothing
    extraTerms.begin()
    putExtra(.reason, fields[.transactionReason], tape)
    putExtra(.offerID, fields[.offerIdentifier], tape)
    putExtra(.offerDiscount, fields[.offerDiscountType], tape)
    putExtra(.offerPeriod, fields[.offerPeriod], tape)
    putExtra(.billingPlan, fields[.billingPlanType], tape)
    let inner = dataFields[scope.depth]
    try inner.find(tape, object(tape, fields[.commitmentInfo]))
    putExtra(.billingPeriod, inner[.billingPeriodNumber], tape)
    putExtra(.billingPeriods, inner[.totalBillingPeriods], tape)
    putExtra(.commitmentPrice, inner[.commitmentPrice], tape)
    extra.commitmentEndsAt = try tape.time(
      inner[.commitmentExpiresDate], "commitmentExpiresDate", &times)
    try inner.find(tape, object(tape, fields[.advancedCommerceInfo]))
    putExtra(.taxCode, inner[.taxCode], tape)
    putExtra(.taxRate, inner[.taxRate], tape)
    putExtra(.estimatedTax, inner[.estimatedTax], tape)
    putExtra(.priceWithoutTax, inner[.taxExclusivePrice], tape)
    extra.requestReference =
      try plainID(tape, inner[.requestReferenceId], "requestReferenceId") ?? nothing
    let list = inner[.items]
    do throws(RecordDiagnostic) {
      try collector.addExtra(extraTerms.record(line: scope.context.line), extra)
    } catch {
      throw error.placed { extraTerms.place(of: $0) }
    }
    try readItems(tape, list, into: &collector)
  }

  /// The part where it is an object, else −1.
  private func object(_ tape: JSONTape, _ node: Int32) -> Int32 {
    tape.kind(of: node) == .object ? node : -1
  }

  /// Puts a part's text into the record of the extra.
  private mutating func putExtra(_ field: ExtraField, _ node: Int32, _ tape: JSONTape) {
    extraTerms.put(field, tape.text(node), at: tape.place(of: node))
  }
}

extension ExtraTerms {
  /// The terms whose values are the ``ExtraField``s of a record.
  init(_ record: Record) throws(RecordDiagnostic) {
    func field(_ field: ExtraField) -> Int { field.rawValue }
    self.init()
    reason = record.text(field(.reason))
    offerID = record.text(field(.offerID))
    offerDiscount = record.text(field(.offerDiscount))
    offerPeriod = record.text(field(.offerPeriod))
    billingPlan = record.text(field(.billingPlan))
    billingPeriod = try record.count(field(.billingPeriod), "billingPeriodNumber", atLeast: 1)
      .flatMap { Int32(exactly: $0) }
    billingPeriods = try record.count(field(.billingPeriods), "totalBillingPeriods", atLeast: 1)
      .flatMap { Int32(exactly: $0) }
    commitmentPrice = try record.milliunits(field(.commitmentPrice), "commitmentPrice")
    taxCode = record.text(field(.taxCode))
    taxRate = record.text(field(.taxRate))
    estimatedTax = try record.milliunits(field(.estimatedTax), "estimatedTax")
    priceWithoutTax = try record.milliunits(field(.priceWithoutTax), "taxExclusivePrice")
  }
}
