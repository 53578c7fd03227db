import Billing
import Foundation
import Support
import Testing

/// Goal: `samples/truth.json` lists what the sample month has, and nothing else. Method: its lines
/// against the findings of a reconciliation by the program, both ways.
@Suite struct SampleTruthTests {
  private struct Findings: Decodable {
    var expected: [Line]?
    var findings: [Line]?
  }

  private struct Line: Decodable {
    var code: String
    var storefront: String?
    var date: String?
    var sku: String?
    var units: Int?
    var amount: String?
    var orderIds: [String]
    var transactionIds: [String]

    var key: String {
      [code, storefront ?? "-", date ?? "-", sku ?? "-"].joined(separator: " ")
    }
  }

  @Test func `the sample month has the findings that its truth lists`() throws {
    let (truth, found) = try findings()
    #expect(found.map(\.key).sorted() == truth.map(\.key).sorted())
    // One of them is that Apple takes 2% of British prices, not of its commission: in all 30 days
    // 8.72 GBP less than by the table.
    #expect(truth.count == 39 && Set(truth.map(\.code)).count == 33)
    for line in truth {
      let alike = found.filter { $0.key == line.key }
      #expect(
        alike.contains { finding in
          (line.units == nil || line.units == finding.units)
            && (line.amount == nil || line.amount == finding.amount)
            && Set(line.orderIds).isSubset(of: finding.orderIds)
            && Set(line.transactionIds).isSubset(of: finding.transactionIds)
        }, "\(line)\n\(alike)")
    }
  }

  private func findings() throws -> (truth: [Line], found: [Line]) {
    let folder = try TemporaryFolder()
    let month = checkout + "samples/2023-06"
    let config = ["--config", month + "/tieout.toml"]
    let imported = try CommandLineRun(["import", "--quiet", month] + config, in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    let run = try CommandLineRun(
      ["reconcile", "--period", "2023-06", "--as-of", "2023-07-05", "--format", "json"] + config,
      in: folder)
    let truth = try Data(contentsOf: URL(filePath: checkout + "samples/truth.json"))
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return (
      try #require(decoder.decode(Findings.self, from: truth).expected),
      try #require(decoder.decode(Findings.self, from: Data(run.output.utf8)).findings)
    )
  }
}
