import Billing
import Foundation
import Reading
import Synchronization

/// One reading of one file on a thread of its own: blocks come out of `blocks` while it goes on.
///
/// What that thread and the one that reads bytes ahead of it write (`digest`, `outcome`) is read by
/// others only after they have ended; what others touch meanwhile lies behind locks.
final class ReadingPass: @unchecked Sendable {
  /// Blocks that wait for the ledger at most; each holds up to 65,536 rows.
  private static let blocksAhead = 4
  private static let stackSize = 8 << 20

  let path: String
  let blocks = BoundedChannel<FactBlock>(capacity: blocksAhead)
  private let file: RawFile
  /// The unpacked bytes of a file in an archive, or of a workbook's sheet.
  private let unpacked: ByteSource?
  private let hints: ReadingHints
  private let rawBytes = Atomic<Int>(0)
  private let knownHead = Mutex<String?>(nil)
  private var digest = ContentDigest()
  private var outcome: Result<FileSummary, any Error>?

  /// Opens the file and starts to read it, by what the call says of its files.
  convenience init(_ file: FoundFile, for request: ImportRequest) throws {
    var hints = ReadingHints(
      vendor: request.vendor, region: request.region, date: request.date, roots: request.roots,
      bundleIDs: request.bundleIDs, mappings: request.mappings)
    hints.tellsColumns = request.isDryRun || request.tellsColumns
    hints.isFallback = request.isFallback
    hints.ownWork = OwnWork.ofTieout
    hints.kind = request.kind
    hints.product = request.product
    hints.developerCountry = request.developerCountry
    try self.init(file, hints: hints)
  }

  /// Opens the file, or the table within an archive, a workbook or a warehouse's copy, and starts a
  /// thread that reads it.
  private init(_ input: FoundFile, hints: ReadingHints) throws {
    path = input.path
    var hints = hints
    do {
      let place = input.container
      let file = try RawFile(path: place)
      self.file = file
      hints.readsAhead = file.isRegular
      if let member = input.member {
        unpacked = try member.bytes(file.read(at:count:))
      } else if let copy = input.copy {
        unpacked = copy.table.bytes(of: copy.slice)
        (hints.copied, hints.remarks) = (copy.slice.days, copy.slice.remarks)
        if !copy.slice.vendor.isEmpty { hints.vendor = copy.slice.vendor }
      } else {
        unpacked = try Self.sheet(of: file, path: place, named: input.sheet, &hints)
      }
      hints.isUnpacked = unpacked != nil
      self.hints = hints
    } catch let error as SystemError {
      throw unreadableFile(path, error)
    }
    let thread = Thread { [self] in run() }
    thread.stackSize = Self.stackSize
    thread.start()
  }

  /// The bytes of a workbook's sheet as CSV, a piece at each call; nil for a file that is no
  /// workbook. Notes in `hints` which sheet it is and which others are not read.
  ///
  /// - Parameter name: the sheet to read; nil for the one that a mapping names, or else the
  ///   workbook decides.
  private static func sheet(
    of file: RawFile, path: String, named name: String?, _ hints: inout ReadingHints
  ) throws -> ByteSource? {
    guard let archive = try file.archive(path: path), Spreadsheet.isOne(archive) else { return nil }
    let meant = hints.mappings(for: path)
    let (csv, sheet, unread, remarks) = try Spreadsheet(
      file: path, archive, source: file.read(at:count:)
    ).csv(
      sheets: name.map { [$0] } ?? meant.compactMap(\.sheet),
      marksNumbers: meant.contains { $0.decimal == "," })
    (hints.sheet, hints.remarks) = (sheet, remarks)
    hints.nameForMappings = path
    let others = Set(name == nil ? [] : meant.compactMap(\.sheet))
    // Of several sheets that are read, the first tells of those that are not.
    let isFirst = name == nil || name == meant.lazy.compactMap(\.sheet).first
    hints.unreadSheets = isFirst ? unread.filter { !others.contains($0) } : []
    var place = 0
    return { buffer in
      let count = min(buffer.count, csv.count - place)
      buffer.copyBytes(from: csv[place..<place + count])
      place += count
      return count
    }
  }

  /// Reads the file once more for the columns whose values tell the lines of one order apart; empty
  /// where it cannot be read twice, or is packed.
  func columnsOfLines() throws -> [String] {
    guard canRepeat, unpacked == nil else { return [] }
    let again = try RawFile(path: path)
    return try Reading.columnsOfLines(name: path, hints: hints, from: again.read(into:))
  }

  /// Whether a second pass would see the same bytes.
  var canRepeat: Bool { file.isRegular }
  var size: Int { file.size }
  /// Bytes of the file, as it lies on disk, that were read so far.
  var bytesRead: Int { rawBytes.load(ordering: .relaxed) }
  /// The hash of the first 64 KiB, once they have passed.
  var head: String? { knownHead.withLock { $0 } }

  /// What the file turned out to be, once `blocks` has ended; throws what stopped the reading.
  func result() throws -> (reading: FileSummary, digest: ContentDigest) {
    guard let outcome else { preconditionFailure("the blocks have not ended yet") }
    return (try outcome.get(), digest)
  }

  /// Reads the whole file on the pass's own thread: sends its blocks, then keeps its summary or
  /// error as the outcome, and closes the channel.
  private func run() {
    let outcome = Result {
      try readFile(
        name: path, hints: hints, from: source, tap: tap,
        sink: { block in try blocks.send(block) }, storefronts: .builtIn, regions: .builtIn,
        prices: { [hints] in PriceLookup(developerCountry: hints.developerCountry) })
    }
    self.outcome = outcome.mapError { error in
      (error as? SystemError).map { unreadableFile(path, $0) } ?? error
    }
    blocks.close()
  }

  /// Fills `buffer` with the file's next bytes, unpacked where it is packed, and counts them as
  /// read. Returns how many there were; 0 at the end.
  private func source(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let count = try unpacked?(buffer) ?? file.read(into: buffer)
    rawBytes.add(count, ordering: .relaxed)
    return count
  }

  /// Adds bytes that were read to the digest, and publishes the hash of the first 64 KiB once they
  /// have passed.
  private func tap(_ bytes: UnsafeRawBufferPointer) {
    let hadHead = digest.head != nil
    digest.update(bytes)
    if !hadHead, let head = digest.head { knownHead.withLock { $0 = head } }
  }
}
