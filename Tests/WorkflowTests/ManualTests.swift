import Foundation
import Support
import Testing

/// What the tool tells of itself: configuration, manual page, completions, likely commands.
@Suite struct ManualTests {
  /// Everything set, as a company would.
  private static let everything = """
    base_currency = "USD"
    bundle_ids = ["com.example.orbit"]
    vendor_numbers = ["85012345"]
    developer_country = "DE"
    default_storefront = "DE"
    business_zone = "Asia/Shanghai"
    small_business = [{ from = "2023-01-01", to = "2023-12-31" }, { from = "2025-01-01" }]
    day_boundary = { CN = "Asia/Shanghai", DE = "+01:00" }
    timing_window = "2 h"
    expected_deduction = [0.29, 0.335]
    tolerance = 2
    late_after = "90 min"
    sandbox_users = ["tester \\"a\\"", "审核"]
    sandbox_windows = [{ from = 2023-06-01T08:00:00Z, to = 2023-06-03T18:00:00Z }]
    mask_users = true
    carry_max = 3
    fx_tolerance = 0.02
    revenue = "net"
    deferral = true
    accounts = { bank = "Assets:Bank:Main" }
    opening_receivable = { USD = "1234.56" }

    """

  /// What the command prints can be the configuration, and then it prints the same.
  @Test(arguments: ["", everything])
  func `the printed configuration is a configuration`(text: String) throws {
    let folder = try TemporaryFolder()
    if !text.isEmpty { try folder.write("tieout.toml", text) }
    let first = try CommandLineRun("config", in: folder)
    #expect(first.status == 0)
    #expect(first.errors.isEmpty)
    try folder.write("tieout.toml", first.output)
    let second = try CommandLineRun("config", in: folder)
    #expect(second.status == 0)
    #expect(second.errors.isEmpty)
    #expect(Self.values(second.output) == Self.values(first.output))
  }

  /// Lines without the remarks at their ends.
  private static func values(_ text: String) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      String($0).replacing("  # default", with: "")
    }
  }

  @Test func `what the file says is told apart from defaults`() throws {
    let folder = try TemporaryFolder()
    try folder.write("tieout.toml", "tolerance = 3\n")
    let run = try CommandLineRun("config", in: folder)
    #expect(run.output.contains("\ntolerance = 3\n"))
    #expect(run.output.contains("\nlate_after = 3600  # default\n"))
    let json = try CommandLineRun("config", "--format", "json", in: folder)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let values = try #require(object?["values"] as? [[String: String]])
    #expect(values.contains(["key": "tolerance", "value": "3", "from": "file"]))
    #expect(values.contains(["key": "late_after", "value": "3600", "from": "default"]))
    #expect(object?["path"] as? String == "./tieout.toml")
  }

  @Test func `the manual page has every command and every option`() throws {
    let folder = try TemporaryFolder()
    let page = try CommandLineRun("manual", in: folder).output.replacing("\\-", with: "-")
    let help = try CommandLineRun("--help", in: folder).output
    let commands = help.split(separator: "\n")
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .map { String($0.split(separator: " ")[0]) }.filter { $0 != "tieout" }
    #expect(commands.count > 8)
    for command in commands {
      #expect(page.contains("\n.SS tieout \(command)\n"), "\(command)")
      let options = try CommandLineRun(command, "--help", in: folder).output
        .split(whereSeparator: { " \n,[]()".contains($0) })
        .filter { $0.hasPrefix("--") && $0.count > 3 }
      for option in Set(options) { #expect(page.contains(option), "\(command) \(option)") }
    }
  }

  @Test(arguments: [
    ("reconcil --period 2023-06", "did you mean reconcile?"), ("--ledger x statu", "status?"),
    ("wibble", "commands: import"),
  ])
  func `a misspelt command is answered with a likely one`(line: String, answer: String) throws {
    let folder = try TemporaryFolder()
    let run = try CommandLineRun(in: folder, through: line)
    #expect(run.status == 64)
    #expect(run.errors.contains(answer))
  }
}
