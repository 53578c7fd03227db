internal import Billing

/// Which of Apple's reports a table of a warehouse has, and how it is written.
struct WarehouseLayout {
  private enum Form { case text, date, flag, number }

  private struct Column {
    var field: Int
    var name: String
    var form: Form
  }

  private let kind: InputKind
  private let separator: UInt8
  private let columns: [Column]
  /// Where the day of the report stands, the surest first. Where there is none, each row is said to
  /// lack it.
  private let dayFields: [Int]
  let vendorField: Int?
  let columnCount: Int
  /// Where the first record begins.
  let start: Int
  /// Columns that are none of Apple's.
  let unread: [String]
  /// Whether it has the titles of Apple's own report of sales: then it is a copy only where its
  /// rows are of several days.
  let isOwn: Bool
  /// The first line, without what ends it.
  let titleLine: [UInt8]

  /// What warehouses call the day of a report.
  private static let dayNames = [
    "date", "reportdate", "apireportdate", "reportday", "day", "dt", "ds", "partitiondate",
    "snapshotdate", "filename", "sourcefile",
  ]
  private static let vendorNames = [
    "vendornumber", "vendorno", "vendorid", "apivendornumber", "vendor",
  ]

  /// Finds the columns by a table's first line; nil where it is no header of a warehouse's copy of
  /// one of Apple's reports.
  ///
  /// - Parameter head: the first bytes of the file.
  init?(file: String, head: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let first = head.starts(with: mark) ? mark.count : 0
    guard let end = head[first...].firstIndex(of: 0x0A),
      firstMalformed(head[first..<end]) == nil
    else { return nil }
    var text = String(decoding: head[first..<end], as: UTF8.self)
    if text.hasSuffix("\r") { text.removeLast() }
    let header = Header(file: file, line: 1, text: text)
    let squeezed = header.printed.map(squeezedName)
    var renamed = header
    renamed.names = zip(header.names, squeezed).map { Self.titles[$1] ?? $0 }
    guard let kind = renamed.reportKind, kind == .sales || kind.isSubscriptions else { return nil }
    let isMarked = header.printed.contains { $0.hasPrefix("_") }
    // By which day a report of subscriptions goes, no column of Apple's says.
    let days = Self.dayNames.compactMap { squeezed.firstIndex(of: $0) }
    let isDated = kind.isSubscriptions && !days.isEmpty
    let isOwn = header.reportKind != nil && !isMarked && !isDated
    if isOwn {
      // What Apple's name says of one day, rows of another contradict.
      let name = SalesReportName(path: file)
      guard kind == .sales, name == nil || name!.begin != name!.end else { return nil }
    }
    (self.isOwn, titleLine) = (isOwn, Array(head[first..<end]))
    let titles = Self.titles(of: kind)
    columns = renamed.names.indices.compactMap { field in
      guard isOwn || titles.contains(renamed.names[field]) else { return nil }
      return Column(
        field: field, name: renamed.names[field], form: Self.form(renamed.names[field]))
    }
    let names = renamed.names
    let own = ["begin date", "end date", "event date"].compactMap { names.firstIndex(of: $0) }
    dayFields = kind == .sales ? own : days + own
    vendorField = Self.vendorNames.lazy.compactMap { squeezed.firstIndex(of: $0) }.first
    let read = Set(columns.map(\.field) + dayFields + (vendorField.map { [$0] } ?? []))
    unread = header.printed.indices.filter { !read.contains($0) && !squeezed[$0].isEmpty }
      .map { header.printed[$0] }
    (self.kind, separator, columnCount) = (kind, header.separator, header.names.count)
    start = end + 1
  }

  var isSales: Bool { kind == .sales }

  /// Whether a JSON object with these keys may be a row of a warehouse's copy of a report: more
  /// than four of them are titles of Apple's. Whether it is one, ``init(file:head:)`` finds.
  static func isRow(_ keys: [String]) -> Bool { keys.count { titles[squeezedName($0)] != nil } > 4 }

  /// Apple's titles by their letters and digits.
  private static let titles: [String: String] = {
    let names = [InputKind.sales, .subscription, .subscriptionEvent, .subscriber]
      .flatMap { titles(of: $0) }
    return Dictionary(names.map { (squeezedName($0), $0) }) { first, _ in first }
  }()

