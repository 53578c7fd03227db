import Billing
import CXLSXWriter
import Glibc

/// Who the properties of each workbook say made it, in any language.
package let workbookAuthor = "Tieout"

/// Writes a workbook to a file that appears whole, or to what a path names that only flows away,
/// such as a pipe.
///
/// - Parameter day: the date that the document's properties tell; no clock is read.
func write(
  _ sheets: [Sheet], titled title: String, made day: Day, to path: String, limits: Limits
) throws(OutputError) {
  let file = try OutputFile(path)
  if let folder = file.folder {
    try write(sheets, titled: title, made: day, into: file, besides: folder, limits: limits)
    try file.commit()
    return
  }
  // A workbook is written here and there: what flows away gets one that is ready.
  let whole = try OutputFile(unkeptIn: temporaryFolder)
  try write(
    sheets, titled: title, made: day, into: whole, besides: temporaryFolder, limits: limits)
  try whole.readBack { bytes throws(OutputError) in try file.write(bytes) }
}

/// The path of the folder for temporary files: the user's choice, or the system's own.
private var temporaryFolder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

/// Writes the workbook into a file and reads it back.
///
/// The library ignores what the system answers it: its package is made twice, and must be the same.
///
/// - Parameter folder: one with room, for what is kept meanwhile.
func write(
  _ sheets: [Sheet], titled title: String, made day: Day, into file: OutputFile,
  besides folder: String, limits: Limits
) throws(OutputError) {
  // The library makes the package, without most rows: they are made on all cores.
  var book = try LibraryBook(titled: title, made: day, besides: folder)
  var spool = try RowSpool(besides: folder)
  let package = try book.write(sheets, through: &spool, limits: limits)
  let again = try book.writeAgain(titled: title, made: day, besides: folder)
  guard try isSame(package, again) else { throw .damaged }
  let rows = try writePackage(from: package.alias, with: book.rows, of: spool, to: file)
  try checkWorkbook(at: file.alias, cells: book.cells, packed: rows)
}

/// Whether two files have the same bytes.
private func isSame(_ file: OutputFile, _ other: OutputFile) throws(OutputError) -> Bool {
  let one = try MappedFile(file.alias, minimum: BookArchive.endSize)
  let two = try MappedFile(other.alias, minimum: BookArchive.endSize)
  return one.bytes.count == two.bytes.count
    && memcmp(one.bytes.baseAddress!, two.bytes.baseAddress!, one.bytes.count) == 0
}

/// A workbook of the library's, and what it takes to make it again without making its rows again.
private struct LibraryBook {
  private let file: OutputFile
  private let workbook: UnsafeMutablePointer<lxw_workbook>
  private var formats: Formats
  private var writers: [SheetWriter] = []
  /// How many each sheet has.
  private(set) var cells: [Int] = []
  /// Of the sheets whose rows the library does not keep.
  private(set) var rows: [Int: SpooledRows] = [:]

  /// Begins an empty workbook in a file that is not kept.
  ///
  /// - Parameters:
  ///   - day: the date that the document's properties tell.
  ///   - folder: one with room.
  init(titled title: String, made day: Day, besides folder: String) throws(OutputError) {
    file = try OutputFile(unkeptIn: folder)
    guard let workbook = newWorkbook(file.alias, besides: folder) else {
      throw .library("out of memory")
    }
    setProperties(of: workbook, title, day)
    setDefaultFont(of: workbook)
    self.workbook = workbook
    formats = Formats(workbook)
  }

  /// Writes all sheets and closes the package; rows that no chart reads go through the spool.
  mutating func write(
    _ sheets: [Sheet], through spool: inout RowSpool, limits: Limits
  ) throws(OutputError) -> OutputFile {
    do throws(OutputError) {
      for sheet in sheets { try write(sheet, through: &spool, limits: limits) }
    } catch {
      lxw_workbook_free(workbook)
      throw error
    }
    return try close()
  }

