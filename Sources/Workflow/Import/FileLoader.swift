import Billing
import Foundation
import Ledger
import Reading

/// Loads one file after the other: a thread of its own reads while this one appends, and the next
/// file is read ahead.
struct FileLoader {
  let ledger: Ledger
  let request: ImportRequest
  let fileCount: Int
  /// Seconds without a block after which it is asked whether to end.
  private static let pause = 0.1

  /// Of all files on disk; 0 when nobody knows.
  let byteCount: Int
  let progress: (ImportProgress) -> Void
  /// Whether somebody wants the call to end.
  private let isStopped: () -> Bool
  var filesDone = 0
  /// Pages of answers in each file that was loaded.
  private(set) var pages: [[ImportedPage]] = []
  private var rowsDone = 0
  private var bytesDone = 0
  /// Whether a dry run works on a ledger of its own, which keeps the files until its end.
  private let isTrial: Bool
  private let ahead: FileAhead

  init(
    ledger: Ledger, request: ImportRequest, files: [FoundInput], ahead: FileAhead, isTrial: Bool,
    progress: @escaping (ImportProgress) -> Void, isStopped: @escaping () -> Bool
  ) {
    self.isStopped = isStopped
    self.ledger = ledger
    self.request = request
    self.ahead = ahead
    self.isTrial = isTrial
    fileCount = files.count
    byteCount = files.byteCount
    self.progress = progress
  }

  /// Imports one file and returns what became of it; a file that is wrong is returned as rejected.
  /// Throws only what stops the whole call, `ImportStopped` among it.
  mutating func load(_ input: FoundFile) throws -> ImportedFile {
    let path = input.path
    defer {
      filesDone += 1
      bytesDone += input.byteCount ?? 0
    }
    progress(
      ImportProgress(
        file: path, filesDone: filesDone, fileCount: fileCount, rows: rowsDone,
        bytesRead: bytesDone, byteCount: byteCount))
    do {
      let pass = try ahead.take(input)
      defer { end(pass) }
      guard let first = try nextBlock(pass) else { return try append(nil, pass) }
      guard try mayBeKnown(pass) else { return try append(first, pass) }
      return try loadUnlessKnown(input, pass)
    } catch let diagnostic as Diagnostic {
      var file = ImportedFile(rejected: path, diagnostic)
      // A report of Apple's that holds no money is left out, and nothing is wrong.
      if diagnostic.severity == .warning { file.errorCount = 0 }
      return file
    }
  }

  /// Whether a file in the ledger begins with the same 64 KiB as this one, so that both may be
  /// equal.
  private func mayBeKnown(_ pass: ReadingPass) throws -> Bool {
    guard pass.canRepeat, let head = pass.head else { return false }
    return try ledger.hasHead(head)
  }

  /// Reads the file to its end first, and loads it in a second pass only where the ledger does not
  /// have it: appending and taking back would cost more.
  private mutating func loadUnlessKnown(_ input: FoundFile, _ pass: ReadingPass) throws
    -> ImportedFile
  {
    while try nextBlock(pass) != nil { reportProgress(pass, rows: 0) }
    let (reading, digest) = try result(
      of: pass, vendors: ledger.reportVendors(), shared: ledger.sharedSKUs())
    if let name = try ledger.file(withSHA256: digest.sha256) {
      return try skipped(pass.path, reading, digest, as: name)
    }
    let again = try ReadingPass(input, for: request)
    defer { end(again) }
    return try append(try nextBlock(again), again)
  }

  /// The next block of the file's rows; nil after the last. Throws `ImportStopped` where the call
  /// is to end.
  private func nextBlock(_ pass: ReadingPass) throws -> FactBlock? {
    while !isStopped() {
      switch pass.blocks.receive(within: Self.pause) {
      case .element(let block): return block
      case .end: return nil
      case .nothingYet: continue
      }
    }
    throw ImportStopped()
  }

  /// Ends the reading of a file, and waits for the thread that reads it unless the call is to stop:
  /// on a silent pipe that wait would not end, and the thread ends with the process.
  private func end(_ pass: ReadingPass) { pass.blocks.cancel(waits: !isStopped()) }

