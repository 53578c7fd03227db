internal import Billing

/// What has one commission on a day.
struct CommissionKey: Hashable {
  fileprivate var name: String
  fileprivate var place: String
  fileprivate var commissionClass: String
  fileprivate var platforms: String
}

/// Terms that no built-in table has, or has otherwise.
extension CompanyCommission: CompanyRow {
  static func rows(_ rows: [(line: Int32, CompanyCommission)]) -> FactBlock.Rows {
    .commissions(rows)
  }

  /// Reads where and for what the rate holds; throws a diagnostic when it is no fraction, or
  /// another row has another rate on one of its days.
  mutating func complete(
    _ record: Record, _ columns: ListedColumns<Self>, _ said: inout DaysSaid<CommissionKey, Int64>
  ) throws(RecordDiagnostic) {
    let field = columns.field("rate")
    try record.checkShare(rate, field, help: "@company.write-the-fraction-26-is")
    place = try columns.place(record, columns.field("storefront"))
    platforms = try record.platforms(columns.field("platform"))
    commissionClass = try record.commissionClass(
      columns.field("class"), programme: columns.field("programme"))
    try record.checkDays(effectiveFrom, effectiveTo, columns.field("effective_to"))
    let key = CommissionKey(
      name: name, place: place, commissionClass: commissionClass, platforms: platforms)
    let clash = said.clash(key, rate, from: effectiveFrom, to: effectiveTo, line: record.line)
    guard let (_, line) = clash else { return }
    throw RecordDiagnostic(
      field, "rate", "@company.line-has-another-rate \(line) \(name)",
      help: "@company.give-lines-and-effective-days \(line) \(record.line)")
  }
}

extension ListedColumns<CompanyCommission> {
  /// The place where a rate holds: a storefront's code, a group's name, or `*` for all.
  fileprivate func place(_ record: Record, _ field: Int) throws(RecordDiagnostic) -> String {
    let text = record.text(field)
    if text == "*" { return text }
    if let group = TermsArea(rawValue: text.uppercased()) { return group.rawValue }
    guard let storefront = try record.storefront(field, "storefront", storefronts) else {
      throw RecordDiagnostic(
        field, "storefront", "@company.storefront-is-blank",
        help: "@company.name-a-storefront \(groupNames)")
    }
    return storefront.code
  }

  private var groupNames: String {
    TermsArea.allCases.map(\.rawValue).joined(separator: ", ")
  }
}

extension Record {
  /// The platforms in a field, divided by spaces, in the order of ``Platform``, whatever the
  /// table's; empty for all.
  fileprivate func platforms(_ field: Int) throws(RecordDiagnostic) -> String {
    let words = text(field).lowercased().split { $0 == " " || $0 == "," || $0 == ";" }
    if words.isEmpty || words == ["*"] { return "" }
    var platforms: Set<Platform> = []
    for word in words {
      guard let platform = Platform(rawValue: String(word)) else {
        throw RecordDiagnostic(
          field, "value", "@company.platform-is-not-one \(shown(self[field]))",
          help: """
            @company.write-several-divided-by-spaces \
            \(Platform.allCases.map(\.rawValue).joined(separator: ", "))
            """)
      }
      platforms.insert(platform)
    }
    return platforms.sorted().map(\.rawValue).joined(separator: " ")
  }

  /// The class of a rate: the programme where one is named, since its rate holds for all that is in
  /// it; else the class that is named, else the standard one.
  fileprivate func commissionClass(
    _ classField: Int, programme programmeField: Int
  ) throws(RecordDiagnostic) -> String {
    let ofSales: [CommissionClass] = [.standard, .afterOneYear]
    let programmes = [CommissionClass.smallBusiness] + CommissionClass.ofProducts
    let named = try word(classField, "class", ofSales + programmes)
    guard let programme = try word(programmeField, "programme", programmes) else {
      return (named ?? .standard).rawValue
    }
    guard named == nil || named == .standard || named == programme else {
      throw RecordDiagnostic(
        classField, "value", "@company.class-and-programme-name-two",
        help: "@company.programme-commission-holds-for-all")
    }
    return programme.rawValue
  }

  /// The class that a field names, one of `allowed`; nil when blank.
  private func word(
    _ field: Int, _ name: String, _ allowed: [CommissionClass]
  ) throws(RecordDiagnostic) -> CommissionClass? {
    try word(field, name, allowed: allowed.map(\.rawValue)) { text in
      allowed.first { $0.rawValue == text }
    }
  }
}
