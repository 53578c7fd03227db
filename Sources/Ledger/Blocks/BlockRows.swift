import Billing
import GRDB
import GRDBSQLite

/// The rows of a table that one statement goes through, one after the other. What is looked at for
/// each cell is not checked for overlapping access, which took a tenth of an export.
final class BlockRows {
  private let shape: BlockShape
  private let directory: BlockDirectory
  /// Blocks that have rows still to come, by their places in the directory.
  private var blocks: [Int] = []
  private var nextBlock = 0
  @exclusivity(unchecked) private var block: LoadedBlock? {
    didSet { blockAtHand = block.map { .passUnretained($0) } }
  }
  /// What ``block`` keeps: a cell that is read counts no reference, which took a fifth of a
  /// GROUP BY.
  @exclusivity(unchecked) private var blockAtHand: Unmanaged<LoadedBlock>?
  @exclusivity(unchecked) private var place = 0
  @exclusivity(unchecked) private var wanted = WantedRows()
  /// Rows still to come whose text was asked for; nil where none was.
  @exclusivity(unchecked) private var found: ArraySlice<IDEntry>?
  /// All rows in the order that the statement wants, where it wants one; `place` is then a place
  /// among these.
  @exclusivity(unchecked) private var ordered: [Int32]?
  /// Columns of rows that come in such an order; `kept` keeps them.
  @exclusivity(unchecked) private var columns: [Unmanaged<BlockLookup>?]
  /// Whether single rows are asked for.
  @exclusivity(unchecked) private var isPoint = false
  private var indexes: [Int: [IDEntry]] = [:]
  /// Rows of other tables that derived columns look at.
  private var others: [BlockTables: [Int: BlockLookup]] = [:]
  @exclusivity(unchecked) private var lists: [Unmanaged<ListedValues>?]
  /// What columns and lists name, as long as the statement runs.
  private var kept: [AnyObject] = []
  private var fileNames: ListedValues?
  /// The text of the last time that was shown, and its day.
  @exclusivity(unchecked) private var momentText = Array("0000-00-00T00:00:00Z".utf8)
  @exclusivity(unchecked) private var momentDay: Day?

  init(_ shape: BlockShape) {
    self.shape = shape
    directory = BlockDirectory(shape.connection, shape.table)
    lists = Array(repeating: nil, count: shape.lists.count)
    columns = Array(repeating: nil, count: shape.columnCount)
  }

  /// What a statement asks for, as far as blocks and numbers tell it.
  struct WantedRows {
    var first = Int64.min
    var last = Int64.max
    var source: Int64?
    /// By span the least and the most that is asked for.
    var spans: [(least: Int64, most: Int64)] = []
    /// Whether files are asked for that are not superseded, or that are; nil for all.
    var isCurrent: Bool?
    /// Whether something is asked for that no row has.
    var isNothing = false

    /// Wants all rows of a table whose blocks have so many spans beside them.
    init(spans: Int = 0) { self.spans = Array(repeating: (.min, .max), count: spans) }

    /// Narrows what is wanted by a condition of the statement.
    ///
    /// - Parameters:
    ///   - letter: what is compared and how, see ``BlockShape/plan(_:)``.
    ///   - span: for letters about a span its index, else without meaning.
    ///   - value: SQLite's value that it is compared with.
    mutating func take(_ letter: Character, _ span: Int, _ value: OpaquePointer?) {
      switch sqlite3_value_type(value) {
      case SQLITE_INTEGER: break
      case SQLITE_TEXT:
        let text = String(cString: sqlite3_value_text(value))
        switch letter {
        case "A": spans[span].least = max(spans[span].least, times(of: text).lowerBound)
        case "Z": spans[span].most = min(spans[span].most, times(of: text).upperBound)
        // A number is no text.
        case "c": isNothing = true
        default: break
        }
        return
      case SQLITE_NULL:
        // Nothing compares with NULL.
        isNothing = true
        return
      case SQLITE_FLOAT where letter == "c":
        if let number = Int64(exactly: sqlite3_value_double(value)) {
          narrow(toCurrent: number)
        } else {
          isNothing = true
        }
        return
      // What is no number SQLite compares itself.
      default: return
      }
      let number = sqlite3_value_int64(value)
      switch letter {
      case "=": (first, last) = (max(first, number), min(last, number))
      case "<": last = min(last, number)
      case ">": first = max(first, number)
      case "A", "Z": break
      case "c": narrow(toCurrent: number)
      case "s":
        if source ?? number != number { isNothing = true }
        source = number
      case "a": spans[span].least = max(spans[span].least, number)
      default: spans[span].most = min(spans[span].most, number)
      }
    }