  /// The columns of Apple's report of a kind, by their normalised names.
  private static func titles(of kind: InputKind) -> Set<String> {
    if kind == .sales {
      return Set(SalesColumn.allCases.map(\.name)).union(["provider", "provider country"])
    }
    return Set(
      SubscriptionNames.product + SubscriptionNames.offer + SubscriptionNames.price
        + SubscriptionNames.circumstance + SubscriptionNames.older.keys
        + SubscriptionFigure.allCases.map(\.name) + [
          "event", "event date", "quantity", "original start date", "consecutive paid periods",
          "days before canceling", "days canceled", "paid service days recovered",
          "marketing opt-in", "marketing opt-in duration", "previous subscription name",
          "previous subscription apple id", "cancellation reason", "subscriber id",
          "subscriber id reset", "refund", "purchase date", "units",
        ])
  }

  /// How Apple writes the values of a column.
  private static func form(_ name: String) -> Form {
    switch name {
    case "preserved pricing", "refund", "subscriber id reset", "marketing opt-in": .flag
    case _ where name.hasSuffix(" date"): .date
    case _
    where name.hasSuffix(" id") || name.hasSuffix("identifier") || name.hasSuffix("subscriptions")
      || name.hasSuffix("offers"):
      .number
    case "units", "quantity", "subscribers", "billing retry", "grace period", "marketing opt-ins",
      "consecutive paid periods", "days before canceling", "days canceled",
      "paid service days recovered":
      .number
    default: .text
    }
  }

  /// The first line of the report: a mark of the encoding, which says that it is a copy, and the
  /// columns.
  var header: [UInt8] {
    [0xEF, 0xBB, 0xBF] + Array((columns.map(\.name).joined(separator: "\t") + "\n").utf8)
  }

