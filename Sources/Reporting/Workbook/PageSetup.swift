import Billing
import CXLSXWriter

// Sizes on screen and paper; no figure of the books passes through here.

extension SheetWriter {
  /// Freezes rows and columns, filters the list below its header, and mutes the warning that text
  /// looks like a number.
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
  private static let pageWidth = 280

  /// Sets how the sheet prints: paper, margins, number of pages, header and footer, the columns
  /// that each page repeats. Begins to look for page breaks.
  ///
  /// - Parameter widths: of the columns, in digits.
  mutating func setPrint(_ widths: [Int]) {
    worksheet_set_landscape(worksheet)
    let a4: UInt8 = 9
    worksheet_set_paper(worksheet, a4)
    worksheet_set_margins(worksheet, 0.4, 0.4, 0.5, 0.6)
    let printed = widths.prefix(sheet.printedColumns ?? widths.count).reduce(0, +)
    let pages =
      sheet.fitsOnePage ? 1 : max(1, (printed + Self.pageWidth - 1) / Self.pageWidth)
    worksheet_fit_to_pages(worksheet, UInt16(pages), sheet.fitsOnePage ? 1 : 0)
    breaks = PageBreaks(sheet, widths, pages: pages)
    if pages > 1, sheet.frozenColumns > 0 {
      must(worksheet_repeat_columns(worksheet, 0, UInt16(sheet.frozenColumns - 1)))
    }
    if let columns = sheet.printedColumns {
      must(
        worksheet_print_area(
          worksheet, 0, 0, UInt32(max(1, sheet.lastRow) - 1), UInt16(columns - 1)))
    }
    // A digit would be taken for more of the size of the letters before it.
    let heading = sheet.heading.split(separator: "&", omittingEmptySubsequences: false)
      .joined(separator: "&&")
    must(worksheet_set_header(worksheet, "&L&10&A&R&8 \(heading)"))
    must(worksheet_set_footer(worksheet, "&L&8&F&C&8&A&R&8&P / &N"))
    worksheet_center_horizontally(worksheet)
    if !sheet.hasHeader { worksheet_gridlines(worksheet, UInt8(LXW_HIDE_ALL_GRIDLINES.rawValue)) }
  }

  /// Has each page repeat the titles of its list, as soon as the heights of the rows are known.
  func setTitles() {
    if sheet.hasHeader, !misleads {
      must(worksheet_repeat_rows(worksheet, 0, 0))
    } else if let row = sheet.repeatedRow ?? lastTitles(sheet) {
      must(worksheet_repeat_rows(worksheet, UInt32(row - 1), UInt32(row - 1)))
    }
  }

  /// Whether the titles of a list that ends on the first page would stand, on further ones, above
  /// tables that have titles of their own.
  private var misleads: Bool {
    breaks?.isListOnFirstPage == true && sheet.totals.contains { $0.style == .tableHeader }
  }

  /// The row, as the reader sees it, of the titles of the last table below a list; nil without a
  /// list or such a table. Titles are repeated on the pages after their own, on which no other
  /// table stands.
  private func lastTitles(_ sheet: Sheet) -> Int? {
    guard sheet.hasHeader else { return nil }
    return sheet.totals.lastIndex { $0.style == .tableHeader }.map { sheet.lastBodyRow + 2 + $0 }
  }

  /// A width in digits as the library takes it.
  func columnWidth(_ digits: Int) -> Double { Double(digits) }
}

/// Where the pages of a sheet break, so that no title is parted from its table: before each table
/// that has no room left on the page that it would begin on.
struct PageBreaks {
  /// What is kept together where a page has room for it: a section with its rows.
  private struct KeptRows {
    var row: Int
    var height = 0.0
    /// On the last of its pages, where it begins the first.
    var tail = 0.0
    var beginsPage = false
  }

  /// What one page has room for, in points of the sheet.
  private let room: Double
  /// Whether columns are printed on further pages, on which tables below the list have no cells.
  private let isDivided: Bool
  private let isKnown: Bool
  /// Whether all columns stand on one page.
  private let isOnePageWide: Bool
  /// Of the columns, to paper.
  private let scale: Double
  private let listEnd: Int
  /// From 0; on pages that begin below it, titles stand that are not those of further tables.
  private let repeatedRow: Int
  private var parts = [KeptRows(row: 0)]
  /// Of the list alone.
  private var listHeight = 0.0

  /// Takes from the sheet how much room a page has; rows are added later.
  ///
  /// - Parameters:
  ///   - widths: of the columns, in digits.
  ///   - pages: how many print beside one another.
  init(_ sheet: Sheet, _ widths: [Int], pages: Int) {
    // A4 across, less the margins, in points.
    let (across, down) = (784.0, 516.0)
    let title = 15.0
    let printed = Array(widths.prefix(sheet.printedColumns ?? widths.count))
    let repeated = printed.prefix(sheet.frozenColumns).map(Self.points).reduce(0, +)
    let width = printed.map(Self.points).reduce(0, +) + repeated * Double(pages - 1)
    room = down * max(1, width / (across * Double(pages))) - title
    isDivided = pages > 1 && sheet.hasHeader && sheet.rows.count > 0
    isKnown = !sheet.fitsOnePage
    isOnePageWide = pages == 1
    scale = min(1, across / max(width, 1))
    listEnd = sheet.lastBodyRow
    repeatedRow = sheet.repeatedRow.map { $0 - 1 } ?? .max
  }

  /// The width in points of a column of so many digits: seven dots each, and five at its edges.
  private static func points(_ digits: Int) -> Double { Double(digits * 7 + 5) * 0.75 }

  /// Adds the next row to the part that it belongs to, or begins a part with it.
  ///
  /// - Parameter number: of the row, from 0.
  mutating func add(_ height: RowHeight, at number: Int) {
    guard isKnown else { return }
    if number < listEnd { listHeight += height.points ?? 15 }
    if height.beginsPart, number > 0, number < repeatedRow {
      let isFirstBelow = number >= listEnd && parts[parts.count - 1].row < listEnd
      parts.append(KeptRows(row: number, beginsPage: isDivided && isFirstBelow))
    }
    let points = height.points ?? 15
    let last = parts.count - 1
    parts[last].height += points
    parts[last].tail = parts[last].tail + points > room ? points : parts[last].tail + points
  }

  /// Whether all rows have room on one page instead of two, in letters that are a little smaller
  /// and still are read.
  var fitsOnePage: Bool {
    let height = parts.reduce(0) { $0 + $1.height }
    guard isKnown, isOnePageWide, height > room, height <= room * 1.3 else { return false }
    return scale * room / height >= 0.48
  }

  /// Whether the list, without the tables below it, ends on the first page.
  var isListOnFirstPage: Bool { listHeight <= room }

  /// The most breaks that a spreadsheet takes.
  private static let maxBreaks = 1_000

  /// The rows, from 0, that begin a page: of parts that have no room left on the page before, or
  /// must begin one.
  var rows: [Int] {
    var rows: [Int] = []
    var usedHeight = 0.0
    for part in parts {
      if usedHeight > 0, part.beginsPage || usedHeight + part.height > room {
        rows.append(part.row)
        usedHeight = 0
      }
      usedHeight = part.height > room ? part.tail : usedHeight + part.height
    }
    return Array(rows.prefix(Self.maxBreaks))
  }
}

extension Row.Style {
  /// The height of a row of this style in points; nil is as high as the text.
  var height: Double? {
    switch self {
    case .title: 24
    case .figure: 22
    case .signature: 30
    default: nil
    }
  }
}
