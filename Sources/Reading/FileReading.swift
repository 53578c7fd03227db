package import Billing

/// What the caller says where neither a file's content nor its name tells.
package struct ReadingHints: Hashable, Sendable {
  package var vendor: String?
  /// Of financial reports, by Apple's code: `EU`, `ZZ`.
  package var region: String?
  package var date: Day?
  /// Root certificates (DER) that are trusted beside Apple's.
  package var roots: [[UInt8]]
  /// The company's apps; a signed payload of any other is refused. Empty: any app's is taken.
  package var bundleIDs: Set<String>

  package init(
    vendor: String? = nil, region: String? = nil, date: Day? = nil, roots: [[UInt8]] = [],
    bundleIDs: Set<String> = []
  ) {
    self.vendor = vendor
    self.region = region
    self.date = date
    self.roots = roots
    self.bundleIDs = bundleIDs
  }
}

/// Supplies a file's raw bytes, packed or not: fills the buffer, returns the count, 0 at the end.
package typealias ByteSource = (UnsafeMutableRawBufferPointer) throws -> Int

/// What Reading has to know of Apple's storefronts; the table itself is Pricing's.
package struct StorefrontLookup: Sendable {
  /// By ISO 3166 alpha-3.
  package var alpha3: [String: Storefront]
  /// By Apple's numeric id, `143465`.
  package var appleID: [String: Storefront]
  package var known: Set<Storefront>
  /// What somebody who wrote something else may have meant: a code, and of which country.
  package var suggestion: @Sendable (String) -> String?

  package init(
    alpha3: [String: Storefront], appleID: [String: Storefront], known: Set<Storefront>,
    suggestion: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.alpha3 = alpha3
    self.appleID = appleID
    self.known = known
    self.suggestion = suggestion
  }

  /// The storefront that a code or id means; nil when there is none.
  package func storefront(_ text: String) -> Storefront? {
    switch text.utf8.count {
    case 2: Storefront(text).flatMap { known.contains($0) ? $0 : nil }
    case 3: alpha3[text]
    // Apple's own requests write ids as `143465-19,29`.
    default: appleID[String(text.prefix { $0 != "-" })]
    }
  }
}

/// What Reading has to know of the regions of Apple's financial reports; the table is Pricing's.
package struct FinanceRegionLookup: Sendable {
  /// Codes of the regions, `ZZ` for all and `Z1` for the detail among them.
  package var known: Set<String>
  /// The region of a line of the payments summary, by its label in the page's language.
  package var labelled: @Sendable (_ label: String, Currency) -> String?
  /// The regions that may hold a storefront's rows in a currency, the likeliest first.
  package var holding: @Sendable (Storefront, Currency) -> [String]

  package init(
    known: Set<String>, labelled: @escaping @Sendable (_ label: String, Currency) -> String?,
    holding: @escaping @Sendable (Storefront, Currency) -> [String]
  ) {
    self.known = known
    self.labelled = labelled
    self.holding = holding
  }
}

/// Sums of a file in one currency.
package struct ReadingTotal: Hashable, Sendable {
  /// Nil for rows that name no currency.
  package var currency: Currency?
  /// Apple's reports: units as printed. Orders and transactions: quantities of rows that have a
  /// price.
  package var units: Int64
  /// Customer prices times units, refunds negative; micro-units. Payments: what Apple owes.
  package var gross: Int64
  /// Apple's reports: what the developer gets, refunds negative; micro-units. Payments: what it
  /// paid, in the bank's currency.
  package var proceeds: Int64

  package init(currency: Currency?, units: Int64, gross: Int64, proceeds: Int64) {
    self.currency = currency
    self.units = units
    self.gross = gross
    self.proceeds = proceeds
  }
}

/// How many of a file's records, or of what they hold, are of one sort: `status 21007: a Sandbox
/// receipt`, `transactions`.
package struct Tally: Hashable, Sendable {
  package var what: Wording
  package var count: Int

  package init(what: Wording, count: Int) {
    self.what = what
    self.count = count
  }
}

/// What a file turned out to be, and what it adds up to.
package struct FileReading: Sendable {
  package var kind: InputKind
  /// Empty when unknown.
  package var vendor: String
  /// Of financial reports, by Apple's code; empty for all other files.
  package var region = ""
  /// Apple's reports: the first day. Company tables: the first day (UTC) of their times.
  package var begin: Day?
  package var end: Day?
  /// Records of the file are rows and rejected rows and footers.
  package var rows: Int
  package var rejected: Int
  package var footers: Int
  /// The first hundred.
  package var objections: [Objection]
  package var objectionCount: Int
  package var warnings: [Objection]
  /// By currency, the one without a name first.
  package var totals: [ReadingTotal]
  /// Receipts, notifications and history: what their records came to.
  package var tallies: [Tally] = []

  package init(
    kind: InputKind, vendor: String, begin: Day?, end: Day?, rows: Int, rejected: Int, footers: Int,
    objections: [Objection], objectionCount: Int, warnings: [Objection], totals: [ReadingTotal]
  ) {
    self.kind = kind
    self.vendor = vendor
    self.begin = begin
    self.end = end
    self.rows = rows
    self.rejected = rejected
    self.footers = footers
    self.objections = objections
    self.objectionCount = objectionCount
    self.warnings = warnings
    self.totals = totals
  }
}

/// Sizes that only tests change.
struct ReadingLimits {
  /// Bytes that are read at a time.
  var blockSize = 512 * 1024
  /// Bytes of the longest record of a table.
  var recordLength = 1 << 20
  /// Bytes of the longest record in which Apple told of purchases: one receipt alone can be a
  /// megabyte.
  var purchaseLength = 16 << 20
  /// Rows, and apart from them rejects, after which a block is handed on.
  var rowsPerBlock = FactBlock.rowLimit
  var rejectsPerBlock = 4096
}
