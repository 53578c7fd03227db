import Billing
import Conclusions
import Crypto
import Ledger
import Matching

extension ReconcileRequest {
  /// A digest of all that a conclusion follows from: the program with its tables, time zones, the
  /// configuration, the day, and what is in the ledger. Nil where the request does not name the
  /// program's version.
  func basis(_ ledger: Ledger) throws -> String? {
    guard let version else { return nil }
    let parts = [
      version, Self.program, timeZoneDataVersion, period.description, asOf.description,
      stableText(of: settings), try ledger.factsDigest(),
    ]
    return SHA256.hash(data: Array(parts.joined(separator: "\u{1E}").utf8))
      .map { padded(Int($0), 3) }.joined()
  }

  /// The size and time of the program's file: builds of one version may conclude otherwise.
  private static let program: String = {
    guard let file = FileStatus(path: "/proc/self/exe") else { return "" }
    return "\(file.size) \(file.modified)"
  }()

  /// The recorded findings of the period, as a reconciliation that has nothing else; nil where none
  /// are recorded, or something that they follow from may have changed since.
  func recorded(_ ledger: Ledger) throws -> Reconciliation? {
    guard let basis = try basis(ledger), try ledger.recordedRun(period)?.basis == basis,
      let findings = try ledger.recordedFindings(period)
    else { return nil }
    var run = Reconciliation(
      period: period, baseCurrency: settings.baseCurrency, asOf: asOf, findings: findings)
    if settings.maskUsers { run.hideUsers(try UserMask(ledger)) }
    return try run.withRecorded(in: ledger)
  }
}

/// A text of the value and all that it is made of, the same from run to run: sets and dictionaries
/// stand in the order of their texts.
func stableText(of value: Any) -> String {
  if let text = value as? String { return text.debugDescription }
  let mirror = Mirror(reflecting: value)
  let texts = mirror.children.map { "\($0.label ?? ""):\(stableText(of: $0.value))" }
  switch mirror.displayStyle {
  case .set, .dictionary: return "{" + texts.sorted().joined(separator: ",") + "}"
  case _ where texts.isEmpty: return "\(value)"
  default: return "(" + texts.joined(separator: ",") + ")"
  }
}
