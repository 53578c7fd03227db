import Billing
import Fetching
import Foundation
import Ledger
import Support
import Testing
import Workflow

/// Goal: what is wrong with one question keeps no other away, and a host that is down is left alone
/// soon. Method: the stand-in with errors on one transaction or day, on every other, and on all.
@Suite struct FetchErrorsTests {
  private func standIn(_ ids: [Int], faults: String) throws -> AppleStandIn {
    let standIn = try AppleStandIn(faults: faults)
    for id in ids {
      try standIn.folder.write(
        "data/statuses_\(id).json",
        #"{"bundleId": "com.example.game", "environment": "Production", "data": [{"a": 1}]}"#)
    }
    return standIn
  }

  private func statuses(_ ids: [Int], _ standIn: AppleStandIn) throws -> FetchSummary {
    let wish = FetchWish.purchases(.statuses, ids: ids.map(String.init), file: nil, findingsOf: nil)
    return try standIn.fetching(wish) { $0.imports = false }
  }

  private func items(_ summary: FetchSummary, _ outcome: AppleAnswer.Outcome?) -> [String] {
    summary.answers.filter { $0.outcome == outcome }.map(\.item).sorted()
  }

  /// By "Error codes" of the App Store Server API these pass some time; of one transaction they may
  /// never.
  @Test(arguments: [
    (404, 4_040_002, 3), (404, 4_040_004, 3), (404, 4_040_006, 3), (500, 5_000_000, 2),
    (500, 5_000_001, 3),
  ])
  func `an error that stays on one transaction keeps no other away`(
    status: Int, code: Int, attempts: Int
  ) throws {
    let ids = Array(7001...7012)
    let standIn = try standIn(
      ids,
      faults: #"[{"match": "/7002", "do": "\#(status)", "error_code": \#(code), "times": 99}]"#)
    let summary = try statuses(ids, standIn)
    #expect(items(summary, .failed) == ["7002"])
    #expect(items(summary, .rows).count == 11 && summary.lacksAnswers)
    #expect(try standIn.asked().count == 11 + attempts)
  }

  @Test func `an error that stays on one day keeps no other day's report away`() throws {
    var data: [String: [UInt8]] = [:]
    for day in 1...9 {
      data[Inputs.salesName(day: day)] = Array(Inputs.sales(day: day, units: day).utf8)
    }
    let standIn = try AppleStandIn(
      data: data, faults: #"[{"match": "06-02", "do": "500", "times": 99}]"#)
    let summary = try standIn.june(1...9)
    #expect(items(summary, .failed) == ["2023-06-02"])
    #expect(summary.imported?.count(.imported) == 8)
  }

  /// Those that are answered meanwhile say that the host is well.
  @Test func `errors on every other transaction keep none away`() throws {
    let ids = (0..<20).flatMap { [7100 + $0, 7200 + $0] }
    let standIn = try standIn(
      ids, faults: #"[{"match": "/71", "do": "500", "error_code": 5000001, "times": 999}]"#)
    let summary = try statuses(ids, standIn)
    #expect(items(summary, .failed).count == 20 && items(summary, .rows).count == 20)
  }

  @Test func `ten errors in a row end it`() throws {
    let ids = Array(7001...7060)
    let standIn = try standIn(
      ids, faults: #"[{"match": "/70", "do": "500", "error_code": 5000001, "times": 999}]"#)
    let summary = try statuses(ids, standIn)
    // Two more may be under way when the tenth is told.
    #expect((10...12).contains(items(summary, .failed).count))
    #expect(items(summary, nil).count >= 48 && summary.lacksAnswers)
  }

  @Test(arguments: [429, 502, 503, 504])
  func `a host that says that it is too busy is left alone at once`(status: Int) throws {
    let ids = Array(7001...7030)
    let standIn = try standIn(
      ids, faults: #"[{"match": "/70", "do": "\#(status)", "retry_after": 0, "times": 999}]"#)
    let summary = try statuses(ids, standIn)
    #expect((1...3).contains(items(summary, .failed).count), "those under way at the same time")
    #expect(items(summary, nil).count >= 27)
  }
}
