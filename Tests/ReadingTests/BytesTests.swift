import Billing
import Glibc
import Support
import Testing

@testable import Reading

/// The text as a spreadsheet saves it: with a mark.
func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
  var bytes: [UInt8] = []
  for unit in [0xFEFF] + Array(text.utf16) {
    let halves = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    bytes += bigEndian ? halves.reversed() : halves
  }
  return bytes
}

@Suite struct BytesTests {
  let report = salesReport([[:], ["Title": "宝石 60", "Units": "-1"], ["Country Code": "QQ"]])

  @Test(arguments: 0..<16)
  func `a byte is marked where it stands, and no other`(place: Int) {
    for byte in UInt8.min...UInt8.max {
      var bytes = [UInt8](repeating: byte ^ 0x80, count: overrun)
      bytes[place] = byte
      bytes.withUnsafeBytes { bytes in
        let found = loadBytes(bytes.baseAddress!)
        let words = highBits(found .== SIMD16(repeating: byte))
        let mark: UInt64 = 0x80 << UInt64(place % 8 * 8)
        #expect(words == (place < 8 ? SIMD2(mark, 0) : SIMD2(0, mark)))
        // One of them, or all others, are beyond ASCII.
        #expect(!isASCII(found))
      }
      bytes = Array(repeating: byte & 0x7F, count: overrun)
      #expect(bytes.withUnsafeBytes { isASCII(loadBytes($0.baseAddress!)) })
      bytes[place] |= 0x80
      #expect(!bytes.withUnsafeBytes { isASCII(loadBytes($0.baseAddress!)) })
    }
  }

  @Test func gzipReadsAsPlain() throws {
    let plain = try read(report)
    let half = Array(report.utf8).count / 2
    let bytes = Array(report.utf8)
    let variants: [[UInt8]] = [
      gzipMember(report), gzipMember(Array(bytes[..<half])) + gzipMember(Array(bytes[half...])),
      gzipMember(report) + gzipMember(""), gzipMember("") + gzipMember(report),
      gzipMember(report) + [0, 0, 0, 0],
    ]
    for variant in variants {
      for chunk in [1, 7, 64, .max] {
        let outcome = try read(variant, chunk: chunk)
        #expect(outcome.dump == plain.dump)
        #expect(outcome.tapped == bytes)
      }
    }
  }

  @Test func oneMemberPerLineReads() throws {
    let members = report.split(separator: "\n").flatMap { gzipMember($0 + "\n") }
    #expect(try read(members).dump == read(report).dump)
  }

  @Test func truncationIsAlwaysAnError() {
    let packed = gzipMember(salesReport([[:], ["Units": "3"]]))
    for count in 0..<packed.count {
      let diagnostic = stop(Array(packed[..<count]))
      #expect(diagnostic != nil, "cut after \(count) bytes")
    }
    #expect(stop(Array(packed.dropLast()))?.topic == "gzip")
    #expect(stop(packed) == nil)
  }

  @Test func damageIsAnError() {
    let packed = gzipMember(report)
    for place in stride(from: 10, to: packed.count, by: 5) {
      var damaged = packed
      damaged[place] ^= 0x55
      #expect(stop(damaged)?.topic == "gzip", "byte \(place)")
    }
    #expect(stop(packed + Array("rubbish".utf8))?.topic == "gzip")
    #expect(stop(packed + [0, 0, 1])?.topic == "gzip")
    let second = gzipMember("x")
    #expect(stop(packed + second.dropLast(3))?.topic == "gzip")
  }

  @Test func encodingsReadAlike() throws {
    let plain = try read(report).dump
    let little = utf16(report, bigEndian: false)
    let big = utf16(report, bigEndian: true)
    for bytes in [[0xEF, 0xBB, 0xBF] + Array(report.utf8), little, big, gzipMember(little)] {
      for chunk in [1, 3, 64, .max] {
        #expect(try read(bytes, chunk: chunk).dump == plain)
      }
      #expect(try read(bytes, limits: ReadingLimits(blockSize: 64)).dump == plain)
    }
    #expect(stop(Array(little.dropLast()))?.topic == "encoding")
    #expect(stop(little + [0x00, 0xD8])?.topic == "encoding")
  }

  @Test func surrogatePairsSurvive() throws {
    let text = salesReport([["Title": "💎 60"]])
    let bytes = utf16(text, bigEndian: false)
    for chunk in [1, 2, 3, 5] {
      let limits = ReadingLimits(blockSize: 64)
      let outcome = try read(bytes, chunk: chunk, limits: limits)
      #expect(outcome.sales[0].product.title == "💎 60")
    }
  }

  @Test func lineEndsReadAlike() throws {
    let plain = try read(report)
    let noLast = String(report.dropLast())
    #expect(try read(noLast).dump == plain.dump)
    let carriage = report.split(separator: "\n").joined(separator: "\r\n")
    #expect(try read(carriage).dump == plain.dump)
    #expect(stop(report.split(separator: "\n").joined(separator: "\r"))?.topic == "kind")
  }

  @Test func malformedTextIsAnDiagnostic() throws {
    var bytes = Array(salesReport([[:], ["Title": "Gems"]]).utf8)
    let place = try #require(bytes.lastIndex(of: UInt8(ascii: "G")))
    // The last "G" is that of "Games": a column that is read.
    bytes[place] = 0xC3
    let outcome = try read(bytes)
    #expect(outcome.reading.rows == 1)
    let diagnostic = try #require(outcome.reading.diagnostics.first)
    #expect(diagnostic.topic == "encoding" && diagnostic.location.line == 3)
    let lineStart = try #require(bytes[..<place].lastIndex(of: 0x0A)) + 1
    #expect(diagnostic.location.column == place - lineStart + 1)
  }

