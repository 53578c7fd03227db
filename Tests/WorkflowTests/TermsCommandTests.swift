import Billing
import Foundation
import Support
import Testing

/// Goal: what `reconcile` concludes of terms is what `price` expects, and what nobody knows is
/// said. Method: reports of German iPhones written here, run through the program.
@Suite struct TermsCommandTests {
  /// A report of October 2026 with one row of 9.99 EUR: 5.88 at 30%, 6.21 at 26%.
  private func report(day: Int, proceeds: String, device: String = "iPhone") -> String {
    Inputs.sales(day: day, units: 1)
      .replacing("06/\(padded(day, 2))/2023", with: "10/\(padded(day, 2))/2026")
      .replacing("4.13", with: proceeds).replacing("6.00", with: "9.99")
      .replacing("\tCNY\tCN\tCNY", with: "\tEUR\tDE\tEUR").replacing("iPhone", with: device)
  }

  private func name(day: Int) -> String { "S_D_85012345_202610\(padded(day, 2)).txt" }

  private func october(in folder: TemporaryFolder) throws {
    for day in 1...31 {
      try folder.write(name(day: day), report(day: day, proceeds: day < 12 ? "5.88" : "6.21"))
    }
    try folder.write("orders.csv", Inputs.orders(0..<1))
    let names = (1...31).map { name(day: $0) } + ["orders.csv"]
    let run = try CommandLineRun(["import"] + names, in: folder)
    #expect(run.status == 0, "\(run.errors)")
  }

  private func price(
    _ options: String..., in folder: TemporaryFolder
  ) throws -> CommandLineRun {
    try CommandLineRun(
      ["price", "--storefront", "DE", "--price", "9.99", "--date", "2026-11-01"] + options,
      in: folder)
  }

