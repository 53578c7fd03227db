import Foundation
import Support
import Testing

/// Goal: what other programs export goes in by its mapping and loses nothing. Method: the exports
/// in `samples/exports` have the rows of `plain` as twenty programs write them; each is reconciled
/// by the program itself, and what comes out is that of `plain`, byte for byte, but for the names
/// of files and lines, which differ by nature.
@Suite struct ExportedTablesTests {
  private static let folder = checkout + "/samples/exports"

  static let exports: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.first?.isNumber == true }.sorted()

  /// What an export stands in for; all else is that of `plain` and `apple`.
  private static func inputs(_ export: String) -> [String] {
    let own = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + export)) ?? []
    let files = own.filter { $0 != "tieout.toml" }.sorted().map { "\(folder)/\(export)/\($0)" }
    let tables = ["products.csv", "tiers.csv", "rates.csv"].map { "\(folder)/apple/\($0)" }
    let (orders, transactions) = (
      folder + "/plain/orders.csv", folder + "/plain/transactions.csv"
    )
    return switch export {
    case "plain": [folder + "/apple", orders, transactions]
    case "11-zip-of-apple": tables + files + [orders, transactions]
    case "14-two-sheets": [folder + "/apple"] + files
    case "20-rails-transactions": [folder + "/apple", orders] + files
    default: [folder + "/apple", transactions] + files
    }
  }

  private struct Outcome: Equatable {
    var text: String
    var json: Data
    var findings: String
    var proceeds: String
  }

  private static func reconcile(_ export: String) throws -> Outcome {
    let work = try TemporaryFolder()
    let configuration = ["--config", "\(folder)/\(export)/tieout.toml"]
    let imported = try CommandLineRun(
      ["import", "--quiet"] + inputs(export) + configuration, in: work)
    #expect(imported.status == 0, "\(export): \(imported.errors)")
    #expect(imported.errors.isEmpty, "\(export): \(imported.errors)")
    func run(_ arguments: String...) throws -> String {
      let run = try CommandLineRun(
        arguments + ["--as-of", "2023-07-05"] + configuration, in: work)
      #expect(run.status == 0, "\(export): \(run.errors)")
      return run.output
    }
    let json = try run("reconcile", "2023-06", "--format", "json")
    return Outcome(
      text: try run("reconcile", "2023-06"), json: try withoutPlaces(json),
      findings: try run("export", "findings", "--period", "2023-06").split(separator: "\n")
        .map { $0.replacing(#/\/[^ ,"]*:[0-9]+/#, with: "") }.joined(separator: "\n"),
      proceeds: try run("export", "proceeds", "--period", "2023-06"))
  }

  /// The document without the files that it rests on and the lines on which rows stand.
  private static func withoutPlaces(_ json: String) throws -> Data {
    func stripped(_ value: Any) -> Any {
      switch value {
      case let object as [String: Any]:
        object.filter { !["inputs", "sources"].contains($0.key) }.mapValues(stripped)
      case let array as [Any]: array.map(stripped)
      default: value
      }
    }
    let document = try JSONSerialization.jsonObject(with: Data(json.utf8))
    return try JSONSerialization.data(withJSONObject: stripped(document), options: [.sortedKeys])
  }

  private static let plain = Result { try reconcile("plain") }

  @Test func `there are twenty, and there is something to find`() throws {
    #expect(Self.exports.count == 20)
    let plain = try Self.plain.get()
    for code in ["order-without-transaction", "price-mismatch", "quantity-mismatch"] {
      #expect(plain.text.contains(code))
    }
  }

  @Test(arguments: exports) func `an export gives the reconciliation of the plain tables`(
    export: String
  ) throws {
    let (found, plain) = (try Self.reconcile(export), try Self.plain.get())
    #expect(found.text == plain.text)
    #expect(found.findings == plain.findings)
    #expect(found.proceeds == plain.proceeds)
    #expect(found.json == plain.json)
  }
}
