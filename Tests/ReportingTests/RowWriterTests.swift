import Billing
import Conclusions
import Testing

@testable import Reporting

struct RowWriterTests {
  private func written(_ form: RowWriter.Form, rows: Int = 1) throws -> String {
    let sink = Sink()
    var writer = RowWriter(form, ["id", "a \"b\""], sink: sink.take)
    for _ in 0..<rows {
      writer.text("=1+1, \"so\"\n\t\u{1}\\")
      writer.list(["x", "y"])
      try writer.endRow()
      writer.null()
      writer.decimal(-1_500_000)
      try writer.endRow()
      writer.integer(.min)
      writer.bool(true)
      try writer.endRow()
    }
    try writer.finish()
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  @Test func `text is as it is in CSV`() throws {
    #expect(
      try written(.csv) == """
        id,"a ""b""\"
        "=1+1, ""so""
        \t\u{1}\\",x y
        ,-1.50
        -9223372036854775808,true

        """)
  }

  @Test func `a spreadsheet gets no formula, and numbers as they are`() throws {
    let sink = Sink()
    var writer = RowWriter(.spreadsheet, ["id"], sink: sink.take)
    let texts = [
      "=1+1", "+1", "@A1", "-A1", "-", "\t=1", "-6.00", "-6.00.", "1-1", "", "=\"a\",\"b\"",
    ]
    for text in texts {
      writer.text(text)
      try writer.endRow()
    }
    writer.decimal(-1_500_000)
    try writer.endRow()
    writer.list(["=x", "y"])
    try writer.endRow()
    try writer.finish()
    #expect(
      String(decoding: sink.bytes, as: UTF8.self) == """
        id
        '=1+1
        '+1
        '@A1
        '-A1
        '-
        '\t=1
        -6.00
        -6.00.
        1-1

        "'=""a"",""b\"""
        -1.50
        '=x y

        """)
  }

  @Test func `JSON has a row per line`() throws {
    #expect(
      try written(.jsonLines) == #"""
        {"id":"=1+1, \"so\"\n\t\u0001\\","a \"b\"":["x","y"]}
        {"id":null,"a \"b\"":"-1.50"}
        {"id":-9223372036854775808,"a \"b\"":true}

        """#)
    #expect(
      try written(.json) == #"""
        [
          {"id":"=1+1, \"so\"\n\t\u0001\\","a \"b\"":["x","y"]},
          {"id":null,"a \"b\"":"-1.50"},
          {"id":-9223372036854775808,"a \"b\"":true}
        ]

        """#)
    #expect(try written(.json, rows: 0) == "[]\n")
  }

  @Test func `a long table comes in runs`() throws {
    let sink = Sink()
    var writer = RowWriter(.csv, ["id"], sink: sink.take)
    for number in 0..<100_000 {
      writer.integer(Int64(number))
      try writer.endRow()
    }
    try writer.finish()
    #expect(sink.runs > 1 && sink.bytes.count == 588_893)
  }

  @Test func `proceeds are exported as a close lists them`() throws {
    let sink = Sink()
    let month = SampleMonth.reconciliation
    try exportProceeds(month, storefront: nil, .csv, to: sink.take)
    #expect(String(decoding: sink.bytes, as: UTF8.self) == proceedsCSV(month))
  }

  @Test func `findings are filtered`() throws {
    let month = SampleMonth.reconciliation
    func ids(_ change: (inout FindingFilter) -> Void) throws -> Int {
      var filter = FindingFilter()
      change(&filter)
      let sink = Sink()
      try exportFindings(month, filter, .jsonLines, to: sink.take)
      return sink.bytes.count { $0 == 0x0A }
    }
    #expect(try ids { _ in } == month.findings.count)
    #expect(
      try ids { $0.codes = [.timing] } == month.findings.count { $0.code == .timing })
    #expect(
      try ids { $0.severity = .warning } == month.findings.count { $0.severity >= .warning })
    #expect(
      try ids { $0.storefront = Storefront("CN") }
        == month.findings.count { $0.storefront == Storefront("CN") })
    #expect(
      try ids { $0.since = Day("2023-06-20") }
        == month.findings.count { $0.date.map { $0 >= Day("2023-06-20")! } == true })
  }
}

private final class Sink {
  private(set) var bytes: [UInt8] = []
  private(set) var runs = 0
  func take(_ run: [UInt8]) {
    bytes += run
    runs += 1
  }
}
