import Billing
import Foundation
import Support
import Testing
import Workflow

/// Goal: amounts in cents are seen where Apple's prices prove it, and nowhere else. Method: a
/// company whose export has other names, words and units, walked from its files to a
/// reconciliation by what the program says, and the same with one thing of it changed.
@Suite struct PriceUnitTests {
  /// What customers pay for two products, in cents.
  private static let prices = ["gems.60": 99, "gems.300": 499]

  /// A game studio's orders: German names, semicolons, milliseconds, cents.
  private func orders(_ prices: [String: Int] = prices, currency: String = "EUR") -> String {
    "Bestellnummer;Artikel;Status;Erstellt_am;Betrag;Waehrung;Land\n"
      + prices.sorted { $0.key < $1.key }.map { sku, price in
        "A-\(sku)-\(currency);\(sku);gebucht;1685606400000;\(price);\(currency);DE\n"
      }.joined()
  }

  private func report(_ prices: [String: String], currency: String = "EUR") -> String {
    let row = Inputs.sales(day: 1, units: 1).split(separator: "\n").map(String.init)
    return row[0] + "\n"
      + prices.sorted { $0.key < $1.key }.map { sku, price in
        row[1].replacing("\tgems.60\t", with: "\t\(sku)\t")
          .replacing("\tCNY\tCN\tCNY\t", with: "\t\(currency)\tDE\t\(currency)\t")
          .replacing("\t6.00\t", with: "\t\(price)\t") + "\n"
      }.joined()
  }

  private static let reported = ["gems.60": "0.99", "gems.300": "4.99"]
  private static let words = "import.orders.words.status.paid = [\"gebucht\"]\n"
  private static let columns = """
    import.orders.columns = { order_id = "Bestellnummer", sku = "Artikel", \
    placed_at = "Erstellt_am", unit_price = "Betrag", currency = "Waehrung", storefront = "Land" }

    """

  private func warnings(_ run: CommandLineRun) -> [Substring] {
    run.errors.split(separator: "\n").filter { $0.contains("warning[unit]") }
  }

