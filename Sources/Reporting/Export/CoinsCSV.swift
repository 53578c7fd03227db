import Billing
package import Conclusions

let coinFigureColumns = List<CoinFigure>.coinFigures.names

/// The CSV of what is owed for coins, one row per figure that is not zero, openings and closings
/// too.
package func coinsCSV(_ statement: CoinStatement) -> String {
  List.coinFigures.csv(statement.figures)
}

/// The roll-forwards that `coinsCSV` wrote, without ages; nil for any other text.
package func keptCoinRolls(ofCSV text: String) -> [CoinRoll]? {
  let table = CSVTable(text)
  let figures = table.read { row -> CoinFigure? in
    guard let coin = row("coin"), let channel = row("channel"),
      let item = row("item").flatMap(CoinFigure.Item.init(rawValue:)),
      let coins = row("coins").flatMap({ Int64($0) }),
      let currency = row("currency").flatMap({ Currency($0) }),
      let amount = row("amount").flatMap({ micros(decimal: $0) }),
      let cost = row("commission").flatMap({ micros(decimal: $0) })
    else { return nil }
    let value = CoinValue(coins: coins, amount: amount, cost: cost)
    var roll = CoinRoll(coin: coin, channel: channel, currency: currency)
    if let part = item.part { roll[keyPath: part] = item.adds ? value : -value }
    return CoinFigure(roll: roll, item: item)
  }
  return figures.map { figures in
    var rolls: [CoinRoll] = []
    for figure in figures {
      // The figures of one stand together, and begin with its opening.
      if figure.item == .opening { rolls.append(figure.roll) }
      guard !rolls.isEmpty, let part = figure.item.part else { continue }
      rolls[rolls.count - 1][keyPath: part] = figure.roll[keyPath: part]
    }
    return rolls
  }
}
