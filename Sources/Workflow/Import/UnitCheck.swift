import Billing
import Ledger

/// What the prices of a file say of the unit that its amounts are in, held against Apple's.
struct UnitCheck {
  /// Products whose prices have to be Apple's times the same, so that it is no chance.
  private static let least = 2
  private static let units: [(factor: Int64, unit: TableMapping.Unit)] = [
    (100, .cents), (1000, .thousandths), (1_000_000, .millionths),
  ]

  private let file: ImportedFile
  private let kind: InputKind
  /// A warning where amounts count another unit than somebody has said, or nobody has.
  private(set) var diagnostic: Diagnostic?
  /// Whether all prices are whole, and nothing of Apple's tells what they count.
  private(set) var isOpen = false

  /// Compares the prices of a loaded table of orders or transactions with Apple's; nil for files
  /// without prices, and for those whose unit needs no check.
  init?(_ file: ImportedFile, in ledger: Ledger) throws {
    let unit = file.mapping?.unit ?? .whole
    guard file.isLoaded, let kind = file.kind, [.orders, .transactions].contains(kind),
      [.whole, .cents].contains(unit),
      let found = try ledger.priceUnits(ofFile: file.file, isOrders: kind == .orders)
    else { return nil }
    (self.file, self.kind) = (file, kind)
    if unit == .cents {
      diagnostic = tooSmall(found)
      return
    }
    guard found.areWhole else { return nil }
    isOpen = found.products.isEmpty
    for (factor, unit) in Self.units {
      let multiplied = found.products.filter {
        // A few orders of several units do not hide what the others show.
        ($1.multiplied[factor]?.count ?? 0) * 10 >= $1.count * 9
      }
      let count = multiplied.values.reduce(0) { $0 + $1.count }
      guard count >= Self.least else { continue }
      diagnostic = tooLarge(found, multiplied, factor, unit)
      return
    }
  }

  /// The warning that prices are Apple's times a factor, in all currencies or in some.
  ///
  /// - Parameters:
  ///   - found: how the file's prices compare with Apple's, by currency.
  ///   - multiplied: the currencies in which prices of nearly all products are Apple's times
  ///     `factor`.
  ///   - factor: 100, 1000 or 1,000,000.
  ///   - unit: the unit that amounts times such a factor are in.
  private func tooLarge(
    _ found: PriceUnits, _ multiplied: [String: PriceUnits.Products], _ factor: Int64,
    _ unit: TableMapping.Unit
  ) -> Diagnostic {
    let others = found.products.filter { $1.agreeing > 0 && multiplied[$0] == nil }.keys.sorted()
    let currencies = multiplied.keys.sorted()
    if !others.isEmpty {
      let message: Wording =
        """
        @import.prices-in-are-times \(currencies.asList) \(factor) \
        \(others.asList)
        """
      let isMinor =
        unit == .cents && others.allSatisfy { Currency($0)?.isoDigits == 0 }
        && currencies.allSatisfy { Currency($0)?.isoDigits == 2 }
      if isMinor { return wrong(message, say: .minor) }
      return Diagnostic(
        .warning, topic: "unit", at: SourceLocation(file: file.file), message,
        help: "@import.export-whole-amounts-with-decimals")
    }
    let products = Set(multiplied.values.flatMap { $0.multiplied[factor] ?? [] }).count
    return wrong(
      counted(products, "@import.prices-of-1-product-are-times \(factor)") {
        "@import.prices-of-products-are-times \($0) \(factor)"
      }, say: unit)
  }

  /// The warning that prices are in cents of currencies that have none; nil where there are no
  /// such.
  private func tooSmall(_ found: PriceUnits) -> Diagnostic? {
    let hundredths = found.products.filter { currency, products in
      Currency(currency)?.isoDigits == 0 && products.hundredths.count == products.count
    }.keys
    let currencies = found.fractions.union(hundredths).sorted()
    if currencies.isEmpty { return nil }
    return wrong(
      "@import.currencies-have-no-cents \(currencies.asList)", say: .minor)
  }

  /// A warning with the line of the configuration that would correct the unit of amounts.
  ///
  /// - Parameter unit: what that line says.
  private func wrong(_ message: Wording, say unit: TableMapping.Unit) -> Diagnostic {
    let key = "import.\(kind.rawValue).unit"
    let setting = [key, "=", "\"\(unit.rawValue)\""].joined(separator: " ")
    var diagnostic = Diagnostic(
      .warning, topic: "unit", at: SourceLocation(file: file.file), message,
      help: "@import.say-in-tieout-toml-what \(setting)")
    (diagnostic.setting, diagnostic.comesFirst) = (setting, true)
    return diagnostic
  }
}
