import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

/// `tieout explain`
struct ExplainCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: say(
      """
      Show all the evidence for a finding, order, transaction, user, or product and day.
      """),
    discussion: say(
      """
      The kind of ID is detected: a finding (its first characters are enough), an order, a \
      transaction, a subscription's original transaction, a user, or STOREFRONT/SKU/DAY for what \
      Apple reports for a product on one day. Shows what happened in chronological order, each \
      event with its file and line; how the match was decided and what was ruled out; the price by \
      its rule; what else touches the same rows; and what to do next. Findings are those of the \
      last reconciliation of their period. Given the code of a finding, it explains what that code \
      means; that needs no ledger.

        tieout explain 3f2a9c0e51b7d864
        tieout explain O001842 --format json
        tieout explain CN/com.example.gems.60/2023-06-12
        tieout explain not-in-report
      """))

  @Argument(
    help: .words(
      "The id of a finding, order, transaction or user, STOREFRONT/SKU/DAY, or a finding's code.",
      value: "id"),
    completion: .list(FindingCode.allCases.map(\.rawValue)))
  var id: String

  @Option(
    help: .words(
      """
      The type of the ID where it is ambiguous: finding, order, transaction, \
      original_transaction, user or cell.
      """, value: "kind"),
    completion: .list(Explanation.Kind.allCases.map(\.rawValue)), transform: readKind)
  var kind: Explanation.Kind?

  @Option(
    help: .words(
      """
      The period; for a user, only orders and transactions within the period are shown.
      """, value: "period"),
    transform: readPeriod)
  var period: Period?

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if id.isEmpty { throw wrongUsage("Name what to explain, such as an order ID.") }
  }

  func run(on terminal: Terminal) throws -> Ending {
    if kind == nil, let code = FindingCode(rawValue: id) {
      let guide = CodeGuide(code)
      try terminal.print(shared.format == .json ? guide.json : guide.text)
      return .done
    }
    if kind == nil, let code = likelyCode(id),
      !FileManager.default.fileExists(atPath: shared.ledger)
    {
      throw Stop(
        .badInput, "there is no finding code \"\(id)\"", help: "did you mean \(code)?")
    }
    let configuration = try Configuration(shared, terminal)
    var request = ExplainRequest(
      ledgerPath: shared.ledger, id: id, settings: configuration.settings,
      asOf: shared.effectiveAsOf)
    request.kind = kind
    request.version = Tieout.version
    request.period = period
    let explanations = try terminal.during("looking for \(id) …") { try explain(request) }
    try terminal.print(
      shared.format == .json
        ? json(of: explanations, id: id) : text(of: explanations, .current))
    return ending(explanations)
  }

  private func ending(_ explanations: [Explanation]) -> Ending {
    let findings = explanations.flatMap { [$0.finding].compactMap(\.self) + $0.related }
    guard let failOn = shared.failOn, findings.contains(where: { $0.severity >= failOn })
    else { return .done }
    return .failOn
  }
}

@Sendable private func readKind(_ text: String) throws -> Explanation.Kind {
  guard let kind = Explanation.Kind(rawValue: text) else {
    throw unknownWord(text, among: Explanation.Kind.allCases.map(\.rawValue))
  }
  return kind
}
