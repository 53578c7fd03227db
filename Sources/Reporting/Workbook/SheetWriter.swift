import Billing
import CXLSXWriter

/// Writes one sheet: what stands around its rows into a worksheet of the library, the rows there
/// too, or, where no chart reads them back, as XML of our own.
struct SheetWriter {
  let sheet: Sheet
  private(set) var worksheet: UnsafeMutablePointer<lxw_worksheet>
  private let hasLinkObjects: Bool
  private var widths: [Int] = []
  /// Known once all rows are written.
  var breaks: PageBreaks?

  /// Begins to write a sheet into an empty worksheet.
  init(_ sheet: Sheet, in worksheet: UnsafeMutablePointer<lxw_worksheet>, limits: Limits) {
    self.sheet = sheet
    self.worksheet = worksheet
    hasLinkObjects = sheet.rows.linkCount(upTo: limits.links + 1) <= limits.links
  }

  /// Writes the sheet and returns how many cells the library was given; rows that are spooled count
  /// theirs.
  ///
  /// - Parameter rows: what the spool has of the sheet; nil where the library keeps the rows.
  mutating func write(
    _ formats: inout Formats, spooling rows: inout SpooledRows?, in spool: inout RowSpool
  ) throws(OutputError) -> Int {
    let first = (0..<min(Self.decidingRows, sheet.rows.count)).map { sheet.rows[$0] }
    let layout = SheetLayout(sheet, hasLinkObjects: hasLinkObjects)
    widths = sheet.widths(of: first)
    setLayout()
    var cellCount = 0
    if var spooled = rows {
      try spoolRows(heading + first, layout, &formats, &spooled, &spool)
      rows = spooled
    } else {
      var cells = CellWriter(worksheet, layout)
      writeRows(heading + first, &cells, &formats)
      cellCount = cells.cellCount
    }
    setBreaks()
    return cellCount
  }

  /// Writes the sheet into another worksheet: what stands around the rows, and the rows where the
  /// library keeps them.
  ///
  /// - Parameter rows: where they went when the sheet was first written; nil where the library
  ///   keeps them.
  mutating func write(
    again worksheet: UnsafeMutablePointer<lxw_worksheet>, _ formats: inout Formats,
    spooled rows: SpooledRows?
  ) {
    self.worksheet = worksheet
    let known = breaks
    setLayout()
    if let rows {
      setExtent(rows.extent)
      breaks = known
    } else {
      let first = (0..<min(Self.decidingRows, sheet.rows.count)).map { sheet.rows[$0] }
      let layout = SheetLayout(sheet, hasLinkObjects: hasLinkObjects)
      var cells = CellWriter(worksheet, layout)
      writeRows(heading + first, &cells, &formats)
    }
    setBreaks()
  }

  /// Sets the columns' widths and groups, the zoom, frozen panes and how the sheet prints.
  private mutating func setLayout() {
    for (column, width) in widths.enumerated() {
      var options = lxw_row_col_options()
      options.level = sheet.columns[column].isGrouped ? 1 : 0
      let column = UInt16(column)
      must(
        worksheet_set_column_opt(worksheet, column, column, columnWidth(width), nil, &options))
    }
    worksheet_set_zoom(worksheet, UInt16(sheet.zoom(widths)))
    setPanes()
    setPrint(widths)
  }

  /// Tells the library where pages break and which titles they repeat, or that one page has room
  /// for all.
  private func setBreaks() {
    setTitles()
    if breaks?.fitsOnePage == true { return worksheet_fit_to_pages(worksheet, 1, 1) }
    guard let rows = breaks?.rows, !rows.isEmpty else { return }
    // A zero ends the list.
    var list = rows.map { UInt32($0) } + [0]
    must(worksheet_set_h_pagebreaks(worksheet, &list))
  }

  /// Rows that decide how wide columns are.
  private static let decidingRows = 2_000
  /// Rows of a block, which has about a megabyte then, and a tenth of it deflated.
  private static let blockRows = 1_024
  /// Blocks that are in memory at once.
  private static let heldBlocks = 256

