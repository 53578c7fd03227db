import Billing
import Pricing
import Reading

/// What is wrong with how the readers take these bytes, whatever they are: a file is read or
/// refused with a reason, and where its pieces end does not show in what it says.
package func faults(ofReading bytes: [UInt8]) -> [String] {
  let whole = read(bytes, piece: 1 << 16)
  let pieces = read(bytes, piece: 7 + bytes.count % 13)
  var faults = whole.faults + pieces.faults
  if whole.told != pieces.told { faults.append("\(whole.told)\nin pieces: \(pieces.told)") }
  if ZipArchive.begins(Array(bytes.prefix(4))), bytes.count > 22 { readArchive(bytes) }
  return faults
}

/// What a reading came to, as text.
private func read(_ bytes: [UInt8], piece: Int) -> (told: String, faults: [String]) {
  var place = 0
  var (rows, rejects) = (0, 0)
  let source: ByteSource = { buffer in
    let count = min(buffer.count, piece, bytes.count - place)
    buffer.copyBytes(from: bytes[place..<place + count])
    place += count
    return count
  }
  // A file without a name that tells anything, of which the command line tells the rest.
  let hints = ReadingHints(vendor: "85012345", region: "US", date: Day("2023-06-05"))
  do {
    let summary = try readFile(
      name: "input", hints: hints, from: source, tap: { _ in },
      sink: { block in
        rows += block.rowCount
        rejects += block.rejects.count
      }, storefronts: .tabled, regions: .tabled)
    var faults: [String] = []
    if summary.rows != rows { faults.append("\(summary.rows) rows told, \(rows) handed on") }
    if summary.rejected < rejects {
      faults.append("\(summary.rejected) rejects told, \(rejects) handed on")
    }
    return ("\(summary.kind) \(rows) \(summary.rejected) \(summary.diagnosticCount)", faults)
  } catch let diagnostic as Diagnostic {
    let told = diagnostic.message.english
    return (told, told.isEmpty ? ["refused without a word"] : [])
  } catch {
    return ("", ["an error that is no diagnostic: \(error)"])
  }
}

private func readArchive(_ bytes: [UInt8]) {
  func part(_ offset: Int, _ count: Int) throws -> [UInt8] {
    let begin = min(max(offset, 0), bytes.count)
    return Array(bytes[begin..<min(begin + max(count, 0), bytes.count)])
  }
  guard let archive = try? ZipArchive(file: "input", size: bytes.count, source: part) else {
    return
  }
  if Spreadsheet.isOne(archive) {
    _ = try? Spreadsheet(file: "input", archive, source: part).csv(sheets: [])
    return
  }
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  defer { buffer.deallocate() }
  for member in archive.members {
    guard let source = try? member.bytes(part) else { continue }
    var total = 0
    while let count = try? source(buffer), count > 0, total < 1 << 24 { total += count }
  }
}

extension StorefrontLookup {
  fileprivate static let tabled: StorefrontLookup = {
    let entries = StorefrontTable.builtIn.entries
    return StorefrontLookup(
      alpha3: Dictionary(entries.map { ($0.alpha3, $0.storefront) }) { first, _ in first },
      appleID: Dictionary(entries.map { ($0.appleID, $0.storefront) }) { first, _ in first },
      known: Set(entries.map(\.storefront)), later: StorefrontTable.builtIn.later,
      suggestion: { _ in nil })
  }()
}

extension FinanceRegionLookup {
  fileprivate static let tabled: FinanceRegionLookup = {
    let table = FinanceRegionTable.builtIn
    return FinanceRegionLookup(
      known: Set(table.codes + [FinanceRegionTable.all, FinanceRegionTable.detail]),
      labelled: { table.region(label: $0, currency: $1) },
      holding: { table.regions(of: $0, currency: $1) })
  }()
}
