import Billing
import Conclusions
import Foundation
import Matching
import Support
import Testing

/// What files, ids and people say is text: it neither steers a terminal nor forges a line.
@Suite struct PlainTextTests {
  private let company: Company
  private var folder: TemporaryFolder { company.folder }
  /// Sets the title, clears the screen, begins a line, turns the writing round.
  private static let hostile =
    "x\u{1B}]0;t\u{7}\u{1B}[2J\nclosed by root\r\u{9B}1m\u{202E}\u{2028}y"

  init() throws {
    company = try Company()
    try company.importJune()
  }

  private func run(_ arguments: String...) throws -> CommandLineRun {
    try CommandLineRun(arguments + ["--as-of", "2023-09-01"], in: folder)
  }

  private func isPlain(_ text: String) -> Bool {
    !text.unicodeScalars.contains { scalar in
      scalar != "\n" && (scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value))
        || scalar.value == 0x202E || scalar.value == 0x2028
    } && !text.split(separator: "\n").contains { $0.hasPrefix("closed by root") }
  }

  @Test func `reasons and names of closes stay on their line`() throws {
    let open = try company.reconcile(Period("2023-06")!).findings.filter { $0.severity == .error }
    let accepted = open.flatMap { ["--accept", $0.id] }
    let closed = try CommandLineRun(
      ["close", "2023-06", "--by", Self.hostile, "--reason", Self.hostile] + accepted
        + ["--as-of", "2023-09-01"], in: folder)
    #expect(closed.status == 0 && isPlain(closed.output) && isPlain(closed.errors))
    let closes = try run("closes")
    #expect(isPlain(closes.output) && closes.output.contains("closed by root"))
    #expect(try isPlain(run("closes", "--format", "json").output))
  }

  @Test func `names of files, ids and remarks stay on their line`() throws {
    let name = Self.hostile.replacing("/", with: "-") + ".csv"
    let quoted = Self.hostile.replacing("\u{2028}", with: "")
    try folder.write(
      name, Inputs.orderHeader + "\"\(quoted)\",gems.60,paid,2023-06-07T00:00:00Z,6.00,CNY,CN\n")
    var runs = [try run("import", name)]
    #expect(runs[0].status == 0, "\(runs[0].errors)")
    try folder.write("2" + name, "no,header\n")
    runs.append(try run("import", "2" + name))
    runs.append(try run("import", "missing" + name))
    runs.append(try run("status"))
    runs.append(try run("reconcile", "--period", "2023-06"))
    let findings = try company.reconcile(Period("2023-06")!).findings
    for finding in findings.prefix(2) {
      runs.append(
        try run("finding", "comment", finding.id, "--reason", Self.hostile, "--by", Self.hostile))
    }
    runs.append(try run("finding", "list", "--period", "2023-06"))
    for finding in findings { runs.append(try run("explain", finding.id)) }
    runs.append(try run("explain", quoted))
    runs.append(try run("sql", "SELECT order_id, file FROM v_order"))
    runs.append(try run("closes", "--print", Self.hostile, "2023-06"))
    runs.append(try run("status", "--ledger", Self.hostile))
    for run in runs { #expect(isPlain(run.output) && isPlain(run.errors), "\(run)") }
    #expect(runs.contains { $0.output.contains("closed by root") })
  }
}