    /// Narrows to files that are current, 1, or superseded, 0: no row has another number, or both.
    private mutating func narrow(toCurrent number: Int64) {
      let isAsked = number == 1
      if number != 0 && !isAsked || (isCurrent ?? isAsked) != isAsked { isNothing = true }
      isCurrent = isAsked
    }

    /// Times, in seconds since 1970, whose ISO text may begin as a text does, as far as that is a
    /// year, a month or a day; else all.
    private func times(of text: String) -> ClosedRange<Int64> {
      let bytes = Array(text.utf8)
      /// The number that the characters of `text` at these places spell; nil where not all are
      /// digits, where another byte than a hyphen stands before them, and outside of `known`.
      func number(_ places: Range<Int>, within known: ClosedRange<Int>) -> Int? {
        guard bytes.count >= places.upperBound,
          bytes[places].allSatisfy({ (0x30...0x39).contains($0) }),
          places.lowerBound == 0 || bytes[places.lowerBound - 1] == UInt8(ascii: "-")
        else { return nil }
        let value = bytes[places].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return known.contains(value) ? value : nil
      }
      guard let year = number(0..<4, within: 1...9998) else { return .min ... .max }
      let month = number(5..<7, within: 1...12)
      let day = month == nil ? nil : number(8..<10, within: 1...31)
      guard let first = Day(year: year, month: month ?? 1, day: day ?? 1) else {
        return .min ... .max
      }
      let end =
        if day != nil { first.advanced(by: 1) } else if let month, month < 12 {
          Day(year: year, month: month + 1, day: 1)
        } else { Day(year: year + 1, month: 1, day: 1) }
      return first.startUTC.seconds...((end ?? first).startUTC.seconds - 1)
    }
  }

  /// Begins to go through the rows that a statement asks for.
  ///
  /// - Parameters:
  ///   - plan: the text that ``BlockShape/plan(_:)`` gave.
  ///   - values: what its letters compare with, `count` of them.
  func begin(
    _ plan: String, _ values: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int32
  ) throws {
    wanted = WantedRows(spans: shape.table.spans.count)
    isPoint = plan.contains("=") || plan.contains("i")
    var asked: (derived: Int, value: OpaquePointer?)?
    var letters = Substring(plan)
    for index in 0..<Int(count) {
      let letter = letters.removeFirst()
      var span = 0
      if ["a", "z", "A", "Z", "i"].contains(letter) {
        span = letters.removeFirst().wholeNumberValue!
      }
      if letter == "i" {
        asked = (span, values![index])
      } else {
        wanted.take(letter, span, values![index])
      }
    }
    try directory.loadOnce()
    (found, ordered) = (nil, nil)
    if let asked { return try begin(at: asked.derived, equal: asked.value) }
    blocks = wanted.isNothing ? [] : try directory.places(of: wanted)
    nextBlock = 0
    if letters.first == "|" { return try begin(inOrder: letters.dropFirst()) }
    try enterNextBlock()
  }

  /// Whether the cursor is behind the last row.
  var isAtEnd: Bool { ordered.map { place >= $0.count } ?? (block == nil) }
  /// Of the row that the cursor is on.
  @exclusivity(unchecked) private(set) var number: Int64 = 0

  /// Moves the cursor to the next row that is wanted.
  @inline(__always)
  func next() throws {
    if found != nil { return try enterNextFound() }
    place &+= 1
    if let ordered {
      if place < ordered.count { number = Int64(ordered[place]) }
      return
    }
    try goToWantedRow()
  }

