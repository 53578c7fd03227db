package import Billing
import Pricing
import Reading

/// What became of a file of wanted prices.
package struct WantedFile: Sendable {
  /// In file order.
  package var prices: [WantedPrice]
  /// Errors and warnings; of errors the first hundred, and one that counts the others.
  package var diagnostics: [Diagnostic]
  package var hasBadInput: Bool

  /// Reads a table with the columns `storefront` and `price`, and optionally `currency`, else the
  /// storefront's own on `day`, and `name`; bad rows are left out and objected to.
  ///
  /// - Throws: a ``Diagnostic`` for what stops the file.
  package init(path: String, day: Day) throws {
    let file: RawFile
    do { file = try RawFile(path: path) } catch let error as SystemError {
      throw unreadableFile(path, error)
    }
    let reading = try readWantedPrices(
      name: path,
      from: { buffer in
        do { return try file.read(into: buffer) } catch let error as SystemError {
          throw unreadableFile(path, error)
        }
      },
      storefronts: .builtIn, currency: { StorefrontTable.builtIn.currency(of: $0, on: day) })
    prices = reading.prices
    diagnostics =
      reading.diagnostics
      + moreDiagnostics(
        reading.diagnosticCount - reading.diagnostics.reduce(0) { $0 + $1.rows }, in: path)
      + reading.warnings
    hasBadInput = reading.diagnosticCount > 0
  }
}
