import Billing
import Conclusions
import Foundation
import Matching
import Support
import Testing
import Workflow

/// An answer of the App Store Server API that is not there to its end is named, when it is
/// imported, by `status` until the rest is there, and by each reconciliation that it may touch.
@Suite struct OpenAnswerTests {
  private static let june: Int64 = 1_686_000_000_000

  /// A page of one customer's transactions.
  private func page(
    _ id: Int, next: String, more: Bool, customer: String? = "7",
    environment: String = "Production",
    answered: Int64 = june
  ) -> String {
    let owner = customer.map { "\"appTransactionId\":\"\($0)\"," } ?? ""
    return """
      {"revision":"\(next)","hasMore":\(more),"bundleId":"com.example","appAppleId":9,\
      "environment":"\(environment)","signedTransactions":[{"transactionId":"\(id)",\(owner)\
      "productId":"gems.60","bundleId":"com.example","environment":"\(environment)",\
      "purchaseDate":\(Self.june),"signedDate":\(answered)}]}
      """
  }

  private func asked(_ token: String, _ body: String) -> String {
    "{\"received_at\":\(Self.june),\"revision\":\"\(token)\",\"body\":\(body)}"
  }

  private func open(_ folder: TemporaryFolder) throws -> [String] {
    let status = try ledgerStatus(of: folder.ledger, asOf: Day("2023-06-12")!)
    let lines = folder.relative(status.text).split(separator: "\n").map(String.init)
    return lines.filter { $0.hasPrefix("incomplete ") }
      .map { String($0.dropFirst("incomplete ".count)) }
  }

  private func warnings(_ summary: ImportSummary, _ folder: TemporaryFolder) -> [String] {
    summary.allDiagnostics.filter { $0.topic == "pages" }
      .map { folder.relative("\($0.location): \($0.message.english)") }
  }

  private static let first = """
    a.json:1: the transaction history of the customer of transaction 1 (com.example Production) \
    has more pages: ask for the rest with revision r1
    """

  @Test func `an answer that goes on is said until its next page is there`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.json", page(1, next: "r1", more: true))
    try folder.write("again/a.json", page(1, next: "r1", more: true) + "\n")
    try folder.write("c.jsonl", asked("r2", page(3, next: "r3", more: false)))
    try folder.write("b.jsonl", asked("r1", page(2, next: "r2", more: true)))
    #expect(warnings(try folder.importing("a.json"), folder) == [Self.first])
    #expect(try open(folder) == [Self.first])
    // Another copy of it is the same page; the last page alone makes nothing whole.
    _ = try folder.importing("again")
    #expect(try open(folder) == [Self.first])
    #expect(warnings(try folder.importing("c.jsonl"), folder) == [])
    #expect(try open(folder) == [Self.first])
    let status = try ledgerStatus(of: folder.ledger, asOf: Day("2023-06-12")!)
    #expect(status.worst == .warning && status.json.contains("\"next\": \"r1\""))
    // With the page between them the answer is whole.
    let last = try folder.importing("b.jsonl")
    #expect(warnings(last, folder) == [])
    #expect(try open(folder) == [])
  }

  @Test func `a page that does not say what it was asked for with follows in its file`() throws {
    let folder = try TemporaryFolder()
    let pages = [
      page(1, next: "r1", more: true), page(5, next: "s1", more: true, environment: "Sandbox"),
      page(2, next: "r2", more: true), page(3, next: "r3", more: false),
    ]
    try folder.write("a.json", "[\(pages.joined(separator: ",\n"))]")
    #expect(
      warnings(try folder.importing("a.json"), folder) == [
        """
        a.json:2: the transaction history of the customer of transaction 5 (com.example Sandbox) \
        has more pages: ask for the rest with revision s1
        """
      ])
  }

  /// Each list begins anew: who asked again, and got the end, has all.
  @Test(arguments: [("7", Int64(1000), 0), ("7", -1000, 1), ("8", 1000, 1)])
  func `a later answer to its end makes the earlier one whole`(
    customer: String, later: Int64, count: Int
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("a.json", page(1, next: "r1", more: true))
    try folder.write(
      "b.json", page(9, next: "x", more: false, customer: customer, answered: Self.june + later))
    let both = try folder.importing("a.json", "b.json")
    #expect(warnings(both, folder).count == count)
    #expect(try open(folder).count == count)
  }

  @Test func `refund and notification histories are told apart`() throws {
    let folder = try TemporaryFolder()
    let time = Self.june
    try folder.write(
      "refunds.json",
      """
      {"signedTransactions":[{"transactionId":"4","productId":"gems.60","bundleId":"com.example",\
      "environment":"Production","purchaseDate":\(time),"revocationDate":\(time),\
      "signedDate":\(time)}],"revision":"f1","hasMore":true}
      """)
    try folder.write(
      "n.json",
      """
      {"notificationHistory":[{"signedPayload":{"notificationType":"TEST","notificationUUID":"U",\
      "signedDate":\(time),"data":{"bundleId":"com.example","environment":"Production"}}}],\
      "hasMore":true,"paginationToken":"p1"}
      """)
    let summary = try folder.importing("n.json", "refunds.json") { $0.isDryRun = true }
    let said = [
      """
      n.json:1: the notification history (com.example Production) has more pages: ask for the rest \
      with paginationToken p1
      """,
      """
      refunds.json:1: the refund history of the customer of transaction 4 (com.example Production) \
      has more pages: ask for the rest with revision f1
      """,
    ]
    #expect(warnings(summary, folder) == said)
    _ = try folder.importing("n.json", "refunds.json")
    #expect(try open(folder) == said)
    try folder.write(
      "rest.jsonl", "{\"pagination_token\":\"p1\",\"body\":{\"notificationHistory\":[]}}")
    _ = try folder.importing("rest.jsonl")
    #expect(try open(folder) == [said[1]])
  }

  /// What is missing was bought before Apple answered; the Sandbox's sells nothing.
  @Test(arguments: [
    ("2023-06", "Production", true), ("2023-08", "Production", false),
    ("2023-06", "Sandbox", false),
  ])
  func `a reconciliation that it may touch names it`(
    period: String, environment: String, isNamed: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let month = Period(period)!
    let sales = "S_D_85012345_\(period.filter { $0 != "-" })01.txt"
    try folder.write(
      sales,
      Inputs.sales(day: 1, units: 1).replacing("06/01/2023", with: "\(period.suffix(2))/01/2023"))
    try folder.write("a.json", page(1, next: "r1", more: true, environment: environment))
    _ = try folder.importing(sales, "a.json")
    let result = try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: month, settings: Settings(),
        asOf: month.last.advanced(by: 5)))
    let named = result.basis.absences.filter { $0.kind == .pages }.flatMap(\.names)
    #expect(named.map(folder.relative) == (isNamed ? ["a.json:1"] : []))
    let run = try CommandLineRun(
      ["reconcile", "--period", period, "--as-of", "\(month.last.advanced(by: 5))"], in: folder)
    let text = "\n  - an answer of the App Store Server API has further pages"
    #expect(run.output.contains(text) == isNamed, "\(run.output)\(run.errors)")
  }
}