  // MARK: Rows in an order

  /// Reads the rows that are wanted, and puts them into an order by values of small tables.
  ///
  /// - Parameter order: see ``BlockShape/order(_:)``.
  private func begin(inOrder order: Substring) throws {
    var sortKeys: [(values: ListedValues, isAscending: Bool)] = []
    var key = 0
    var rest = order
    while let sign = rest.popFirst() {
      let digits = rest.prefix { $0.isNumber }
      rest = rest.dropFirst(digits.count)
      guard case .listed(let column, let list) = shape.derivedForms[Int(digits)!] else { continue }
      key = column
      sortKeys.append((try values(list), sign == "+"))
    }
    let count = sortKeys.map(\.values.count).max() ?? 1
    /// Whether rows that name the entry `one` of the small tables stand before those that name
    /// `other`, by the `sortKeys`; nil where both are equal.
    func isBefore(_ one: Int, _ other: Int) -> Bool? {
      for (values, isAscending) in sortKeys {
        if let isBefore = values.isBefore(one, other) { return isBefore == isAscending }
      }
      return nil
    }
    let sorted = (0..<count).sorted { isBefore($0, $1) ?? ($0 < $1) }
    // The same values have one rank: within it rows ascend, as they are read fastest.
    var ranks = Array(repeating: 0, count: count)
    for (before, next) in zip(sorted, sorted.dropFirst()) {
      ranks[next] = ranks[before] + (isBefore(before, next) == nil ? 0 : 1)
    }
    var (numbers, rankOfEach): ([Int32], [Int32]) = ([], [])
    var ends = Array(repeating: 0, count: count)
    while nextBlock < blocks.count {
      let held = try directory.block(blocks[nextBlock])
      nextBlock += 1
      let last = held.first + Int64(held.rowCount) - 1
      let wantedRows = max(wanted.first, held.first)...max(wanted.first, held.first, last)
      for number in wantedRows where number <= min(wanted.last, last) {
        let terms = try held.cell(key, Int(number - held.first)).number
        let rank = ranks[terms >= 0 && terms < count - 1 ? Int(terms) : count - 1]
        numbers.append(Int32(truncatingIfNeeded: number))
        rankOfEach.append(Int32(rank))
        ends[rank] += 1
      }
    }
    var start = 0
    for rank in ends.indices { (ends[rank], start) = (start, start + ends[rank]) }
    let all = [Int32](unsafeUninitializedCapacity: numbers.count) { rows, filled in
      for (number, rank) in zip(numbers, rankOfEach) {
        rows[ends[Int(rank)]] = number
        ends[Int(rank)] += 1
      }
      filled = numbers.count
    }
    (ordered, place) = (all, 0)
    if let first = all.first { number = Int64(first) }
  }

  /// The value of the row that the cursor is on in a column, by the column's index in a block.
  @inline(__always)
  private func cell(_ column: Int) throws -> ScannedCell {
    if ordered == nil, let blockAtHand {
      return try blockAtHand._withUnsafeGuaranteedRef { try $0.cell(column, place) }
    }
    if let known = columns[column] {
      return try known._withUnsafeGuaranteedRef { try $0.cell(ofRow: number) }
    }
    let made = BlockLookup(shape.connection, shape.table, column)
    kept.append(made)
    columns[column] = .passUnretained(made)
    return try made.cell(ofRow: number)
  }

  /// The number of the file of the row that the cursor is on.
  private var source: Int64 {
    ordered == nil ? block?.source ?? 0 : directory.source(ofRow: number)
  }

  // MARK: Rows by the text of an id