  /// Appends all blocks of a file to the ledger in the file's one transaction, which is taken back
  /// where the file is not to be loaded.
  ///
  /// - Parameter first: the first block, which was received already; nil for a file without rows.
  private mutating func append(_ first: FactBlock?, _ pass: ReadingPass) throws -> ImportedFile {
    let kind = try first?.kind ?? pass.result().reading.kind
    let header = FileHeader(file: pass.path, kind: kind, importedAt: request.importedAt)
    var closing: (reading: FileSummary, digest: ContentDigest)?
    var repeated = RepeatedRows()
    var pages: [ImportedPage] = []
    let vendors = try kind == .sales ? ledger.reportVendors() : []
    let shared = try kind == .tiers ? ledger.sharedSKUs() : .none
    var original: String?
    var firstRows = FirstRows()
    let shown: ((FirstRows) -> Void)? =
      request.isDryRun && !request.hidesRows ? { firstRows = $0 } : nil
    let outcome = try ledger.importFile(header, shown: shown) { appender in
      var isWanted = true
      var rows = 0
      var next = first
      while let block = next {
        if !block.rejects.isEmpty, !request.keepsGoodRows { isWanted = false }
        rows += block.rowCount
        if case .purchases(_, let answers) = block.rows {
          pages += answers.pages.map { ImportedPage($0, file: pass.path) }
        }
        if isWanted { try appender.append(block) }
        reportProgress(pass, rows: rows)
        next = try nextBlock(pass)
      }
      let (reading, digest) = try result(of: pass, vendors: vendors, shared: shared)
      closing = (reading, digest)
      guard reading.isLoadable(keepingGoodRows: request.keepsGoodRows) else { return .discard }
      let trailer = FileTrailer(reading, digest)
      if reading.isResaved, !request.acceptsResaved,
        let older = try appender.superseded(by: trailer)
      {
        if isCopy(pass.path) {
          // A later copy replaces an earlier one; Apple's own report stands.
          if !isCopy(older) {
            original = older
            return .discard
          }
        } else {
          throw resaved(pass.path, replacing: older)
        }
      }
      repeated = try appender.repeatedRows()
      if Self.areLines(repeated, of: rows) { throw furtherLines(repeated.lines, pass) }
      return request.isDryRun && !isTrial ? .look(trailer) : .keep(trailer)
    }
    guard let (reading, digest) = closing else { preconditionFailure("the body has run") }
    if let original {
      var file = ImportedFile(pass.path, reading, digest, repeating: original)
      file.diagnostics = [copyIsNotNeeded(pass.path, by: original)]
      return file
    }
    var file = try conclude(pass.path, reading, digest, outcome)
    if file.isLoaded {
      file.firstRows = firstRows
      file.remark(on: repeated)
      if !pages.isEmpty { self.pages.append(pages) }
    }
    return file
  }

  /// Whether rows that repeat an order id are lines of one order, and no slips: at least one row
  /// in a hundred.
  private static func areLines(_ repeated: RepeatedRows, of rows: Int) -> Bool {
    repeated.lines > 0 && repeated.lines * 100 >= rows
  }

  /// The error that a table has a row for each line of an order. An order counts once, so that the
  /// units of further lines would be lost.
  ///
  /// - Parameter count: of the further lines.
  private func furtherLines(_ count: Int, _ pass: ReadingPass) -> Diagnostic {
    let columns = (try? pass.columnsOfLines()) ?? []
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let setting = columns.first.map { "import.orders.columns.order_id = \"\($0)\"" } ?? ""
    return Diagnostic(
      topic: "order_id", at: SourceLocation(file: pass.path),
      counted(count, "@import.row-is-a-further-line") { "@import.rows-are-further-lines \($0)" },
      help: columns.isEmpty
        ? "@import.export-an-id-of-each-line"
        : "@import.take-the-id-of-the-line \(names) \(setting)")
  }

  /// The error that a report which another program saved again would replace one in the ledger.
  ///
  /// - Parameter older: the file that it would replace.
  private func resaved(_ path: String, replacing older: String) -> Diagnostic {
    Diagnostic(
      topic: "resaved", at: SourceLocation(file: path),
      "@import.another-program-saved-apple-report \(older)",
      help: "@import.spreadsheet-may-have-changed-dates")
  }

  /// Whether the path is of a report out of a warehouse's table.
  private func isCopy(_ path: String) -> Bool { path.hasSuffix(WarehouseTable.ending) }

  /// The warning that a warehouse's copy is left out, as Apple's own report is in the ledger.
  private func copyIsNotNeeded(_ path: String, by original: String) -> Diagnostic {
    Diagnostic(
      .warning, topic: "resaved", at: SourceLocation(file: path),
      "@import.apple-own-report-counts \(original)", help: "@import.copy-is-not-needed")
  }

