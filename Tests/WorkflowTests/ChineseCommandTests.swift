import Billing
import Foundation
import Support
import Testing

/// Goal: whoever asks for Chinese finds no English in what any command prints, but what is typed,
/// codes and names. Method: the months of the samples through every command that prints something.
@Suite struct ChineseCommandTests {
  /// What is typed or named as it stands: kinds of files, columns, keys, values of options.
  private static let names: Set<String> = [
    "sales", "finance", "payments", "orders", "transactions", "products", "tiers", "rates",
    "receipts", "notifications", "history", "sample", "price", "tax", "commission", "proceeds",
    "message", "tieout", "reconcile", "explain", "import", "finding", "sha", "ms", "web", "vip",
    "iap", "subscription", "fixed", "tz", "standard", "order", "transaction", "tier", "name",
    "accepted", "agreements", "programmes", "tolerance", "partner", "share", "fetch", "statuses",
  ]
  private static let marks = [
    "Apple", "App", "Store", "Tieout", "Family", "Sharing", "Sandbox", "Review", "Distribution",
    "International", "Ltd", "Limited", "Pty", "Services", "iTunes", "iOS", "iPadOS", "macOS",
    "tvOS", "visionOS", "Connect", "Google", "Play", "storefront", "quantity", "channel", "nulls",
    "TestFlight",
  ]

  private func english(in text: String) -> [String] {
    let codes = Set(FindingCode.allCases.map(\.rawValue))
    // Paths, ids, keys, columns and quoted commands have signs that words have not.
    let named = #/[\w.\/=:+@-]*[0-9_.=\/][\w.\/=:+@-]*|--[a-z-]+|"[^"]*"/#
    return text.replacing(named, with: " ").matches(of: #/[A-Za-z]*[a-z][A-Za-z-]*/#)
      .map { String($0.output) }
      .filter { !codes.contains($0) && !Self.names.contains($0) && !Self.marks.contains($0) }
  }

  private func expectChinese(_ words: [String], in folder: TemporaryFolder) throws -> String {
    let run = try CommandLineRun(words + ["--lang", "zh"], in: folder)
    #expect([0, 1].contains(run.status), "\(words): \(run.errors)")
    let lines = (run.output + run.errors).split(separator: "\n")
    for line in lines {
      let left = english(in: String(line))
      #expect(left.isEmpty, "\(words.joined(separator: " ")): \(left) in \(line)")
    }
    #expect((run.output + run.errors).contains(#/\p{Han}/#), "\(words)")
    return run.output
  }

  @Test func `two settled months, from their import to their closes`() throws {
    let folder = try TemporaryFolder()
    let months = checkout + "samples/two-months"
    let options = ["--config", months + "/tieout.toml"]
    func said(_ words: String) throws -> String {
      try expectChinese(words.split(separator: " ").map(String.init) + options, in: folder)
    }
    _ = try said("import \(months)")
    _ = try said("status --as-of 2023-09-20")
    for period in ["2023-06", "2023-07"] {
      _ = try said("reconcile \(period) --as-of 2023-08-10")
      _ = try said("close \(period) --as-of 2023-08-10 --by sample")
    }
    for period in ["FY2023-P09", "FY2023-P10"] {
      _ = try said("reconcile \(period) --as-of 2023-09-20")
      _ = try said("close \(period) --as-of 2023-09-20 --by sample")
    }
    _ = try said("closes")
    _ = try said("finding list")
  }

  @Test(arguments: [
    "price --storefront CN --price 30 --date 2023-06-19",
    "price --storefront DE --price 9.99 --date 2023-06-19",
    "price --storefront BR --price 9.99 --date 2027-01-01 --platform ios",
    "price --tier 5 --date 2023-06-19",
    "plan rate --storefronts CN,JP --prices 30,68 --channel-rate 100 --date 2023-06-19",
    "plan what-if --commission CN=0.25 --storefronts CN --prices 30 --date 2023-06-19",
  ])
  func `prices and plans`(call: String) throws {
    _ = try expectChinese(
      call.split(separator: " ").map(String.init), in: try TemporaryFolder())
  }

  /// Each storefront's country by its Chinese name.
  @Test func `countries have their names`() throws {
    let folder = try TemporaryFolder()
    for (code, name) in [("CN", "中国大陆"), ("HK", "香港"), ("DE", "德国"), ("CI", "科特迪瓦")] {
      let said = try expectChinese(
        ["price", "--storefront", code, "--price", "3", "--date", "2023-06-19"], in: folder)
      #expect(said.contains("（\(name)）"), "\(said)")
    }
  }

  @Test(arguments: FindingCode.allCases.map(\.rawValue)) func `each code's meaning`(
    code: String
  ) throws {
    _ = try expectChinese(["explain", code], in: try TemporaryFolder())
  }
}
