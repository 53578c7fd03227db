internal import Billing

/// Reads the company's own commissions: terms that no built-in table has, or has otherwise.
struct CommissionsReader: RowReader {
  private struct Key: Hashable {
    var name: String
    var place: String
    var commissionClass: String
    var platforms: String
  }
  private struct Span {
    var days: ClosedRange<Int32>
    var rate: Int64
    var line: Int32
  }

  private let columns: [Int]
  private let storefronts: StorefrontLookup
  private var rows: [(line: Int32, CompanyCommission)] = []
  private var seen: [Key: [Span]] = [:]

  init(_ map: ColumnMap, storefronts: StorefrontLookup) {
    columns = map.fields
    self.storefronts = storefronts
  }

  var pending: Int { rows.count }

  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    func field(_ name: String) -> Int { columns[CompanyTable.commissions.index(name)] }
    guard let rate = try record.amount(field("rate"), "rate", mayBeNegative: false) else {
      throw record.blankDiagnostic(field("rate"), "rate")
    }
    guard rate < 1_000_000 else {
      throw RecordDiagnostic(
        field("rate"), "rate", "rate is not below 1: \(shown(record[field("rate")]))",
        help: "write the fraction: 26% is 0.26")
    }
    let commission = CompanyCommission(
      name: try record.requiredText(field("name"), "name"),
      place: try place(record, field("storefront")),
      platforms: try platforms(record, field("platform")),
      commissionClass: try commissionClass(record, field("class"), field("programme")), rate: rate,
      effectiveFrom: try record.isoDate(field("effective_from"), "effective_from"),
      effectiveTo: try record.isoDate(field("effective_to"), "effective_to"))
    if let from = commission.effectiveFrom, let to = commission.effectiveTo, to < from {
      throw RecordDiagnostic(
        field("effective_to"), "date", "effective_to \(to) comes before effective_from \(from)",
        help: "both days are included: swap them, or leave an open end empty")
    }
    try note(commission, line: record.line, field: field("rate"))
    rows.append((record.line, commission))
    return 1
  }

  /// A storefront, a group of them, or all.
  private func place(_ record: Record, _ field: Int) throws(RecordDiagnostic) -> String {
    let text = record.text(field)
    if text == "*" { return text }
    if let group = TermsArea(rawValue: text.uppercased()) { return group.rawValue }
    guard let storefront = try record.storefront(field, "storefront", storefronts) else {
      throw RecordDiagnostic(
        field, "storefront", "storefront is blank",
        help: "name a storefront, \(groupNames) for a group of them, or * for every one")
    }
    return storefront.code
  }

  private var groupNames: String {
    TermsArea.allCases.map(\.rawValue).joined(separator: ", ")
  }

  /// In the order of ``Platform``, whatever the table's.
  private func platforms(_ record: Record, _ field: Int) throws(RecordDiagnostic) -> String {
    let words = record.text(field).lowercased().split { $0 == " " || $0 == "," || $0 == ";" }
    if words.isEmpty || words == ["*"] { return "" }
    var platforms: Set<Platform> = []
    for word in words {
      guard let platform = Platform(rawValue: String(word)) else {
        throw RecordDiagnostic(
          field, "value", "platform is not one that Apple sells on: \(shown(record[field]))",
          help: """
            write \(Platform.allCases.map(\.rawValue).joined(separator: ", ")), several divided by \
            spaces, or leave it empty for every one
            """)
      }
      platforms.insert(platform)
    }
    return platforms.sorted().map(\.rawValue).joined(separator: " ")
  }

  /// The programme where one is named: its rate holds for all that is in it.
  private func commissionClass(
    _ record: Record, _ classField: Int, _ programmeField: Int
  ) throws(RecordDiagnostic) -> String {
    let ofSales: [CommissionClass] = [.standard, .afterOneYear]
    let programmes = [CommissionClass.smallBusiness] + CommissionClass.ofProducts
    let named = try word(record, classField, "class", ofSales + programmes)
    guard let programme = try word(record, programmeField, "programme", programmes) else {
      return (named ?? .standard).rawValue
    }
    guard named == nil || named == .standard || named == programme else {
      throw RecordDiagnostic(
        classField, "value", "class and programme name two commissions",
        help: "a programme's commission holds for all of its sales: leave the class empty")
    }
    return programme.rawValue
  }

  private func word(
    _ record: Record, _ field: Int, _ name: String, _ allowed: [CommissionClass]
  ) throws(RecordDiagnostic) -> CommissionClass? {
    try record.word(field, name, allowed: allowed.map(\.rawValue)) { text in
      allowed.first { $0.rawValue == text }
    }
  }

  /// Refuses two rates for the same sales on the same days.
  private mutating func note(
    _ commission: CompanyCommission, line: Int32, field: Int
  ) throws(RecordDiagnostic) {
    let key = Key(
      name: commission.name, place: commission.place, commissionClass: commission.commissionClass,
      platforms: commission.platforms)
    let days =
      (commission.effectiveFrom?.number ?? .min)...(commission.effectiveTo?.number ?? .max)
    if let clash = seen[key]?.first(where: { $0.days.overlaps(days) && $0.rate != commission.rate })
    {
      throw RecordDiagnostic(
        field, "rate", "line \(clash.line) has another rate of \(commission.name) on the same days",
        help: "give lines \(clash.line) and \(line) effective days that do not overlap")
    }
    seen[key, default: []].append(Span(days: days, rate: commission.rate, line: line))
  }

  mutating func takeBlock() -> FactBlock {
    defer { rows = [] }
    return FactBlock(rows: .commissions(rows))
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary() }
}
