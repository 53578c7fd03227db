import Billing
import Conclusions
import Foundation
import Testing

@testable import Reporting

@Suite struct JSONTests {
  @Test func richMonth() throws {
    try expectGolden(reconciliationJSON(SampleMonth.short) + "\n", "short.json")
  }

  @Test func emptyMonth() {
    #expect(
      reconciliationJSON(SampleMonth.empty) == """
        {
          "period": "2023-06",
          "base_currency": "CNY",
          "as_of": "2023-07-05",
          "basis": {
            "missing": [],
            "rates": [],
            "money": [],
            "ages": [],
            "causes": []
          },
          "inputs": [],
          "cutoffs": [],
          "terms": [],
          "proceeds": [],
          "bridge": [],
          "payment_bridge": [],
          "findings": [],
          "patterns": [],
          "flow": [],
          "totals": {
            "findings": {
              "error": 0,
              "warning": 0,
              "info": 0
            },
            "matched_units": 0,
            "unmatched_units": 0,
            "difference": null
          }
        }
        """)
  }

  /// What Apple owes, and what no bank statement proves of it, stand where scripts read.
  @Test func fiscalMonthSaysWhatIsOwedAndNotProven() throws {
    func document(_ month: Reconciliation) throws -> [String: Any] {
      let bytes = Data(reconciliationJSON(month).utf8)
      return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }
    var month = SampleFiscalMonth.reconciliation
    let unrated = try document(month)["receivable_closing"] as? [String: Any]
    #expect(unrated?["currency"] as? String == "CNY" && unrated?["amount"] is NSNull)
    // The other currency has no rate.
    month.receivable.removeFirst()
    let json = try document(month)
    let closing = json["receivable_closing"] as? [String: Any]
    #expect(closing?["amount"] as? String == month.owedByApple?.text)
    let missing = (json["basis"] as? [String: Any])?["missing"] as? [[String: Any]]
    #expect(missing?.map { $0["what"] as? String } == ["bank-statements"])
    #expect(missing?.first?["days"] as? [String] == ["2023-08-03"])
    #expect(missing?.first?["names"] as? [String] == ["BANK-****1234"])
  }

  @Test func inRunsItIsTheSame() throws {
    var month = SampleMonth.reconciliation
    month.findings = Array(repeating: month.findings, count: 30).flatMap(\.self)
    var bytes: [UInt8] = []
    var runs = 0
    reconciliationJSON(month) {
      bytes += $0
      runs += 1
    }
    #expect(runs > 2)
    #expect(String(decoding: bytes, as: UTF8.self) == reconciliationJSON(month))
    let parsed = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    #expect((parsed?["findings"] as? [Any])?.count == month.findings.count)
  }

  /// Values that end in, at and behind the end of a part, of parts that are written at a time too.
  @Test(arguments: [0, 1, 127, 128, 129, 256, 20_000], [false, true])
  func manyAreWrittenAsOneByOne(_ count: Int, _ isOneLine: Bool) {
    let values = Array(0..<Int64(count))
    func written(_ values: (inout JSONWriter) -> Void) -> String {
      var writer = JSONWriter(isOneLine: isOneLine)
      writer.object { json in
        json.integer("before", 1)
        json.key("values")
        values(&json)
        json.integer("after", 2)
      }
      return writer.text()
    }
    @Sendable func write(_ value: Int64, _ json: inout JSONWriter) {
      json.object { $0.integer("value", value) }
    }
    let oneByOne = written { json in json.array(of: values) { write($1, &$0) } }
    var flushes = 0
    let many = written { json in
      json.array(ofMany: values.count, { write(values[$1], &$0) }, flush: { _ in flushes += 1 })
    }
    #expect(many == oneByOne)
    #expect(flushes == (count + 127) / 128)
  }

  @Test func orderOfConclusionsDoesNotMatter() {
    var month = SampleMonth.reconciliation
    let json = reconciliationJSON(month)
    month.findings.reverse()
    month.inputs.reverse()
    month.proceeds.reverse()
    month.dayBoundaries.reverse()
    month.bridges.reverse()
    #expect(reconciliationJSON(month) == json)
  }

  @Test func hostileTextIsEscaped() throws {
    let text = "\"\\\n\r\t\u{0}\u{1f}/\u{2028}é文👾=+-@"
    var json = JSONWriter()
    json.array { $0.string(text) }
    let written = json.text()
    #expect(written == "[\n  \"\\\"\\\\\\n\\r\\t\\u0000\\u001f/\u{2028}é文👾=+-@\"\n]")
    let parsed = try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String]
    #expect(parsed == [text])
  }

  @Test(
    arguments: [
      (0, 2, "0.00"), (-5_000, 2, "-0.005"), (1_230_000, 2, "1.23"), (120_000_000, 0, "120"),
      (1_234_567, 0, "1.234567"), (.max, 2, "9223372036854.775807"),
      (.min, 2, "-9223372036854.775808"), (100_000, 0, "0.1"), (-1_000_000, 0, "-1"),
    ] as [(Int64, Int, String)])
  func decimalsAreDigits(micros: Int64, digits: Int, text: String) {
    var json = JSONWriter()
    json.decimal(micros, minimumDigits: digits)
    #expect(json.text() == "\"\(text)\"")
    #expect(decimalText(micros: micros, minimumDigits: digits) == text)
  }

  @Test func aDocumentThatIsNotClosedIsAnErrorOfTheProgram() async {
    await #expect(processExitsWith: .failure) {
      var json = JSONWriter()
      json.object { $0.key("a") }
    }
  }
}