  @Test func `an unknown export comes to a reconciliation by what the program says`() throws {
    let folder = try TemporaryFolder()
    try folder.write("shop.csv", orders())
    try folder.write(Inputs.salesName(day: 1), report(Self.reported))
    // What the columns are is proposed; what the words mean only a person knows.
    let begun = try CommandLineRun("config", "init", ".", in: folder)
    let example = "import.orders.words.status = { created = [], paid = [], fulfilled = [], "
    #expect(begun.status == 0 && begun.errors.contains(example))
    let draft = String(decoding: try folder.bytes("tieout.toml"), as: UTF8.self)
    #expect(draft.contains("\n" + Self.columns), "\(draft)")
    try folder.write("tieout.toml", draft + Self.words)
    let first = try CommandLineRun("import", ".", in: folder)
    #expect(first.status == 0, "\(first.errors)")
    #expect(warnings(first).count == 1)
    #expect(
      first.errors.contains("the prices of 2 products are 100 times those of Apple's reports"))
    #expect(first.errors.contains("import.orders.unit = \"cents\""))
    // Begun anew, the draft has it by itself, because Apple's prices prove it.
    try folder.write("words.toml", Self.words + Self.columns)
    let again = try CommandLineRun("config", "init", ".", "--print", in: folder)
    #expect(again.output.contains("\nimport.orders.unit = \"cents\"\n"), "\(again.output)")
    try folder.write("tieout.toml", draft + Self.words + "import.orders.unit = \"cents\"\n")
    #expect(try CommandLineRun("forget", "./shop.csv", in: folder).status == 0)
    let second = try CommandLineRun("import", "shop.csv", in: folder)
    #expect(second.status == 0 && warnings(second).isEmpty, "\(second.errors)")
    #expect(second.output.contains("EUR  2 units, 5.98\n"), "\(second.output)")
    let run = try CommandLineRun(
      "reconcile", "2023-06", "--as-of", "2023-07-05", "--format", "json", in: folder)
    #expect(run.status == 0 && !run.output.contains("\"price-differs\""))
  }

  @Test(arguments: [
    // Apple's prices are the same, or other ones, or of another product, or absent.
    (["gems.60": "99.00", "gems.300": "499.00"], false),
    (["gems.60": "0.98", "gems.300": "4.98"], false), (["other": "0.99"], true), ([:], true),
    // One product is a chance.
    (["gems.60": "0.99"], false),
  ])
  func `without proof nothing is proposed`(reported: [String: String], isOpen: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("shop.csv", orders())
    try folder.write("tieout.toml", Self.columns + Self.words)
    if !reported.isEmpty { try folder.write(Inputs.salesName(day: 1), report(reported)) }
    let run = try CommandLineRun("import", ".", in: folder)
    #expect(run.status == 0 && warnings(run).isEmpty, "\(run.errors)")
    let draft = try CommandLineRun("config", "init", ".", "--print", in: folder).output
    #expect(!draft.contains("\nimport.orders.unit"))
    #expect(draft.contains("\n# import.orders.unit = \"cents\"\n") == isOpen, "\(draft)")
  }

  @Test func `prices with decimals are whole units, whatever Apple has`() throws {
    let folder = try TemporaryFolder()
    try folder.write("shop.csv", orders().replacing(";99;", with: ";99.50;"))
    try folder.write("tieout.toml", Self.columns + Self.words)
    try folder.write(Inputs.salesName(day: 1), report(Self.reported))
    let run = try CommandLineRun("import", ".", in: folder)
    #expect(run.status == 0 && warnings(run).isEmpty)
  }

  /// A month of euros and yen: prices of yen as they are given, and Apple's.
  private func twoCurrencies(in folder: TemporaryFolder, yen: [String: Int]) throws {
    let second = orders(yen, currency: "JPY").split(separator: "\n").dropFirst()
    try folder.write("shop.csv", orders() + second.map { $0 + "\n" }.joined())
    try folder.write(
      Inputs.salesName(day: 1),
      report(Self.reported)
        + report(["gems.60": "160", "gems.300": "800"], currency: "JPY").split(separator: "\n")
        .dropFirst().map { $0 + "\n" }.joined())
  }

  /// Payment services count yen in yen and euros in cents.
  @Test func `the minor unit of each currency is one word`() throws {
    let folder = try TemporaryFolder()
    try twoCurrencies(in: folder, yen: ["gems.60": 160, "gems.300": 800])
    try folder.write("tieout.toml", Self.columns + Self.words)
    let run = try CommandLineRun("import", ".", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors.contains(
        "prices in EUR are 100 times those of Apple's reports, and those in JPY are the same"))
    let minor = "import.orders.unit = \"minor\""
    let next = """
      next: correct in tieout.toml first: \(minor); then tieout forget ./shop.csv && \
      tieout import ./shop.csv

      """
    #expect(run.output.hasSuffix(next), "\(run.output)")
    // In cents, yen would be a hundredth of themselves.
    try folder.write("tieout.toml", Self.columns + Self.words + "import.orders.unit = \"cents\"\n")
    #expect(try CommandLineRun("forget", "shop.csv", in: folder).status == 0)
    let cents = try CommandLineRun("import", ".", in: folder)
    #expect(cents.errors.contains("prices in JPY are hundredths: these currencies have no cents"))
    #expect(cents.output.contains(minor) && cents.output.contains("next: correct in tieout.toml"))
    try folder.write("tieout.toml", Self.columns + Self.words + minor + "\n")
    #expect(try CommandLineRun("forget", "shop.csv", in: folder).status == 0)
    let right = try CommandLineRun("import", ".", in: folder)
    #expect(right.status == 0 && warnings(right).isEmpty, "\(right.errors)")
    #expect(right.output.contains("\n  JPY      2     960\n"), "\(right.output)")
    #expect(right.output.contains("\n  EUR      2    5.98\n"), "\(right.output)")
  }

  @Test func `lower-case codes and constants have their minor unit too`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.csv", orders(["gems.60": 99]) + "B-1;gems.60;gebucht;1685606400000;160;jpy;JP\n")
    let words =
      "import.orders.words.currency = { JPY = [\"jpy\"] }\nimport.orders.unit = \"minor\"\n"
    try folder.write("tieout.toml", Self.columns + Self.words + words)
    let run = try CommandLineRun("import", "a.csv", in: folder)
    #expect(run.output.contains("\n  JPY      1     160\n"), "\(run.output) \(run.errors)")
    #expect(run.output.contains("\n  EUR      1    0.99\n"), "\(run.output)")
  }

  @Test func `who says what a file is hears how to name its columns`() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.csv", "Nr;Ware;Wann\n1;gems.60;1685606400000\n")
    let unknown = try CommandLineRun("import", "x.csv", in: folder)
    #expect(unknown.status == 2 && unknown.errors.contains("(--as orders)"))
    let asked = try CommandLineRun("import", "x.csv", "--as", "orders", in: folder)
    #expect(asked.status == 2)
    #expect(
      asked.errors.contains(
        """
        \n    import.orders.columns = { order_id = "Nr", sku = "…", placed_at = "…" }
            import.orders.constants = { status = "…" }\n
        """), "\(asked.errors)")
  }

  @Test func `a refund as a negative row is said to be none`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "orders.csv",
      "order_id,sku,status,placed_at,quantity\nO1,gems.60,paid,1685606400000,1\n"
        + "O1,gems.60,refunded,1685606400000,-1\n")
    let run = try CommandLineRun("import", "orders.csv", in: folder)
    #expect(run.status == 2 && run.errors.contains("quantity is negative: \"-1\""))
    #expect(run.errors.contains("--keep-good-rows"))
    let kept = try CommandLineRun("import", "--keep-good-rows", "orders.csv", in: folder)
    #expect(kept.output.contains("1 bad row kept aside"), "\(kept.output)")
  }
}
