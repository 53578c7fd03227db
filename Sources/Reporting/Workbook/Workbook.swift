import Billing
import CXLSXWriter
import Glibc
package import Matching

/// A workbook that could not be written.
package struct WorkbookError: Error, Hashable {
  package var path: String
  /// What the system said.
  package var detail: String

  package var message: String { "the workbook cannot be written: \(path): \(detail)" }
  package var help: String { "name a file in a folder that exists and may be written" }
}

/// Writes the workbook. The same reconciliation gives the same bytes.
///
/// The file appears whole or not at all: it is written beside `path` and then takes its name.
/// - Throws: `WorkbookError` where the file or a temporary file cannot be written.
package func writeWorkbook(_ reconciliation: Reconciliation, to path: String) throws {
  try write(WorkbookContents(reconciliation).sheets(), of: reconciliation, to: path, limits: .excel)
}

func write(
  _ sheets: [Sheet], of reconciliation: Reconciliation, to path: String, limits: Limits
) throws {
  let title = "Reconciliation \(reconciliation.period)"
  try write(sheets, titled: title, made: reconciliation.asOf, to: path, limits: limits)
}

/// - Parameter day: the date that the document's properties tell; no clock is read.
func write(
  _ sheets: [Sheet], titled title: String, made day: Day, to path: String, limits: Limits
) throws {
  let partial = path + ".partial"
  // The library says what is wrong with a path on stderr, so it gets none that is.
  guard let probe = fopen(partial, "wb") else { throw WorkbookError(path, errno) }
  fclose(probe)
  do {
    try write(sheets, titled: title, made: day, into: partial, limits: limits)
  } catch {
    unlink(partial)
    throw WorkbookError(path: path, detail: error.detail)
  }
  guard rename(partial, path) == 0 else {
    let code = errno
    unlink(partial)
    throw WorkbookError(path, code)
  }
}

private func write(
  _ sheets: [Sheet], titled title: String, made day: Day, into path: String, limits: Limits
) throws(WorkbookError) {
  guard let workbook = workbook_new(path) else {
    throw WorkbookError(path: path, detail: "out of memory")
  }
  setProperties(of: workbook, title, day)
  setDefaultFont(of: workbook)
  var formats = Formats(workbook)
  for sheet in sheets {
    // Rows go to a temporary file as they are written, so that a long list takes no memory; a
    // sheet with charts stays in memory, because the charts' figures are read back from it.
    workbook.pointee.options.constant_memory = sheet.charts.isEmpty ? 1 : 0
    guard let worksheet = workbook_add_worksheet(workbook, sheet.name) else {
      lxw_workbook_free(workbook)
      throw WorkbookError(path: path, detail: "no temporary file can be made")
    }
    SheetWriter(sheet, in: worksheet, limits: limits).write(&formats)
    let charts = ChartWriter(workbook: workbook, worksheet: worksheet, sheetName: sheet.name)
    sheet.charts.forEach(charts.write)
    for name in sheet.names {
      let cell = "$\(columnLetters(name.column))$\(name.row)"
      must(workbook_define_name(workbook, name.name, "=\(quoted(sheet: sheet.name))!\(cell)"))
    }
  }
  let outcome = workbook_close(workbook)
  guard outcome == LXW_NO_ERROR else {
    throw WorkbookError(path: path, detail: String(cString: lxw_strerror(outcome)))
  }
}

private func setProperties(
  of workbook: UnsafeMutablePointer<lxw_workbook>, _ title: String, _ day: Day
) {
  let title = Array(title.utf8CString)
  let author = Array("Tieout".utf8CString)
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

/// Column widths count digits of the default font: it is the one that the cells have, and one
/// that every system has or can stand in for.
private func setDefaultFont(of workbook: UnsafeMutablePointer<lxw_workbook>) {
  guard let format = workbook.pointee.formats.pointee.stqh_first else { return }
  format_set_font_name(format, Formats.fontName)
  format_set_font_size(format, 10)
}

extension WorkbookError {
  fileprivate init(_ path: String, _ code: Int32) {
    self.init(path: path, detail: String(cString: strerror(code)))
  }
}
