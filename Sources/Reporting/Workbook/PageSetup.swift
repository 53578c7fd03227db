import Billing
import CXLSXWriter
import Languages

// Sizes on screen and paper; no figure of the books passes through here.

extension SheetWriter {
  func setPanes() {
    let rows = UInt32(sheet.frozenRows)
    worksheet_freeze_panes(worksheet, rows, UInt16(sheet.frozenColumns))
    if sheet.hasHeader, sheet.rows.count > 0 {
      must(
        worksheet_autofilter(
          worksheet, 0, 0, UInt32(sheet.rows.count), UInt16(sheet.columns.count - 1)))
    }
    // Ids are text, digits or not.
    let everything = "A1:XFD1048576"
    must(
      worksheet_ignore_errors(
        worksheet, UInt8(LXW_IGNORE_NUMBER_STORED_AS_TEXT.rawValue), everything))
  }

  /// Digits that one page is wide where letters are still read with ease.
  private static let pageWidth = 260

  /// - Parameter widths: of the columns, in digits.
  func setPrint(_ widths: [Int]) {
    worksheet_set_landscape(worksheet)
    let a4: UInt8 = 9
    worksheet_set_paper(worksheet, a4)
    worksheet_set_margins(worksheet, 0.4, 0.4, 0.5, 0.6)
    let printed = widths.prefix(sheet.printedColumns ?? widths.count).reduce(0, +)
    let pages =
      sheet.fitsOnePage ? 1 : max(1, (printed + Self.pageWidth - 1) / Self.pageWidth)
    worksheet_fit_to_pages(worksheet, UInt16(pages), sheet.fitsOnePage ? 1 : 0)
    if pages > 1, sheet.frozenColumns > 0 {
      must(worksheet_repeat_columns(worksheet, 0, UInt16(sheet.frozenColumns - 1)))
    }
    if sheet.hasHeader, sheet.printedRows == nil, !misleads(sheet) {
      must(worksheet_repeat_rows(worksheet, 0, 0))
    } else if let row = sheet.repeatedRow {
      must(worksheet_repeat_rows(worksheet, UInt32(row - 1), UInt32(row - 1)))
    }
    if sheet.printedColumns != nil || sheet.printedRows != nil {
      let rows = sheet.printedRows ?? 1...max(1, sheet.lastRow)
      must(
        worksheet_print_area(
          worksheet, UInt32(rows.lowerBound - 1), 0, UInt32(rows.upperBound - 1),
          UInt16((sheet.printedColumns ?? widths.count) - 1)))
    }
    must(worksheet_set_footer(worksheet, "&L&8&F&C&8&A&R&8&P / &N"))
    worksheet_center_horizontally(worksheet)
    if !sheet.hasHeader { worksheet_gridlines(worksheet, UInt8(LXW_HIDE_ALL_GRIDLINES.rawValue)) }
  }

  /// Rows of a list that a page has room for.
  private static let pageRows = 40

  /// Whether the titles of a list that ends on the first page would stand, on further ones, above
  /// tables that have titles of their own.
  private func misleads(_ sheet: Sheet) -> Bool {
    sheet.rows.count <= Self.pageRows && sheet.totals.contains { $0.style == .tableHeader }
  }

  func columnWidth(_ digits: Int) -> Double { Double(digits) }

  /// In points; nil for a row of one line. Readers differ in whether they make room themselves.
  func height(lines: Int) -> Double? {
    let highest = 409.0
    // The letters of East Asian scripts are higher.
    let line = Translation.current.language == .simplifiedChinese ? 15.5 : 12.75
    return lines > 1 ? min(highest, Double(lines) * line + 2) : nil
  }
}

extension Row.Style {
  /// In points; nil is as high as the text.
  var height: Double? {
    switch self {
    case .title: 24
    case .figure: 22
    case .signature: 30
    default: nil
    }
  }
}
