package import Billing

/// What a file turned out to be, and what it adds up to.
package struct FileSummary: Sendable {
  package var kind: InputKind
  /// Empty when unknown.
  package var vendor: String
  /// Whether neither the file nor its name tells the vendor: it is the only one of the ledger.
  package var isVendorAssumed = false
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
  package var diagnostics: [Diagnostic]
  package var diagnosticCount: Int
  package var warnings: [Diagnostic]
  /// By currency, the one without a name first.
  package var totals: [ReadingTotal]
  /// Whether a report of Apple's was saved again by another program, by signs that Apple's own
  /// files never have: fields divided by anything but tabs, CRLF, a mark of the encoding.
  package var isResaved = false
  /// Receipts, notifications and history: what their records came to.
  package var tallies: [Tally] = []
  /// Orders and transactions that name no storefront.
  package var rowsWithoutStorefront = 0
  /// The period of counted purchases that the rows are of; empty for none.
  package var countedPeriod = ""
  /// What tells the file apart from one with the same bytes: product and day, which only names and
  /// callers tell; empty for nothing.
  package var identity = ""
  /// Of a product's own price list; nil for all else.
  package var product: String?
  /// Pages of answers of App Store Connect.
  package var pages: [ConnectPage] = []
  /// Rows that `where` and `skip` of the mapping leave out.
  package var selectedOut = 0
  /// The mapping by which a company's table was read; nil for none.
  package var mapping: TableMapping?
  /// By what the file was known.
  package var signs: Wording = ""
  /// Columns that are not read.
  package var leftOutColumns: [String] = []
  /// Columns of the file that are none of a company's table.
  package var unmapped: [String] = []
  /// What each column of a company's table became, where that was asked for.
  package var columns: [ReadColumn] = []
}
