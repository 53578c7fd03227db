import Billing
import Foundation
import Testing

@testable import Workflow

/// What the records of receipts, notifications and history came to, as an import says it.
@Suite struct TallyTests {
  private static func file(_ name: String, _ kind: InputKind, _ tallies: [(Int, String)])
    -> ImportedFile
  {
    var file = ImportedFile(file: name, status: .imported)
    file.kind = kind
    file.rows = tallies.first?.0 ?? 0
    file.tallies = tallies.map { ImportTally(what: Wording(verbatim: $0.1), count: $0.0) }
    return file
  }

  private static let receipts = [
    (1_234, "transactions"), (12, "status 21002: the receipt data is malformed"),
  ]

  private static func summary(_ files: [ImportedFile]) -> ImportSummary {
    var summary = ImportSummary(isDryRun: false)
    summary.files = files
    return summary
  }

  @Test func `a file's records are told under its line`() {
    #expect(
      Self.summary([Self.file("receipts.jsonl", .receipts, Self.receipts)]).text == """
        receipts.jsonl  receipts  1,234 rows
          1,234  transactions
             12  status 21002: the receipt data is malformed
        receipts: 1 file, 1,234 rows
        imported 1 file, 1,234 rows

        """)
  }

  /// What is owed in regions' currencies, and what was paid in that of the bank.
  @Test func `a payments summary tells what is owed and what was paid`() {
    var file = Self.file("financial_report.csv", .payments, [])
    file.totals = [
      ImportTotal(
        currency: Currency("EUR"), units: 0, free: 0, gross: 0, proceeds: 178_590_000),
      ImportTotal(
        currency: Currency("USD"), units: 12, free: 0, gross: 209_000_000, proceeds: 0),
    ]
    let lines = Self.summary([file]).text.split(separator: "\n")
    #expect(lines.contains("  EUR  178.59 paid") && lines.contains("  USD  12 units, 209.00 owed"))
  }

  @Test func `several files of a kind are added up`() {
    let other = Self.file(
      "b.jsonl", .receipts, [(6, "transactions"), (3, "status 21007: a Sandbox receipt")])
    #expect(
      Self.summary([Self.file("a.jsonl", .receipts, Self.receipts), other]).text == """
        a.jsonl  receipts  1,234 rows
          1,234  transactions
             12  status 21002: the receipt data is malformed
        b.jsonl  receipts  6 rows
          6  transactions
          3  status 21007: a Sandbox receipt
        receipts: 2 files, 1,240 rows
          1,240  transactions
             12  status 21002: the receipt data is malformed
              3  status 21007: a Sandbox receipt
        imported 2 files, 1,240 rows

        """)
  }

  @Test func `of files that are not listed the kind tells`() {
    var files = (0..<12).map { ImportedFile(file: "\($0).csv", status: .imported) }
    files.append(Self.file("receipts.jsonl", .receipts, Self.receipts))
    #expect(
      Self.summary(files).text.hasPrefix(
        """
        receipts: 1 file, 1,234 rows
          1,234  transactions
             12  status 21002: the receipt data is malformed

        """))
  }

  @Test func `what was there already is not told again`() {
    var known = Self.file("receipts.jsonl", .receipts, Self.receipts)
    known.status = .skipped
    known.sameAs = "earlier.jsonl"
    let text = Self.summary([known]).text
    #expect(!text.contains("transactions"))
    #expect(text.contains("skipped: same content as earlier.jsonl"))
  }

  @Test func `scripts read them of files and kinds`() throws {
    let summary = Self.summary([
      Self.file("a.jsonl", .receipts, Self.receipts), Self.file("b.csv", .orders, []),
      Self.file("c.jsonl", .receipts, [(6, "transactions")]),
    ])
    let parsed = try JSONSerialization.jsonObject(with: Data(summary.json.utf8))
    let document = try #require(parsed as? [String: Any])
    func tallies(_ name: String) throws -> [[String]] {
      try #require(document[name] as? [[String: Any]]).map { entry in
        try #require(entry["tallies"] as? [[String: Any]]).map {
          "\(try #require($0["count"] as? Int)) \(try #require($0["what"] as? String))"
        }
      }
    }
    let malformed = "12 status 21002: the receipt data is malformed"
    #expect(try tallies("files") == [["1234 transactions", malformed], [], ["6 transactions"]])
    #expect(try tallies("kinds") == [[], ["1240 transactions", malformed]])
  }
}
