internal import Billing

/// The columns of a table that are known by name, and where a file has them.
struct ColumnMap {
  /// Per known column, in the order of the names: the file's field, or −1.
  let fields: [Int]
  let unknown: [String]

  /// Every known column at its own place: how JSON objects are laid out.
  ///
  /// - Parameter count: how many columns are known.
  init(identity count: Int) {
    fields = Array(0..<count)
    unknown = []
  }

  /// Columns at fields of the file that are known already.
  init(fields: [Int]) {
    self.fields = fields
    unknown = []
  }

  /// No known column, and these that are not known.
  init(unknown: [String]) {
    fields = []
    self.unknown = unknown
  }

  /// Finds the known columns `names` in a file's header.
  ///
  /// - Parameters:
  ///   - header: its `names` are normalised, and empty for columns without one.
  ///   - isIgnored: whether a name that is not known is passed over in silence.
  /// - Throws: a diagnostic that names a missing required column, or one that is there twice.
  init(
    _ header: Header, names: [String], required: [String],
    isIgnored: (String) -> Bool = { _ in false }
  ) throws {
    var fields = Array(repeating: -1, count: names.count)
    var unknown: [String] = []
    let indexes = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    for (field, name) in header.names.enumerated() where !name.isEmpty {
      guard let index = indexes[name] else {
        if !isIgnored(name) { unknown.append(header.printed[field]) }
        continue
      }
      if fields[index] >= 0 {
        throw header.diagnostic(
          "@shared.column-occurs-twice \(header.printed[field])",
          help: "@shared.leave-one-of-them-out")
      }
      fields[index] = field
    }
    let missing = required.filter { fields[indexes[$0]!] < 0 }
    if !missing.isEmpty {
      let list = missing.joined(separator: ", ")
      throw header.diagnostic(
        missing.count == 1
          ? "@shared.column-is-missing \(list)" : "@shared.columns-are-missing \(list)",
        help: "@shared.header-has \(header.printed.filter { !$0.isEmpty }.joined(separator: ", "))")
    }
    self.fields = fields
    self.unknown = unknown
  }
}

/// The first line of a table.
struct Header {
  var file: String
  var line: Int
  /// As printed, trimmed.
  var printed: [String]
  /// For look-up: lower case, single spaces, none around `/`.
  var names: [String]
  var separator: UInt8
  /// What the first rows have, for those who have to guess; nil where nobody can look.
  var samples: (() -> ColumnSamples)?
  /// The lines above it.
  var titles = ""
  /// Columns, as printed, whose first value is an object or a list, which no column reads.
  var nested: Set<String> = []

