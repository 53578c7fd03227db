internal import Billing

/// Which of a file's columns may be one of a company's table, by names and by what the first rows
/// have in them. It is proposed, and never read so by itself.
struct ColumnGuess {
  private let table: CompanyTable
  private let header: Header
  private let samples: ColumnSamples?
  private let known: KnownExport?
  /// What is compared of the file's columns, by their names: whole, and without what stands in
  /// brackets, as `Betrag (EUR)` is one too.
  private let squeezed: [String: Set<String>]
  /// Of tables of purchases, the words of these names.
  private let words: [String: NameWords]
  /// Columns that nothing was guessed for.
  private(set) var free: [String]

  init(_ table: CompanyTable, _ header: Header) {
    self.table = table
    self.header = header
    samples = header.samples?()
    known = KnownExport.of(header).flatMap { $0.kind == table.kind ? $0 : nil }
    let printed = Set(header.printed)
    squeezed = Dictionary(
      uniqueKeysWithValues: printed.map { ($0, [squeezedName($0), squeezedName(Self.bare($0))]) })
    words = Dictionary(
      uniqueKeysWithValues: (table.namesPurchases ? printed : []).map { ($0, NameWords($0)) })
    let own = Set(table.names)
    free = zip(header.names, header.printed).filter { name, printed in
      !own.contains(name) && !name.isEmpty && !header.nested.contains(printed)
    }.map(\.1)
  }

  /// What the file may call a required column that has another name; nil for no guess. Each of the
  /// file's columns is guessed once.
  mutating func required(_ column: String) -> String? {
    if let source = known?.source(of: column, among: free) { return claim(source) }
    if table.kind == .coinMovements, column == "movement" { return movement() }
    // `updated_at` is near `placed_at` by its letters alone.
    let isTime = table.columns[table.index(column)].form == .time
    let near = isTime ? nil : nearest(to: column, among: free)
    return claim(chosen(column, candidates(column) + [near].compactMap(\.self)))
  }

  /// The column that tells which way coins went: by its words, else by the sign of the amount,
  /// which is the column of coins too; nil for no guess.
  private mutating func movement() -> String? {
    let source = chosen("movement", candidates("movement"))
    guard let source else { return CoinSigns(header, samples).signedAmount }
    return claim(source)
  }

  /// What the file may call a column that need not be there; nil for no guess.
  mutating func optional(_ column: String) -> String? {
    if let source = known?.source(of: column, among: free) { return claim(source) }
    var candidates = candidates(column)
    // A row's own number is no order's.
    if column == "order_id" { candidates.removeAll { ["id", "name"].contains(squeezedName($0)) } }
    if column == "unit_price" { candidates.removeAll(where: isSum) }
    return claim(chosen(column, candidates))
  }

  /// A name without what stands in brackets.
  private static func bare(_ name: String) -> String {
    String(name.prefix { $0 != "(" && $0 != "（" && $0 != "[" })
  }

  /// Takes a column out of those that nothing was guessed for, and returns it.
  private mutating func claim(_ source: String?) -> String? {
    if let source { free.removeAll { $0 == source } }
    return source
  }

  /// The columns that may be this one: by usual names, then by the words of names.
  private func candidates(_ column: String) -> [String] {
    let usual = table.columns[table.index(column)].usualNames.map(squeezedName)
      .flatMap { name in free.filter { squeezed[$0]!.contains(name) } }
    var all: [String] = []
    let spelt =
      switch table.kind {
      case .bank: BankSigns.spelt(column, among: free, header)
      case .coinMovements: CoinSigns(header, samples).spelt(column, among: free)
      default: table.spelt(column, among: free, words)
      }
    for name in usual + spelt where !all.contains(name) {
      // A bank's `Value` may be what an entry is worth, or the day from which it bears interest.
      if column == "amount", sample(name)?.order != nil { continue }
      if column == "currency", sample(name)?.decimal != nil { continue }
      if table.kind == .bank, ["amount", "currency"].contains(column), BankSigns.isForeign(name) {
        continue
      }
      all.append(name)
    }
    return all
  }

  /// The one of the candidates whose values fit best, or another column whose values say what it
  /// is.
  private func chosen(_ column: String, _ candidates: [String]) -> String? {
    guard samples?.rows ?? 0 > 0, table.namesPurchases else { return candidates.first }
    switch column {
    case "sku": return byValues(candidates, \.areProducts)
    case "transaction_id" where table.kind == .coinMovements:
      // A log's own numbers, and times in microseconds, are no transactions of Apple's.
      return candidates.first { sample($0)?.areTransactions ?? false }
    case "transaction_id":
      // Beside those of other stores Apple's may be few; the first of a chain is another column.
      let few = candidates.first { sample($0)?.hasTransactions ?? false }
      return candidates.first(where: { sample($0)?.areTransactions ?? false }) ?? few
        ?? byValues(candidates, \.areTransactions)
    case "order_id":
      let unique = candidates.filter { sample($0)?.isUnique ?? false }
      return unique.first { !(sample($0)?.isCounter ?? true) } ?? unique.first ?? candidates.first
    default: return candidates.first
    }
  }

  /// The first candidate whose values fit, else any column whose values do, else the first
  /// candidate.
  private func byValues(
    _ candidates: [String], _ fits: (ColumnSamples.Column) -> Bool
  ) -> String? {
    /// Whether the first rows' values in a column fit; false for no such column.
    func holds(_ name: String) -> Bool { sample(name).map(fits) ?? false }
    return candidates.first(where: holds) ?? free.first(where: holds) ?? candidates.first
  }

  /// What the first rows have in a column; nil for no such column, or without rows to look at.
  private func sample(_ name: String) -> ColumnSamples.Column? {
    header.printed.firstIndex(of: name).flatMap { samples?.columns[$0] }
  }

  /// Whether a column, by the file's name, has what a whole order or line comes to, while another
  /// one has unit prices or quantities. An amount beside quantities may be either; where all are 1,
  /// it is the same.
  private func isSum(_ source: String) -> Bool {
    let name = squeezedName(source)
    if Self.amounts.contains(where: name.contains), !name.contains("unit"), hasQuantities {
      return true
    }
    guard ["total", "orderamount", "payamount"].contains(where: name.contains) else { return false }
    return header.printed.map(squeezedName).contains { other in
      other != name && !other.contains("total")
        && ["price", "quantity", "qty", "数量", "单价"].contains(where: other.contains)
    }
  }

  /// Parts of names of what may be an amount for one unit or for all.
  private static let amounts = [
    "amount", "betrag", "montant", "importe", "金额", "金額",
  ]

  /// Whether a column has quantities of which the first rows show another than 1, or nothing.
  private var hasQuantities: Bool {
    let usual = table.usualNames(of: "quantity").union(["quantity"])
    return header.printed.contains { source in
      guard usual.contains(squeezedName(source)) else { return false }
      guard let column = sample(source), column.filled > 0 else { return true }
      return !column.values.keys.allSatisfy(["1", "1.0", "1.00"].contains)
    }
  }
}