  /// The row of the columns' titles; none where the sheet has no header.
  private var heading: [Row] {
    guard sheet.hasHeader else { return [] }
    return [Row(cells: sheet.columns.map { .text($0.title) }, style: .tableHeader)]
  }

  /// The number of the first row of the totals, from 0.
  private var firstTotal: Int { sheet.lastBodyRow + 1 }

  /// Writes the rows of the sheet in order into the library's worksheet.
  ///
  /// - Parameter first: the header and the rows that were made already.
  private mutating func writeRows(
    _ first: [Row], _ cells: inout CellWriter, _ formats: inout Formats
  ) {
    let further = first.count..<sheet.lastBodyRow
    let below = sheet.totals.enumerated().map { (firstTotal + $0, $1) }
    let body = further.lazy.map { [sheet] in ($0, sheet.rows[$0 + 1 - sheet.firstBodyRow]) }
    for (number, row) in Array(first.enumerated()) + Array(body) + below {
      let height = cells.layout.height(of: row)
      breaks?.add(RowHeight(points: height, beginsPart: row.style == .section), at: number)
      cells.write(row, height: height, at: number, &formats)
    }
  }

  /// Puts the rows of the sheet in order into the spool, as deflated XML. Makes blocks of a long
  /// list on all cores; each row is made once. Which rows are a block does not depend on the cores,
  /// nor do the numbers of styles.
  ///
  /// - Parameter first: the header and the rows that were made already.
  private mutating func spoolRows(
    _ first: [Row], _ layout: SheetLayout, _ formats: inout Formats,
    _ rows: inout SpooledRows, _ spool: inout RowSpool
  ) throws(OutputError) {
    let styles = formats.styles
    try add(RowBlock(first, at: 0, layout, styles: styles), at: 0, &formats, &rows, &spool)
    var begin = first.count
    // Threads wait for each other at the end of each round. The first rounds are short, because
    // blocks that meet a new style wait to be deflated; later ones know all styles.
    var blocksOfCore = 8
    while begin < sheet.lastBodyRow {
      let blocks = stride(from: begin, to: sheet.lastBodyRow, by: Self.blockRows)
        .prefix(min(blocksOfCore * coreCount, Self.heldBlocks))
        .map { $0..<min($0 + Self.blockRows, sheet.lastBodyRow) }
      blocksOfCore = min(2 * blocksOfCore, 64)
      let styles = formats.styles
      let made = inThreads(blocks.count) { [sheet] index in
        let rows = blocks[index].lazy.map { sheet.rows[$0 + 1 - sheet.firstBodyRow] }
        return RowBlock(rows, at: blocks[index].lowerBound, layout, styles: styles)
      }
      for (block, range) in zip(made, blocks) {
        try add(block, at: range.lowerBound, &formats, &rows, &spool)
        begin = range.upperBound
      }
    }
    if !sheet.totals.isEmpty {
      let block = RowBlock(sheet.totals, at: firstTotal, layout, styles: formats.styles)
      try add(block, at: firstTotal, &formats, &rows, &spool)
    }
    setExtent(rows.extent)
  }

  /// Gives a block the styles that it waits for, notes its rows for page breaks, and puts it into
  /// the spool.
  ///
  /// - Parameter number: of its first row, from 0.
  private mutating func add(
    _ block: RowBlock, at number: Int, _ formats: inout Formats, _ rows: inout SpooledRows,
    _ spool: inout RowSpool
  ) throws(OutputError) {
    var block = block
    block.resolve { formats.style($0) }
    for (place, height) in block.heights.enumerated() { breaks?.add(height, at: number + place) }
    try spool.add(block, to: &rows)
  }

  /// Tells the library in which rows and columns there are cells.
  private func setExtent(_ extent: SheetExtent) {
    guard let rows = extent.rows else { return }
    let columns = extent.columns ?? 0...0
    worksheet.pointee.dim_rowmin = UInt32(rows.lowerBound)
    worksheet.pointee.dim_rowmax = UInt32(rows.upperBound)
    worksheet.pointee.dim_colmin = UInt16(columns.lowerBound)
    worksheet.pointee.dim_colmax = UInt16(columns.upperBound)
  }
}
