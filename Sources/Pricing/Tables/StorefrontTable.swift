package import Billing
import CTablesHeader

/// Apple's storefronts: what is known of each, whatever it is called by.
package struct StorefrontTable: Sendable {
  package static let builtIn = StorefrontTable(
    storefronts: FactTable.embedded(ctables_storefronts()),
    currencies: FactTable.embedded(ctables_currencies()))

  /// What the table says of one storefront.
  package struct Entry: Hashable, Sendable {
    package let storefront: Storefront
    /// ISO 3166 alpha-3; Kosovo is XKS, as Apple writes it.
    package let alpha3: String
    package let name: String
    /// Apple's number, `143465` for mainland China.
    package let appleID: String
    package let currency: Currency
    package let minorDigits: Int
    /// Codes of the financial reports that may hold its sales.
    package let financeRegions: [String]
    /// The company of Apple's that sells there today.
    package let seller: String
    /// Since when, where another one did before.
    package let sellerSince: Day?
    package let earlierSeller: String
    /// IANA name of the zone of the capital or the most populous one.
    package let zoneName: String
    package let territory: Territory
  }

  /// All storefronts, by alpha-2 code.
  package let entries: [Entry]
  private let indexes: [Storefront: Int]
  private let byAlpha3: [String: Storefront]
  private let byAppleID: [String: Storefront]
  private let history: CurrencyHistory

  /// Reads the bytes of `storefronts.csv` and of `currencies.csv`.
  init(storefronts: some Collection<UInt8>, currencies: some Collection<UInt8>) {
    let table = FactTable("storefronts.csv", columns: Self.columns, bytes: storefronts)
    let entries = table.rows.map(Entry.init).sorted { $0.storefront < $1.storefront }
    self.entries = entries
    indexes = Self.unique(entries.indices.map { (entries[$0].storefront, $0) })
    byAlpha3 = Self.unique(entries.map { ($0.alpha3, $0.storefront) })
    byAppleID = Self.unique(entries.map { ($0.appleID, $0.storefront) })
    history = CurrencyHistory(bytes: currencies)
  }

  private static let columns = [
    "alpha2", "alpha3", "name", "apple_id", "currency", "minor_digits", "finance_regions", "seller",
    "seller_since", "earlier_seller", "zone", "territory", "evidence",
  ]

  /// Values by key; the program ends where a key stands twice.
  private static func unique<Key: Hashable, Value>(_ pairs: [(Key, Value)]) -> [Key: Value] {
    Dictionary(pairs) { _, _ in preconditionFailure("storefronts.csv: an id stands twice") }
  }

  /// Countries of ISO 3166 that the table does not have, by alpha-2 and by alpha-3: storefronts
  /// that Apple may open later.
  package var later: [String: Storefront] {
    let codes = Self.otherCountries.split(separator: " ").map(String.init)
    var found: [String: Storefront] = [:]
    for (index, code) in codes.enumerated() where index.isMultiple(of: 2) {
      guard let storefront = Storefront(code), !contains(storefront) else { continue }
      found[code] = storefront
      found[codes[index + 1]] = storefront
    }
    return found
  }

  private static let otherCountries = """
    AD AND AQ ATA AS ASM AW ABW AX ALA BD BGD BI BDI BL BLM BQ BES BV BVT CC CCK CF CAF CK COK CU \
    CUB CW CUW CX CXR DJ DJI EH ESH ER ERI ET ETH FK FLK FO FRO GF GUF GG GGY GI GIB GL GRL GN GIN \
    GP GLP GQ GNQ GS SGS GU GUM HM HMD HT HTI IM IMN IO IOT IR IRN JE JEY KI KIR KM COM KP PRK LI \
    LIE LS LSO MC MCO MF MAF MH MHL MP MNP MQ MTQ NC NCL NF NFK NU NIU PF PYF PM SPM PN PCN PR PRI \
    PS PSE RE REU SD SDN SH SHN SJ SJM SM SMR SO SOM SS SSD SX SXM SY SYR TF ATF TG TGO TK TKL TL \
    TLS TV TUV UM UMI VA VAT VI VIR WF WLF WS WSM YT MYT
    """

  /// Whether Apple has such a store.
  package func contains(_ storefront: Storefront) -> Bool { indexes[storefront] != nil }

  /// What is known of a storefront; nil where Apple has no such store.
  package func entry(_ storefront: Storefront) -> Entry? {
    indexes[storefront].map { entries[$0] }
  }

  package func storefront(alpha3: String) -> Storefront? { byAlpha3[alpha3] }

  /// The storefront of Apple's number; what follows a hyphen (`143465-19,29`) is about language.
  package func storefront(appleID: String) -> Storefront? {
    byAppleID[String(appleID.prefix { $0 != "-" })]
  }

  /// The storefront by any of its names: alpha-2, alpha-3 or Apple's number.
  package func storefront(_ code: String) -> Storefront? {
    if let storefront = Storefront(code), contains(storefront) { return storefront }
    return storefront(alpha3: code) ?? storefront(appleID: code)
  }

  /// The currency in which customers are charged today; nil where Apple has no such store.
  package func currency(of storefront: Storefront) -> Currency? { entry(storefront)?.currency }

  /// The currency in which customers were charged on `day`; today's wherever that may be the one,
  /// nil where Apple has no such store.
  package func currency(of storefront: Storefront, on day: Day) -> Currency? {
    guard let today = currency(of: storefront) else { return nil }
    if acceptsCurrency(today, storefront: storefront, on: day) { return today }
    return history.currency(of: storefront, on: day) ?? today
  }

  package func name(of storefront: Storefront) -> Wording? {
    entry(storefront).map { Wording(fact: $0.name) }
  }

  /// IANA name of the storefront's own zone.
  package func zoneName(of storefront: Storefront) -> String? { entry(storefront)?.zoneName }

  package func territory(of storefront: Storefront) -> Territory? { entry(storefront)?.territory }

  /// Codes of the financial reports that may hold a storefront's sales.
  package func financeRegions(of storefront: Storefront) -> [String] {
    entry(storefront)?.financeRegions ?? []
  }

  /// The company of Apple's that sold in a storefront on `day`; nil where Apple has no such store.
  package func legalEntity(of storefront: Storefront, on day: Day) -> String? {
    guard let entry = entry(storefront) else { return nil }
    guard let since = entry.sellerSince, day < since else { return entry.seller }
    return entry.earlierSeller
  }

  /// Days on which a storefront takes another currency, or no longer takes one.
  package var currencyDays: [Day] { history.changeDays }

  /// Whether customers may have been charged in `currency` on `day`: several currencies may be
  /// possible where the day of a change is not known.
  package func acceptsCurrency(_ currency: Currency, storefront: Storefront, on day: Day) -> Bool {
    history.accepts(currency, storefront: storefront, on: day)
      ?? (self.currency(of: storefront) == currency)
  }
}

extension StorefrontTable.Entry {
  /// Reads a line of the table.
  init(_ row: FactTable.Row) {
    storefront = row.storefront(0)
    alpha3 = row.text(1)
    name = row.text(2)
    appleID = String(row.number(3))
    currency = row.currency(4)
    minorDigits = row.number(5)
    precondition(minorDigits == currency.minorDigits, "\(row.place): minor digits")
    financeRegions = row.text(6).split(separator: " ").map(String.init)
    seller = row.text(7)
    sellerSince = row.day(8)
    earlierSeller = row.cells[9]
    precondition((sellerSince == nil) == earlierSeller.isEmpty, "\(row.place): earlier seller")
    zoneName = row.text(10)
    guard let territory = Territory(rawValue: row.text(11)) else {
      preconditionFailure("\(row.place): no such territory")
    }
    self.territory = territory
  }
}
