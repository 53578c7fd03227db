import Billing
import Conclusions
import Foundation
import Languages
import Matching
import Support
import Testing
import Workflow

/// Goal: whoever holds an id learns from `explain` alone what happened, how sure it is, what it
/// costs and what to do. Method: the sample month, in which most codes of levels 1 and 2 occur, a
/// finding of every code written into a ledger, and ledgers of a few rows.
@Suite struct ExplainTests {
  private static let period = Period("2023-06")!

  /// The sample month, imported and reconciled.
  private func sample() throws -> (TemporaryFolder, Reconciliation) {
    let folder = try TemporaryFolder()
    let month = checkout + "samples/2023-06"
    var roots = TrustRoots()
    try roots.add(path: month + "/apple-test-root.pem")
    var request = ImportRequest(
      paths: [month], ledgerPath: folder.ledger, importedAt: Instant(seconds: 1_688_500_000))
    request.roots = roots.certificates
    request.leftOut = roots.paths + [month + "/tieout.toml"]
    _ = try importFiles(request)
    let result = try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Self.period, settings: Self.settings,
        asOf: Day("2023-07-05")!))
    #expect(recordFindings(of: result, in: folder.ledger) == nil)
    return (folder, result)
  }

  private static var settings: Settings {
    var settings = Settings()
    settings.bundleIDs = ["com.lumen.orbit"]
    settings.sandboxUsers = ["tester-1", "tester-2"]
    return settings
  }

  private func stories(
    _ id: String, in folder: TemporaryFolder, _ kind: Explanation.Kind? = nil
  ) throws -> [Explanation] {
    var request = ExplainRequest(
      ledgerPath: folder.ledger, id: id, settings: Self.settings, asOf: Day("2023-07-05")!)
    request.kind = kind
    return try explain(request)
  }

  /// A finding's story has all four answers, in text and in JSON.
  private func expectAnswers(_ id: String, _ code: FindingCode, in folder: TemporaryFolder) throws {
    let told = try stories(id, in: folder)
    let story = try #require(told.first, "\(code)")
    #expect(story.finding?.code == code)
    #expect(story.certainty?.text.isEmpty == false, "\(code)")
    #expect(story.cost?.text.isEmpty == false, "\(code)")
    #expect(story.next.first == story.finding?.action, "\(code)")
    let text = text(of: told)
    for label in ["What ", "Money ", "Why ", "How sure ", "To do "] {
      #expect(text.contains("\n" + label), "\(code)")
    }
    // What it rests on stands behind the answer.
    #expect(!text.contains("\nEvidence\n") && !text.contains("\nTimeline\n"), "\(code)")
    let whole = Workflow.text(of: told, hasEvidence: true)
    #expect(whole.contains("\nEvidence\n") == !story.evidence.isEmpty, "\(code)")
    #expect(text.split(separator: "\n").allSatisfy { $0.last != " " }, "\(code)")
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json(of: told, id: id).utf8)) as? [String: Any])
    let stories = try #require(document["explanations"] as? [[String: Any]])
    for key in ["finding", "certainty", "cost", "next", "timeline", "evidence"] {
      #expect(stories[0][key] != nil, "\(code) \(key)")
    }
  }

  @Test(arguments: FindingCode.allCases) func everyCodeIsAnswered(_ code: FindingCode) throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<2))
    try folder.write("transactions.csv", Inputs.transactions(0..<2))
    _ = try folder.importing("orders.csv", "transactions.csv")
    let isRow = code.level == 1
    let finding = Finding(
      code: code, severity: code.severity, storefront: Storefront("CN"), currency: Currency("CNY"),
      date: Day("2023-06-01"), sku: "gems.60", units: 1, amount: isRow ? nil : 6_000_000,
      orderIDs: isRow ? ["O0"] : [], transactionIDs: isRow ? ["7000"] : [], sources: [],
      explanation: "what is told of it", action: "what is to be done", id: "0123456789abcdef")
    var result = Reconciliation(
      period: Self.period, baseCurrency: Currency("CNY")!, asOf: Day("2023-07-05")!)
    result.findings = [finding]
    #expect(recordFindings(of: result, in: folder.ledger) == nil)
    try expectAnswers("0123456789abcdef", code, in: folder)
    try expectAnswers("012345", code, in: folder)
    try expectAnswers("0123", code, in: folder)
    guard !isRow else { return }
    let side =
      switch code.comparison {
      case .ledger: "Apple 6.00 CNY above the ledger: "
      case .expected: "6.00 CNY above expected: "
      case .bank: "Apple 6.00 CNY above the bank: "
      case .nothing: "6.00 CNY: "
      }
    let text = text(of: try stories("0123456789abcdef", in: folder))
    #expect(text.contains(side), "\(code)")
  }

  private static let free: [(FindingCode, Currency?, String)] = [
    (.notInLedger, Currency("EUR"), "0.00 EUR: price zero in Apple's report"),
    (.refundNotInLedger, Currency("JPY"), "0 JPY: price zero in Apple's report"),
    (.notInLedger, nil, "price zero in Apple's report"),
    (.notInReport, Currency("EUR"), "0.00 at the prices known"),
  ]

  /// Trials and promotional units come to nothing, which is known of them.
  @Test(arguments: free) func unitsWithoutAPriceComeToNothing(
    _ code: FindingCode, _ currency: Currency?, _ said: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("transactions.csv", Inputs.transactions(0..<2))
    _ = try folder.importing("transactions.csv")
    var result = Reconciliation(
      period: Self.period, baseCurrency: Currency("CNY")!, asOf: Day("2023-07-05")!)
    result.findings = [
      Finding(
        code: code, severity: code.severity, storefront: Storefront("CN"), currency: currency,
        date: Day("2023-06-01"), sku: "gems.60", units: 3, amount: nil, orderIDs: [],
        transactionIDs: [], sources: [], explanation: "what is told of it",
        action: "what is to be done", id: "0123456789abcdef")
    ]
    #expect(recordFindings(of: result, in: folder.ledger) == nil)
    let lines = text(of: try stories("0123", in: folder)).split(separator: "\n")
    let money = try #require(lines.first { $0.hasPrefix("Money ") })
    #expect(money.drop { $0 != " " }.drop { $0 == " " } == said)
  }

  /// An amount that storefronts have parts of is said, and never denied in the same line.
  @Test(arguments: [
    ("CNY,CN", "72.00 CNY: net amount that"), ("CNY,HK", "72.00 CNY: net amount that"),
    ("EUR,DE", "no rate: net amount that"),
  ])
  func anAmountOfSeveralPlacesIsNotDenied(_ first: String, _ said: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "transactions.csv",
      Inputs.transactions(0..<12).replacing("O0,6.00,CNY,CN", with: "O0,6.00,\(first)"))
    _ = try folder.importing("transactions.csv")
    let result = try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Self.period, settings: Settings(),
        asOf: Day("2023-07-05")!))
    #expect(recordFindings(of: result, in: folder.ledger) == nil)
    let finding = try #require(result.findings.first { $0.code == .inputsInsufficient })
    let text = text(of: try stories(finding.id, in: folder))
    #expect(text.contains("\nMoney     \(said)"), "\(text)")
    let missing = result.findings.filter { $0.code == .reportMissing }
    let days = try missing.map { Workflow.text(of: try stories($0.id, in: folder)) }
    #expect(days.count { $0.contains("CNY below the ledger: the ledger's amount") } >= 1)
    #expect(days.contains { $0.contains("\nMoney     unknown until Apple's report is loaded") })
  }

  @Test func theSampleMonthIsExplained() throws {
    let (folder, result) = try sample()
    try everyFindingIsExplained(folder, result)
    try theMatcherDecidesAsItDidForTheMonth(folder, result)
    try aDayTellsBothSidesAndItsFindings(folder, result)
  }

  private func everyFindingIsExplained(_ folder: TemporaryFolder, _ result: Reconciliation) throws {
    var seen: Set<FindingCode> = []
    for finding in result.findings where seen.insert(finding.code).inserted {
      try expectAnswers(finding.id, finding.code, in: folder)
      let story = try stories(finding.id, in: folder)[0]
      #expect(story.finding == finding)
      #expect(!story.evidence.isEmpty || finding.code == .reportMissing, "\(finding.code)")
      if finding.code.level == 1 {
        #expect(!story.timeline.isEmpty && !story.decisions.isEmpty, "\(finding.code)")
        expectCauseBeforeEffect(story)
      }
    }
    #expect(seen.count >= 30)
  }

  /// By what events are and when they were, and not by what the timeline sorts them by: moments
  /// ascend but for what clocks differ, and no effect stands before its cause.
  private func expectCauseBeforeEffect(_ story: Explanation) {
    let clocks: Int64 = 300
    func moment(_ event: TimelineEvent) -> Int64? {
      if case .moment(let moment) = event.when { moment.seconds } else { nil }
    }
    let moments = story.timeline.compactMap(moment)
    for (before, after) in zip(moments, moments.dropFirst()) {
      #expect(after >= before - clocks, "\(story.id): \(before), then \(after)")
    }
    let effects: [(cause: TimelineEvent.What, effects: Set<TimelineEvent.What>)] = [
      (.placed, [.paid, .fulfilled]), (.charged, [.refunded, .reported, .settled]),
    ]
    for (cause, effects) in effects {
      guard let first = story.timeline.firstIndex(where: { $0.what == cause }) else { continue }
      let begun = moment(story.timeline[first])
      for event in story.timeline[..<first] where effects.contains(event.what) {
        // Rows may tell an effect before its cause: then the times say so.
        guard let told = moment(event), let begun else {
          Issue.record("\(story.id): \(event.what) before \(cause)")
          continue
        }
        #expect(told < begun, "\(story.id): \(event.what) before \(cause)")
      }
    }
  }

  private func theMatcherDecidesAsItDidForTheMonth(
    _ folder: TemporaryFolder, _ result: Reconciliation
  ) throws {
    for finding in result.findings where finding.code == .transactionWithoutOrder {
      let story = try stories(finding.transactionIDs[0], in: folder)[0]
      #expect(story.decisions[0].order == nil)
      #expect(story.related.map(\.id).contains(finding.id))
      #expect(story.next.contains(finding.action))
    }
    for finding in result.findings where finding.code == .orderWithoutTransaction {
      let story = try stories(finding.orderIDs[0], in: folder)[0]
      #expect(story.decisions[0].transaction == nil)
    }
    for finding in result.findings where finding.code.isAboutPair {
      let story = try stories(finding.transactionIDs[0], in: folder)[0]
      #expect(story.decisions[0].order == finding.orderIDs[0])
    }
  }

  private func aDayTellsBothSidesAndItsFindings(
    _ folder: TemporaryFolder, _ result: Reconciliation
  ) throws {
    for code in [FindingCode.notInLedger, .notInReport] {
      let finding = try #require(result.findings.first { $0.code == code })
      let id = "\(finding.storefront!)/\(finding.sku!)/\(finding.date!)"
      let story = try stories(id, in: folder)[0]
      let sales = try #require(story.cell).account.sales
      #expect(sales.reported - sales.counted == (code == .notInLedger ? 1 : -1) * finding.units!)
      #expect(story.related.map(\.id).contains(finding.id))
      #expect(story.attribution?.difference.units == finding.units)
    }
  }

  @Test func anOrderAndItsTransactionHaveOneTimeline() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    try folder.write("transactions.csv", Inputs.transactions(0..<3))
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 3))
    _ = try folder.importing("orders.csv", "transactions.csv", Inputs.salesName(day: 1))
    let order = try stories("O1", in: folder)[0]
    #expect(
      order.timeline.map(\.what.rawValue) == ["placed", "charged", "reported", "settled"])
    #expect(order.decisions.map(\.transaction) == ["7001"])
    #expect(order.decisions.map(\.rule?.rawValue) == ["order-id"])
    #expect(order.prices.map(\.proceeds) == [4_130_000])
    let transaction = try stories("7001", in: folder)[0]
    #expect(transaction.kind == .transaction)
    #expect(transaction.timeline == order.timeline)
    #expect(transaction.evidence.map(\.source.line) == [3, 3])
    // Nothing was reconciled: it says so, and how to.
    #expect(text(of: [order]).contains("tieout reconcile 2023-06"))
  }

  @Test func whatAnIDIsIsFoundOut() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "orders.csv", "order_id,sku,status,placed_at,user_id\n7,gems,paid,1685577600,u1\n")
    try folder.write(
      "transactions.csv",
      """
      transaction_id,original_transaction_id,sku,purchased_at,expires_at,user_id,kind
      7,7,gems,1685577660,1688169660,u1,auto_renewable
      8,7,gems,1688169660,1690848060,u1,auto_renewable

      """)
    _ = try folder.importing("orders.csv", "transactions.csv")
    #expect(
      try stories("7", in: folder).map(\.kind) == [.order, .transaction, .originalTransaction])
    #expect(try stories("7", in: folder, .order).map(\.kind) == [.order])
    #expect(try stories("8", in: folder).map(\.kind) == [.transaction])
    let user = try stories("u1", in: folder)
    #expect(user.map(\.kind) == [.user])
    #expect(user[0].headline.english.hasPrefix("user u1: 1 order, 2 transactions"))
  }

  @Test func aHiddenUserIsShownNowhere() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "orders.csv", "order_id,sku,status,placed_at,user_id\nO1,gems,paid,1685577600,jane\n")
    _ = try folder.importing("orders.csv")
    var request = ExplainRequest(
      ledgerPath: folder.ledger, id: "jane", settings: Self.settings, asOf: Day("2023-07-05")!)
    request.settings.maskUsers = true
    let told = try explain(request)
    for shown in [text(of: told), json(of: told, id: "jane")] {
      #expect(!shown.contains("jane"))
      #expect(shown.contains(/user-[0-9a-f]{12}/))
    }
  }

  @Test(arguments: [
    ("O10x", "O10"), ("01", "O1"), ("7oo1", nil), ("XX/gems.60/2023-06-01", nil),
    ("UK/gems.60/2023-06-01", "GB"), ("CN/gem.60/2023-06-01", "gems.60"),
  ])
  func whatIsUnknownIsSaidWithWhatIsLikeIt(id: String, like: String?) throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<12))
    _ = try folder.importing("orders.csv")
    let stop = #expect(throws: Stop.self) { try stories(id, in: folder) }
    #expect(stop?.status == .badInput)
    if let like { #expect(stop?.help.english.contains(like) == true, "\(stop?.help ?? "")") }
  }

  @Test func theStrongestSourceIsNamed() throws {
    let folder = try TemporaryFolder()
    let roots = try folder.importSigned(
      """
      "transactionId":"7","originalTransactionId":"7","productId":"gems","type":"Consumable",\
      "purchaseDate":1687132800000,"signedDate":1687132801000,"price":30000,"currency":"CNY"
      """)
    #expect(roots == [.imported])
    try folder.write(
      "transactions.csv",
      "transaction_id,sku,purchased_at,revoked_at\n"
        + "7,gems,1687132800,1687219200\n8,gems,1687132900,\n")
    _ = try folder.importing("transactions.csv")
    let signed = text(of: try stories("7", in: folder))
    let flat = signed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(flat.contains(" (transaction 7), by the signed payload"))
    #expect(flat.contains("your transactions table has transaction 7 as revoked"))
    #expect(flat.contains("no signed source does: not counted"))
    let own = text(of: try stories("8", in: folder))
    #expect(
      own.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "8), by your transactions table"))
  }

  @Test func whatAPayloadSaysBesideIsTold() throws {
    let folder = try TemporaryFolder()
    let imported = try folder.importSigned(
      """
      "transactionId":"7","originalTransactionId":"7","productId":"vip",\
      "type":"Auto-Renewable Subscription","purchaseDate":1687132800000,\
      "expiresDate":1689724800000,"signedDate":1687132801000,"price":30000,"currency":"CNY",\
      "offerType":2,"offerIdentifier":"BACK-3","offerPeriod":"P3M",\
      "transactionReason":"RENEWAL","appTransactionId":"704000000000000009"
      """)
    #expect(imported == [.imported])
    let told = text(of: try stories("7", in: folder), hasEvidence: true)
    for beside in [
      "offer BACK-3 for P3M", "transaction_reason=RENEWAL", "app_transaction_id=704000000000000009",
    ] {
      #expect(told.contains(beside), "\(beside) is not told:\n\(told)")
    }
  }

  @Test func theCommandPrintsTextOrOneDocument() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    _ = try folder.importing("orders.csv")
    let text = try CommandLineRun("explain", "O1", in: folder)
    #expect(text.status == 0)
    #expect(
      text.output.hasPrefix("order O1: 1 × gems.60 for 6.00 CNY in CN, paid, not fulfilled\n"))
    let json = try CommandLineRun("explain", "O1", "--format", "json", in: folder)
    #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
    let unknown = try CommandLineRun("explain", "nobody", in: folder)
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("nothing in the ledger has the ID \"nobody\""))
    #expect(try CommandLineRun("explain", "O1", "--kind", "thing", in: folder).status == 64)
  }

  /// What came after the last reconciliation is in none of its findings: nobody is told that there
  /// is nothing to do.
  @Test func anOrderThatCameLaterIsReconciledFirst() throws {
    let folder = try TemporaryFolder()
    let header = "order_id,sku,status,placed_at,unit_price,currency,storefront,transaction_id\n"
    let day = "2023-06-10T12:00"
    try folder.write("orders.csv", header + "O1,gems,fulfilled,\(day):00Z,6.00,CNY,CN,1001\n")
    try folder.write(
      "transactions.csv",
      "transaction_id,sku,purchased_at,unit_price,currency,storefront\n"
        + "1001,gems,\(day):30Z,6.00,CNY,CN\n")
    _ = try folder.importing("orders.csv", "transactions.csv")
    var request = ReconcileRequest(
      ledgerPath: folder.ledger, period: Self.period, settings: Self.settings,
      asOf: Day("2023-07-05")!)
    request.version = "test"
    let result = try reconcile(request)
    #expect(recordFindings(of: result, in: folder.ledger) == nil)
    func next(_ id: String, _ version: String?) throws -> String {
      var request = ExplainRequest(
        ledgerPath: folder.ledger, id: id, settings: Self.settings, asOf: Day("2023-07-05")!)
      request.version = version
      return try #require(try explain(request).first?.next.first).english
    }
    #expect(try next("O1", "test").hasPrefix("nothing: "))
    try folder.write("late.csv", header + "O2,gems,fulfilled,\(day):20Z,6.00,CNY,CN,\n")
    try folder.write(
      "web.csv",
      header.replacing("transaction_id", with: "channel")
        + "O3,gems,fulfilled,\(day):20Z,6.00,CNY,CN,web\n")
    _ = try folder.importing("late.csv", "web.csv")
    for id in ["O1", "O2", "1001"] {
      #expect(
        try next(id, "test")
          == "2023-06 was reconciled with other files or settings; with the same --config: "
          + "tieout reconcile 2023-06 --as-of 2023-07-05")
    }
    #expect(try next("O2", nil).hasPrefix("reconcile the period again first"))
    #expect(try next("O1", nil).hasPrefix("nothing: "))
    #expect(try next("O3", nil).hasPrefix("nothing: "))
  }

  /// Both sides have prices here: what keeps an amount from being known is something else.
  @Test(arguments: [
    ("price-mismatch", "no difference in amount: the two prices are in different currencies"),
    ("unknown-sku", "no difference in amount is known"),
  ])
  func `no price is said to lack where there is one`(_ code: String, _ money: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(9..<11).replacing("6.00,CNY", with: "9.00,USD"))
    try folder.write("transactions.csv", Inputs.transactions(9..<11))
    try folder.write("products.csv", "sku,kind\nother,consumable\n")
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 2))
    let files = ["orders.csv", "transactions.csv", "products.csv", Inputs.salesName(day: 1)]
    #expect(try CommandLineRun(["import"] + files, in: folder).status == 0)
    let month = try CommandLineRun(
      "reconcile", "2023-06", "--as-of", "2023-06-03", "--all", in: folder
    ).output
    let line = try #require(
      month.split(separator: "\n").first { $0.contains("  \(code) ") }, "\(month)")
    let told = try CommandLineRun("explain", String(line.prefix(8)), in: folder).output
    #expect(told.contains("\nMoney     \(money)\n"), "\(told)")
  }
}

extension TemporaryFolder {
  /// Imports a payload with these members, signed by an authority that is trusted for it.
  fileprivate func importSigned(_ members: String) throws -> [ImportedFile.Status] {
    let authority = Authority()
    let payload = try Compact("{\(members)}", chain: authority.chain(), key: authority.leafKey)
    try write("history.json", "{\"signedTransactionInfo\":\"\(payload.text)\"}")
    var request = ImportRequest(
      paths: [path + "/history.json"], ledgerPath: ledger,
      importedAt: Instant(seconds: 1_688_500_000))
    request.roots = [try authority.root()]
    return try importFiles(request).files.map(\.status)
  }
}
