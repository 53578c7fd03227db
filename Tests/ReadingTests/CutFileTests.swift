import Billing
import Support
import Testing

@testable import Reading

/// Goal: a download that broke off is never taken for a smaller report. Method: whole reports, cut
/// at many places, plain and out of an archive.
@Suite struct CutFileTests {
  private static let gems = Array(
    salesReport([[:], ["SKU": "gems.500"], ["SKU": "gems.30"]]).utf8)
  private static let totals = "Total_Rows\t1\nTotal_Amount\t8.24\nTotal_Units\t2\n"
  private static let table =
    "Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share\n"

  private func cut(_ bytes: [UInt8], name: String = "S_D_80134819_20230619.txt") -> String? {
    do {
      return try read(bytes, name: name, hints: ReadingHints()).reading.rejected > 0
        ? "rejected" : nil
    } catch {
      return (error as? Diagnostic)?.topic
    }
  }

  @Test func `a sales report that is cut in its last row is refused wherever the cut is`() {
    let all = Self.gems
    #expect(cut(all) == nil)
    let last = all.dropLast().lastIndex(of: 0x0A)! + 1
    for end in last + 1..<all.count {
      #expect(cut(Array(all[..<end])) == "cut", "\(end)")
    }
    // What cannot be seen: a cut at a line's end.
    #expect(cut(Array(all[..<last])) == nil)
  }

  @Test func `a row with fewer fields is refused although its line ends`() {
    let short = Self.gems + Array("APPLE\tUS\tgems.60\t\tGems\t \tIA1\t1\t4.12\n".utf8)
    #expect(cut(short) != nil)
    let header = Array(Self.gems.prefix { $0 != 0x0A })
    #expect(cut(header) == "cut")
    #expect(cut(header + [0x0A]) == nil)
  }

  @Test func `what comes out of an archive is whole`() throws {
    let bytes = Array(Self.gems.dropLast())
    #expect(try read(bytes, name: "S_D_80134819_20230619.txt").reading.rows == 3)
    #expect(cut(gzipMember(bytes)) == nil)
  }

  private static let belowRows: [(String, Bool)] = [
    ("", false), ("Total_Rows\t1\n", false), ("Total_Rows\t1\nTotal_Amount\t8.24\n", false),
    (totals, true), ("Total\t8.24 CNY\n", true), ("Total_Amount:8.24\n", true),
    ("Total_Rows\t1\n\(table)", false), ("Total_Rows\t1\n\(table)CN\tCNY\t2\t8.24\n", true),
    ("Total_Rows\t1\n\(table)CN\tCNY\t2\t8.24", false),
  ]

  @Test(arguments: belowRows)
  func `a financial report is whole with all its totals`(below: String, isWhole: Bool) {
    let report = Array(financeReport([[:]], below: below).utf8)
    #expect(cut(report, name: "80134819_0914_CN.txt") == (isWhole ? nil : "cut"))
    #expect((try? read(report, name: "80134819_0914_CN.txt"))?.reading.rows == 1)
  }

  /// Its rows have a field more than its header, its table below has fewer.
  @Test func `a detail is cut in its last row or line`() {
    let below = Self.table + "CN\tCNY\t2\t37.06\n"
    let whole = Array(financeDetail([[:], [:]], below: below).utf8)
    #expect(cut(whole) == nil)
    #expect(cut(Array(whole.dropLast())) == "cut")
    let rows = Array(financeDetail([[:], [:]]).utf8)
    #expect(cut(rows) == nil)
    #expect(cut(Array(rows.dropLast(12))) == "cut")
    #expect(cut(Array(rows.dropLast(6)) + [0x0A]) == "cut")
  }

  private static let contradictions: [(String, String?)] = [
    ("Total_Rows\t2\nTotal_Amount\t8.24\nTotal_Units\t2\n", "Total_Rows is 2, its rows come to 1"),
    (
      "Total_Rows\t1\nTotal_Amount\t9\nTotal_Units\t2\n", "Total_Amount is 9, its rows come to 8.24"
    ),
    (
      "Total_Rows\t1\n\(table)CN\tCNY\t0\t0\n",
      "its table of countries has 0 units and 0 CNY for CN, its rows come to 2 and 8.24"
    ),
    (
      "Total_Rows\t1\n\(table)JP\tJPY\t0\t0\n",
      "its table of countries leaves out CN, whose rows come to 2 units and 8.24 CNY"
    ),
    (totals, nil),
  ]

  @Test(arguments: contradictions)
  func `a financial report that contradicts itself says so`(below: String, told: String?) throws {
    let reading = try read(financeReport([[:]], below: below), name: "80134819_0914_ZZ.txt").reading
    #expect(reading.warnings.map(\.message.english) == [told].compactMap(\.self))
  }

  @Test(arguments: [
    ("\t", "\n", "", false), (",", "\n", "", true), (";", "\r\n", "", true),
    ("\t", "\r\n", "", true),
    ("\t", "\n", "\u{FEFF}", true),
  ])
  func `a report that another program saved again is known by what Apple never writes`(
    separator: String, end: String, mark: String, isResaved: Bool
  ) throws {
    let text = mark + salesReport([[:]], separator: separator).replacing("\n", with: end)
    #expect(try read(text).reading.isResaved == isResaved)
    let rates = "date,base,quote,rate\r\n2023-06-01,EUR,CNY,7.6\r\n"
    #expect(try !read(mark + rates).reading.isResaved)
  }
}
