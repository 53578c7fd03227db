import Billing
import Languages
import Conclusions

/// A reconciliation on its way to sheets: the conclusions in output order, and which row of which
/// sheet each of them will stand in, so that sheets can lead to one another.
struct WorkbookContents: Sendable {
  let reconciliation: Reconciliation
  /// Where it is closed: what the close says of itself.
  let pack: ClosePack?
  let limits: Limits
  /// The list of all findings.
  let mismatches: Pages
  /// The list of evidence rows of level 1.
  let orders: Pages
  let refunds: RefundList
  /// What they come to.
  let allRefunds: [RefundTotal]
  let subscriptionPages: Pages
  let openItems: Pages
  let chainFindings: ChainFindings
  /// Of the subscriptions those that are listed: a finding is about them, or Apple waits for money.
  let listedChains: [Int]
  /// The rows of the bridge.
  let bridgeSteps: [ShownStep]
  let shownBridges: ShownBridges?
  /// Evidence rows before each finding's own, and their number at the end.
  let evidenceBefore: [Int]
  /// The evidence of findings that have so much of it that its rows are made at once.
  let longEvidence: [Int: [EvidenceRow]]
  /// Of files of which all that have the name are of one kind.
  let inputKinds: [String: InputKind]
  /// Of each input as short as tells it from the others.
  let fileNames: [String: String]
  private let inputRows: [String: Int]
  private let boundaryRows: [Storefront: Int]
  private let firstFindings: [FindingKey: Int]

  /// Rows of evidence that are made one by one.
  private static let longestEvidence = 16

  private struct FindingKey: Hashable {
    var code: FindingCode
    var storefront: String?
  }

  /// Puts conclusions into output order, and finds the row of each.
  init(_ unordered: Reconciliation, pack: ClosePack? = nil, limits: Limits = .excel) {
    self.pack = pack
    let reconciliation = unordered.inOutputOrder().byRank()
    self.reconciliation = reconciliation
    self.limits = limits
    // What comes through pipes has one name, whatever it is.
    inputKinds = Dictionary(grouping: reconciliation.inputs, by: \.file).compactMapValues { named in
      named.allSatisfy { $0.kind == named[0].kind } ? named[0].kind : nil
    }
    fileNames = shortNames(of: Set(reconciliation.inputs.map(\.file)))
    inputRows = Dictionary(
      reconciliation.inputs.enumerated().map { ($1.file, $0) },
      uniquingKeysWith: { _, last in last })
    boundaryRows = Dictionary(
      reconciliation.dayBoundaries.enumerated().map { ($1.storefront, $0) },
      uniquingKeysWith: { first, _ in first })
    let kinds = inputKinds
    ((firstFindings, (evidenceBefore, longEvidence)), (refunds, chainFindings)) = inTwoThreads {
      (
        Self.firstFindings(of: reconciliation.findings),
        Self.evidence(of: reconciliation.findings, kinds)
      )
    } _: {
      (RefundList(reconciliation, limits: limits), ChainFindings(reconciliation))
    }
    mismatches = Pages(
      name: say("@workbook.mismatches"), count: reconciliation.findings.count, limits: limits)
    orders = Pages(
      name: say("@workbook.orders"), count: evidenceBefore[evidenceBefore.count - 1], limits: limits
    )
    allRefunds = RefundTotal.totals(of: reconciliation.refunds)
    let (chains, found) = (reconciliation.subscriptions, chainFindings)
    listedChains = chains.indices.filter {
      chains[$0].state.needsAPerson || found.listed(chains[$0]).finding != nil
    }
    subscriptionPages = Pages(
      name: say("@workbook.subscriptions"), count: listedChains.count, limits: limits)
    bridgeSteps = ShownStep.steps(
      of: reconciliation.bridges, found: Set(firstFindings.keys.lazy.map(\.code))
    ) { reconciliation.inBase($0) }
    shownBridges = ShownBridges(reconciliation.bridges, steps: bridgeSteps)
    openItems = Pages(
      name: say("@workbook.open-items"), count: reconciliation.settlement?.openItems.count ?? 0,
      limits: limits)
  }

