internal import Billing

/// The fields of a table in which a word for nothing is blank, and ids that are read without what
/// a spreadsheet left around them; and how many were.
struct NullFields {
  /// Per field of a record.
  private let mayBeBlank: [Bool]
  /// Fields whose readers take any text: they are looked at in each record.
  private let looked: [Int]
  /// Fields of times that need not be there.
  private let times: [Int]
  /// Fields of ids and codes.
  private let ids: [Int]
  fileprivate var rounded: RoundedIDs
  private let refunds: RefundFields
  private let buffer: RecordBuffer
  /// Ids with something around them, and one of them as it is written.
  private var wrappedIDs = 0
  private var wrappedID = ""
  /// Prices of 0 of refunded purchases.
  private var lostPrices = 0
  private var zeroTimes = ZeroTimes()
  private var counts = [Int](repeating: 0, count: nullWords.count)

  /// - Parameters:
  ///   - table: a company's table.
  ///   - fields: per column of the table, the field of each record, or −1.
  ///   - fieldCount: fields of each record.
  ///   - mapping: one that says what is written for nothing, or what words mean, counts instead.
  init(_ table: CompanyTable, _ fields: [Int], fieldCount: Int, _ mapping: TableMapping? = nil) {
    var mayBeBlank = Array(repeating: mapping?.nulls == nil, count: fieldCount)
    var times: Set<Int> = []
    var ids: Set<Int> = []
    for (column, field) in zip(table.columns, fields) where field >= 0 {
      if column.form == .text || mapping?.words[column.name] != nil { mayBeBlank[field] = false }
      if column.form == .code { ids.insert(field) }
      if column.form.isTime, !column.isRequired { times.insert(field) }
    }
    self.mayBeBlank = mayBeBlank
    looked = ids.filter { mayBeBlank[$0] }.sorted()
    self.ids = ids.sorted()
    rounded = RoundedIDs(table, fields)
    refunds = RefundFields(table, fields)
    self.times = times.sorted()
    buffer = RecordBuffer(columns: fieldCount)
  }

  /// Whether an id or a code of the record is a word for nothing or has something around it, or a
  /// time stands for none.
  @inline(__always)
  func areIn(_ record: Record) -> Bool {
    for index in looked.indices where nullWord(trimmed(record[looked[index]])) != nil {
      return true
    }
    for index in times.indices where isZeroTime(trimmed(record[times[index]])) { return true }
    for index in ids.indices where isWrapped(record[ids[index]]) { return true }
    return refunds.haveNoPrice(record)
  }

  /// Whether something stands around an id.
  @inline(__always)
  private func isWrapped(_ id: UnsafeRawBufferPointer) -> Bool {
    bareID(id).count != trimmed(id).count
  }

  /// The record with blanks where words for nothing stand, and with bare ids; nil where it is so
  /// already.
  mutating func blanked(_ record: Record) -> Record? {
    let isPriceLost = refunds.haveNoPrice(record)
    var isFound = false
    buffer.clear()
    for field in mayBeBlank.indices {
      let bytes = record[field]
      if mayBeBlank[field], let word = nullWord(trimmed(bytes)) {
        isFound = true
        counts[word] += 1
      } else if times.contains(field), isZeroTime(trimmed(bytes)) {
        isFound = true
        zeroTimes.count(trimmed(bytes))
      } else if isPriceLost, field == refunds.price {
        isFound = true
        lostPrices += 1
      } else if ids.contains(field), isWrapped(bytes) {
        isFound = true
        wrappedIDs += 1
        if wrappedID.isEmpty { wrappedID = shown(bytes) }
        let bare = bareID(bytes)
        if let start = bare.baseAddress, !bare.isEmpty { buffer.append(start, bare.count) }
      } else if let start = bytes.baseAddress, !bytes.isEmpty {
        buffer.append(start, bytes.count)
      }
      buffer.endField(field)
    }
    guard isFound else { return nil }
    return Record(
      base: UnsafeRawPointer(buffer.bytes), ends: UnsafePointer(buffer.ends), line: record.line)
  }

