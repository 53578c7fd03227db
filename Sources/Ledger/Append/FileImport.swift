package import Billing

/// What is known of a file before its first row.
package struct FileHeader: Sendable {
  /// The path as given to `import`.
  package var file: String
  package var kind: InputKind
  package var importedAt: Instant

  package init(file: String, kind: InputKind, importedAt: Instant) {
    self.file = file
    self.kind = kind
    self.importedAt = importedAt
  }
}

/// What is known of a file after its last row.
package struct FileTrailer: Sendable {
  /// Of the inflated bytes, lower-case hex.
  package var sha256: String
  /// Of the first 64 KiB of the inflated bytes.
  package var headSHA256: String
  /// Empty when unknown.
  package var vendor: String
  /// Of financial reports; empty for all other files.
  package var region: String
  package var begin: Day?
  package var end: Day?
  /// Rows appended.
  package var rows: Int
  package var rejected: Int
  /// Of the inflated file.
  package var byteCount: Int
  /// The period of counted purchases that it is of; empty for all other files.
  package var countedPeriod = ""
  /// The mapping by which it was read; empty for none.
  package var mapping = ""

  package init(
    sha256: String, headSHA256: String, vendor: String, region: String = "", begin: Day?,
    end: Day?, rows: Int, rejected: Int, byteCount: Int
  ) {
    self.sha256 = sha256
    self.headSHA256 = headSHA256
    self.vendor = vendor
    self.region = region
    self.begin = begin
    self.end = end
    self.rows = rows
    self.rejected = rejected
    self.byteCount = byteCount
  }
}

/// What the importer decides once it has seen the whole file.
package enum FileClosing: Sendable {
  case keep(FileTrailer)
  /// It is looked at as it would stay, and taken back.
  case look(FileTrailer)
  /// Nothing of the file stays in the ledger.
  case discard

  /// What is known of the file; nil where it is discarded.
  var trailer: FileTrailer? {
    switch self {
    case .keep(let trailer), .look(let trailer): trailer
    case .discard: nil
    }
  }
}

/// What became of a file.
package enum FileOutcome: Hashable, Sendable {
  /// `superseding` is the file of the same report, vendor and days that counted until now.
  case imported(superseding: String?)
  /// The same content is in the ledger under this name; nothing changed.
  case alreadyImported(as: String)
  case discarded
}
