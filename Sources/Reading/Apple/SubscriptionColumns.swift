internal import Billing

/// Names of columns that several of Apple's subscription reports have, and what they were called in
/// earlier versions.
enum SubscriptionNames {
  static let product = [
    "app name", "app apple id", "subscription name", "subscription apple id",
    "subscription group id", "standard subscription duration",
  ]
  static let offer = [
    "subscription offer name", "promotional offer id", "subscription offer type",
    "subscription offer duration",
  ]
  static let price = [
    "customer price", "customer currency", "developer proceeds", "proceeds currency",
  ]
  static let circumstance = [
    "preserved pricing", "proceeds reason", "client", "device", "state", "country",
  ]

  static let older = [
    "promotional offer name": "subscription offer name",
    "subscription duration": "standard subscription duration",
    "trial": "subscription offer type", "trial duration": "subscription offer duration",
  ]
}

/// Where a file has the columns of a subscription report.
struct SubscriptionMap {
  let names: [String]
  let fields: [Int]
  let storefronts: StorefrontLookup

  /// Finds the columns; those of earlier versions by their later names.
  ///
  /// - Throws: a diagnostic that names a missing required column, or one that is there twice.
  init(
    _ header: Header, _ names: [String], required: [String], storefronts: StorefrontLookup,
    log: ReadingLog
  ) throws {
    var later = header
    later.names = header.names.map { name in
      SubscriptionNames.older[name].flatMap { header.has($0) ? nil : $0 } ?? name
    }
    let map = try ColumnMap(later, names: names, required: required)
    map.warnAboutUnknown(log, line: header.line)
    self.names = names
    fields = map.fields
    self.storefronts = storefronts
  }

  /// The file's field of a column; −1 where the file, or the report, has none.
  func field(_ name: String) -> Int { names.firstIndex(of: name).map { fields[$0] } ?? -1 }

  /// The file's fields of columns, −1 for each that is absent.
  func fields(_ names: [String]) -> [Int] { names.map(field) }
}

/// Reads what the subscription reports have in common from one record.
struct SubscriptionRecord {
  let record: Record
  let map: SubscriptionMap

  /// The trimmed text of a column; empty where the file has none.
  func text(_ name: String) -> String { record.text(map.field(name)) }

  var product: SubscriptionProduct {
    SubscriptionProduct(
      appName: text("app name"), appID: text("app apple id"), name: text("subscription name"),
      id: text("subscription apple id"), groupID: text("subscription group id"),
      duration: text("standard subscription duration"))
  }

  var offer: SubscriptionOffer {
    SubscriptionOffer(
      name: text("subscription offer name"), promotionalID: text("promotional offer id"),
      type: text("subscription offer type"), duration: text("subscription offer duration"))
  }

  /// What customers pay and the developer gets; throws a diagnostic for an amount without a
  /// currency.
  func price() throws(RecordDiagnostic) -> SubscriptionPrice {
    let price = SubscriptionPrice(
      customerPrice: try amount("customer price"),
      customerCurrency: try currency("customer currency"),
      proceeds: try amount("developer proceeds"),
      proceedsCurrency: try currency("proceeds currency"))
    if price.customerPrice ?? 0 != 0, price.customerCurrency == nil {
      throw record.blankDiagnostic(map.field("customer currency"), "customer currency")
    }
    if price.proceeds ?? 0 != 0, price.proceedsCurrency == nil {
      throw record.blankDiagnostic(map.field("proceeds currency"), "proceeds currency")
    }
    return price
  }

  /// The storefront and what else the row says of the sale beside product, offer and price.
  func circumstance() throws(RecordDiagnostic) -> SubscriptionCircumstance {
    SubscriptionCircumstance(
      preservedPricing: text("preserved pricing"), proceedsReason: text("proceeds reason"),
      client: text("client"), device: text("device"), state: text("state"),
      storefront: try record.storefront(map.field("country"), "country", map.storefronts))
  }

  /// A proceeds reason that is not known, with its field; else empty.
  var unknownReason: String {
    let reason = text("proceeds reason")
    return reason.isEmpty || reason == knownProceedsReason
      ? "" : unknownWord("Proceeds Reason", record[map.field("proceeds reason")])
  }

  /// A column of yes or no; false when blank.
  func flag(_ name: String) throws(RecordDiagnostic) -> Bool {
    try record.flag(map.field(name), name)
  }

  /// An amount in micro-units; nil when blank.
  private func amount(_ name: String) throws(RecordDiagnostic) -> Int64? {
    try record.amount(map.field(name), name, mayBeNegative: true)
  }

  /// The currency in a column of the row; nil when blank.
  private func currency(_ name: String) throws(RecordDiagnostic) -> Currency? {
    try record.currency(map.field(name), name)
  }
}

extension Record {
  /// A whole number of any sign; nil when blank.
  func wholeCount(_ field: Int, _ name: String) throws(RecordDiagnostic) -> Int32? {
    let bytes = trimmed(self[field])
    if bytes.isEmpty { return nil }
    guard let number = wholeNumber(bytes), let count = Int32(exactly: number) else {
      throw RecordDiagnostic(
        field, "units", "@apple.is-not-a-whole-number \(name) \(shown(bytes))",
        help: "@apple.download-the-report-again")
    }
    return count
  }
}

/// A column whose place is known.
struct FoundColumn {
  let name: String
  let field: Int

  init(_ name: String, _ map: SubscriptionMap) {
    self.name = name
    field = map.field(name)
  }

  /// A whole number; nil when blank.
  func count(_ record: Record) throws(RecordDiagnostic) -> Int32? {
    try record.wholeCount(field, name)
  }

  /// A whole number; throws a diagnostic when it is blank.
  func requiredCount(_ record: Record) throws(RecordDiagnostic) -> Int32 {
    guard let count = try count(record) else { throw record.blankDiagnostic(field, name) }
    return count
  }

  /// A day; nil when blank.
  func day(_ record: Record) throws(RecordDiagnostic) -> Day? { try record.isoDate(field, name) }

  /// A day; throws a diagnostic when it is blank.
  func requiredDay(_ record: Record) throws(RecordDiagnostic) -> Day {
    guard let day = try day(record) else { throw record.blankDiagnostic(field, name) }
    return day
  }
}

extension Header {
  /// The kind of subscription report whose header this is.
  var subscriptionKind: InputKind? {
    if has("subscriber id"), has("event date") { return .subscriber }
    if has("event"), has("quantity"), has("subscription apple id") { return .subscriptionEvent }
    return has("active standard price subscriptions") ? .subscription : nil
  }
}
