package import Billing
import Reading

/// What `import` is asked to do.
package struct ImportRequest: Sendable {
  /// Files and folders, as the user named them.
  package var paths: [String]
  package var ledgerPath: String
  /// The vendor of files that name none.
  package var vendor: String?
  /// The region of financial reports that name none.
  package var region: String?
  /// The day of files that name none.
  package var date: Day?
  /// The product of price lists that name none.
  package var product: String?
  /// Where the developer is at home; taxes may depend on it.
  package var developerCountry: Storefront?
  /// The company's own vendor numbers; empty when it did not say.
  package var vendorNumbers: [String] = []
  /// Root certificates (DER) that sign payloads beside Apple's.
  package var roots: [[UInt8]] = []
  /// The company's apps, where the configuration names them.
  package var bundleIDs: Set<String> = []
  /// How the company's own exports are laid out.
  package var mappings: [TableMapping] = []
  /// What all the files are, where the caller knows.
  package var kind: InputKind?
  /// Whether they are that only where their content shows nothing else.
  package var isFallback = false
  /// Whether the summary tells what each column became, as that of a dry run does.
  package var tellsColumns = false
  /// Where transactions that name no storefront count, by the configuration.
  package var defaultStorefront: Storefront?
  /// Days for which Apple had no sales.
  package var noSales: [Day] = []
  /// Take it that there were none although the ledger has purchases of the day.
  package var isForced = false
  /// Do all of it, then take it back.
  package var isDryRun = false
  /// Import a file's good rows even when others of it are bad.
  package var keepsGoodRows = false
  /// Let a report that a spreadsheet saved again replace the one that is there.
  package var acceptsResaved = false
  /// Whether the ledger goes with the process, and need not be safe on the disk before it ends.
  package var isScratch = false
  /// Files that are no input although they may lie in an imported folder: the configuration, and
  /// the roots that it trusts.
  package var leftOut: [String] = []
  package var importedAt: Instant
  /// Whether messages show nothing of the rows they are about, in which users may stand.
  package var hidesRows = false
  /// Seconds that the call waits for another import to end.
  package var patience = 0

  package init(paths: [String], ledgerPath: String, importedAt: Instant) {
    self.paths = paths
    self.ledgerPath = ledgerPath
    self.importedAt = importedAt
  }
}

/// How far an import is; a value, so that whoever watches decides how to show it.
package struct ImportProgress: Sendable {
  package var file: String
  /// Files done, and files found.
  package var filesDone: Int
  package var fileCount: Int
  /// Rows of this call so far.
  package var rows: Int
  /// Bytes on disk: of the files done and of the present one so far, and of all files; 0 when
  /// nobody knows, because one of them is a pipe.
  package var bytesRead: Int
  package var byteCount: Int
}

/// The words that a column of a company's table may have, such as states of an order; nil for a
/// column that holds anything else.
///
/// - Parameter column: by Tieout's name.
package func mappedWords(_ kind: InputKind, _ column: String) -> [String]? {
  kind.words(ofColumn: column)
}

/// Whether files in the text encoding of this name can be read.
package func knowsEncoding(_ name: String) -> Bool { isKnownEncoding(name) }

/// The columns that a mapping may name, by kind of table.
package var mappedColumns: [InputKind: [String]] { companyColumns }