  /// A header that is a line of text; where tabs divide it, quotation marks are part of names.
  init(file: String, line: Int, text: String) {
    let separator = Self.separator(of: text)
    let fields = Self.fields(text, separator: separator, quoting: separator != 0x09)
    self.init(
      file: file, line: line, separator: separator,
      printed: fields.map {
        String($0.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
      })
  }

  /// A header whose columns are divided already.
  ///
  /// - Parameter printed: the names of columns as the file has them, trimmed.
  init(file: String, line: Int, separator: UInt8, printed: [String]) {
    self.file = file
    self.line = line
    self.separator = separator
    self.printed = printed
    names = printed.map(Self.normalised)
  }

  /// The byte that divides a header's columns: comma, tab, semicolon or bar, of which it has most.
  static func separator(of text: String) -> UInt8 {
    /// How often the text has a byte.
    func count(_ byte: UInt8) -> Int { text.utf8.reduce(0) { $0 + ($1 == byte ? 1 : 0) } }
    let candidates: [UInt8] = [0x2C, 0x09, 0x3B, 0x7C]
    return candidates.max { count($0) < count($1) }.flatMap { count($0) > 0 ? $0 : nil } ?? 0x2C
  }

  /// A diagnostic about columns, at the header's line.
  func diagnostic(_ message: Wording, help: Wording) -> Diagnostic {
    Diagnostic(
      topic: "column", at: SourceLocation(file: file, line: line), message, help: help)
  }

  /// The diagnostic of a header that fits several kinds of table: it asks to say which one it is.
  func doubt(_ kinds: [InputKind]) -> Diagnostic {
    let flags = kinds.map { ["--as", $0.rawValue].joined(separator: " ") }.joined(separator: ", ")
    let names = kinds.map(\.rawValue).joined(separator: ", ")
    var doubt = diagnostic(
      "@text.header-fits-more-than-one \(names)",
      help: "@text.import-it-by-itself \(flags) \(kinds[0].rawValue)")
    doubt.mayBe = kinds
    return doubt
  }

  /// The currency that the name of a column has in it, or that a line above the header says:
  /// `Betrag (EUR)`, `Währung: EUR`; nil for none, and for several.
  func statedCurrency(_ column: String) -> Currency? {
    let own = Self.currencies(column)
    if own.count == 1 { return own.first }
    if column.contains("(元)") || column.contains("（元）") { return Currency("CNY") }
    let names = ["currency", "währung", "waehrung", "devise", "币种", "货币", "通貨", "moneda"]
    let said = titles.split(whereSeparator: \.isNewline).filter { line in
      names.contains(where: line.lowercased().contains)
    }
    let found = said.reduce(into: Set<Currency>()) { $0.formUnion(Self.currencies($1)) }
    return found.count == 1 ? found.first : nil
  }

  /// Whether a column's own name says its currency: `Amount (EUR)`.
  func namesCurrency(_ column: String) -> Bool { Self.currencies(column).count == 1 }

  /// The currencies whose codes are words of three capitals in a text.
  private static func currencies(_ text: some StringProtocol) -> Set<Currency> {
    let words = text.split { !$0.isLetter }.filter {
      $0.count == 3 && $0.allSatisfy(\.isUppercase)
    }
    return Set(words.compactMap { namedCurrency(String($0)) })
  }

  /// Whether the table has a column of that normalised name.
  func has(_ name: String) -> Bool { names.contains(name) }

  /// A column's name for look-up: trimmed, lower case, spaces collapsed and none around `/`.
  static func normalised(_ name: String) -> String {
    let words = name.lowercased().split { $0.isWhitespace }.joined(separator: " ")
    return words.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: "/")
  }

  /// The fields of a header's line.
  ///
  /// - Parameter quoting: whether quotation marks enclose fields, and are taken off.
  private static func fields(_ text: String, separator: UInt8, quoting: Bool) -> [String] {
    var fields: [String] = []
    var field: [UInt8] = []
    var insideQuotes = false
    for byte in text.utf8 {
      if quoting, byte == 0x22 {
        insideQuotes.toggle()
      } else if byte == separator, !insideQuotes {
        fields.append(String(decoding: field, as: UTF8.self))
        field = []
      } else {
        field.append(byte)
      }
    }
    fields.append(String(decoding: field, as: UTF8.self))
    return fields
  }
}

/// A column's name without what people write differently, for comparison: its letters in lower case
/// and its digits, without blanks and marks.
func squeezedName(_ name: String) -> String {
  // Guesses compare thousands of names, nearly all in ASCII.
  if let bytes = name.utf8.withContiguousStorageIfAvailable(squeezedASCII) ?? nil {
    return String(decoding: bytes, as: UTF8.self)
  }
  return String(
    name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || isDigit($0) })
}

/// The letters in lower case and the digits of a text; nil where it has more than ASCII.
private func squeezedASCII(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
  var squeezed: [UInt8] = []
  squeezed.reserveCapacity(text.count)
  for byte in text {
    switch byte {
    case 0x80...: return nil
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): squeezed.append(byte | 0x20)
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      squeezed.append(byte)
    default: break
    }
  }
  return squeezed
}

private func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
