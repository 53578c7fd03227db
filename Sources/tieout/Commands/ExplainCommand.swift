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
      "@command.show-all-the-evidence"),
    discussion: say(
      "@command.kind-of-id-is-detected"))

  @Argument(
    help: .words(
      "@command.id-of-a-finding-order",
      value: "@shared.id"),
    completion: .list(FindingCode.allCases.map(\.rawValue)))
  var id: String

  @Option(
    help: .words(
      "@command.type-of-the-id-where", value: "@shared.kind"),
    completion: .list(Explanation.Kind.allCases.map(\.rawValue)), transform: readKind)
  var kind: Explanation.Kind?

  @Option(
    help: .words(
      "@command.period-for-a-user-only", value: "@shared.period"),
    transform: readPeriod)
  var period: Period?

  @Flag(help: .words("@command.show-the-evidence"))
  var evidence = false

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if id.isEmpty { throw wrongUsage("@command.name-what-to-explain-such") }
  }

  /// Prints what a finding code means, or else all that the ledger has about an id.
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
        .badInput, "@command.there-is-no-finding-code \(id)", help: "@shared.did-you-mean \(code)")
    }
    let configuration = try Configuration(shared, terminal)
    var request = ExplainRequest(
      ledgerPath: shared.ledger, id: id, settings: configuration.settings,
      asOf: shared.effectiveAsOf)
    request.kind = kind
    request.version = Tieout.version
    request.period = period
    let explanations = try terminal.during("@command.looking \(id)") { try explain(request) }
    try terminal.print(
      shared.format == .json
        ? json(of: explanations, id: id) : text(of: explanations, hasEvidence: evidence))
    return ending(explanations)
  }

  /// How the call ends: with `failOn` where a finding is as severe as `--fail-on` says.
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