  /// What was read as blank, each sort with its count.
  var tallies: [Tally] {
    let ids = Tally(
      what: "@row.ids-read-bare \(wrappedID)", one: "@row.id-read-bare \(wrappedID)",
      count: wrappedIDs)
    let prices = Tally(
      what: "@row.prices-of-refunds-read-as-blank", one: "@row.price-of-a-refund-read-as-blank",
      count: lostPrices)
    return [wordTally, zeroTimes.tally].compactMap(\.self) + [ids, prices].filter { $0.count > 0 }
  }

  /// The words that were read as blank, with the count of all together; nil for none.
  private var wordTally: Tally? {
    let found = counts.indices.filter { counts[$0] > 0 }
    if found.isEmpty { return nil }
    let words = found.map { String(decoding: nullWords[$0], as: UTF8.self) }
      .joined(separator: ", ")
    return Tally(
      what: "@row.values-read-as-blank \(words)", one: "@row.value-read-as-blank \(words)",
      count: counts.reduce(0, +))
  }
}

/// Where a transaction has its price, and what tells that the price was lost.
private struct RefundFields {
  /// The record's field, or −1.
  let price: Int
  private let revokedAt: Int
  private let isTrial: Int

  init(_ table: CompanyTable, _ fields: [Int]) {
    /// The field of a column; −1 where the file or the table has none.
    func field(_ name: String) -> Int {
      table.kind == .transactions ? fields[table.index(name)] : -1
    }
    (price, revokedAt, isTrial) = (field("unit_price"), field("revoked_at"), field("is_trial"))
  }

  /// Whether the transaction was refunded and has a price of 0, as RevenueCat writes it: what was
  /// paid is not known then. Nobody refunds what was free, and a free trial has no other price.
  @inline(__always)
  func haveNoPrice(_ record: Record) -> Bool {
    price >= 0 && revokedAt >= 0 && !record[revokedAt].isEmpty && isZero(record)
  }

  /// Whether the price of a row with some text for the time of its refund is 0.
  @inline(never)
  private func isZero(_ record: Record) -> Bool {
    let (time, amount) = (trimmed(record[revokedAt]), trimmed(record[price]))
    guard !time.isEmpty, nullWord(time) == nil, !isZeroTime(time), amount.contains(0x30),
      amount.allSatisfy({ $0 == 0x30 || $0 == 0x2E || $0 == 0x2C })
    else { return false }
    let trial = isTrial < 0 ? nil : trimmed(record[isTrial]).first
    // 1, true, yes
    return trial.map { ![0x31, 0x74, 0x79].contains($0 | 0x20) } ?? true
  }
}

/// Rows of a company's table whose words for nothing are blank, and whose ids are bare. Ids and
/// codes are looked at in each record, by length and first byte; the other columns where the reader
/// refuses a record.
struct BlankedRows<Reader: RowReader>: RowReader {
  private(set) var reader: Reader
  private var fields: NullFields
  /// Lines in which psql counts its rows.
  private var rowCounts = 0

  init(_ reader: Reader, _ fields: NullFields) {
    self.reader = reader
    self.fields = fields
  }

  var pending: Int { reader.pending }
  var footerCount: Int { reader.footerCount + rowCounts }

  /// Reads a record by the table's reader. Words for nothing are made blank before that where an
  /// id, a code or a time is one of them; any others only once the reader has refused the record.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    fields.rounded.look(at: record)
    if fields.areIn(record), let blanked = fields.blanked(record) {
      return try reader.read(blanked)
    }
    do throws(RecordDiagnostic) {
      return try reader.read(record)
    } catch {
      guard let blanked = fields.blanked(record) else { throw error }
      return try reader.read(blanked)
    }
  }

  /// Whether a line is a footer of the table: psql's `(3 rows)`, or what the reader takes for one.
  mutating func isBehindTable(_ raw: UnsafeRawBufferPointer) -> Bool {
    if reader.isBehindTable(raw) { return true }
    let line = trimmed(raw)
    guard line.first == UInt8(ascii: "("), line.count < 32, line.contains(0x20),
      line.reversed().starts(with: ")swor".utf8) || line.reversed().starts(with: ")wor".utf8)
    else { return false }
    rowCounts += 1
    return true
  }

  mutating func takeBlock() -> Reader.Block { reader.takeBlock() }

  func summary(_ log: ReadingLog) throws -> RowSummary {
    try fields.rounded.check(log)
    var summary = try reader.summary(log)
    summary.tallies += fields.tallies
    return summary
  }
}