  /// The place behind the record that begins at `start`; nil where its end is not there.
  ///
  /// - Parameter isEnd: whether the file ends with `bytes`.
  func end(ofRecordAt start: Int, _ bytes: [UInt8], isEnd: Bool) -> Int? {
    var index = start
    var isQuoted = false
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == 0x22, separator != 0x09 { isQuoted.toggle() }
      if byte == 0x0A, !isQuoted { return index }
    }
    return isEnd && !isQuoted && start < bytes.count ? bytes.count : nil
  }

  /// The places of a record's fields in it, by the file's columns.
  func fields(_ record: ArraySlice<UInt8>) -> [Range<Int>] {
    var fields: [Range<Int>] = []
    fields.reserveCapacity(columnCount)
    var (begin, isQuoted) = (record.startIndex, false)
    var end = record.endIndex
    while end > begin, record[end - 1] == 0x0A || record[end - 1] == 0x0D { end -= 1 }
    for index in begin..<end {
      let byte = record[index]
      if byte == 0x22, separator != 0x09 { isQuoted.toggle() }
      if byte == separator, !isQuoted {
        fields.append(begin..<index)
        begin = index + 1
      }
    }
    fields.append(begin..<end)
    return fields
  }

  /// A field's text: without quotation marks, empty for a word for nothing.
  func value(_ field: ArraySlice<UInt8>) -> String {
    var text = String(decoding: field, as: UTF8.self)
    if text.hasPrefix("\""), text.hasSuffix("\""), text.count > 1 {
      text = String(text.dropFirst().dropLast()).replacing("\"\"", with: "\"")
    }
    text = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    return isNullWord(text) ? "" : text
  }

  /// The days of the report that a record belongs to; nil where it names none.
  func days(_ record: ArraySlice<UInt8>, _ fields: [Range<Int>]) -> ClosedRange<Day>? {
    let told = dayFields.lazy.compactMap { Self.day(value(record[fields[$0]])) }
    guard kind == .sales else { return told.first.map { $0...$0 } }
    let days = Array(told)
    guard let first = days.first, let last = days.last, first <= last else { return nil }
    return first...last
  }

  /// Whether some of the records in these pieces of the file are of one day and some of another.
  func areOfSeveralDays(_ pieces: [ArraySlice<UInt8>]) -> Bool {
    var found: Set<Day> = []
    for piece in pieces {
      let bytes = Array(piece)
      var start = 0
      while let end = end(ofRecordAt: start, bytes, isEnd: true) {
        let record = bytes[start..<end]
        start = end
        let fields = fields(record)
        guard fields.count >= columnCount, let days = days(record, fields), days.count == 1
        else { continue }
        found.insert(days.lowerBound)
        if found.count > 1 { return true }
      }
    }
    return false
  }

  /// The day that a text names: `2024-12-07`, with a time of day or without, `12/07/2024`,
  /// `20241207`, `7 Dec 2024`, or the end of a report's name; nil for any other text.
  private static func day(_ text: String) -> Day? {
    if let day = Day(text.prefix(10)) { return day }
    let parts = text.prefix(10).split(separator: "/").compactMap(plainNumber)
    if parts.count == 3 { return Day(year: parts[2], month: parts[0], day: parts[1]) }
    return Array(text.utf8).withUnsafeBytes { namedDay($0) }
      ?? SubscriptionReportName(path: text)?.day
  }

  /// A hash of the values that a record has in Apple's columns. What a warehouse adds, such as when
  /// it loaded the row, differs from copy to copy and is left out.
  ///
  /// - Parameter fields: where the record's fields are, as ``fields(_:)`` finds them.
  func hash(_ record: ArraySlice<UInt8>, _ fields: [Range<Int>]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for column in columns {
      for byte in record[fields[column.field]] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 0x1F) &* 0x100_0000_01B3
    }
    return hash
  }

  /// A record as a line of Apple's report.
  func line(_ record: ArraySlice<UInt8>) -> [UInt8] {
    let fields = fields(record)
    let values = columns.map { column -> String in
      let text = value(record[fields[column.field]])
      switch column.form {
      case .text: return text
      case .date: return date(text)
      case .flag:
        return ["true", "t", "yes", "1"].contains(text.lowercased())
          ? "Yes" : ["false", "f", "no", "0"].contains(text.lowercased()) ? "" : text
      case .number:
        guard let dot = text.firstIndex(of: "."), plainNumber(text[..<dot]) != nil,
          text[dot...].dropFirst().allSatisfy({ $0 == "0" })
        else { return text }
        return String(text[..<dot])
      }
    }
    let line = values.map { value in
      String(value.map { $0 == "\t" || $0.isNewline ? " " : $0 })
    }.joined(separator: "\t")
    return Array((line + "\n").utf8)
  }

  /// A day as Apple's report has it: of sales `12/07/2024`, of subscriptions `2024-12-07`; what is
  /// no date stays.
  private func date(_ text: String) -> String {
    guard let day = Self.day(text) else { return text }
    guard kind == .sales else { return "\(day)" }
    let (year, month, number) = day.parts
    return "\(padded(month, 2))/\(padded(number, 2))/\(year)"
  }

  /// The name that Apple gives the report of a vendor and days, without an ending.
  func name(vendor: String, _ days: ClosedRange<Day>) -> String {
    func digits(_ day: Day) -> String { "\(day)".replacing("-", with: "") }
    let (first, last) = (days.lowerBound, days.upperBound)
    let who = vendor.isEmpty ? "" : vendor + "_"
    switch kind {
    case .subscription: return "Subscription_\(who)\(digits(last))"
    case .subscriptionEvent: return "Subscription_Event_\(who)\(digits(last))"
    case .subscriber: return "Subscriber_\(who)\(digits(last))"
    default:
      let (year, month, number) = first.parts
      let isMonth =
        number == 1 && last == first.advanced(by: Day.length(ofMonth: month, year: year) - 1)
      if isMonth { return "S_M_\(who)\(digits(first).prefix(6))" }
      if first.distance(to: last) == 6 { return "S_W_\(who)\(digits(last))" }
      if first == last { return "S_D_\(who)\(digits(last))" }
      return "S_\(who)\(digits(first))_\(digits(last))"
    }
  }
}

/// The offset of the first byte that is no well-formed UTF-8; nil when all are.
private func firstMalformed(_ bytes: ArraySlice<UInt8>) -> Int? {
  Array(bytes).withUnsafeBytes { firstMalformedUTF8($0) }
}
