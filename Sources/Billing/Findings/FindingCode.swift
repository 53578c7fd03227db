/// The name of a difference that Tieout can find. Scripts rely on the raw values.
///
/// What is known of each code, and its texts in both languages, stand together in `findings.tsv`,
/// in the order of every list of codes; `FindingCodes.swift` names them all.
package struct FindingCode: Hashable, Sendable, CaseIterable, RawRepresentable,
  CustomStringConvertible
{
  /// Its place in the table.
  private let place: UInt8

  private struct Record {
    let code: String
    let level: Int
    let severity: Severity
    let degree: Degree
    let isAboutSeveral: Bool
    let comparison: Comparison
  }

  /// What Apple's side of an amount is held against.
  package enum Comparison: String, Hashable, Sendable {
    /// The company's orders and transactions.
    case ledger
    /// What a rule, a table or another document of Apple's leads to expect.
    case expected
    /// The bank statement.
    case bank
    /// Nothing: how much of the amount is a difference is not known.
    case nothing
  }

  /// How sure a finding is.
  package enum Degree: String, Hashable, Sendable, CaseIterable {
    /// Ids, or a document of Apple's by itself, leave no other reading.
    case proven
    /// Nothing was found, as far as the ledger's tables go.
    case searched
    /// Counts differ; which rows are behind it nobody tells.
    case counted
    /// By likeness, or by a rule that was found out from the figures.
    case inferred
  }

  private static let records = Texts.findingRecords.map { code, fields in
    guard let level = fields["level"].flatMap({ Int($0) }),
      let severity = fields["severity"].flatMap(Severity.init),
      let degree = fields["certainty"].flatMap(Degree.init),
      let comparison = Comparison(rawValue: fields["against"] ?? "ledger")
    else { preconditionFailure("findings.tsv: \(code) has no level, severity or certainty") }
    return Record(
      code: code, level: level, severity: severity, degree: degree,
      isAboutSeveral: fields["transactions"] == "several", comparison: comparison)
  }

  private static let places = Dictionary(
    uniqueKeysWithValues: records.enumerated().map { ($1.code, UInt8($0)) })

  package static let allCases = records.indices.map { FindingCode(place: UInt8($0)) }

  private init(place: UInt8) { self.place = place }

  package init?(rawValue: String) {
    guard let place = Self.places[rawValue] else { return nil }
    self.place = place
  }

  /// The finding code of this name, for its declaration; the program ends where `findings.tsv` has
  /// none.
  package init(_ rawValue: StaticString) {
    guard let place = Self.places["\(rawValue)"] else {
      preconditionFailure("findings.tsv has no \(rawValue)")
    }
    self.place = place
  }

  private var record: Record { Self.records[Int(place)] }

  package var rawValue: String { record.code }
  package var description: String { rawValue }

  /// The tie-out that finds it: 1 orders, 2 sales, 3 settlement, 4 payment, 5 bank,
  /// 6 coins.
  package var level: Int { record.level }

  /// How much it matters; an old `settlement-carry` matters more, a report that is not due less.
  package var severity: Severity { record.severity }

  /// How sure such a finding is, where nothing is known of how its rows came together.
  package var degree: Degree { record.degree }

  /// Whether all transactions that it names are the matter: of the same chain, another pair is
  /// another one.
  package var isAboutSeveral: Bool { record.isAboutSeveral }

  /// What Apple's side of its amount is held against.
  package var comparison: Comparison { record.comparison }
}

// MARK: - Texts

extension FindingCode {
  /// What such a finding says, in a sentence.
  package var meaning: Wording { Wording(key: "@\(rawValue).meaning") }

  /// The same in two or three words, of at most 22 columns: a finding has one line of a screen.
  package var brief: Wording { Wording(key: "@\(rawValue).brief") }

  /// What usually is behind it.
  package var causes: Wording { Wording(key: "@\(rawValue).causes") }

  /// What its certainty rests on, in whole sentences.
  package var certainty: Wording {
    text("certainty")
      ?? (level == 1
        ? "@explain.no-id-that-ties"
        : level == 2
          ? "@explain.inferred-from-the-day" : "@explain.proven-by-a-line")
  }

  /// What the amount of such a finding is, in words for whom it costs.
  package var meaningOfAmount: Wording { text("amount") ?? "@shared.apple-side-less-ours" }

  /// What such a finding costs where it has no amount.
  package var meaningOfNoAmount: Wording {
    text("no-amount") ?? "@explain.not-known-in-money-because"
  }

  /// The text that the tables of texts have under this code and a part's name, such as `amount`;
  /// nil where they have none.
  private func text(_ part: String) -> Wording? {
    let key = "@\(rawValue).\(part)"
    return Texts.template(key, in: .english).map { _ in Wording(key: key) }
  }

  /// What a person does about such a finding, whatever rows it names.
  package var action: Wording {
    action(order: FindingNames.order, transaction: FindingNames.transaction)
  }

  /// What a person does about a finding: the checks first, and what cannot be undone last, with its
  /// condition. It costs nothing where the finding is wrong.
  ///
  /// - Parameters:
  ///   - order: the order or orders that it names, as ``FindingNames`` has them; `{1}` of the text.
  ///   - transaction: the same of transactions; `{2}`.
  package func action(order: Wording, transaction: Wording) -> Wording {
    Wording(key: "@\(rawValue).action", [order, transaction])
  }
}
