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

  /// - Parameters:
  ///   - number: of the first row, from 0.
  ///   - styles: those that are known. Where a row needs another, the block waits for it.
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

  /// Puts the numbers of styles in, which are given as looks are first met: in the order of rows.
  mutating func resolve(_ number: (Look) -> Int) {
    guard !openStyles.isEmpty else { return }
    var whole: [UInt8] = []
    whole.reserveCapacity(xml.count + 4 * openStyles.count)
    var done = 0
    for style in openStyles {
      whole += xml[done..<style.place]
      whole += String(number(style.look)).utf8
      done = style.place
    }
    whole += xml[done...]
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

/// Bytes of an archive's part, deflated without looking back at those before them.
struct DeflatedPart: Sendable {
  private(set) var bytes: [UInt8] = []
  /// Bytes before they were deflated.
  private(set) var size = 0
  /// Their checksum.
  private(set) var sum = crc32(0, nil, 0)
  /// The checksum of ``bytes``.
  private(set) var packedSum = crc32(0, nil, 0)

  /// Nothing.
  init() {}

  /// - Parameter isLast: whether the part ends with these bytes.
  init(_ content: UnsafeRawBufferPointer, isLast: Bool = false) {
    let first = content.assumingMemoryBound(to: UInt8.self).baseAddress
    size = content.count
    sum = crc32(sum, first, UInt32(size))
    var stream = z_stream()
    // The library's sixth level takes three times as long for a fifth less, and with more memory it
    // leaves the processor's cache: a fifth slower, for nothing.
    let (level, isRaw, memory): (Int32, Int32, Int32) = (2, -15, 7)
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, isRaw, memory, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { fatalError("out of memory") }
    defer { deflateEnd(&stream) }
    stream.next_in = UnsafeMutablePointer(mutating: first)
    stream.avail_in = UInt32(size)
    bytes.reserveCapacity(size / 6 + 64)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 16) { piece in
      repeat {
        stream.next_out = piece.baseAddress
        stream.avail_out = UInt32(piece.count)
        let outcome = deflate(&stream, isLast ? Z_FINISH : Z_SYNC_FLUSH)
        bytes += piece[..<(piece.count - Int(stream.avail_out))]
        let isEnded = outcome == Z_STREAM_END
        precondition(outcome == Z_OK || outcome == Z_BUF_ERROR || isEnded && isLast)
      } while stream.avail_out == 0
    }
    // Nothing unpacks these bytes again; blocks follow one another at whole bytes.
    let end = bytes[max(0, bytes.count - 4)...]
    precondition(stream.avail_in == 0 && (isLast || end.elementsEqual([0, 0, 0xFF, 0xFF])))
    packedSum = crc32(packedSum, bytes, UInt32(bytes.count))
  }

  init(_ content: [UInt8], isLast: Bool = false) {
    self = content.withUnsafeBytes { DeflatedPart($0, isLast: isLast) }
  }
}
