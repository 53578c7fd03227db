import Billing

// Orders of terms by what they say and nothing else: where two rows of one thing tie in all that
// ranks them, the order of import must not decide.

extension OrderTerms {
  /// Whether these terms come before others by the first column in which they differ.
  func precedes(_ other: OrderTerms) -> Bool { precedesByColumns(other) }
}

extension TransactionTerms {
  /// Whether these terms come before others by the first column in which they differ.
  func precedes(_ other: TransactionTerms) -> Bool { precedesByColumns(other) }
}

extension ListedRow {
  /// Whether this row comes before another by the first column in which they differ.
  fileprivate func precedesByColumns(_ other: Self) -> Bool {
    for column in Self.columns {
      if let precedes = column.value.precedes(self, other) { return precedes }
    }
    return false
  }
}

extension ColumnValue {
  /// Whether the left row comes first by this column; nil where it is the same in both.
  fileprivate func precedes(_ left: Row, _ right: Row) -> Bool? {
    /// Compares what the column says in both rows.
    func by<Value: Comparable>(_ value: (Row) -> Value?) -> Bool? {
      isBefore(value(left), value(right))
    }
    return switch self {
    case .own: nil
    case .text(let path), .code(let path), .plain(let path): by { $0[keyPath: path] }
    case .status(let path): by { $0[keyPath: path] }
    case .outcome(let path): by { $0[keyPath: path].rawValue }
    case .movement(let path): by { $0[keyPath: path].rawValue }
    case .coinOrigin(let path): by { $0[keyPath: path]?.rawValue }
    case .itemKind(let path): by { $0[keyPath: path].rawValue }
    case .coins(let place): by { place.value(of: $0) }
    case .kind(let place): by { place.value(of: $0)?.rawValue }
    case .tierTable(let path): by { $0[keyPath: path].rawValue }
    case .ownership(let path): by { $0[keyPath: path]?.rawValue }
    case .environment(let path): by { $0[keyPath: path]?.rawValue }
    case .flag(let path): by { $0[keyPath: path] ? 1 : 0 }
    case .saidFlag(let path): by { $0[keyPath: path].map { $0 ? 1 : 0 } }
    case .count(let path): by { $0[keyPath: path] }
    case .quantity(let path): by { $0[keyPath: path] }
    case .httpStatus(let path), .percentage(let path): by { $0[keyPath: path] }
    case .price(let place): by { place.value(of: $0) }
    case .balance(let path), .fraction(let path): by { $0[keyPath: path] }
    case .rate(let path): by { $0[keyPath: path].value }
    case .currency(let place): by { place.value(of: $0) }
    case .storefront(let place): by { place.value(of: $0) }
    case .day(let place): by { place.value(of: $0) }
    case .factSource(let path): by { $0[keyPath: path] }
    case .revocationType(let path): by { $0[keyPath: path]?.rawValue }
    case .offer(let path): by { $0[keyPath: path]?.rawValue }
    }
  }
}

/// Whether one value comes before another; what is not said comes last. Nil for equal ones.
private func isBefore<Value: Comparable>(_ left: Value?, _ right: Value?) -> Bool? {
  if left == right { return nil }
  guard let left, let right else { return left != nil }
  return left < right
}

extension RenewalTerms {
  /// Whether these terms come before others by the first field in which they differ.
  func precedes(_ other: RenewalTerms) -> Bool {
    var order = FieldOrder(self, other)
    order.by(\.factSource)
    order.by(\.sku)
    order.by(\.nextSKU)
    order.by(\.willRenew)
    order.by(\.expirationIntent)
    order.by(\.isInBillingRetry)
    order.by(\.status?.rawValue)
    order.by(\.offer?.rawValue)
    for text in [\Self.offerID, \.offerDiscount, \.offerPeriod] { order.by(text) }
    order.by(\.renewalPrice)
    order.by(\.currency)
    order.by(\.unknownWords)
    return order.precedes == true
  }
}

/// Compares two values field by field until one decides; what is not said comes after what is.
private struct FieldOrder<Value> {
  private let left: Value
  private let right: Value
  /// Whether the left value comes first; nil while no field differs.
  private(set) var precedes: Bool?

  init(_ left: Value, _ right: Value) { (self.left, self.right) = (left, right) }

  /// Compares both values by a field, where no field compared earlier decided.
  mutating func by<Field: Comparable>(_ field: KeyPath<Value, Field>) {
    precedes = precedes ?? isBefore(left[keyPath: field], right[keyPath: field])
  }

  /// Compares both values by a field that may be nil, where no field compared earlier decided.
  mutating func by<Field: Comparable>(_ field: KeyPath<Value, Field?>) {
    precedes = precedes ?? isBefore(left[keyPath: field], right[keyPath: field])
  }

  /// Compares both values by a field, false before true before nil, where no field compared earlier
  /// decided.
  mutating func by(_ field: KeyPath<Value, Bool?>) {
    precedes =
      precedes
      ?? isBefore(left[keyPath: field].map { $0 ? 1 : 0 }, right[keyPath: field].map { $0 ? 1 : 0 })
  }
}
