internal import Billing

/// What of a transaction repeats, as fields of one record.
enum TermsField: Int, CaseIterable {
  case factSource, sku, bundleID, kind, quantity, price, currency, storefront, trial, intro,
    upgraded
  case ownership, environment, revocationReason, revocationType, revocationPercentage
  case refundReversed, offer, itemID, appItemID, subscriptionGroup, appVersion
  /// The environment's own word where it is not known, and whether a bundle has the money.
  case environmentWord, component
}

/// What the fields are called where they come from.
struct TermsNames {
  let sku: String
  let trial: String
  let intro: String
  let upgraded: String

  static let receipt = TermsNames(
    sku: "product_id", trial: "is_trial_period", intro: "is_in_intro_offer_period",
    upgraded: "is_upgraded")
  static let payload = TermsNames(
    sku: "productId", trial: "offerDiscountType", intro: "offerType", upgraded: "isUpgraded")
}

extension TransactionTerms {
  /// The terms whose values are the ``TermsField``s of a record.
  ///
  /// - Throws: a diagnostic that names the field, when one is not what it must be.
  init(
    _ record: Record, _ names: TermsNames, _ storefronts: StorefrontLookup
  ) throws(RecordDiagnostic) {
    func field(_ field: TermsField) -> Int { field.rawValue }
    let quantity = try record.quantity(field(.quantity))
    let percentage = try record.count(
      field(.revocationPercentage), "revocationPercentage", atLeast: 0)
    self.init(
      factSource: record.digit(field(.factSource)).flatMap(FactSource.init(rawValue:)) ?? .unsigned,
      sku: try record.requiredText(field(.sku), names.sku),
      bundleID: record.text(field(.bundleID)),
      kind: ProductKind(payloadType: record[field(.kind)]), quantity: quantity,
      unitPrice: try record.milliunitPrice(of: quantity)?.unitPrice,
      currency: try record.currency(field(.currency), "currency"),
      storefront: record.signedStorefront(field(.storefront), storefronts),
      isTrial: try record.optionalFlag(field(.trial), names.trial),
      isIntro: try record.optionalFlag(field(.intro), names.intro),
      isUpgraded: try record.flag(field(.upgraded), names.upgraded),
      ownership: Ownership(word: record[field(.ownership)]),
      environment: record.optionalEnvironment(field(.environment)),
      revocationReason: record.text(field(.revocationReason)),
      revocationType: RevocationType(rawValue: record.text(field(.revocationType))),
      revocationPercentage: percentage.flatMap { Int32(exactly: $0) },
      isRefundReversed: try record.flag(field(.refundReversed), "refund reversed"),
      offer: record.known(field(.offer), OfferKind.init(rawValue:)),
      itemID: record.text(field(.itemID)), appItemID: record.text(field(.appItemID)),
      subscriptionGroup: record.text(field(.subscriptionGroup)),
      appVersion: record.text(field(.appVersion)))
    // A program without optional values writes 0 for a price that Apple did not tell.
    if unitPrice == 0, currency == nil { unitPrice = nil }
    isComponent = !record[field(.component)].isEmpty
    unknownWords = record.unknownWords([
      (field(.kind), "type", kind != nil),
      (field(.ownership), "inAppOwnershipType", ownership != .other),
      (field(.environmentWord), "environment", false),
      (field(.revocationType), "revocationType", revocationType != nil),
      (field(.offer), "offerType", offer != nil),
    ])
  }
}

extension Record {
  /// What a signed transaction cost per unit, from a price in milliunits for the whole quantity;
  /// nil without a price. A price that does not divide has no unit price.
  func milliunitPrice(of quantity: Int32) throws(RecordDiagnostic) -> (
    unitPrice: Int64?, divides: Bool
  )? {
    guard let micros = try milliunits(TermsField.price.rawValue, "price") else { return nil }
    let (unitPrice, rest) = micros.quotientAndRemainder(dividingBy: Int64(quantity))
    return rest == 0 ? (unitPrice, true) : (nil, false)
  }

  /// An amount that stands in milliunits, in micro-units; nil when blank.
  func milliunits(_ field: Int, _ name: StaticString) throws(RecordDiagnostic) -> Int64? {
    let bytes = trimmed(self[field])
    if bytes.isEmpty { return nil }
    guard let milliunits = wholeNumber(bytes), milliunits >= 0,
      milliunits.magnitude <= amountLimit / 1000
    else {
      throw RecordDiagnostic(
        field, "amount", "@purchase.is-not-an-amount \(name) \(shown(bytes))",
        help: "@purchase.signed-payloads-have-whole-thousandths")
    }
    return milliunits * 1000
  }
}
