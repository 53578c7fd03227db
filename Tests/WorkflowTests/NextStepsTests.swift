import Foundation
import Support
import Testing

/// Goal: without a command the program says what to do next, whatever the folder holds, and
/// `doctor` says what is not there. Method: folders in each state.
@Suite struct NextStepsTests {
  private func told(_ arguments: String..., in folder: TemporaryFolder) throws -> String {
    let run = try CommandLineRun(arguments, in: folder)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output.split(separator: "\n").count <= 10, "\(run.output)")
    return run.output
  }

  @Test func `an empty folder needs files, one with files an import`() throws {
    let folder = try TemporaryFolder()
    #expect(try told(in: folder).contains("tieout template orders"))
    try folder.write("in/orders.csv", Inputs.orders(0..<3))
    #expect(try told(in: folder).contains("tieout import --dry-run ."))
    #expect(try told("--lang", "zh", in: folder).contains("可能要导入的文件：1 个"))
  }

  @Test func `a file that was refused is named, a month that is loaded is to be reconciled`() throws
  {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    try folder.write("bad.csv", Inputs.orderHeader + "O1,a,paid,1685577600,\"1,54\",CNY,CN\n")
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    _ = try CommandLineRun("import", ".", "--quiet", in: folder)
    let text = try told("--as-of", "2023-06-02", in: folder)
    #expect(text.contains("tieout import bad.csv"), "\(text)")
    #expect(text.contains("tieout reconcile 2023-06"), "\(text)")
    _ = try CommandLineRun("reconcile", "2023-06", "--as-of", "2023-06-02", in: folder)
    let later = try told("--as-of", "2023-06-02", in: folder)
    #expect(later.contains("2023-06 has errors to clear: "), "\(later)")
  }

  @Test func `what cannot be read is no failure`() throws {
    let folder = try TemporaryFolder()
    try folder.write("tieout.sqlite", String(repeating: "no ledger at all. ", count: 500))
    #expect(try told(in: folder).contains("tieout.sqlite"))
  }

  @Test func `doctor names keys and tables that are not there`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    try folder.write("tieout.toml", "business_zone = \"Asia/Shanghai\"\n")
    _ = try folder.importing("orders.csv")
    let run = try CommandLineRun("doctor", in: folder)
    #expect(run.status == 0)
    #expect(!run.output.contains("business_zone") && run.output.contains("small_business"))
    // Below what it says of all of them.
    #expect(run.output.contains("Not set in ./tieout.toml:") && !run.output.contains("; set "))
    #expect(!run.output.contains("  orders (") && run.output.contains("  transactions ("))
    let json = try CommandLineRun("doctor", "--format", "json", in: folder)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect((object?["missing"] as? [Any])?.isEmpty == false)
  }
}
