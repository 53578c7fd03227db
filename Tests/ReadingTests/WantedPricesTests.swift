import Billing
import Testing

@testable import Reading

/// Goal: a file of wanted prices is read row by row, and bad rows are named. Method: small files.
struct WantedPricesTests {
  func read(_ text: String) throws -> WantedReading {
    let bytes = Array(text.utf8)
    var place = 0
    return try readWantedPrices(
      name: "w.csv",
      from: { buffer in
        let count = min(buffer.count, bytes.count - place)
        buffer.copyBytes(from: bytes[place..<place + count])
        place += count
        return count
      }, storefronts: someStorefronts,
      currency: { $0.code == "CN" ? Currency("CNY") : nil })
  }

  @Test func everyColumnIsRead() throws {
    let reading = try read(
      "name,price,currency,storefront\n\"small, blue\",28.8,,CHN\nlarge,9.99,USD,US\n")
    #expect(reading.diagnostics.isEmpty && reading.warnings.isEmpty)
    #expect(
      reading.prices == [
        WantedPrice(
          storefront: Storefront("CN")!, name: "small, blue",
          price: Money(micros: 28_800_000, Currency("CNY")!)),
        WantedPrice(
          storefront: Storefront("US")!, name: "large",
          price: Money(micros: 9_990_000, Currency("USD")!)),
      ])
  }

  @Test(arguments: [
    ("CN,0", "price is not above zero"), ("CN,1;5", "price is not a decimal number"),
    ("CN,", "price is blank"), ("XX,5", "storefront is not one of Apple's storefronts"),
    (",5", "storefront is blank"), ("US,5", "currency is blank"),
  ])
  func badRowsAreNamed(row: String, message: String) throws {
    let reading = try read("storefront,price,currency\nCN,6,\n\(row),\nCN,12,\n")
    #expect(reading.prices.map(\.price.micros) == [6_000_000, 12_000_000])
    #expect(reading.diagnosticCount == 1)
    #expect(reading.diagnostics.first?.location.line == 3)
    #expect(reading.diagnostics.first?.message.english.hasPrefix(message) == true)
  }

  @Test func whatStopsTheFileIsThrown() {
    #expect(throws: Diagnostic.self) { try read("") }
    #expect(throws: Diagnostic.self) { try read("storefront,amount\nCN,6\n") }
  }
}
