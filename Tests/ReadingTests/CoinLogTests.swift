import Billing
import Testing

@testable import Reading

/// Logs of coins as games and the services behind them export them: each is known as such, whatever
/// other table it looks like, and what a person is told to write is what reads it.
@Suite struct CoinLogTests {
  private static let key = "import.coin_movements"

  /// A log of signed changes, with balances as a bank's statement has them.
  private static let wallet = """
    id,player_id,currency,amount,balance_before,balance_after,reason,created_at
    1,1001,diamond,300,0,300,PURCHASE,2023-06-05T20:00:02Z
    2,1001,diamond,-120,300,180,BUY_ITEM,2023-06-06T16:11:40Z

    """

  @Test(
    arguments: [
      (
        wallet,
        """
        \(key).columns = { date = "created_at", movement = "amount", coins = "amount", \
        user_id = "player_id", coin = "currency" }
        \(key).words.movement = { granted = ["+"], spent = ["-"] }
        """
      ),
      (
        // Firebase's events, as a query of BigQuery has them: a time is no transaction.
        """
        event_date,event_timestamp,event_name,user_id,virtual_currency_name,value,item_name
        20230605,1685966402123456,earn_virtual_currency,u1,gems,300,
        20230606,1686039100512000,spend_virtual_currency,u1,gems,120,sword-7

        """,
        """
        \(key).columns = { date = "event_timestamp", movement = "event_name", coins = "value", \
        coin = "virtual_currency_name", item = "item_name" }
        \(key).words.movement = { granted = ["earn_virtual_currency"], \
        spent = ["spend_virtual_currency"] }
        """
      ),
      (
        """
        #event_time,#event_name,#account_id,change_type,currency_type,change_num,before_num,\
        after_num
        2023-06-05 20:00:02,currency_change,1001,get,diamond,300,0,300
        2023-06-06 16:11:40,currency_change,1001,cost,diamond,-120,300,180

        """,
        """
        \(key).columns = { date = "#event_time", movement = "change_type", coins = "change_num", \
        user_id = "#account_id", coin = "currency_type" }
        \(key).words.movement = { granted = ["get"], spent = ["cost"] }
        \(key).signs = ["-"]
        """
      ),
      (
        // The log's own number is no transaction of Apple's.
        """
        流水号,玩家ID,货币类型,变动类型,变动数量,变动前余额,变动后余额,订单号,时间
        1,1001,钻石,获得,300,0,300,O1,2023-06-05 20:00:02
        2,1001,钻石,消耗,120,300,180,,2023-06-06 16:11:40

        """,
        """
        \(key).columns = { date = "时间", movement = "变动类型", coins = "变动数量", \
        user_id = "玩家ID", coin = "货币类型", order_id = "订单号" }
        \(key).words.movement = { granted = ["获得"], spent = ["消耗"] }
        """
      ),
    ])
  func `a log is known, and its mapping proposed`(_ text: String, _ setting: String) throws {
    #expect(stop(text)?.setting == setting)
  }

  /// What no mapping can tell, an export has to: balances alone, several coins in one value, what
  /// came and what went in one row.
  @Test(
    arguments: [
      (
        """
        Timestamp,EventName,EntityId,VirtualCurrencyName,VirtualCurrencyPreviousBalance,\
        VirtualCurrencyBalance
        2023-06-05T12:00:02Z,player_virtual_currency_balance_changed,A1,GM,0,300

        """, "VirtualCurrencyPreviousBalance and VirtualCurrencyBalance are balances: export their"
      ),
      (
        #"""
        id,user_id,changeset,metadata,create_time,update_time
        a1,u1,"{""gems"": 300, ""gold"": 5}",{},2023-06-05 12:00:02+00,2023-06-05 12:00:02+00

        """#, "column changeset holds a change of several coins as JSON: export one row for each"
      ),
      (
        """
        eventTimestamp,userID,transactionType,productsReceivedVirtualCurrencyAmount,\
        productsSpentVirtualCurrencyAmount
        2023-06-05 12:00:02,u1,PURCHASE,300,

        """,
        "productsReceivedVirtualCurrencyAmount and productsSpentVirtualCurrencyAmount stand in one"
      ),
    ])
  func `what an export lacks is said`(_ text: String, _ help: String) throws {
    let diagnostic = try #require(stop(text))
    #expect(diagnostic.message.english.contains("coin_movements"))
    #expect(diagnostic.help.english.hasPrefix(help), "\(diagnostic.help.english)")
    #expect(diagnostic.setting?.contains("coins = \"…\"") == true)
  }

  @Test(
    arguments: [
      "Buchungstag,Account,Balance before,Balance after,Amount,Currency\n",
      "user_id,previous_status,status,changed_by\nu1,a,b,c\n",
      "user_id,order_no,product,amount,currency,created\nu1,O1,gems.60,6.00,CNY,2023-06-05\n",
    ])
  func `other tables are none`(_ text: String) {
    let diagnostic = stop(text)
    #expect(diagnostic?.setting?.contains(Self.key) != true)
    #expect(diagnostic?.message.english.contains("coin_movements") != true)
  }

  private func mapped(_ text: String, _ change: (inout TableMapping) -> Void) throws -> Outcome {
    var mapping = TableMapping(.coinMovements, name: "[import.coin_movements]")
    mapping.columns = ["date": "at", "coins": "amount", "user_id": "player"]
    change(&mapping)
    return try read(text, hints: ReadingHints(mappings: [mapping]))
  }

  /// The sign of an amount is its movement where the mapping says so.
  @Test func `movements are told by signs`() throws {
    let outcome = try mapped(
      """
      at,player,amount
      2023-06-05T12:00:02Z,u1,300
      2023-06-05T13:00:02Z,u1,-120
      2023-06-05T14:00:02Z,u1,+5
      2023-06-05T15:00:02Z,u1,-

      """
    ) { mapping in
      mapping.columns["movement"] = "amount"
      mapping.words = ["movement": ["granted": ["+"], "spent": ["-"]]]
    }
    #expect(outcome.coinMovements.map(\.terms.movement) == [.granted, .spent, .granted])
    #expect(outcome.coinMovements.map(\.row.coins) == [300, 120, 5])
    #expect(outcome.rejects.count == 1)
  }

  /// A minus says what a word says already; against the word it is an error, and an adjustment
  /// keeps its own.
  @Test func `a minus before coins that go counts once`() throws {
    let text = """
      at,player,amount,why
      2023-06-05T12:00:02Z,u1,-120,cost
      2023-06-05T13:00:02Z,u1,7,Expired
      2023-06-05T14:00:02Z,u1,-5,adjusted
      2023-06-05T15:00:02Z,u1,-9,get

      """
    func read(_ signs: [String]) throws -> Outcome {
      try mapped(text) { mapping in
        mapping.columns["movement"] = "why"
        mapping.words = ["movement": ["granted": ["get"], "spent": ["cost"]]]
        mapping.signs = signs
      }
    }
    let signed = try read(["-"])
    #expect(signed.coinMovements.map(\.row.coins) == [120, 7, -5])
    #expect(
      signed.rejects.map(\.diagnostic.message.english) == ["coins is below zero: \"-9\""])
    let plain = try read([])
    #expect(plain.coinMovements.map(\.row.coins) == [7, -5] && plain.rejects.count == 2)
    let told = plain.rejects.map { $0.diagnostic.setting ?? "" }
    #expect(told == ["import.coin_movements.signs = [\"-\"]", ""])
  }
}
