import Billing
import Testing

@testable import Reading

@Suite struct JSONTests {
  /// The object of a published article on App Store billing, without its comments.
  static let object = """
    {
      "provider": "APPLE",
      "provider_country": "US",
      "apple_identifier": "...",
      "sku": "...",
      "developer": "",
      "title": "...",
      "version": "11.4.7",
      "product_type_identifier": "IA1",
      "units": 2,
      "developer_proceeds": 20.63,
      "currency_of_proceeds": "CNY",
      "begin_date": "06/19/2023",
      "end_date": "06/19/2023",
      "customer_price": 30.00,
      "customer_currency": "CNY",
      "country_code": "CN",
      "promo_code": "",
      "parent_identifier": "...",
      "subscription": "",
      "period": "",
      "category": "Music",
      "cmb": "",
      "device": "iPhone",
      "supported_platforms": "iOS and watchOS",
      "proceeds_reason": "",
      "preserved_pricing": "",
      "client": "",
      "order_type": ""
    }
    """

  @Test func arrayAndLinesReadAlike() throws {
    let oneLine = Self.object.split(separator: "\n").joined(separator: " ")
    let texts = [
      "[\n\(Self.object),\n\(Self.object)\n]\n", "[\(Self.object),\(Self.object)]",
      "\(oneLine)\n\(oneLine)\n", "\(oneLine)\n\n\(oneLine)", "\n \(Self.object) \(Self.object)",
    ]
    for text in texts {
      let outcome = try read(text)
      #expect(outcome.reading.warnings.isEmpty)
      #expect(outcome.reading.rows == 2)
      #expect(
        outcome.reading.totals == [
          ReadingTotal(
            currency: Currency("CNY"), units: 4, gross: 120_000_000, proceeds: 82_520_000)
        ])
      #expect(outcome.sales[0].product.supportedPlatforms == "iOS and watchOS")
      #expect(outcome.sales[0].terms.proceeds == 20_630_000)
      #expect(outcome.reading.begin == Day("2023-06-19"))
    }
  }

  @Test func keysMayComeInAnyOrder() throws {
    let lines = Self.object.split(separator: "\n").dropFirst().dropLast()
      .map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
    let reversed = "{" + lines.reversed().joined(separator: ",") + "}"
    #expect(try read("[\(reversed),\(Self.object)]").sales.map(\.terms.proceeds).count == 2)
    #expect(try read(reversed).sales[0].product == read(Self.object).sales[0].product)
  }

  @Test(arguments: [
    ("20.63", "20.63"), ("0", "0"), ("-0.5", "-0.5"), ("2e1", "20"), ("2.063e1", "20.63"),
    ("2063E-2", "20.63"), ("1.50e+0", "1.5"), ("0.00002063e6", "20.63"), ("-5e-3", "-0.005"),
    ("12.340e2", "1234"),
  ])
  func digitsAreExact(number: String, plain: String) {
    let bytes = Array(number.utf8)
    #expect(bytes.withUnsafeBytes { plainDecimal(json: $0) } == Array(plain.utf8))
  }

  @Test(arguments: ["01", "1.", ".5", "+1", "1e", "1e99", "1e1000", "--1", "1x", "", "Infinity"])
  func otherNumbersAreNone(number: String) {
    let bytes = Array(number.utf8)
    #expect(bytes.withUnsafeBytes { plainDecimal(json: $0) } == nil)
  }

  @Test func noBinaryFloatStandsBetween() throws {
    let text = Self.object.replacing("20.63", with: "123456789.123456")
    #expect(try read(text).sales[0].terms.proceeds == 123_456_789_123_456)
    let precise = Self.object.replacing("20.63", with: "20.6300001")
    #expect(try read(precise).reading.diagnostics.map(\.topic) == ["amount"])
  }

  @Test func escapesAreRead() throws {
    let text = Self.object.replacing(
      "\"title\": \"...\"",
      with: #""title": "a\"b\\\/\u5b9d\u77f3\uD83D\uDC8E\n""#)
    #expect(try read(text).sales[0].product.title == "a\"b\\/宝石💎")
  }

  @Test func placesAreOfTheValue() throws {
    let marked = MarkedText(
      Self.object + "\n" + Self.object.replacing("\"CN\"", with: "⟦\"QQ\"⟧"))
    let outcome = try read(marked.text)
    #expect(outcome.reading.rows == 1)
    #expect(outcome.reading.diagnostics.map(\.location) == marked.places)
    let inLine = MarkedText(
      "[{\"units\":1},"
        + Self.object.split(separator: "\n").joined(separator: " ")
        .replacing("2,", with: "⟦2.5⟧,") + "]")
    let second = try read("[" + Self.object + "," + inLine.text.dropFirst(1))
    #expect(second.reading.rejected == 2)
  }

  @Test func brokenLinesAreRejectedOneByOne() throws {
    let line = #"{"order_id":"1","sku":"a","status":"paid","placed_at":1685577600}"#
    let marked = MarkedText(line + "\n" + #"{"order_id":⟦oops⟧,"sku":"a"}"# + "\n" + line + "\n")
    let outcome = try read(marked.text)
    #expect(outcome.reading.rows == 2)
    #expect(outcome.reading.diagnostics.map(\.location) == marked.places)
    #expect(outcome.reading.diagnostics.map(\.topic) == ["json"])
    #expect(outcome.orders.map(\.row.line) == [1, 3])
  }

  @Test func brokenArraysStop() {
    let object = Self.object
    for text in [
      "[\(object)", "[\(object),]", "[\(object) \(object)]", "[\(object)] x", "[\(object)][]",
      "[\(object.replacing("\"units\": 2", with: "\"units\": 2 // two"))]",
      String(object.dropLast(2)),
    ] {
      #expect(stop(text)?.topic == "json", "\(text.prefix(20))")
    }
  }

  @Test func unknownKeysAreOneWarning() throws {
    let text = Self.object.replacing(
      "\"period\": \"\",", with: "\"x\": [1, {\"y\": \"}\"}], \"z\": 1,")
    let outcome = try read(text + text)
    #expect(outcome.reading.rows == 2)
    #expect(outcome.reading.warnings.map(\.message.english) == ["unknown columns left out: x, z"])
  }

  @Test func nestedAndDoubledValuesAreRejected() throws {
    let nested = Self.object.replacing("\"units\": 2", with: "\"units\": {\"n\": 2}")
    #expect(try read(nested).reading.diagnostics.map(\.topic) == ["value"])
    let doubled = Self.object.replacing("\"cmb\": \"\"", with: "\"sku\": \"b\"")
    #expect(try read(doubled).reading.diagnostics.map(\.topic) == ["key"])
  }

  @Test func emptyArrayOfANamedReportHasNoRows() throws {
    let reading = try read("[]", name: "S_D_85127269_20230619.json").reading
    #expect(reading.kind == .sales && reading.rows == 0 && reading.begin == Day("2023-06-19"))
    #expect(stop("[]")?.topic == "kind")
  }
}
