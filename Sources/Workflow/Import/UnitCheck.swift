import Billing
import Ledger

/// What the prices of a file say of the unit that its amounts are in, held against Apple's.
struct UnitCheck {
  /// Products whose prices have to be Apple's times the same, so that it is no chance.
  private static let least = 2
  private static let units: [(factor: Int64, unit: TableMapping.Unit)] = [
    (100, .cents), (1000, .thousandths), (1_000_000, .millionths),
  ]

  /// A warning where amounts count cents and nobody has said so.
  private(set) var diagnostic: Diagnostic?
  /// Whether all prices are whole, and nothing of Apple's tells what they count.
  private(set) var isOpen = false

  /// Nil for files without such prices, and for those whose unit somebody has said.
  init?(_ file: ImportedFile, in ledger: Ledger) throws {
    guard file.isLoaded, let kind = file.kind, [.orders, .transactions].contains(kind),
      (file.mapping?.unit ?? .whole) == .whole,
      let found = try ledger.priceUnits(ofFile: file.file, isOrders: kind == .orders)
    else { return nil }
    isOpen = found.products.isEmpty
    for (factor, unit) in Self.units {
      let multiplied = found.products.filter {
        ($1.multiplied[factor] ?? 0) * 10 >= $1.count * 9
      }
      let count = multiplied.values.reduce(0) { $0 + $1.count }
      guard count >= Self.least else { continue }
      let others = found.products.filter { $1.agreeing > 0 && multiplied[$0] == nil }
      let place = SourceLocation(file: file.file)
      let currencies = multiplied.keys.sorted().asList
      guard others.isEmpty else {
        diagnostic = Diagnostic(
          .warning, topic: "unit", at: place,
          """
          @import.prices-in-are-times \(currencies) \(factor) \
          \(others.keys.sorted().asList)
          """,
          help: "@import.export-whole-amounts-with-decimals"
        )
        return
      }
      let key = "import.\(kind.rawValue).unit"
      let setting = [key, "=", "\"\(unit.rawValue)\""].joined(separator: " ")
      diagnostic = Diagnostic(
        .warning, topic: "unit", at: place,
        "@import.prices-of-products-are-times \(count) \(factor)",
        help: "@import.say-in-tieout-toml-what \(setting)")
      diagnostic?.setting = setting
      return
    }
  }
}
