import Billing
import Glibc

/// Makes the XML of a sheet's rows, into bytes of its own: a long list has millions of cells.
struct RowXML: ~Copyable {
  /// A style that has no number yet, and where in the bytes its number is to stand.
  struct OpenStyle {
    var place: Int
    var look: Look
  }

  private let layout: SheetLayout
  private var bytes: UnsafeMutablePointer<UInt8>
  private var capacity = 1 << 20
  private var count = 0
  private let styles: [Look: Int]
  /// By column the styles of its last cells: most cells look as the one above them.
  private var recent: [(look: Look, style: Int)?] = []
  private static let recentLooks = 2
  /// In their order.
  private(set) var openStyles: [OpenStyle] = []
  private(set) var cellCount = 0
  private(set) var extent = SheetExtent()
  /// The XML of the sheet's link objects.
  private(set) var links: [UInt8] = []

  /// Begins without rows.
  ///
  /// - Parameter styles: the numbers of the looks that have one.
  init(_ layout: SheetLayout, styles: [Look: Int]) {
    self.layout = layout
    self.styles = styles
    bytes = .allocate(capacity: capacity)
  }

  deinit { bytes.deallocate() }

  /// Hands over the XML that was made so far.
  func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    body(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Appends the XML of a row and of its cells that are not left out.
  ///
  /// - Parameters:
  ///   - height: in points; nil is that of a line.
  ///   - number: of the row, from 0.
  mutating func add(_ row: Row, height: Double?, at number: Int) {
    reserve(128)
    let start = count
    put(#"<row r=""#)
    let digitsStart = count
    put(decimal: UInt64(number + 1))
    let digits = digitsStart..<count
    if let height {
      put(#"" ht=""#)
      put(height)
      put(#"" customHeight="1"#)
    }
    put(#"">"#)
    let begin = count
    var columns: ClosedRange<Int>?
    for column in row.cells.indices {
      let cell = row.cells[column]
      let look = layout.look(of: cell, in: row, column)
      if layout.isLeftOut(cell, look) { continue }
      add(cell, look, column, digits)
      columns = (columns?.lowerBound ?? column)...column
    }
    if count > begin {
      put("</row>")
    } else if height != nil {
      count -= 1
      put("/>")
    } else {
      count = start
      return
    }
    extent.add(rows: number...number, columns: columns)
  }

  /// Appends the XML of a cell.
  ///
  /// - Parameter digits: where in the bytes the row's number stands.
  private mutating func add(_ cell: Cell, _ look: Look, _ column: Int, _ digits: Range<Int>) {
    cellCount += 1
    reserve(128)
    put(#"<c r=""#)
    put(columnLetters: column)
    memcpy(bytes + count, bytes + digits.lowerBound, digits.count)
    count += digits.count
    put(#"" s=""#)
    put(style: look, column)
    switch cell {
    case .blank: put(#""/>"#)
    case .text(let text): put(inline: fitted(text))
    case .formula(let formula, let value): put(formula: formula, value)
    case .link(let place, let text):
      if layout.hasLinkObjects {
        put(inline: text)
        addLink(place, text, column, digits)
      } else {
        put(linkTo: place, text)
      }
    case .integer, .ordinal, .money, .ratio, .rate, .exchange, .day, .quotient, .share:
      let start = count
      put(#""><v>"#)
      if put(number: cell) {
        put("</v></c>")
      } else {
        count = start
        put(inline: cell.exactText)
      }
    }
  }

  /// Appends the number of a look's style, or notes that it is missing here.
  private mutating func put(style look: Look, _ column: Int) {
    let first = column * Self.recentLooks
    while recent.count < first + Self.recentLooks { recent.append(nil) }
    for place in first..<(first + Self.recentLooks) {
      if let known = recent[place], known.look == look {
        put(decimal: UInt64(known.style))
        return
      }
    }
    if let style = styles[look] {
      recent[first + cellCount % Self.recentLooks] = (look, style)
      put(decimal: UInt64(style))
    } else {
      openStyles.append(OpenStyle(place: count, look: look))
    }
  }

  /// Appends the text of a cell, from the end of its style on. Where no byte of it needs care it
  /// stands as a formula's would, which is the shortest that spreadsheets read.
  private mutating func put(inline text: String) {
    var text = text
    text.withUTF8 { text in
      guard let (first, last) = text.first.map({ ($0, text[text.count - 1]) }) else {
        return put(#""/>"#)
      }
      let isSpaced = Self.isSpace(first) || Self.isSpace(last)
      if !isSpaced, !Self.mayEndInSpace(text), Self.isPlain(text, isAttribute: false) {
        reserve(text.count)
        put(#"" t="str"><v>"#)
        memcpy(bytes + count, text.baseAddress!, text.count)
        count += text.count
        return put("</v></c>")
      }
      put(#"" t="inlineStr"><is><t"#)
      if isSpaced { put(#" xml:space="preserve""#) }
      put(">")
      put(escaped: text)
      put("</t></is></c>")
    }
  }

  /// Whether a byte is a blank, a tab or a line break.
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 9 || byte == 10 }

  /// Whether a space of more than one byte may stand at either end of a text; some readers would
  /// take it away. All such spaces begin with these bytes.
  private static func mayEndInSpace(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    /// Whether the text's byte at an index is one with which a space of so many bytes (2 or 3)
    /// begins; false outside of the text.
    func begins(_ index: Int, _ length: Int) -> Bool {
      guard text.indices.contains(index) else { return false }
      return length == 2 ? text[index] == 0xC2 : 0xE1...0xE3 ~= text[index]
    }
    return begins(0, 2) || begins(0, 3) || begins(text.count - 2, 2) || begins(text.count - 3, 3)
  }

  /// Appends a formula and its value, from the end of the cell's style on.
  private mutating func put(formula: String, _ value: Cell) {
    let start = count
    put(#""><f>"#)
    put(escaped: formula)
    put("</f><v>")
    if put(number: value) { return put("</v></c>") }
    count = start
    put(#"" t="str"><f>"#)
    put(escaped: formula)
    put("</f><v>")
    put(escaped: value.exactText)
    put("</v></c>")
  }

  /// Appends a formula that leads to a place and shows a text: as ``linkFormula(_:_:)``, without
  /// making a string of it.
  private mutating func put(linkTo place: Place, _ text: String) {
    if text.utf8.contains(UInt8(ascii: "\"")) {
      return put(formula: linkFormula(place, text), .text(text))
    }
    put(#"" t="str"><f>HYPERLINK(""#)
    put("#'")
    put(escaped: place.sheet)
    put("'!A")
    put(decimal: UInt64(place.row))
    put(#"",""#)
    put(escaped: text)
    put(#"")</f><v>"#)
    put(escaped: text)
    put("</v></c>")
  }

  /// Adds a link object to ``links``; they stand behind the rows.
  ///
  /// - Parameter digits: where in the bytes the row's number stands.
  private mutating func addLink(
    _ place: Place, _ text: String, _ column: Int, _ digits: Range<Int>
  ) {
    let start = count
    put(#"<hyperlink ref=""#)
    put(columnLetters: column)
    memcpy(bytes + count, bytes + digits.lowerBound, digits.count)
    count += digits.count
    put(#"" location=""#)
    put(escaped: place.reference, isAttribute: true)
    put(#"" display=""#)
    put(escaped: text, isAttribute: true)
    put(#""/>"#)
    links += UnsafeBufferPointer(start: bytes + start, count: count - start)
    count = start
  }
}

extension RowXML {
  /// Makes room for so many more bytes and for what the fixed parts of one more cell take.
  private mutating func reserve(_ more: Int) {
    let needed = count + more + 256
    if needed <= capacity { return }
    capacity = max(needed, 2 * capacity)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    memcpy(larger, bytes, count)
    bytes.deallocate()
    bytes = larger
  }

  /// Appends a fixed text; there must be room for it.
  @inline(__always) private mutating func put(_ text: StaticString) {
    memcpy(bytes + count, text.utf8Start, text.utf8CodeUnitCount)
    count += text.utf8CodeUnitCount
  }

  /// Appends one byte; there must be room for it.
  private mutating func put(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  /// Appends a column's letters; 0 is A.
  private mutating func put(columnLetters column: Int) {
    if column < 26 { return put(0x41 + UInt8(column)) }
    for letter in Reporting.columnLetters(column).utf8 { put(letter) }
  }

  /// Appends a whole number in decimal digits.
  private mutating func put(decimal number: UInt64) {
    var places = 1
    var bound: UInt64 = 10
    while number >= bound, places < 19 {
      places += 1
      bound *= 10
    }
    if places == 19, number >= bound { places = 20 }
    put(number, places: places)
  }

  /// Appends the last digits of a number, so many, with zeros before it.
  private mutating func put(_ number: UInt64, places: Int) {
    var rest = number
    for place in stride(from: count + places - 1, through: count, by: -1) {
      bytes[place] = UInt8(0x30 + rest % 10)
      rest /= 10
    }
    count += places
  }

  /// Appends a binary number as the shortest decimal that names it.
  private mutating func put(_ number: Double) {
    reserve(64)
    if let whole = Int64(exactly: number) { return put(integer: whole) }
    for byte in number.description.utf8 { put(byte) }
  }

  /// Appends a whole number in decimal digits, with its sign.
  private mutating func put(integer: Int64) {
    if integer < 0 { put("-") }
    put(decimal: integer.magnitude)
  }

  /// Appends micro-units as a decimal without trailing zeros.
  private mutating func put(micros: Int64) {
    if micros < 0 { put("-") }
    put(decimal: micros.magnitude / 1_000_000)
    var fraction = micros.magnitude % 1_000_000
    if fraction == 0 { return }
    var places = 6
    while fraction % 10 == 0 {
      fraction /= 10
      places -= 1
    }
    put(".")
    put(fraction, places: places)
  }

  /// Appends the number that a spreadsheet gets; returns false, and appends nothing, where there is
  /// none. A decimal stands as it is where it is that number's, so that it is read as the same.
  private mutating func put(number cell: Cell) -> Bool {
    switch cell {
    case .blank, .text, .link: return false
    case .integer(let value), .ordinal(let value):
      guard CellNumber.binary(integer: value) != nil else { return false }
      put(integer: value)
    case .money(let micros, _), .ratio(let micros), .rate(let micros):
      guard CellNumber.binary(micros: micros) != nil else { return false }
      put(micros: micros)
    case .day, .quotient, .share, .exchange:
      guard let number = cell.binary else { return false }
      put(number)
    case .formula(_, let value): return put(number: value)
    }
    return true
  }

  /// Appends text with what XML needs escaped; see ``carriable(_:)``.
  private mutating func put(escaped text: String, isAttribute: Bool = false) {
    var text = text
    text.withUTF8 { put(escaped: $0, isAttribute: isAttribute) }
  }

  /// Appends UTF-8 text with what XML needs escaped.
  private mutating func put(escaped text: UnsafeBufferPointer<UInt8>, isAttribute: Bool = false) {
    reserve(text.count)
    guard let start = text.baseAddress else { return }
    if Self.isPlain(text, isAttribute: isAttribute) {
      memcpy(bytes + count, start, text.count)
      count += text.count
    } else {
      // The longest escape of one byte.
      reserve(8 * text.count)
      for place in text.indices { put(text, place, isAttribute: isAttribute) }
    }
  }

  /// Whether no byte of a text may need an escape; eight bytes are looked at together.
  private static func isPlain(
    _ text: UnsafeBufferPointer<UInt8>, isAttribute: Bool
  ) -> Bool {
    // Quotes are escaped in attributes alone; elsewhere another byte is looked for twice.
    let quote = isAttribute ? UInt8(ascii: "\"") : UInt8(ascii: "&")
    let bytes = UnsafeRawBufferPointer(text)
    if text.count < 8 {
      var word = eightTimes(UInt8(ascii: "a"))
      for byte in text { word = word << 8 | UInt64(byte) }
      return !needsEscape(word, quote)
    }
    var found = false
    for place in stride(from: 0, to: text.count - 8, by: 8) {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      found = found || needsEscape(word, quote)
    }
    // The last eight, some of which were looked at.
    let last = bytes.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self)
    return !(found || needsEscape(last, quote))
  }

  /// Whether one of the eight bytes of a word may need an escape, or is the quote.
  ///
  /// - Parameter quote: a byte that is looked for beside those that always need one.
  private static func needsEscape(_ word: UInt64, _ quote: UInt8) -> Bool {
    // The highest bit of each byte that is what is looked for, and of some above it.
    var found = (word &- eightTimes(0x20)) & ~word
    for byte in [UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "_"), 0xEF] {
      found |= zeroBytes(word ^ eightTimes(byte))
    }
    found |= zeroBytes(word ^ eightTimes(quote))
    return found & eightTimes(0x80) != 0
  }

  /// The highest bit of each byte of a word that is zero, and perhaps of some above it.
  private static func zeroBytes(_ word: UInt64) -> UInt64 { (word &- eightTimes(1)) & ~word }

  /// A word of eight times the same byte.
  private static func eightTimes(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// Appends the byte of a text at an index, or the escape that it needs.
  private mutating func put(
    _ text: UnsafeBufferPointer<UInt8>, _ place: Int, isAttribute: Bool
  ) {
    let byte = text[place]
    switch byte {
    case UInt8(ascii: "&"): put("&amp;")
    case UInt8(ascii: "<"): put("&lt;")
    case UInt8(ascii: ">"): put("&gt;")
    case UInt8(ascii: "\"") where isAttribute: put("&quot;")
    case 0: put("\u{FFFD}")
    case 9, 10: if isAttribute { put(byte == 9 ? "&#x9;" : "&#xA;") } else { put(byte) }
    case 1..<0x20:
      put("_x00")
      put(Self.hexDigit(byte >> 4))
      put(Self.hexDigit(byte & 15))
      put("_")
    case UInt8(ascii: "_") where Self.startsEscape(text, place): put("_x005F_")
    case 0xBE, 0xBF: put(Self.endsNoCharacter(text, place) ? 0xBD : byte)
    default: put(byte)
    }
  }

  /// The hexadecimal digit of a value below 16, as ASCII.
  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x41 - 10 + value
  }

  /// Whether the last byte of U+FFFE or U+FFFF stands here, which becomes that of U+FFFD.
  private static func endsNoCharacter(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    place >= 2 && text[place - 2] == 0xEF && text[place - 1] == 0xBF
  }

  /// Whether `_xHHHH_` stands in a text from an index on.
  private static func startsEscape(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    guard place + 6 < text.count, text[place + 1] == UInt8(ascii: "x"),
      text[place + 6] == UInt8(ascii: "_")
    else { return false }
    return text[(place + 2)..<(place + 6)].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
}
