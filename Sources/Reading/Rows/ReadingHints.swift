package import Billing

/// What the caller says where neither a file's content nor its name tells.
package struct ReadingHints: Hashable, Sendable {
  package var vendor: String?
  /// Of financial reports, by Apple's code: `EU`, `ZZ`.
  package var region: String?
  package var date: Day?
  /// Of price lists: the product's id in App Store Connect.
  package var product: String?
  /// Where the developer is at home; taxes may depend on it.
  package var developerCountry: Storefront?
  /// Root certificates (DER) that are trusted beside Apple's.
  package var roots: [[UInt8]]
  /// The company's apps; a signed payload of any other is refused. Empty: any app's is taken.
  package var bundleIDs: Set<String>
  /// How the company's own exports are laid out, in the order in which they are tried.
  package var mappings: [TableMapping]
  /// What the file is, where the caller knows; any other content is refused.
  package var kind: InputKind?
  /// Whether it is that only where its content shows nothing else.
  package var isFallback = false
  /// What is no input, as Tieout wrote it.
  package var ownWork = OwnWork()
  /// The sheet that the rows are; nil where they are no sheet.
  package var sheet: String?
  /// The name by which mappings find the file, where it is another: of a sheet its workbook's.
  package var nameForMappings: String?
  /// The workbook's other sheets.
  package var unreadSheets: [String] = []
  /// Whether the summary lists what each column became.
  package var tellsColumns = false
  /// Whether bytes are read before their turn, on a thread of their own: not from a pipe, which may
  /// have none for a while.
  package var readsAhead = false
  /// The days of the report that the bytes are a warehouse's copy of; nil for all other files.
  package var copied: ClosedRange<Day>?
  /// What is to be said of the file.
  package var remarks: [Diagnostic] = []
  /// Whether the bytes come out of an archive, which proves them whole.
  package var isUnpacked = false

  package init(
    vendor: String? = nil, region: String? = nil, date: Day? = nil, roots: [[UInt8]] = [],
    bundleIDs: Set<String> = [], mappings: [TableMapping] = []
  ) {
    self.vendor = vendor
    self.region = region
    self.date = date
    self.roots = roots
    self.bundleIDs = bundleIDs
    self.mappings = mappings
  }

  /// The mappings that may be for a file of this name, of the kind that the caller knows.
  package func mappings(for file: String) -> [TableMapping] {
    mappings.filter { mapping in
      mapping.isFor(file: nameForMappings ?? file)
        && (kind == nil || isFallback || mapping.kind == kind)
        && (sheet == nil || mapping.sheet == nil || mapping.sheet == sheet)
    }
  }
}

/// What Tieout itself writes, by signs of its content: none of it is input, wherever it lies. A
/// journal would prove as a bank statement what it was made from.
package struct OwnWork: Hashable, Sendable {
  /// Names of the columns of each of its lists.
  package var lists: Set<Set<String>> = []
  /// The first keys of its JSON documents; of those that have one key alone, with the first keys of
  /// the rows below it.
  package var documents: [[String]] = []
  /// What its texts begin with, where a `*` is any text.
  package var openings: [String] = []
  /// Numbers by which an SQLite file says that it is a ledger.
  package var ledgers: [Int32] = []

  package init() {}
}