  /// The summary and the digest of a file that was read to its end, with what neither the file nor
  /// its name tells: its vendor, and what tells it apart from files of the same bytes.
  ///
  /// - Parameters:
  ///   - vendors: of the reports in the ledger, ascending.
  ///   - shared: SKUs that several apps have.
  private func result(
    of pass: ReadingPass, vendors: [String], shared: SharedSKUs
  ) throws -> (reading: FileSummary, digest: ContentDigest) {
    var (reading, digest) = try pass.result()
    if let sku = reading.product, shared.contains(sku) {
      let names = shared.names(of: sku)
      throw Diagnostic(
        topic: "product", at: SourceLocation(file: pass.path),
        "@import.price-list-of-several-apps \(sku) \(names.joined(separator: ", "))",
        help: "@import.name-the-product-with-its-app \(names.first ?? sku)")
    }
    if !reading.identity.isEmpty { digest.tellApart(reading.identity) }
    guard reading.kind.isReport else { return (reading, digest) }
    if reading.vendor.isEmpty, reading.kind == .sales {
      let configured = request.vendorNumbers
      if configured.count == 1 || vendors.count == 1 {
        reading.vendor = configured.count == 1 ? configured[0] : vendors[0]
        reading.isVendorAssumed = configured.count != 1
      } else if vendors.count > 1 {
        throw Diagnostic(
          topic: "vendor", at: SourceLocation(file: pass.path),
          "@import.its-name-does-not-say \(vendors.asList)",
          help: "@import.import-it-by-itself")
      }
    }
    // Days without sales look the same byte for byte, as do days with as many active subscriptions,
    // whose rows have no date: what tells them apart is the day.
    if reading.rows == 0 || reading.kind == .subscription, let begin = reading.begin,
      let end = reading.end
    {
      digest.tellApart("\(reading.vendor) \(reading.region) \(begin) \(end)")
    }
    return (reading, digest)
  }

  /// What became of a file that was read and offered to the ledger: rejected, known already, or
  /// loaded with the file that it supersedes, whose vendor and payments are checked then.
  private mutating func conclude(
    _ path: String, _ reading: FileSummary, _ digest: ContentDigest, _ outcome: FileOutcome
  ) throws -> ImportedFile {
    var file = ImportedFile(path, reading, digest)
    if request.hidesRows { file.hideRows() }
    guard reading.isLoadable(keepingGoodRows: request.keepsGoodRows) else {
      file.status = .rejected
      return file
    }
    switch outcome {
    case .alreadyImported(let name):
      return try skipped(path, reading, digest, as: name)
    case .imported(let superseded): file.supersedes = superseded
    case .discarded:
      if let name = try ledger.file(withSHA256: digest.sha256) {
        return try skipped(path, reading, digest, as: name)
      }
      file.supersedes = try superseded(by: file)
    }
    file.checkVendor(among: request.vendorNumbers)
    try file.checkPayments(in: ledger)
    rowsDone += file.rows
    return file
  }

  /// A file that is in the ledger already, with a warning where it was read otherwise than it would
  /// be now: what the ledger has of it stays as it is.
  ///
  /// - Parameter name: by which the ledger has it.
  private func skipped(
    _ path: String, _ reading: FileSummary, _ digest: ContentDigest, as name: String
  ) throws -> ImportedFile {
    var file = ImportedFile(path, reading, digest, repeating: name)
    guard let before = try ledger.reading(ofSHA256: digest.sha256) else { return file }
    let place = SourceLocation(file: path)
    if before.kind != reading.kind.rawValue {
      file.status = .rejected
      file.errorCount = 1
      file.diagnostics = [
        Diagnostic(
          topic: "kind", at: place, "@import.is-in-the-ledger-as \(name) \(before.kind)",
          help: "@import.a-file-is-of-one-kind \(reading.kind.rawValue) \(name)")
      ]
      return file
    }
    let plain = TableMapping(reading.kind, name: "")
    let keys = (reading.mapping ?? plain).changedKeys(since: before.mapping)
    if !keys.isEmpty {
      file.remarkOnMapping(imported: name, keys)
    }
    return file
  }

  /// The name of the report in the ledger that this one would replace: of the same kind, vendor,
  /// region and days; nil for none, and for all that is no report.
  private func superseded(by file: ImportedFile) throws -> String? {
    guard let kind = file.kind, kind.isReport else { return nil }
    return try ledger.files().first {
      $0.input.kind == kind && $0.input.status != .superseded && $0.vendor == file.vendor
        && $0.region == file.region && $0.input.from == file.from && $0.input.to == file.to
    }?.input.file
  }