  /// Two results: for each finding, how many evidence rows of others stand before its own, and last
  /// how many there are in all; and, by the finding's index, the evidence rows of each finding that
  /// has many. Only findings of level 1 have evidence rows.
  ///
  /// - Parameter kinds: of the files, by their names.
  private static func evidence(
    of findings: [Finding], _ kinds: [String: InputKind]
  ) -> ([Int], [Int: [EvidenceRow]]) {
    var before = [0]
    before.reserveCapacity(findings.count + 1)
    var long: [Int: [EvidenceRow]] = [:]
    // By index: a copy of each finding would cost more than what is asked of it.
    for number in findings.indices {
      let isListed = findings[number].code.level == 1
      let rows = isListed ? EvidenceRows(findings, at: number, kinds: kinds) : nil
      if let rows, rows.count > longestEvidence { long[number] = rows.list }
      before.append(before[before.count - 1] + (rows?.count ?? 0))
    }
    return (before, long)
  }

  /// The sheet of a list, with a row that adds all of it up; nil without a line.
  ///
  /// - Parameters:
  ///   - total: what that row is called; nil for no such row.
  ///   - last: the column that the total ends with.
  func wholeSheet<Line>(
    _ name: String, _ list: List<Line>, _ lines: [Line], total: Wording? = nil,
    through last: String? = nil, frozenColumns: Int = 1
  ) -> Sheet? {
    guard !lines.isEmpty else { return nil }
    let body = ListBody.sheet(count: lines.count)
    var below = PlacedRows(below: body)
    if let total {
      below.addTotalOfAll(lines, of: list, at: body, label: total, through: last)
    }
    return Sheet(
      name: name, columns: list.heads, rows: Rows(list.rows(lines, at: body)), totals: below.rows,
      frozenColumns: frozenColumns)
  }

  /// The place of a finding's evidence: level 1 in its rows of Orders, `timing` in its storefront's
  /// day boundary, a changed deduction in its part of the price check, the rest of level 2 in the
  /// file it comes from, or, where no file shows it, in its step of the bridge.
  func evidencePlace(ofFinding index: Int) -> Place? {
    if reconciliation.findings[index].code.level == 1 {
      let first = evidenceBefore[index]
      return first < evidenceBefore[index + 1] ? orders.place(first) : nil
    }
    let finding = reconciliation.findings[index]
    if finding.code == .timing || finding.code == .timingUnproven,
      let storefront = finding.storefront,
      let row = boundaryRows[storefront]
    {
      return place(of: row, in: say("@shared.day-boundaries"))
    }
    if let place = priceCheckPlace(of: finding) { return place }
    // Candidate orders and transactions may stand beside the report that shows the finding.
    let files = finding.sources.map(\.file)
    let reports = finding.code.level == 2 ? files.filter { inputKinds[$0] == .sales } : []
    if let row = (reports + files).lazy.compactMap({ inputRows[$0] }).first {
      return place(of: row, in: say("@shared.inputs"))
    }
    return stepPlace(of: finding)
  }

  /// The place of the first finding that has this code, in this storefront where one is named; nil
  /// where there is none.
  func findingPlace(_ code: FindingCode, storefront: String? = nil) -> Place? {
    firstFindings[FindingKey(code: code, storefront: storefront)].map(mismatches.place)
  }

  /// The places of findings that patterns begin with, by the findings' ids.
  func placesOfPatterns() -> [String: Place] {
    let wanted = Set(reconciliation.patterns.compactMap(\.findingIDs.first))
    var places: [String: Place] = [:]
    for index in reconciliation.findings.indices
    where wanted.contains(reconciliation.findings[index].id) {
      let id = reconciliation.findings[index].id
      places[id] = places[id] ?? mismatches.place(index)
    }
    return places
  }

  /// The row of the bridge step that a finding is part of; nil where the sheet has none.
  private func stepPlace(of finding: Finding) -> Place? {
    let causes = BridgeCause.allCases.filter { $0.findingCode == finding.code }
    let line = bridgeSteps.firstIndex { causes.contains($0.cause) }
    return line.map { place(of: $0, in: say("@shared.bridge")) }
  }

  /// The place of a line of a list that has a sheet of its own.
  ///
  /// - Parameter line: its number, from 0.
  private func place(of line: Int, in sheet: String) -> Place {
    Place(sheet: sheet, row: ListBody.sheet(count: line + 1).row(of: line))
  }

  /// The index of the first finding of each code, by storefront and over all storefronts (nil).
  private static func firstFindings(of findings: [Finding]) -> [FindingKey: Int] {
    var first: [FindingKey: Int] = [:]
    for index in findings.indices {
      for storefront in [findings[index].storefront?.code, nil] {
        let key = FindingKey(code: findings[index].code, storefront: storefront)
        if first[key] == nil { first[key] = index }
      }
    }
    return first
  }
}
