internal import Billing

/// What the columns of a game's log of coins and its first rows say of how it is written: such
/// tables have amounts and currencies as a bank's have, and players, whose balances they tell.
struct CoinSigns {
  private let header: Header
  private let samples: ColumnSamples?
  /// As printed, with their names as they are compared.
  private let names: [(printed: String, squeezed: String)]

  init(_ header: Header, _ samples: ColumnSamples?) {
    (self.header, self.samples) = (header, samples)
    names = header.printed.map { ($0, squeezedName($0)) }
  }

  /// Whether the table is a log of coins, whatever else it may look like.
  var areCoins: Bool {
    if names.contains(where: { $0.squeezed.contains("virtualcurrency") }) { return true }
    /// Whether a column's name contains one of the parts.
    func has(_ parts: [String]) -> Bool {
      names.contains { name in parts.contains(where: name.squeezed.contains) }
    }
    // A bank has accounts too, and their balances.
    return has(Self.players) && balances != nil
      || has(Self.players + ["accountid"]) && first(Self.changes) != nil
  }

  /// Columns of balances before and after each row; nil without both.
  var balances: (before: String, after: String)? {
    for (before, after) in Self.pairs {
      for name in names
      where name.squeezed.contains(before)
        && Self.counts.contains(where: name.squeezed.contains)
      {
        let other = name.squeezed.replacing(before, with: after)
        if let found = names.first(where: { $0.squeezed == other }) {
          return (name.printed, found.printed)
        }
      }
    }
    return nil
  }

  /// Columns of which one has what came and another what went; nil without both.
  var bothWays: (come: String, go: String)? {
    let amounts = names.filter { name in
      ["amount", "coins", "数量"].contains(where: name.squeezed.contains)
    }
    /// The first column of amounts whose name contains one of the parts; nil for none.
    func one(_ parts: [String]) -> String? {
      amounts.first { name in parts.contains(where: name.squeezed.contains) }?.printed
    }
    return one(Self.come).flatMap { come in one(Self.go).map { (come, $0) } }
  }

  /// A column whose values are JSON, of which a row may hold several coins.
  var objects: String? {
    first(Self.changes).flatMap { name in
      let values = sample(name)?.values.keys.map { $0 } ?? []
      return values.contains { $0.hasPrefix("{") } ? name : nil
    }
  }

  /// The column of what was added or, below zero, taken away, where no word says which; nil for
  /// none.
  var signedAmount: String? {
    spelt("coins", among: header.printed).first { sample($0)?.hasNegative ?? false }
  }

  /// The columns of a file that may be `column` of the table of coins, the likeliest first.
  ///
  /// - Parameters:
  ///   - column: by Tieout's name.
  ///   - sources: the file's columns.
  func spelt(_ column: String, among sources: [String]) -> [String] {
    let free = names.filter { sources.contains($0.printed) }
    /// The columns among `sources` whose names contain one of the parts, in the order of the
    /// parts, and no part of `not`.
    func having(_ parts: [String], not: [String] = []) -> [String] {
      parts.flatMap { part in
        free.filter { name in
          name.squeezed.contains(part) && !not.contains(where: name.squeezed.contains)
        }.map(\.printed)
      }
    }
    if bothWays != nil, ["movement", "coins", "coin"].contains(column) { return [] }
    switch column {
    case "date": return having(["time", "时间", "date", "日期"], not: ["updat", "expir", "更新", "过期"])
    case "movement":
      let byValues = free.map(\.printed).filter { name in
        guard let values = sample(name)?.values.keys, !values.isEmpty else { return false }
        return values.allSatisfy { usualMeaning($0, .coinMovements, "movement") != nil }
      }
      return byValues + having(["changetype", "movementtype", "变动类型", "流水类型"])
    case "coins":
      if objects != nil { return [] }
      let whole = [balances?.before, balances?.after]
      return (Self.changes + Self.amounts).flatMap { name in
        free.filter { $0.squeezed == name && !whole.contains($0.printed) }.map(\.printed)
      }
    case "user_id":
      return having(["playerid", "userid", "roleid", "entityid", "accountid", "玩家", "角色", "用户"])
    case "coin":
      return having(
        ["currencyname", "currencytype", "currencycode", "currencyid", "currency", "货币"],
        not: ["balance", "amount", "余额", "数量"])
    default: return []
    }
  }

  /// The entries of a mapping that say what the movements are called, and how their signs are
  /// written.
  ///
  /// - Parameters:
  ///   - movement: the column that tells them.
  ///   - coins: the column of amounts.
  func entries(movement: String?, coins: String?) -> [String] {
    if let movement, movement == coins {
      return ["words.movement = { granted = [\"+\"], spent = [\"-\"] }"]
    }
    var entries: [String] = []
    if let values = movement.flatMap(sample)?.values.keys.sorted(), let first = values.first {
      let hint = MappingHint.word(first, column: "movement")
      entries += hint.lines(.coinMovements, words: values, isDraft: true)
        .map { String($0.dropFirst("import.coin_movements.".count)) }
    }
    if coins.flatMap(sample)?.hasNegative ?? false { entries.append("signs = [\"-\"]") }
    return entries
  }

  /// The first of some columns, by squeezed names, that the table has, as printed; nil for none.
  private func first(_ wanted: [String]) -> String? {
    wanted.lazy.compactMap { name in names.first { $0.squeezed == name }?.printed }.first
  }

  /// What the first rows have in a column; nil for no such column, or without rows to look at.
  private func sample(_ name: String) -> ColumnSamples.Column? {
    header.printed.firstIndex(of: name).flatMap { samples?.columns[$0] }
  }

  private static let players = [
    "player", "user", "roleid", "entityid", "uid", "玩家", "角色", "用户",
  ]
  /// Parts of names of what is counted.
  private static let counts = ["balance", "num", "coin", "wallet", "余额", "数量", "值"]
  /// Parts of names by which a balance before a row and one after it differ.
  private static let pairs = [
    ("before", "after"), ("previous", ""), ("previous", "new"), ("previous", "current"),
    ("prev", "curr"), ("old", "new"), ("前", "后"),
  ]
  /// What only a log of changes calls them.
  private static let changes = [
    "changeset", "changenum", "changeamount", "changevalue", "changecount", "delta", "变动数量", "变动值",
  ]
  private static let amounts = ["virtualcurrencyamount", "amount", "value", "num", "count", "数量"]
  private static let come = ["received", "earn", "gain", "granted", "获得", "增加"]
  private static let go = ["spent", "spend", "cost", "consum", "消耗", "减少"]
}
