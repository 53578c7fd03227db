import Billing
import Foundation
import Support
import Testing
import Workflow

/// Tables in which an order has a row for each of its lines: an order counts once, so that the
/// further ones would be lost without a word.
@Suite struct OrderLinesTests {
  private static let header = "order_id,sku,status,placed_at,line\n"

  /// Two lines of one order, with an ID of their own, without one, and one with a blank in it.
  @Test(
    arguments: [
      ("order_id,sku,status,placed_at,line_id,note", ["L1,x", "L2,y", "L3,y"], "line_id"),
      ("order_id,sku,status,placed_at,item_no,id", ["1,7", "2,8", "1,9"], "id"),
      ("order_id,sku,status,placed_at,position", ["1", "2", "1"], nil),
      ("order_id,sku,status,placed_at,row_ref", ["a", "", "c"], nil),
    ] as [(String, [String], String?)])
  func `lines of one order are refused with their own ID`(
    _ header: String, _ rests: [String], _ column: String?
  ) throws {
    let folder = try TemporaryFolder()
    let rows = zip([("O1", "a"), ("O1", "b"), ("O2", "a")], rests).map { order, rest in
      "\(order.0),\(order.1),paid,1685577600,\(rest)\n"
    }
    try folder.write("orders.csv", header + "\n" + rows.joined())
    let summary = try folder.importing("orders.csv")
    let wrong = try #require(summary.files[0].diagnostics.first)
    #expect(summary.files[0].status == .rejected && summary.hasBadInput)
    #expect(wrong.message.english.contains("lines of one order"))
    if let column {
      #expect(wrong.help.english.contains("order_id = \"\(column)\""), "\(wrong.help.english)")
      try folder.write("tieout.toml", "import.orders.columns.order_id = \"\(column)\"\n")
      let run = try CommandLineRun("import", "orders.csv", in: folder)
      #expect(run.status == 0 && run.output.contains("3 rows"), "\(run.output + run.errors)")
    } else {
      #expect(wrong.help.english.contains("order_id || '-' || sku"))
    }
  }

  @Test func `one order that is told otherwise is no line`() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<300).map { "O\($0),a,paid,1685577600\n" }.joined()
    try folder.write("orders.csv", "order_id,sku,status,placed_at\n\(rows)O7,b,paid,1685577600\n")
    #expect(try folder.importing("orders.csv").files[0].status == .imported)
  }

  /// A dry run shows a file on one screen, and writes nothing.
  @Test func `a dry run shows any file on one screen`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "o.csv",
      "Order Id,sku,status,placed_at,colour\n1,a,paid,1686535200,red\n2,b,paid,1686535260,\n")
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    try folder.write(
      "b.sta",
      """
      :20:1
      :25:1/2
      :60F:C230802EUR0,
      :61:2308040803C5,NTRFNONREF
      :86:166?20PAYOUT?32APPLE INC
      :61:2308040803D1,NTRFNONREF
      :86:rent
      :62F:C230803EUR4,
      -

      """)
    for name in ["o.csv", "b.sta", Inputs.salesName(day: 1)] {
      let run = try CommandLineRun("import", name, "--dry-run", in: folder)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.split(separator: "\n").count <= 24, "\(run.output)")
      #expect(run.output.contains("  known by "))
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/tieout.sqlite"))
      let chinese = try CommandLineRun("import", name, "--dry-run", "--lang", "zh", in: folder)
      #expect(chinese.output.contains("  识别依据："))
    }
    let orders = try CommandLineRun("import", "o.csv", "--dry-run", in: folder).output
    #expect(orders.contains("  order_id   <- Order Id   1"), "\(orders)")
    #expect(orders.contains("columns left out: colour"))
    let bank = try CommandLineRun("import", "b.sta", "--dry-run", in: folder).output
    #expect(bank.contains("APPLE INC") && bank.contains("1  debit left out"), "\(bank)")
    let json = try CommandLineRun("import", "o.csv", "--dry-run", "--format", "json", in: folder)
    #expect(json.output.contains("\"first_rows\"") && json.output.contains("\"known_by\""))
  }

  @Test func `a mapping that changed since is said, and a file of another kind refused`() throws {
    let folder = try TemporaryFolder()
    try folder.write("o.csv", "order_id,sku,status,placed_at\n1,a,paid,2023-06-12 10:00:00\n")
    func run(_ toml: String) throws -> CommandLineRun {
      try folder.write("tieout.toml", toml)
      return try CommandLineRun("import", "o.csv", in: folder)
    }
    #expect(try run("import.zone = \"UTC\"\n").status == 0)
    #expect(try run("import.zone = \"UTC\"\n").errors.isEmpty)
    let changed = try run("import.zone = \"Asia/Shanghai\"\n")
    #expect(changed.status == 0 && changed.errors.contains("different: zone"), "\(changed.errors)")
    #expect(changed.errors.contains("tieout forget"))
    let more = "import.orders.words.status = { fulfilled = [\"DONE\"] }\n"
    #expect(try run("import.zone = \"UTC\"\n" + more).errors.isEmpty)
  }
}
