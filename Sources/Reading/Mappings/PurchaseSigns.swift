internal import Billing

/// What a header's names say of whether its rows are the company's orders or Apple's transactions:
/// both have a product, a time and an ID.
struct PurchaseSigns {
  /// The columns that speak for each of both.
  private(set) var orders: [String] = []
  private(set) var transactions: [String] = []
  private var weight = 0

  /// Weighs, by the words of the columns' names, whether rows are orders or transactions.
  ///
  /// - Parameter columns: as printed.
  init(_ columns: [String]) {
    var seen: Set<NameMeaning> = []
    for column in columns {
      let words = NameWords(column)
      guard let sign = Self.signs.first(where: { $0.isIn(words) }) else { continue }
      if sign.kind == .orders { orders.append(column) } else { transactions.append(column) }
      guard seen.insert(sign.meaning).inserted else { continue }
      weight += sign.kind == .orders ? sign.weight : -sign.weight
    }
  }

  /// The kind for which clearly more speaks; nil where it is not certain.
  var kind: InputKind? { weight >= 2 ? .orders : weight <= -2 ? .transactions : nil }

  private struct Sign {
    var kind: InputKind
    var meaning: NameMeaning
    /// What its name has beside; empty for a name that may have unknown words too.
    var beside: Set<NameMeaning> = []
    /// 2 where the other kind hardly has such a column.
    var weight = 1

    /// Whether a column's name has this sign.
    func isIn(_ words: NameWords) -> Bool {
      guard words.known.contains(meaning) else { return false }
      return beside.isEmpty || words.meanings.map { !$0.isDisjoint(with: beside) } ?? false
    }
  }

  private static let signs = [
    Sign(kind: .transactions, meaning: .original, beside: [.transaction], weight: 2),
    Sign(kind: .transactions, meaning: .environment, weight: 2),
    Sign(kind: .transactions, meaning: .ownership, weight: 2),
    Sign(kind: .transactions, meaning: .expiry, beside: [.time, .past], weight: 2),
    Sign(kind: .transactions, meaning: .transaction, beside: [.id]),
    Sign(kind: .transactions, meaning: .purchase, beside: [.time, .past]),
    Sign(kind: .orders, meaning: .status, beside: [.status], weight: 2),
    Sign(kind: .orders, meaning: .beginning, beside: [.time, .past]),
    Sign(kind: .orders, meaning: .delivery, beside: [.time, .past]),
    Sign(kind: .orders, meaning: .customer),
    Sign(kind: .orders, meaning: .order, beside: [.id]),
  ]
}

extension Header {
  /// The diagnostic of columns that may be orders' or transactions', with those that speak for
  /// each.
  func doubt(_ signs: PurchaseSigns) -> Diagnostic {
    func list(_ columns: [String]) -> String {
      columns.isEmpty ? "–" : columns.joined(separator: ", ")
    }
    var doubt = diagnostic(
      "@text.orders-or-transactions \(list(signs.orders)) \(list(signs.transactions))",
      help: "@text.say-orders-or-transactions")
    doubt.mayBe = [.orders, .transactions]
    return doubt
  }
}
