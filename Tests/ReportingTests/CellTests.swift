import Billing
import Support
import Testing

@testable import Reporting

@Suite struct CellTests {
  private static let cny = Currency("CNY")!
  private static let jpy = Currency("JPY")!

  @Test(
    arguments: [
      (0, "0"), (1, "1e-06"), (-1, "-1e-06"), (1_234_560_000, "1234.56"), (-10_000, "-0.01"),
      (8_410_000, "8.41"), (99_999_999_999_990_000, "99999999999.99"), (100, "0.0001"),
      (9_000_000_000_000_000_000, "9000000000000.0"), (15, "1.5e-05"),
    ] as [(Int64, String)])
  func amountsKeepTheirDecimals(micros: Int64, printed: String) {
    let number = CellNumber.binary(micros: micros)
    #expect(
      number?.description
        == (printed.contains("0.0") || printed.contains("e") || printed.contains(".")
          ? printed : "\(printed).0"))
  }

  @Test func placesHaveNames() {
    #expect(Cell.place(Storefront("HK")) == .text("HK Hong Kong"))
    #expect(Cell.place(Storefront("LL")) == .text("LL Latin America and the Caribbean"))
    #expect(Cell.place(Storefront("US")) == .text("US United States"), "the country goes first")
    #expect(Cell.place(nil) == .blank)
  }

  @Test func aNumberPrintsBackOrIsNone() {
    var random = SplitMix64(seed: 20_230_614)
    var none = 0
    for _ in 0..<20_000 {
      let micros = Int64(bitPattern: random.next()) >> Int64(random.next() % 60)
      if let number = CellNumber.binary(micros: micros) {
        #expect(Double(decimalText(micros: micros)) == number)
      } else {
        none += 1
        #expect(micros.magnitude > 999_999_999_999_999)
      }
    }
    #expect(none > 0)
    #expect(CellNumber.binary(micros: .max) == nil)
    #expect(CellNumber.binary(integer: 9_007_199_254_740_993) == nil)
    #expect(Cell.money(.max, Self.cny).exactText == "9223372036854.775807")
  }

  @Test(arguments: [
    (Cell.money(1_234_560_000, Self.cny), "#,##0.00_);[Red](#,##0.00)"),
    (Cell.money(1_234_567_800, Self.cny), "#,##0.0000_);[Red](#,##0.0000)"),
    (Cell.money(1_234_000_000, Self.jpy), "#,##0_);[Red](#,##0)"),
    (Cell.formula("A1", .money(0, Self.jpy)), "#,##0_);[Red](#,##0)"),
    (Cell.day(Day("2023-06-14")!), "yyyy-mm-dd"), (Cell.text("=1+1"), nil),
  ])
  func formats(cell: Cell, pattern: String?) {
    #expect(Look(number: cell.number, style: .body).pattern == pattern)
  }

  @Test func daysAreDaysOfTheSpreadsheet() {
    #expect(Cell.day(Day("1900-03-01")!).binary == 61)
    #expect(Cell.day(Day("2023-06-14")!).binary == 45_091)
  }

  @Test(arguments: [32_767, 32_768, 40_000])
  func longTextIsCutWithAMark(count: Int) {
    let text = fitted(String(repeating: "a", count: count))
    #expect(text.utf16.count == min(count, 32_767))
    #expect(text.hasSuffix(" … (cut)") == (count > 32_767))
  }

  @Test func textIsCutBetweenLetters() {
    let text = fitted(String(repeating: "👨‍👩‍👧", count: 5_000))
    #expect(text.utf16.count <= 32_767)
    #expect(text.dropLast(8).allSatisfy { $0 == "👨‍👩‍👧" })
    #expect(fitted(String(repeating: "文", count: 32_767)).utf16.count == 32_767)
    #expect(!fitted(String(repeating: "文", count: 32_767)).hasSuffix("(cut)"))
  }

  @Test func longListsCountWhatIsLeftOut() {
    #expect(list([]) == .blank)
    #expect(list(["A"]) == .text("A"))
    #expect(list(["A", "B"]) == .text("A, B"))
    #expect(list(["AAAA", "BBBB", "CCCC", "DDDD"], limit: 21) == .text("AAAA, … and 3 more"))
    let ids = (0..<9_000).map { "ORDER\($0)" }
    guard case .text(let text) = list(ids) else { return #expect(Bool(false)) }
    #expect(text.utf16.count <= 32_767)
    #expect(text.hasSuffix(" more"))
  }

  @Test(arguments: [
    ("plain_text", "plain_text"), ("_x0041_", "_x005F_x0041_"),
    ("a_xBEEF_b_x00", "a_x005F_xBEEF_b_x00"),
    ("a\u{0}b", "a\u{FFFD}b"), ("a\u{FFFF}b", "a\u{FFFD}b"), ("＝全角", "＝全角"),
    ("=1+1", "=1+1"), ("@x", "@x"),
  ])
  func textCanBeCarried(text: String, carried: String) {
    #expect(carriable(text) == carried)
  }

  @Test(arguments: [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (16_383, "XFD")])
  func columnsHaveLetters(index: Int, letters: String) {
    #expect(columnLetters(index) == letters)
  }

  @Test(
    arguments: [
      (0, "0"), (499_999, "0"), (310_000_000, "310"), (-612_350_000, "-612"),
      (84_949_000_000, "84.9k"), (1_234_567_000_000, "1.23M"), (-2_500_000_000_000_000, "-2.5bn"),
      (.max, "9223.37bn"), (.min, "-9223.37bn"),
    ] as [(Int64, String)])
  func chartsHaveShortFigures(micros: Int64, text: String) {
    #expect(compact(micros) == text)
  }
}
