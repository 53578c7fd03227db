import Billing
import Testing

@testable import Reporting

/// Goal: what is said once of a column holds in sheet, text and JSON alike. Method: a list whose
/// columns have all that a plan's have.
@Suite struct ListTests {
  private struct Offer {
    var product: String
    var coins: Int64
    /// Of its price, beyond what another shop leaves.
    var gain: Fraction?
  }

  private static let offers = [
    Offer(product: AppProduct("gems", in: "com.a").name, coins: 1_200, gain: Fraction(1, over: 3)),
    Offer(product: "vip", coins: 0, gain: Fraction(-1, over: 8)),
    Offer(product: "free", coins: 7, gain: nil),
  ]

  private static let list = List<Offer>([
    Column("product", .text("@shared.product")) { .text($0.product) }.ofProducts,
    Column("now.coins", .number("@shared.coins")) { .integer($0.coins) }.changeable,
    Column("now.all", .number("@shared.all")) {
      .formula("{now.coins}+{now.coins$9}+{now.coins@4}", .integer($0.coins + 1))
    },
    Column("kind") { .text($0.product) }.coded { $0.coins == 0 ? "empty" : "full" }
      .told(.text("")),
    Column("gain", .number("@shared.in")) { offer in
      offer.gain.map { .formula("{now.all}/2", .share($0)) } ?? .blank
    }.toTheMillionth.told(.number("@shared.difference-2")) { $0.gain?.signedPercent ?? "?" },
  ])

  @Test func membersOfAnObjectStandInIt() {
    var writer = JSONWriter(isOneLine: true)
    writer.lines(Self.offers, of: Self.list)
    #expect(
      writer.text() == """
        [{"product": "gems","app": "com.a","now": {"coins": 1200,"all": 1201},"kind": "full",\
        "gain": "0.333333"},{"product": "vip","now": {"coins": 0,"all": 1},"kind": "empty",\
        "gain": "-0.125"},{"product": "free","now": {"coins": 7,"all": 8},"kind": "full",\
        "gain": null}]
        """)
  }

  @Test func textHasTitlesAndWordsOfItsOwn() {
    let table = Self.list.textTable(Self.offers, ["kind", "now.all", "gain"])
    #expect(table.isNumber == [false, true, true])
    #expect(table.names?[0] == "" && table.names?[2] != Self.list.heads[3].title)
    #expect(
      table.rows.map { Array($0.dropFirst()) } == [
        ["1,201", "+33.33%"], ["1", "-12.50%"], ["8", "?"],
      ])
    #expect(table.rows.map { $0[0] }.suffix(2) == ["vip", "free"])
  }

  @Test func formulasFindCellsOfOtherRows() {
    let row = Self.list.row(Self.offers[2], at: 6)
    #expect(row.cells[2] == .formula("B6+B$9+B4", .integer(8)))
    #expect(row.accents == [Row.Accent(column: 1, style: .total)])
  }
}
