import Billing
import Languages
import Conclusions

extension List<CoinDay> {
  /// The columns of what became of coins, a line for each coin, channel and business day.
  static var coins: List {
    /// A column with a number of coins.
    func count(
      _ name: String, _ title: Wording, _ count: @escaping @Sendable (CoinDay) -> Int64
    ) -> Column<CoinDay> {
      Column(name, .number(title)) { .integer(count($0)) }
    }
    return List([
      Column("date", .date("@shared.day")) { .day($0.day) },
      Column("coin", .text("@list.coin")) { .text($0.coin) },
      Column("channel", .text("@shared.channel")) { line in
        line.channel.map { Cell.text($0) } ?? .words("@list.all-channels")
      }.coded { $0.channel },
      count("sold", "@list.coins-sold") { $0.sold },
      count("granted", CoinMovement.granted.wording) { $0.granted },
      count("spent", CoinMovement.spent.wording) { $0.spent },
      count("expired", CoinMovement.expired.wording) { $0.expired },
      count("taken_back", CoinMovement.takenBack.wording) { $0.takenBack },
      count("adjusted", CoinMovement.adjusted.wording) { $0.adjusted },
      count("opening", CoinMovement.opening.wording) { $0.opening },
      Column("left", .number("@list.coins-left")) { .integer(ifAny: $0.left) },
    ])
  }
}

extension CoinAge {
  /// The age of coins that are left, in words: how many days ago they were granted.
  var wording: Wording {
    let (from, to) = days
    return to.map { "@list.coins-left-of-days \(from) \($0)" }
      ?? "@list.coins-left-older \(from - 1)"
  }
}

extension JSONWriter {
  /// The member `coins`: totals, days, notes and what is owed; none where no movements are loaded.
  mutating func writeCoins(of reconciliation: Reconciliation) {
    guard let coins = reconciliation.coins else { return }
    object("coins") { json in
      json.lines("totals", coins.totals, of: .coinTotals)
      json.lines("days", coins.days, of: .coins)
      json.key("notes")
      json.array(of: coins.notes + reconciliation.coinRemarks) { $0.string(say($1)) }
      if let statement = reconciliation.coinStatement { json.writeLiability(of: statement) }
    }
  }
}

extension WorkbookContents {
  /// The sheet of coins with its tables and chart; nil where no movements are loaded.
  func coinsSheet() -> Sheet? {
    guard let coins = reconciliation.coins, !coins.days.isEmpty else { return nil }
    let list = List<CoinDay>.coins
    let body = ListBody.sheet(count: coins.days.count)
    var below = PlacedRows(from: body.row(of: coins.days.count))
    below.addTable("@list.coins-of-the-period", coins.totals, of: List<CoinTotal>.coinTotals)
    if let statement = reconciliation.coinStatement { below.add(statement) }
    var sheet = Sheet(
      name: say("@list.coins"), columns: list.heads,
      rows: Rows(list.rows(coins.days, at: body) + below.rows), totals: [], frozenColumns: 2)
    let drawn = coins.daysDrawn.count
    let colours = [Colour(0x0072B2), Colour(0xE69F00)]
    let shown = [("granted", CoinMovement.granted.wording), ("spent", CoinMovement.spent.wording)]
    sheet.charts = [
      Chart(
        title: say("@list.coins-by-day"), isStacked: false, categories: list.index("date"),
        rows: body.rows.lowerBound...(body.rows.lowerBound + drawn - 1),
        series: zip(shown, colours).map { column, colour in
          Chart.Series(name: say(column.1), column: list.index(column.0), colours: [colour])
        },
        column: list.columns.count + 1, row: 1, width: 900, height: 320, hasLegend: true)
    ]
    return sheet
  }
}

extension CoinFlow {
  /// The days that the chart shows: those of the first coin, whose days of all channels come first.
  var daysDrawn: ArraySlice<CoinDay> {
    days.prefix { $0.coin == days[0].coin && $0.left != nil }
  }
}

extension CoinTotal {
  /// The coin's name for a reader.
  var name: Wording {
    coin.isEmpty ? "@list.coins-without-a-name" : Wording(verbatim: coin)
  }

  /// What became of a coin, in one line, without what is zero: `gems: opening 1,200, sold 300,
  /// granted 310, spent 95, …, left 1,410`.
  ///
  /// - Parameter isOnly: whether there is no other coin: the only one needs no name.
  func told(isOnly: Bool) -> Wording {
    let parts: [(Wording, Int64)] = [
      (CoinMovement.opening.wording, opening + flow.opening), ("@list.coins-sold", flow.sold),
      (CoinMovement.granted.wording, flow.granted), (CoinMovement.spent.wording, flow.spent),
      (CoinMovement.expired.wording, flow.expired),
      (CoinMovement.takenBack.wording, flow.takenBack),
      (CoinMovement.adjusted.wording, flow.adjusted),
    ]
    let figures = parts.filter { $0.1 != 0 }.map { "\($0.0) \(grouped(Int($0.1)))" as Wording }
    let left: Wording = "@list.coins-left"
    let all = (figures + ["\(left) \(grouped(Int(closing)))"]).joined(separator: ", ")
    return isOnly && coin.isEmpty ? all : "@summary.named \(name) \(all)"
  }
}