  @Test func whatNobodyKnowsIsAnsweredBothWays() throws {
    let folder = try TemporaryFolder()
    let run = try price(in: folder)
    #expect(run.status == 0)
    #expect(
      run.errors.contains(
        """
        whether agreement EU-2026 was accepted by 2026-11-01 is unknown: accepted, proceeds are \
        6.21 EUR at 26%; not accepted, 5.88 at 30%
        """), "\(run.errors)")
    #expect(run.output.contains("standard without EU-2026 *"), "\(run.output)")
    #expect(run.output.contains("standard with EU-2026"))
    let json = try price("--format", "json", in: folder)
    #expect(json.output.contains("5.88") && json.output.contains("6.21"), "\(json.output)")
    let before = try CommandLineRun(
      "price", "--storefront", "DE", "--price", "9.99", "--date", "2026-09-30", in: folder)
    #expect(before.errors == "" && before.output.contains("5.88"))
  }

  @Test func theConfigurationDecides() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "tieout.toml", "agreements = [{ name = \"EU-2026\", accepted = 2026-10-05 }]\n")
    let run = try price(in: folder)
    #expect(run.errors == "" && run.output.contains("6.21"), "\(run.output)")
    #expect(run.output.contains("commission 26% by EU-2026"))
    #expect(try price("--verbose", in: folder).output.contains("terms.csv:"))
    try folder.write("tieout.toml", "agreements = [{ name = \"EU-2026\" }]\n")
    let refused = try price(in: folder)
    #expect(refused.errors == "" && refused.output.contains("5.88"))
  }

  @Test func whatAReconciliationFoundIsExpected() throws {
    let folder = try TemporaryFolder()
    try october(in: folder)
    let run = try CommandLineRun(
      "reconcile", "--period", "2026-10", "--as-of", "2026-11-10", "--format", "json", in: folder)
    #expect(run.output.contains("\"terms-changed\""), "\(run.errors)")
    #expect(!run.output.contains("\"proceeds-unexpected\""))
    #expect(run.output.contains("EU-2026 26% from 2026-10-12, before standard 30%"))
    let known = try price(in: folder)
    #expect(known.errors == "" && known.output.contains("6.21"), "\(known.errors)")
    let earlier = try CommandLineRun(
      "price", "--storefront", "FR", "--price", "9.99", "--date", "2026-10-11", in: folder)
    #expect(earlier.output.contains("commission 30%"))
    let later = try CommandLineRun(
      "price", "--storefront", "FR", "--price", "9.99", "--date", "2026-10-13", in: folder)
    #expect(later.output.contains("commission 26% by EU-2026"), "\(later.output)")
  }

  /// Each row of a file by what was recorded of its own day, whatever the order of days.
  @Test func aFileOfQuestionsExpectsWhatWasFound() throws {
    let folder = try TemporaryFolder()
    try october(in: folder)
    let questions = """
      storefront,price,date
      FR,9.99,2026-10-13
      DE,9.99,2026-11-20
      DE,9.99,2026-10-11
      DE,9.99,2026-09-30
      DE,9.99,2026-10-12

      """
    try folder.write("questions.csv", questions)
    func proceeds() throws -> [String] {
      let run = try CommandLineRun("price", "questions.csv", "--format", "csv", in: folder)
      #expect(run.status == 0, "\(run.errors)")
      let lines = run.output.split(whereSeparator: \.isNewline).map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
      let place = try #require(lines.first?.firstIndex(of: "proceeds"), "\(run.output)")
      return lines.dropFirst().map { $0[place] }
    }
    #expect(try proceeds() == ["5.83", "5.88", "5.88", "5.88", "5.88"])
    let run = try CommandLineRun(
      "reconcile", "--period", "2026-10", "--as-of", "2026-11-10", "--format", "json", in: folder)
    #expect(run.output.contains("\"terms-changed\""), "\(run.errors)")
    #expect(try proceeds() == ["6.16", "6.21", "5.88", "5.88", "6.21"])
  }

  @Test func aPlanExpectsWhatWasFound() throws {
    let folder = try TemporaryFolder()
    try october(in: folder)
    try folder.write(
      "tiers.csv",
      """
      table,tier,storefront,currency,price,effective_from
      iap,5,DE,EUR,9.99,2020-01-01

      """)
    let tiers = try CommandLineRun("import", "tiers.csv", in: folder)
    #expect(tiers.status == 0, "\(tiers.errors)")
    func plan(_ date: String) throws -> String {
      let run = try CommandLineRun(
        "plan", "price", "--wanted", "9.99", "--storefronts", "DE", "--channel-rate", "10",
        "--channel-currency", "EUR", "--date", date, "--format", "json", in: folder)
      #expect(run.status == 0, "\(run.errors)")
      return run.output
    }
    #expect(try plan("2026-11-01").contains("\"5.88\""))
    _ = try CommandLineRun(
      "reconcile", "--period", "2026-10", "--as-of", "2026-11-10", in: folder)
    #expect(try plan("2026-11-01").contains("\"6.21\""))
    #expect(try plan("2026-10-11").contains("\"5.88\""))
  }

  @Test func theCompanysCommissionsAreImported() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "commissions.csv",
      """
      name,storefront,platform,programme,class,rate,effective_from,effective_to
      EU-2026,eu,"ios, ipados",,standard,0.20,2026-10-01,
      EU-2026,EU,,small-business,,0.11,2026-10-01,

      """)
    let good = try CommandLineRun("import", "commissions.csv", in: folder)
    #expect(good.status == 0, "\(good.errors)")
    try folder.write(
      "bad.csv",
      """
      name,storefront,platform,programme,class,rate,effective_from,effective_to
      XX,EU,psion,,standard,0.2,,
      XX,EU,,mini-apps,after-one-year,0.2,,
      XX,EU,,,standard,26,,

      """)
    let run = try CommandLineRun("import", "bad.csv", in: folder)
    #expect(run.errors.contains("platform is not one that Apple sells on"), "\(run.errors)")
    #expect(run.errors.contains("class and programme name two commissions"))
    #expect(run.errors.contains("rate is not below 1"))
    let known = try price(in: folder)
    #expect(known.output.contains("commission 20% by EU-2026"), "\(known.output)\(known.errors)")
    #expect(
      try price("--verbose", in: folder).output.contains("the imported commissions"))
    let mac = try price("--platform", "mac", in: folder)
    #expect(mac.output.contains("commission 30%"), "\(mac.output)")
  }

  @Test func invoicesAreImported() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "invoices.csv",
      """
      invoice_number,billing_period,app,currency,amount,tax,total,due
      I1,2026-10,Orbit,EUR,10.00,1.90,11.90,2026-12-15
      I2,2026-10,Orbit,EUR,10.00,1.90,12.90,2026-12-15
      I3,October,Orbit,EUR,10.00,1.90,11.90,2026-12-15

      """)
    let run = try CommandLineRun("import", "invoices.csv", in: folder)
    #expect(run.errors.contains("total is not amount and tax together"), "\(run.errors)")
    #expect(run.errors.contains("billing_period is neither a month nor a span of days"))
    let again = try CommandLineRun("status", "--as-of", "2026-12-01", in: folder)
    #expect(again.status == 0, "\(again.errors)")
  }

  @Test(arguments: [
    ("JP", "2016-01-01", "500"), ("JP", "2019-02-01", "600"), ("DE", "2019-02-01", "5.49"),
    ("FM", "2019-02-01", "4.99"),
  ])
  func listsOfOtherStorefrontsAnswer(code: String, date: String, price: String) throws {
    let folder = try TemporaryFolder()
    let run = try CommandLineRun(
      "price", "--tier", "5", "--storefront", code, "--date", date, "--verbose", in: folder)
    #expect(run.output.hasPrefix(price), "\(run.output)\(run.errors)")
    #expect(run.output.contains("matrices.csv:"))
  }

  @Test func whatIsNotBuiltInIsSaidWithItsInput() throws {
    let folder = try TemporaryFolder()
    let run = try CommandLineRun(
      "price", "--tier", "5", "--storefront", "JP", "--date", "2026-11-01", in: folder)
    #expect(run.status != 0)
    #expect(run.errors.contains("tier 5 has no price in JP on 2026-11-01"))
    #expect(run.errors.contains("import a table of tiers"), "\(run.errors)")
    let point = try CommandLineRun(
      "price", "--tier", "10010", "--storefront", "US", "--date", "2026-11-01", in: folder)
    #expect(point.output.hasPrefix("0.99 USD"), "\(point.output)\(point.errors)")
  }
}
