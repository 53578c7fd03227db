import Billing
import CZlib

/// Some rows of a sheet, deflated on their own, so that blocks are made on all cores.
struct RowBlock: Sendable {
  private(set) var part: DeflatedPart
  /// The rows while styles are open.
  private var xml: [UInt8] = []
  private var openStyles: [RowXML.OpenStyle] = []
  let cellCount: Int
  let extent: SheetExtent
  /// The XML of their link objects.
  let links: [UInt8]
  /// Of each row, which pages break by.
  let heights: [RowHeight]

  /// Makes and deflates the XML of rows that follow one another; where a row needs a style that has
  /// no number yet, the XML waits for ``resolve(_:)``.
  ///
  /// - Parameters:
  ///   - number: of the first row, from 0.
  ///   - styles: the numbers of the looks that have one.
  init(
    _ rows: some Sequence<Row>, at number: Int, _ layout: SheetLayout, styles: [Look: Int]
  ) {
    var writer = RowXML(layout, styles: styles)
    var heights: [RowHeight] = []
    for (place, row) in rows.enumerated() {
      let height = layout.height(of: row)
      writer.add(row, height: height, at: number + place)
      heights.append(RowHeight(points: height, beginsPart: row.style == .section))
    }
    self.heights = heights
    (cellCount, extent, links) = (writer.cellCount, writer.extent, writer.links)
    openStyles = writer.openStyles
    if openStyles.isEmpty {
      part = writer.withBytes { DeflatedPart($0) }
    } else {
      part = DeflatedPart()
      xml = writer.withBytes { Array($0) }
    }
  }

  /// Puts the missing numbers of styles into the XML and deflates it. Numbers are given as looks
  /// are first met: in the order of rows.
  ///
  /// - Parameter number: gives a look's style its number.
  mutating func resolve(_ number: (Look) -> Int) {
    guard !openStyles.isEmpty else { return }
    var whole: [UInt8] = []
    whole.reserveCapacity(xml.count + 4 * openStyles.count)
    var copied = 0
    for style in openStyles {
      whole += xml[copied..<style.place]
      whole += String(number(style.look)).utf8
      copied = style.place
    }
    whole += xml[copied...]
    (xml, openStyles) = ([], [])
    part = whole.withUnsafeBytes { DeflatedPart($0) }
  }
}

/// How high a row is.
struct RowHeight: Hashable, Sendable {
  /// Nil is as high as a line.
  var points: Double?
  /// Whether it begins a table.
  var beginsPart: Bool
}

extension RowSpool {
  /// Puts a block's deflated rows behind those of its sheet that are in the spool.
  ///
  /// - Parameter rows: what the spool has of the sheet.
  mutating func add(_ block: RowBlock, to rows: inout SpooledRows) throws(OutputError) {
    try add(
      block.part, cellCount: block.cellCount, extent: block.extent, links: block.links, to: &rows)
  }
}
