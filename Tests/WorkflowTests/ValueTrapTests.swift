import Billing
import Foundation
import Support
import Testing

/// Values that no calendar and no sum has room for are refused with their place, when they are
/// read: a ledger never holds what ends a later command.
@Suite struct ValueTrapTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String) throws -> CommandLineRun {
    try CommandLineRun(in: folder, through: arguments)
  }

  @Test(arguments: ["12/31/9999", "01/01/0001", "12/31/1899"])
  func `a report of no year is refused`(date: String) throws {
    try folder.write(
      "sales.txt", Inputs.sales(day: 1, units: 7).replacing("06/01/2023", with: date))
    let refused = try run("import sales.txt --vendor 1")
    #expect(refused.status == 2)
    #expect(refused.errors.hasPrefix("sales.txt:2:"))
    #expect(refused.errors.contains("there is no such day in the years 1900 to 2199"))
    #expect(try run("status").status == 0)
    #expect(try run("reconcile --period 2023-06").status == 2)
  }

  @Test(arguments: [
    "status --as-of 9999-12-31", "status --as-of 0001-01-01", "import --no-sales 9999-12-31",
    "reconcile --period 9999-12", "reconcile --period 0001-01", "close 9999-12",
    "reconcile --period 0001-01-01..9999-12-31",
    "price --storefront CN --price 1 --date 0001-01-01",
    "export orders --since 9999-12-31", "plan rate --date 9999-12-31", "import x --date 9999-12-31",
  ])
  func `options name days of this age`(arguments: String) throws {
    #expect(try run(arguments).status == 64)
  }

  @Test func `days at both ends of the calendar end no command`() throws {
    try folder.write("orders.csv", Inputs.orders(0..<3))
    for day in ["1900-01-01", "2199-12-31"] {
      #expect(try run("import orders.csv --vendor 1 --no-sales \(day)").status == 0)
      for command in ["status", "reconcile --period \(day.prefix(7))", "close \(day.prefix(7))"] {
        #expect(try [0, 1, 2].contains(run("\(command) --as-of \(day)").status))
      }
    }
  }

  /// Amounts that cancel out are added up apart later.
  @Test func `sums beyond 64 bits are refused, whatever their signs`() throws {
    let row = "O,gems.60,fulfilled,2023-06-05T19:00:00Z,1000,900000000,CNY,CN\n"
    let header = "order_id,sku,status,placed_at,quantity,unit_price,currency,storefront\n"
    let orders = (0..<9).map { row.replacing("O,", with: "O\($0),") }.joined()
    try folder.write("orders.csv", header + orders)
    let refused = try run("import orders.csv")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("add up to more than can be counted"))
    let lines = Inputs.sales(day: 1, units: 999).replacing("\t6.00", with: "\t900000000.00")
      .split(separator: "\n")
    let refunds = lines[1].replacing("\t999\t", with: "\t-999\t")
      .replacing("\t900000000.00", with: "\t900000000.01")
    let rows = (0..<20).map { $0.isMultiple(of: 2) ? String(lines[1]) : String(refunds) }
    try folder.write("sales.txt", ([String(lines[0])] + rows).joined(separator: "\n") + "\n")
    let sales = try run("import sales.txt --vendor 1")
    #expect(sales.status == 2)
    #expect(sales.errors.contains("add up to more than can be counted"))
  }

  @Test func `keys within keys and keys without number are refused`() throws {
    let deep = Array(repeating: "a", count: 200_000).joined(separator: ".")
    for (text, reason) in [
      ("tolerance = 1\n\(deep) = 1\n", "tieout.toml:2:1: error[config]: the line has 199999 dots"),
      ("[\(deep)]\n", "the line has 199999 dots"), ("x = { \(deep) = 1 }\n", "the line has"),
      (String(repeating: "# long\n", count: 200_000), "is longer than 1048576 bytes"),
    ] {
      try folder.write("tieout.toml", text)
      let refused = try run("config")
      #expect(refused.status == 2)
      #expect(refused.errors.contains(reason), "\(refused.errors.prefix(300))")
    }
    try folder.write("tieout.toml", (0..<2000).map { "k\($0) = \($0)\n" }.joined())
    let told = try run("config")
    #expect(told.status == 0)
    #expect(told.errors.contains("further unknown keys are left out: 1900"))
    try FileManager.default.removeItem(atPath: folder.path + "/tieout.toml")
    let keys = (0..<100_000).map { "\"k\($0)\":1" }.joined(separator: ",")
    for text in ["{\(keys)}", "[{\(keys)}]", "{\"signedTransactions\":[],\(keys)}"] {
      try folder.write("keys.json", text)
      let refused = try run("import keys.json")
      #expect(refused.status == 2)
      #expect(refused.errors.contains("an object has more than 4096 keys"))
    }
    let order =
      "{\"order_id\":\"O\",\"sku\":\"a\",\"status\":\"paid\",\"placed_at\":\"1685577600\"}"
    try folder.write("keys.json", "\(order)\n{\"order_id\":\"P\",\(keys)}\n")
    let refused = try run("import keys.json")
    #expect(refused.status == 2)
    #expect(refused.errors.hasPrefix("keys.json:2:"))
  }

  @Test func `blanks without end are refused`() throws {
    let blanks = [UInt8](repeating: 0x0A, count: 20 << 20)
    let order =
      "{\"order_id\":\"O\",\"sku\":\"a\",\"status\":\"paid\",\"placed_at\":\"1685577600\"}"
    for head in ["", Inputs.orderHeader, "[", order] {
      try folder.write("blanks.csv.gz", gzipMember(Array(head.utf8) + blanks))
      let refused = try run("import blanks.csv.gz")
      #expect(refused.status == 2, "\(head)")
      #expect(
        refused.errors.contains("blank bytes in a row")
          || refused.errors.contains("longer than"), "\(head) \(refused.errors)")
    }
  }
}