  /// Writes one sheet, its charts and the names of its cells.
  private mutating func write(
    _ sheet: Sheet, through spool: inout RowSpool, limits: Limits
  ) throws(OutputError) {
    guard let worksheet = workbook_add_worksheet(workbook, sheet.name) else {
      throw .library("out of memory")
    }
    // The figures of charts are read back from the library's own rows.
    var spooled = sheet.charts.isEmpty ? SpooledRows() : nil
    var writer = SheetWriter(sheet, in: worksheet, limits: limits)
    let kept = try writer.write(&formats, spooling: &spooled, in: &spool)
    rows[writers.count] = spooled
    cells.append(kept + (spooled?.cellCount ?? 0))
    writers.append(writer)
    addCharts(of: sheet, to: worksheet)
  }

  /// Writes the same package, from the same formats and without making spooled rows anew, into
  /// another file.
  func writeAgain(
    titled title: String, made day: Day, besides folder: String
  ) throws(OutputError) -> OutputFile {
    var again = try LibraryBook(titled: title, made: day, besides: folder)
    again.formats = Formats(again.workbook, like: formats)
    for (number, writer) in writers.enumerated() {
      guard let worksheet = workbook_add_worksheet(again.workbook, writer.sheet.name) else {
        lxw_workbook_free(again.workbook)
        throw .library("out of memory")
      }
      var writer = writer
      writer.write(again: worksheet, &again.formats, spooled: rows[number])
      again.addCharts(of: writer.sheet, to: worksheet)
    }
    return try again.close()
  }

  /// Draws the charts of a sheet, and defines the names by which formulas call its cells.
  private func addCharts(of sheet: Sheet, to worksheet: UnsafeMutablePointer<lxw_worksheet>) {
    let charts = ChartWriter(workbook: workbook, worksheet: worksheet, sheetName: sheet.name)
    sheet.charts.forEach(charts.write)
    for name in sheet.names {
      let cell = "$\(columnLetters(name.column))$\(name.row)"
      must(workbook_define_name(workbook, name.name, "=\(quoted(sheet: sheet.name))!\(cell)"))
    }
  }

  /// Has the library write the package into its file; a full disk is told as the system's error.
  private func close() throws(OutputError) -> OutputFile {
    errno = 0
    let outcome = workbook_close(workbook)
    guard outcome == LXW_NO_ERROR else {
      if errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO { throw .last }
      throw .library(String(cString: lxw_strerror(outcome)))
    }
    return file
  }
}

/// Opens a workbook of the library; nil without memory.
///
/// - Parameters:
///   - path: where its package is written.
///   - folder: for what the library keeps meanwhile.
private func newWorkbook(
  _ path: String, besides folder: String
) -> UnsafeMutablePointer<lxw_workbook>? {
  var options = lxw_workbook_options()
  var bytes = Array(folder.utf8CString)
  return bytes.withUnsafeMutableBufferPointer { bytes in
    options.tmpdir = bytes.baseAddress
    return workbook_new_opt(path, &options)
  }
}

/// Sets the title, author and date of creation in the document's properties.
private func setProperties(
  of workbook: UnsafeMutablePointer<lxw_workbook>, _ title: String, _ day: Day
) {
  let title = Array(title.utf8CString)
  let author = Array(workbookAuthor.utf8CString)
  title.withUnsafeBufferPointer { title in
    author.withUnsafeBufferPointer { author in
      var properties = lxw_doc_properties()
      properties.title = UnsafeMutablePointer(mutating: title.baseAddress)
      properties.author = UnsafeMutablePointer(mutating: author.baseAddress)
      properties.created = time_t(day.startUTC.seconds)
      must(workbook_set_properties(workbook, &properties))
    }
  }
}

/// Makes the cells' font the default one: column widths count its digits. It is one that every
/// system has or can stand in for.
private func setDefaultFont(of workbook: UnsafeMutablePointer<lxw_workbook>) {
  guard let format = workbook.pointee.formats.pointee.stqh_first else { return }
  format_set_font_name(format, Formats.fontName)
  format_set_font_size(format, 10)
}