  @Test(arguments: [
    [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE4, 0xB8], [0x80], [0xF8],
  ])
  func malformedUTF8IsSeen(bytes: [Int]) {
    let text = Array("abc".utf8) + bytes.map(UInt8.init) + Array("xyz".utf8)
    text.withUnsafeBytes { #expect(firstMalformedUTF8($0) == 3) }
  }

  @Test func wellFormedUTF8Passes() {
    var text = "é宝💎 plain text that is long enough for whole words é"
    text.withUTF8 { #expect(firstMalformedUTF8(UnsafeRawBufferPointer($0)) == nil) }
  }

  @Test func overlongRecordIsOneDiagnostic() {
    let long = String(repeating: "x", count: 10_000_000)
    for text in [
      salesReport([["Title": long]]), long, "\n\(long)", "{\"order_id\":\"\(long)\"}",
      "order_id,sku,status,placed_at\n\"\(long)",
    ] {
      let diagnostic = stop(text)
      #expect(diagnostic?.topic == "length" || diagnostic?.topic == "kind")
    }
    #expect(stop(salesReport([["Title": long]]))?.location.line == 2)
  }

  /// The result does not depend on how bytes arrive.
  @Test func chunksDoNotMatter() throws {
    let orders = #"""
      order_id,sku,status,placed_at,user_id,unit_price,currency
      1,"a,b",paid,2023-06-01T00:00:00Z,"u ""x""",1.50,CNY
      2,b,weird,2023-06-01T00:00:00Z,u2,1.50,CNY
      3,"multi
      line",paid,2023-06-01T00:00:00+08:00,u3,,
      4,b,paid,1685577600,"",0.99,USD
      """#
    let json = #"""
      {"order_id":"1","sku":"a","status":"paid","placed_at":1685577600000,"unit_price":1.5e0}
      {"order_id":"\u4e00","sku":"a","status":"bad","placed_at":1685577600}
      """#
    for text in [orders, json, report] {
      let whole = try read(text).dump
      for chunk in [1, 2, 3, 7, 64] {
        for block in [64, 100, 1000] {
          let limits = ReadingLimits(blockSize: block, rowsPerBlock: 2, rejectsPerBlock: 1)
          #expect(try read(Array(text.utf8), chunk: chunk, limits: limits).dump == whole)
        }
      }
    }
  }

  /// Behind an array in an object all is read, however many blanks come first: no row is passed
  /// over, and the file's hash is that of all its bytes.
  @Test func allBehindAWrappedArrayIsRead() throws {
    let orders =
      #"{"orders":[{"order_id":"1","sku":"a","status":"paid","placed_at":1685577600}]}"#
    var limits = ReadingLimits(blockSize: 64)
    limits.recordLength = 300
    let text = orders + String(repeating: "\n", count: 2_000)
    let outcome = try read(Array(text.utf8), limits: limits)
    #expect(outcome.reading.rows == 1 && outcome.tapped == Array(text.utf8))
    #expect(throws: Diagnostic.self) { try read(Array((text + orders).utf8), limits: limits) }
  }

  @Test func blocksNameDictionaryEntriesOverTheWholeFile() throws {
    let rows = (0..<10).map { ["SKU": "sku\($0 % 3)", "Units": "\($0 + 1)"] }
    let outcome = try read(
      Array(salesReport(rows).utf8), limits: ReadingLimits(rowsPerBlock: 4))
    #expect(outcome.blocks.map(\.rowCount) == [4, 4, 2])
    #expect(outcome.blocks.map(\.newSalesProducts.count) == [3, 0, 0])
    #expect(outcome.sales.map(\.product.sku) == rows.map { $0["SKU"]! })
  }
}

/// What the encoding of text is taken for that is no UTF-8.
struct LikelyEncodingTests {
  @Test(arguments: [
    ("Windows-1252", "Währung;Größe;Gerät;Käufer;bestätigt;erfüllt;zurückgegeben;München\n"),
    ("Windows-1252", "Référence;Libellé;Débit;Crédit;Opération;Société Générale;payé\n"),
    ("GB18030", "订单号;商品编号;订单状态;下单时间;数量;单价\n"),
    ("CP932", "取引日;お支払金額;お預かり金額;アップル\n"),
  ]) func encodingIsKnownByItsBytes(_ encoding: String, _ text: String) throws {
    let bytes = try #require(encoded(text, encoding))
    let found = bytes.withUnsafeBytes { likelyEncoding($0) }
    #expect(found?.uppercased() == encoding.uppercased())
  }

  private func encoded(_ text: String, _ name: String) -> [UInt8]? {
    guard let converter = iconv_open(name, "UTF-8"), converter != iconv_t(bitPattern: -1) else {
      return nil
    }
    defer { iconv_close(converter) }
    var input = Array(text.utf8).map(Int8.init(bitPattern:))
    var output = [Int8](repeating: 0, count: input.count * 4)
    let free = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var from = input.baseAddress
        var into = output.baseAddress
        var (left, free) = (input.count, output.count)
        return iconv(converter, &from, &left, &into, &free) == size_t.max ? output.count : free
      }
    }
    return output.dropLast(free).map(UInt8.init(bitPattern:))
  }
}
