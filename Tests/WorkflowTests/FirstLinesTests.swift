import Foundation
import Support
import Testing

/// What a person reads first of the sample month when a part of it is not loaded: the part is
/// named, and no figure stands there as if it were whole.
struct FirstLinesTests {
  struct Example: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// What the names of files begin with that are left out.
    var without: [String]
    var says: [String]
    var isSilentOf: [String]
  }

  static let examples = [
    Example(
      testDescription: "everything is loaded", without: [],
      says: [
        "\nMissing: the sales report of 2023-06-18 is not loaded\n",
        "\n  ledger (your transactions)  75,312.99\n",
        "\n  report-missing              -1,698.59  open\n",
        "\n  Apple's sales reports       73,764.08\n",
        "\n  difference -1,548.91: 111.82 explained, -1,660.73 open, 0.00 unexplained\n",
        "\ncef444db  report-missing             - 06-18   -1,698.59  no report for the day\n",
        "\ndoes not tie: 21 errors to clear, difference 1,548.91 CNY\n",
      ],
      isSilentOf: ["no exchange rates"]),
    Example(
      testDescription: "no rates", without: ["rates"],
      says: ["no exchange rates for AUD, EUR, GBP, HKD, JPY and 3 more", "130 TWD  ", "\n  USD  "],
      isSilentOf: ["75,312.99"]),
    Example(
      testDescription: "no reports", without: ["S_D_", "0-first"],
      says: [
        "no sales report is loaded\n", "  -           -          -     -            -\n",
        "\nnot compared, a side is missing: ",
      ],
      isSilentOf: ["From the ledger", "units matched"]),
    Example(
      testDescription: "no orders", without: ["orders"],
      says: ["no orders of the period are loaded\n"],
      isSilentOf: ["no transactions of the period"]),
    Example(
      testDescription: "most reports are missing",
      without: ["S_D_85127269_2023061", "S_D_85127269_2023062", "0-first"],
      says: ["\ncannot be judged: days without a sales report: 20 of 30\n3 of "],
      isSilentOf: ["does not tie"]),
    Example(
      testDescription: "purchases from messages alone", without: ["transactions"],
      says: ["\ncannot be judged: matching failed as a whole", "no transactions table is loaded"],
      isSilentOf: ["does not tie"]),
    Example(
      testDescription: "no transactions",
      without: ["transactions", "receipts", "notifications", "history"],
      says: ["no transactions of the period are loaded\n", "not compared, a side is missing: "],
      isSilentOf: ["From the ledger"]),
  ]

  private static let sample = checkout + "samples/2023-06"

  @Test(arguments: examples) func whatIsMissingIsSaidFirst(_ example: Example) throws {
    let folder = try TemporaryFolder()
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.sample).filter { name in
      !name.hasSuffix(".toml") && !name.hasSuffix(".pem")
        && !example.without.contains(where: name.hasPrefix)
    }
    let config = ["--config", Self.sample + "/tieout.toml"]
    let imported = try CommandLineRun(
      ["import", "--quiet"] + config + files.sorted().map { Self.sample + "/" + $0 }, in: folder)
    #expect(imported.status == 0, "\(imported.errors)")
    let run = try CommandLineRun(
      ["reconcile", "--period", "2023-06", "--as-of", "2023-07-05"] + config, in: folder)
    for text in example.says { #expect(run.output.contains(text), "\(text)\n\(run.output)") }
    for text in example.isSilentOf { #expect(!run.output.contains(text), "\(text)") }
  }
}
