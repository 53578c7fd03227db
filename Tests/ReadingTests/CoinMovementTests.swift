import Billing
import Testing

@testable import Reading

/// Movements of coins, balances and items, from text to rows.
@Suite struct CoinMovementTests {
  @Test func `movements of users are read`() throws {
    let outcome = try read(
      """
      date,movement,coins,user_id,channel,coin,paid,order_id,transaction_id,sku,storefront,item
      2023-06-01T12:34:56Z,granted,300,u1,apple,gems,paid,O1,1000000001,gems.300,CN,
      2023-06-02T00:00:00+08:00,Spent,120,u1,,gems,,,,,,sword-7
      2023-06-03,adjusted,-7,u1,,gold,free,,,,,
      """)
    #expect(outcome.reading.kind == .coinMovements && outcome.reading.rows == 3)
    #expect(outcome.reading.begin == Day("2023-06-01") && outcome.reading.end == Day("2023-06-03"))
    let found = outcome.coinMovements
    #expect(
      found.map(\.terms) == [
        CoinMovementTerms(
          .granted, channel: "apple", coin: "gems", origin: .paid, sku: "gems.300",
          storefront: Storefront("CN")),
        CoinMovementTerms(.spent, coin: "gems", item: "sword-7"),
        CoinMovementTerms(.adjusted, coin: "gold", origin: .free),
      ])
    #expect(found.map(\.row.coins) == [300, 120, -7])
    #expect(found.map(\.row.isDay) == [false, false, true])
    #expect(
      found.map(\.row.at.description) == [
        "2023-06-01T12:34:56Z", "2023-06-01T16:00:00Z", "2023-06-03T00:00:00Z",
      ])
    #expect(found[0].text(found[0].row.userID) == "u1")
    #expect(found[0].text(found[0].row.orderID) == "O1")
    #expect(found[0].text(found[0].row.transactionID) == "1000000001")
  }

  @Test func `sums by day are read, of json lines too`() throws {
    let outcome = try read(
      """
      {"date":"2023-06-01","movement":"granted","coins":125000}
      {"date":"2023-06-01","movement":"spent","coins":9000,"channel":"google"}
      """)
    #expect(outcome.reading.kind == .coinMovements && outcome.reading.rows == 2)
    #expect(outcome.coinMovements.map(\.row.coins) == [125_000, 9000])
    #expect(outcome.coinMovements.map(\.terms.channel) == ["", "google"])
  }

  /// A row that cannot be understood has its place and its reason.
  @Test(
    arguments: [
      ("2023-06-01,,1", "movement is blank", 12),
      ("2023-06-01,bought,1", "movement is not a known value: \"bought\"", 12),
      (",spent,1", "date is blank", 1),
      ("2023-13-01,spent,1", "date is not a time: \"2023-13-01\"", 1),
      ("1993-06-01,spent,1", "date lies outside the years 2000 to 2099: \"1993-06-01\"", 1),
      ("2023-06-01,spent,", "coins is blank", 18),
      ("2023-06-01,spent,1.5", "coins is not a whole number: \"1.5\"", 18),
      ("2023-06-01,spent,-1", "coins is below zero: \"-1\"", 18),
      (
        "2023-06-01,spent,1000000000001",
        "coins is more than a trillion coins, or the file's coins are more than a thousand "
          + "trillion: \"1000000000001\"", 18
      ),
    ])
  func `a bad row is told`(_ row: String, _ message: String, _ column: Int) throws {
    let outcome = try read("date,movement,coins\n2023-06-01,granted,5\n\(row)\n")
    #expect(outcome.coinMovements.map(\.row.coins) == [5])
    #expect(outcome.rejects.map(\.diagnostic.message.english) == [message])
    #expect(outcome.rejects.map(\.diagnostic.location.column) == [column])
  }

  @Test func `balances and items are read`() throws {
    let balances = try read("date,paid,free,user_id\n2023-06-30,1200,80,u1\n2023-06-30,0,5,\n")
    #expect(balances.reading.kind == .coinBalances)
    guard case .coinBalances(let rows) = balances.blocks[0].rows else { throw Unexpected() }
    #expect(
      rows.map(\.1) == [
        CoinBalance(day: Day("2023-06-30")!, paid: 1200, free: 80, user: "u1"),
        CoinBalance(day: Day("2023-06-30")!, paid: 0, free: 5),
      ])
    let items = try read("item,kind,days\nsword-7,durable,365\npotion,consumable,\n")
    #expect(items.reading.kind == .items)
    guard case .items(let read) = items.blocks[0].rows else { throw Unexpected() }
    #expect(
      read.map(\.1) == [
        GameItem(item: "sword-7", kind: .durable, days: 365),
        GameItem(item: "potion", kind: .consumable),
      ])
  }

  private struct Unexpected: Error {}
}
