import Testing

@testable import Reporting

@Suite struct ProseLinesTests {
  /// Lines that spreadsheets break such text into, in columns as wide as those of the workbook; one
  /// more where a word ends near the edge.
  @Test(arguments: [
    ("add the SKU to the catalogue", 32, 1), ("", 32, 1),
    ("ask for the receipts of the candidate orders; the ledger lacks transactions", 32, 3),
    ("check the price in App Store Connect, or add the tier's change to the tier table", 32, 3),
    (
      "find the customer by the transaction id and deliver, or refund; then look for it",
      32, 3
    ),
    ("the order granted 12800 coins, the catalogue says 1280", 48, 2),
    ("Apple reports 2 units and the ledger has 0 of a SKU that is not in the catalogue", 48, 2),
    ("a\nb\nc", 32, 3), ("商品目录中没有该商品，请补充后重新核对本月账目并与报告比较", 32, 2),
  ])
  func `text takes up the lines that it is broken into`(text: String, width: Int, lines: Int) {
    #expect(proseLines(text, width: width) == lines)
  }

  @Test func `a word that is longer than the line is cut`() {
    #expect(proseLines(String(repeating: "0", count: 100), width: 32) == 4)
    #expect(proseLines("to " + String(repeating: "0", count: 30), width: 32) == 3)
  }

  @Test func `files are named as short as tells them apart`() {
    let names = shortNames(of: [
      "/a/orders.csv", "/a/1/S_D.txt", "/a/2/S_D.txt", "x.csv", "/b/x.csv",
    ])
    #expect(
      names == [
        "/a/orders.csv": "orders.csv", "/a/1/S_D.txt": "1/S_D.txt", "/a/2/S_D.txt": "2/S_D.txt",
        "x.csv": "x.csv", "/b/x.csv": "b/x.csv",
      ])
  }
}
