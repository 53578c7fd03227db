package import Billing

/// A sheet of an `.xlsx` workbook as the CSV that its reader would have saved: a line per row, in
/// the sheet's own rows, so that places in messages are the sheet's.
///
/// Texts stay as they are. Numbers are written with the fewest digits that mean the stored value,
/// which are those that were typed; beyond fifteen digits a spreadsheet has lost the rest, and the
/// number is written so that it is refused as an id. Cells with a format of dates become
/// `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, which have no zone.
package struct Spreadsheet {
  private let file: String
  private let parts: [String: ZipMember]
  private let source: ZipArchive.Source

  /// Whether an archive is a workbook.
  package static func isOne(_ archive: ZipArchive) -> Bool {
    archive.members.contains { $0.name == "xl/workbook.xml" }
  }

  package init(file: String, _ archive: ZipArchive, source: @escaping ZipArchive.Source) {
    self.file = file
    parts = Dictionary(
      archive.members.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.source = source
  }

  /// The maker that the workbook's properties name; nil where they name none.
  package var author: String? {
    guard let member = parts["docProps/core.xml"], let bytes = try? bytes(of: member) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self).firstMatch(of: #/<dc:creator>([^<]*)</#)
      .map { String($0.1) }
  }

  /// The names of its sheets, in their order.
  package func sheets() throws -> [String] {
    try part("xl/workbook.xml").withUnsafeBytes(Book.init).sheets.map(\.name)
  }

  /// The CSV of one of the workbook's sheets.
  ///
  /// - Parameters:
  ///   - wanted: names of sheets; the first that the workbook has, or where none is wanted its
  ///     first sheet that is not hidden.
  ///   - marksNumbers: whether numbers with a fraction are marked, so that the number 1.5 is not
  ///     taken for a text, in which a comma may be the decimal point.
  /// - Returns: the sheet's rows and name, the names of those that are not read, and what is to be
  ///   said of the rows.
  /// - Throws: a diagnostic for a workbook that lacks the sheets or is damaged, and for a sheet
  ///   with formulas that were never calculated: read as blank, a quantity of 3 would be 1.
  package func csv(
    sheets wanted: [String], marksNumbers: Bool = false
  ) throws -> (rows: [UInt8], sheet: String, unread: [String], remarks: [Diagnostic]) {
    let book = try part("xl/workbook.xml").withUnsafeBytes(Book.init)
    let named = wanted.lazy.compactMap { name in book.sheets.first { $0.name == name } }.first
    let first = book.sheets.first { !$0.isHidden } ?? book.sheets.first
    guard let sheet = named ?? (wanted.isEmpty ? first : nil) else {
      let names = book.sheets.map(\.name).joined(separator: ", ")
      throw wrong(
        "@container.workbook-has-no-sheet-named \(wanted.joined(separator: ", "))",
        help: "@container.its-sheets \(names)")
    }
    let targets = try part("xl/_rels/workbook.xml.rels").withUnsafeBytes(Self.targets)
    guard let target = targets[sheet.relation] else { throw damaged }
    let path = target.hasPrefix("/") ? String(target.dropFirst()) : "xl/" + target
    let texts = try (parts["xl/sharedStrings.xml"].map(bytes) ?? []).withUnsafeBytes(
      SheetTexts.init)
    let formats = try (parts["xl/styles.xml"].map(bytes) ?? []).withUnsafeBytes(DateFormats.init)
    var rows = SheetRows(
      texts: texts, formats: formats, startsIn1904: book.startsIn1904, marksNumbers: marksNumbers)
    try part(path).withUnsafeBytes { rows.read($0) }
    if rows.isDamaged { throw damaged }
    if rows.isTooWide {
      throw wrong(
        "@container.sheet-is-larger-than", help: "@container.export-it-as-csv-utf")
    }
    let formulas = rows.uncalculated
    if formulas.count > 0 {
      throw wrong(
        counted(
          formulas.count, "@container.1-formula-was-never-calculated \(formulas.first.name)"
        ) { "@container.formulas-were-never-calculated \($0) \(formulas.first.name)" },
        line: formulas.first.row, help: "@container.open-it-save-it-and")
    }
    return (
      rows.csv, sheet.name, book.sheets.map(\.name).filter { $0 != sheet.name },
      remarks(on: rows.emptyTexts)
    )
  }

  /// The warning that formulas give empty texts: some programs write so what they did not
  /// calculate.
  private func remarks(on cells: SheetRows.CellCount) -> [Diagnostic] {
    if cells.count == 0 { return [] }
    var remark = wrong(
      counted(cells.count, "@container.1-formula-gives-an-empty-text \(cells.first.name)") {
        "@container.formulas-give-empty-texts \($0) \(cells.first.name)"
      }, line: cells.first.row, help: "@container.where-the-sheet-shows-values")
    remark.severity = .warning
    return [remark]
  }

  /// The bytes of the part with this path in the archive; throws a diagnostic when there is none.
  private func part(_ name: String) throws -> [UInt8] {
    guard let member = parts[name] else { throw damaged }
    return try bytes(of: member)
  }

  /// Bytes of a part that are held at once.
  private static let limit = 1 << 30

  /// The unpacked bytes of a part; throws a diagnostic when it is larger than the limit.
  private func bytes(of member: ZipMember) throws -> [UInt8] {
    guard member.size <= Self.limit else {
      throw wrong(
        "@container.sheet-is-larger-than", help: "@container.export-it-as-csv-utf")
    }
    let read = try member.bytes(source)
    var bytes = [UInt8](repeating: 0, count: member.size + 1)
    let count = try bytes.withUnsafeMutableBytes { try read($0) }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// A diagnostic about the workbook, or about a row of its sheet.
  private func wrong(_ message: Wording, line: Int = 0, help: Wording) -> Diagnostic {
    Diagnostic(topic: "xlsx", at: SourceLocation(file: file, line: line), message, help: help)
  }

  private var damaged: Diagnostic {
    wrong("@container.workbook-lacks-parts", help: "@container.save-it-again")
  }

  /// The paths of a workbook's parts, by the ids by which its sheets name them.
  private static func targets(_ bytes: UnsafeRawBufferPointer) -> [String: String] {
    var scan = MarkupScan(bytes)
    var targets: [String: String] = [:]
    while let token = scan.next() {
      guard token == .start, scan.isNamed("Relationship"), let id = scan.textAttribute("Id")
      else { continue }
      targets[id] = scan.textAttribute("Target")
    }
    return targets
  }
}

/// A workbook's sheets, and the day from which it counts.
private struct Book {
  var sheets: [(name: String, relation: String, isHidden: Bool)] = []
  var startsIn1904 = false

  /// Reads `xl/workbook.xml`.
  init(_ bytes: UnsafeRawBufferPointer) {
    var scan = MarkupScan(bytes)
    while let token = scan.next() {
      guard token == .start else { continue }
      if scan.isNamed("sheet") {
        sheets.append(
          (
            scan.textAttribute("name") ?? "", scan.textAttribute("id") ?? "",
            ["hidden", "veryHidden"].contains(scan.textAttribute("state"))
          ))
      } else if scan.isNamed("workbookPr") {
        startsIn1904 = ["1", "true"].contains(scan.textAttribute("date1904"))
      }
    }
  }
}

/// Which formats of cells show dates, and which of them a time of day too.
struct DateFormats {
  enum Form { case number, day, time }

  private var forms: [Form] = []

  /// Reads the styles of a workbook: the form of each style of cells, in their order.
  init(_ bytes: UnsafeRawBufferPointer) {
    var scan = MarkupScan(bytes)
    var codes: [Int: Form] = [:]
    var areCells = false
    while let token = scan.next() {
      if token == .start, scan.isNamed("numFmt") {
        guard let id = scan.numberAttribute("numFmtId") else { continue }
        codes[id] = Self.form(ofCode: scan.textAttribute("formatCode") ?? "")
      } else if token != .text, scan.isNamed("cellXfs") {
        areCells = token == .start && !scan.isEmpty
      } else if token == .start, areCells, scan.isNamed("xf") {
        let id = scan.numberAttribute("numFmtId") ?? 0
        forms.append(codes[id] ?? Self.form(ofBuiltIn: id))
      }
    }
  }

  /// The form of cells that have a style.
  func form(ofStyle style: Int) -> Form { forms.indices.contains(style) ? forms[style] : .number }

  /// The form of a format without a code of the file's own, by ECMA-376, part 1, 18.8.30.
  private static func form(ofBuiltIn id: Int) -> Form {
    switch id {
    case 14...17, 27...31, 34...36, 50...58: .day
    case 22: .time
    default: .number
    }
  }

  /// The form of a format by its code: one with a year or a day in it is a date; texts in quotes
  /// and conditions are none of it.
  private static func form(ofCode code: String) -> Form {
    var letters = ""
    var isQuoted = false
    var isCondition = false
    for character in code.lowercased() {
      switch character {
      case "\"" where !isCondition: isQuoted.toggle()
      case "[" where !isQuoted: isCondition = true
      case "]" where !isQuoted: isCondition = false
      case ";" where !isQuoted && !isCondition:
        return form(ofLetters: letters)
      default:
        if !isQuoted, !isCondition { letters.append(character) }
      }
    }
    return form(ofLetters: letters)
  }

  /// The form of a code in lower case from which quoted texts and conditions are taken out.
  private static func form(ofLetters letters: String) -> Form {
    guard letters.contains("y") || letters.contains("d") else { return .number }
    return letters.contains("h") ? .time : .day
  }
}