  /// Goes through the rows whose text in a derived column may be `value`; SQLite compares the texts
  /// themselves.
  private func begin(at derived: Int, equal value: OpaquePointer?) throws {
    guard sqlite3_value_type(value) != SQLITE_NULL else {
      block = nil
      return
    }
    let bytes = UnsafeRawBufferPointer(
      start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value)))
    let entries = try entries(of: derived)
    let key = IDKey(text: bytes).raw
    let first = entries.partitioningIndex { $0.key >= key }
    found = entries[first...].prefix { $0.key == key }
    try enterNextFound()
  }

  /// Goes on to the next row that was found by its text.
  private func enterNextFound() throws {
    while let next = found?.popFirst() {
      number = Int64(next.row)
      if number < wanted.first || number > wanted.last { continue }
      for candidate in directory.places(holding: number) {
        let held = try directory.block(candidate)
        guard let row = try held.place(of: number) else { continue }
        (block, place) = (held, row)
        return
      }
    }
    block = nil
  }

  /// The keys of all rows' texts in a derived column that a statement joins by, ascending: made
  /// once for each statement.
  private func entries(of derived: Int) throws -> [IDEntry] {
    if let known = indexes[derived] { return known }
    var made: [IDEntry] = []
    for place in try directory.places(of: WantedRows(spans: shape.table.spans.count)) {
      let held = try directory.block(place)
      for row in 0..<held.rowCount {
        let cell = try idCell(shape.derivedForms[derived]) { try held.cell($0, row) }
        if cell.isNull { continue }
        let key = cell.isText ? IDKey(text: cell.bytes) : IDKey(number: cell.number)
        made.append(IDEntry(key: key.raw, row: Int32(truncatingIfNeeded: try held.number(row))))
      }
    }
    made.withUnsafeMutableBufferPointer { sortByKey($0) }
    indexes[derived] = made
    return made
  }

  /// The id of a row that a derived column shows as text; NULL for derived columns of other forms.
  /// `cell` gives the row's value in a column, by the column's index in a block.
  private func idCell(
    _ form: BlockShape.DerivedForm, _ cell: (Int) throws -> ScannedCell
  ) throws -> ScannedCell {
    switch form {
    case .text(let column): return try cell(column)
    case .textOrOwn(let column, let own):
      let told = try cell(column)
      let isOwn = told.isText && told.bytes.isEmpty
      return isOwn ? try cell(own) : told
    default: return .null
    }
  }

  /// Goes on to the first row that is wanted, from the place on.
  private func goToWantedRow() throws {
    while let block {
      if place >= block.rowCount { return try enterNextBlock() }
      number = try block.number(place)
      if number > wanted.last, !shape.table.isSparse { return try enterNextBlock() }
      if number >= wanted.first, number <= wanted.last { return }
      place &+= 1
    }
  }

  /// Goes on to the first row of a later block that is wanted.
  private func enterNextBlock() throws {
    guard nextBlock < blocks.count else {
      block = nil
      return
    }
    let found = try directory.block(blocks[nextBlock])
    nextBlock += 1
    block = found
    place =
      shape.table.isSparse
      ? try found.place(from: wanted.first) : Int(max(wanted.first, found.first) - found.first)
    try goToWantedRow()
  }

  // MARK: Columns

  /// Gives SQLite a column of the row, by its number in statements.
  func show(_ column: Int, to context: OpaquePointer) throws {
    if isAtEnd { return sqlite3_result_null(context) }
    let leading = shape.leading.count
    if column < leading {
      return sqlite3_result_int64(context, column == leading - 1 ? source : number)
    }
    let own = column - leading
    if own < shape.columnCount { return try cell(own).show(to: context) }
    try show(shape.derivedForms[own - shape.columnCount], to: context)
  }

  /// Gives SQLite a derived column of the row.
  private func show(_ form: BlockShape.DerivedForm, to context: OpaquePointer) throws {
    switch form {
    case .text, .textOrOwn: try idCell(form, cell).showText(to: context)
    case .beside(let tables, let column):
      try lookup(column, in: tables).cell(ofRow: number).show(to: context)
    case .ofRow(let first, let name, let tables, let column):
      let row = try lookup(name, in: first).cell(ofRow: number)
      guard !row.isNull else { return sqlite3_result_null(context) }
      try lookup(column, in: tables).cell(ofRow: row.number).showText(to: context)
    case .listedBeside(let tables, let column, let list):
      let key = try lookup(column, in: tables).cell(ofRow: number)
      guard !key.isNull else { return sqlite3_result_null(context) }
      try show(key.number, of: list, to: context)
    case .listed(let key, let list):
      try show(key < 0 ? source : try cell(key).number, of: list, to: context)
    case .place(let line):
      try showPlace(source, try cell(line).number, to: context)
    case .moment(let column):
      let time = try cell(column)
      time.isNull ? sqlite3_result_null(context) : showMoment(time.number, to: context)
    }
  }

  /// Gives SQLite what a list (by its index in `shape.lists`) has for the row with this id of its
  /// small table.
  private func show(_ number: Int64, of list: Int, to context: OpaquePointer) throws {
    if isPoint, lists[list] == nil, try shape.showOne(list, number, to: context) { return }
    if let known = lists[list] {
      return known._withUnsafeGuaranteedRef { $0.show(number, to: context) }
    }
    try values(list).show(number, to: context)
  }

  /// Gives SQLite the name of a file and a line as one text; NULL for a file without one.
  private func showPlace(
    _ source: Int64, _ line: Int64, to context: OpaquePointer
  ) throws {
    let isNamed = try files().withText(source) { file in showPlace(file, line, to: context) }
    if !isNamed { sqlite3_result_null(context) }
  }

  /// Gives SQLite a file's name and a line as one text: `orders.csv:12`.
  private func showPlace(
    _ file: UnsafeRawBufferPointer, _ line: Int64, to context: OpaquePointer
  ) {
    withUnsafeTemporaryAllocation(byteCount: file.count + 24, alignment: 1) { bytes in
      bytes.copyMemory(from: file)
      bytes[file.count] = UInt8(ascii: ":")
      var digits = String(line)
      let count = digits.withUTF8 { digits in
        for (index, digit) in digits.enumerated() { bytes[file.count + 1 + index] = digit }
        return digits.count
      }
      let text = UnsafeRawBufferPointer(rebasing: bytes[..<(file.count + 1 + count)])
      give(text: text, to: context)
    }
  }

  /// Gives SQLite a time as ISO text in UTC.
  private func showMoment(_ seconds: Int64, to context: OpaquePointer) {
    let time = Instant(seconds: seconds)
    // SQLite's own function knows the years 0 to 9999.
    guard time >= Self.firstMoment, time < Self.endOfMoments else {
      return sqlite3_result_null(context)
    }
    let day = time.day()
    if day != momentDay {
      momentDay = day
      momentText.replaceSubrange(..<10, with: day.description.utf8)
    }
    let second = Int(seconds - day.startUTC.seconds)
    for (place, value) in [(11, second / 3600), (14, second / 60 % 60), (17, second % 60)] {
      momentText[place] = UInt8(0x30 + value / 10)
      momentText[place + 1] = UInt8(0x30 + value % 10)
    }
    momentText.withUnsafeBytes { give(text: $0, to: context) }
  }

  private static let firstMoment = Instant(seconds: -62_167_219_200)
  private static let endOfMoments = Instant(seconds: 253_402_300_800)

  /// All values of a list, by its index in `shape.lists`: what a derived column looks up.
  private func values(_ list: Int) throws -> ListedValues {
    if let known = lists[list] { return known.takeUnretainedValue() }
    let made = try shape.values(list)
    kept.append(made)
    lists[list] = .passUnretained(made)
    return made
  }

  /// The names of files, by their numbers.
  private func files() throws -> ListedValues {
    if let known = fileNames { return known }
    let made = try shape.fileNames()
    fileNames = made
    return made
  }

  /// The reader of a column of another table for single rows, one for each column, by its index.
  private func lookup(_ column: Int, in tables: BlockTables) -> BlockLookup {
    if let known = others[tables]?[column] { return known }
    let made = BlockLookup(shape.connection, tables.table, column)
    others[tables, default: [:]][column] = made
    return made
  }
}