  /// Reports how far the call is.
  ///
  /// - Parameter rows: of the present file so far.
  private func reportProgress(_ pass: ReadingPass, rows: Int) {
    progress(
      ImportProgress(
        file: pass.path, filesDone: filesDone, fileCount: fileCount, rows: rowsDone + rows,
        bytesRead: bytesDone + pass.bytesRead, byteCount: byteCount))
  }
}

extension FileSummary {
  /// Whether the file may be loaded: it has no bad row, or the caller wants its good ones and there
  /// are some.
  fileprivate func isLoadable(keepingGoodRows: Bool) -> Bool {
    rejected == 0 ? diagnosticCount == 0 : keepingGoodRows && rows > 0
  }
}

extension FileTrailer {
  /// What the ledger keeps of a file beside its rows: digests, vendor, region, days and numbers of
  /// rows.
  fileprivate init(_ reading: FileSummary, _ digest: ContentDigest) {
    self.init(
      sha256: digest.sha256, headSHA256: digest.headSHA256, vendor: reading.vendor,
      region: reading.region, begin: reading.begin, end: reading.end, rows: reading.rows,
      rejected: reading.rejected,
      byteCount: digest.byteCount)
    countedPeriod = reading.countedPeriod
    mapping = reading.mapping?.basis ?? ""
  }
}

extension ImportedFile {
  /// A file that was read, as imported or partial, with all that its summary and digest tell.
  fileprivate init(_ path: String, _ reading: FileSummary, _ digest: ContentDigest) {
    self.init(file: path, status: reading.rejected == 0 ? .imported : .partial)
    kind = reading.kind
    vendor = reading.vendor
    isVendorAssumed = reading.isVendorAssumed
    region = reading.region
    from = reading.begin
    to = reading.end
    rows = reading.rows
    rejected = reading.rejected
    sha256 = digest.sha256
    isResaved = reading.isResaved
    totals = reading.totals.map {
      ImportTotal(
        currency: $0.currency, units: $0.units, free: $0.free, gross: $0.gross,
        proceeds: $0.proceeds)
    }
    tallies = reading.tallies.map { ImportTally(what: $0.what, one: $0.one, count: $0.count) }
    rowsWithoutStorefront = reading.rowsWithoutStorefront
    mapping = reading.mapping
    connectPages = reading.pages
    signs = reading.signs
    leftOutColumns = reading.leftOutColumns
    selectedOut = reading.selectedOut
    unmapped = reading.unmapped
    columns = reading.columns.map {
      ImportedColumn(
        name: $0.name, source: $0.source, isRequired: $0.isRequired, first: $0.first)
    }
    errorCount = reading.diagnosticCount
    diagnostics =
      reading.diagnostics + unlisted(errorCount - reading.diagnostics.reduce(0) { $0 + $1.rows })
    diagnostics += reading.warnings
  }

  /// Removes from the diagnostics what quotes the file's rows.
  fileprivate mutating func hideRows() {
    for index in diagnostics.indices {
      diagnostics[index].excerpt = nil
      diagnostics[index].caret = nil
      diagnostics[index].message = diagnostics[index].message.withoutQuoted
    }
  }

  /// One error that stands for so many that are not kept one by one; empty for none.
  private func unlisted(_ count: Int) -> [Diagnostic] {
    guard count > 0 else { return [] }
    return [
      Diagnostic(
        topic: "more", at: SourceLocation(file: file),
        "@shared.further-errors-are-not-listed \(grouped(count))",
        help: "@import.correct-these-first-then-import")
    ]
  }

  /// A file that is in the ledger already; what was said of its rows then is not said again.
  fileprivate init(
    _ path: String, _ reading: FileSummary, _ digest: ContentDigest, repeating name: String
  ) {
    self.init(path, reading, digest)
    status = .skipped
    sameAs = name
    diagnostics = []
    errorCount = 0
  }
}

extension FactBlock {
  /// The kind of file that the block's rows come from.
  var kind: InputKind {
    switch rows {
    case .sales: .sales
    case .finance(let kind, _): kind
    case .payments: .payments
    case .subscriptions: .subscription
    case .subscriptionEvents: .subscriptionEvent
    case .subscribers: .subscriber
    case .orders: .orders
    case .transactions: .transactions
    case .purchases(let kind, _): kind
    case .products: .products
    case .tiers: .tiers
    case .rates: .rates
    case .taxes: .taxes
    case .commissions: .commissions
    case .bank: .bank
    case .commissionInvoices: .commissionInvoice
    case .events: .events
    case .unitCounts: .unitCounts
    case .coinMovements: .coinMovements
    case .coinBalances: .coinBalances
    case .items: .items
    }
  }
}
