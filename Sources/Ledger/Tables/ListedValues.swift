import Billing

/// Rows whose columns in the ledger are those of their list.
extension TableValue where Self: ListedRow {
  mutating func values(_ column: inout some ValueVisitor) { visitColumns(&column) }
}

// Of what comes by the thousand, each by a function of its own, which needs no generic row.

extension OrderTerms: TableValue {
  static let tableName = "order_terms"

  mutating func values(_ column: inout some ValueVisitor) { visitColumns(&column) }
}

extension TransactionTerms: TableValue {
  static let tableName = "transaction_terms"

  mutating func values(_ column: inout some ValueVisitor) { visitColumns(&column) }
}

extension PurchaseEventTerms: TableValue {
  static let tableName = "event_terms"

  mutating func values(_ column: inout some ValueVisitor) { visitColumns(&column) }
}

extension CoinMovementTerms: TableValue {
  static let tableName = "coin_movement_terms"

  mutating func values(_ column: inout some ValueVisitor) { visitColumns(&column) }
}

extension ListedRow {
  /// Shows each column of the row's list to a visitor, under the name that it has in the ledger.
  @inline(__always)
  fileprivate mutating func visitColumns(_ column: inout some ValueVisitor) {
    for listed in Self.columns { listed.value.visit(listed.stored, of: &self, &column) }
  }
}

extension ColumnPlace where Value: CellValue {
  /// Shows the value that stands in this place of a row to a visitor, as a column named `name`.
  @inline(__always)
  fileprivate func visit(_ name: String, of row: inout Row, _ column: inout some ValueVisitor) {
    switch self {
    case .always(let path): column(name, &row[keyPath: path])
    case .ifSaid(let path): column(name, &row[keyPath: path])
    }
  }
}

extension ColumnValue {
  /// Shows a row's value of this column to a visitor, under `name`; nothing where it is the table's
  /// `own`, which is none of its terms.
  @inline(__always)
  fileprivate func visit(_ name: String, of row: inout Row, _ column: inout some ValueVisitor) {
    switch self {
    case .own: break
    case .text(let path), .code(let path), .plain(let path): column(name, &row[keyPath: path])
    case .status(let path): column(name, &row[keyPath: path])
    case .outcome(let path): column(name, &row[keyPath: path])
    case .movement(let path): column(name, &row[keyPath: path])
    case .coinOrigin(let path): column(name, &row[keyPath: path])
    case .itemKind(let path): column(name, &row[keyPath: path])
    case .coins(let place): place.visit(name, of: &row, &column)
    case .kind(let place): place.visit(name, of: &row, &column)
    case .tierTable(let path): column(name, &row[keyPath: path])
    case .ownership(let path): column(name, &row[keyPath: path])
    case .environment(let path): column(name, &row[keyPath: path])
    case .flag(let path): column(name, &row[keyPath: path])
    case .saidFlag(let path): column(name, &row[keyPath: path])
    case .count(let path): column(name, &row[keyPath: path])
    case .quantity(let path): column(name, &row[keyPath: path])
    case .httpStatus(let path), .percentage(let path): column(name, &row[keyPath: path])
    case .price(let place): place.visit(name, of: &row, &column)
    case .balance(let path), .fraction(let path): column(name, &row[keyPath: path])
    case .rate: preconditionFailure("a rate is stored in two columns")
    case .currency(let place): place.visit(name, of: &row, &column)
    case .storefront(let place): place.visit(name, of: &row, &column)
    case .day(let place): place.visit(name, of: &row, &column)
    case .factSource(let path): column(name, &row[keyPath: path])
    case .revocationType(let path): column(name, &row[keyPath: path])
    case .offer(let path): column(name, &row[keyPath: path])
    }
  }
}

extension CompanyColumn {
  /// A row's value as people read it, amounts in decimal text; empty where nothing was said.
  func text(of row: Row) -> String {
    var (row, text) = (row, ValueText(isAmount: value.form == .amount))
    value.visit(stored, of: &row, &text)
    return text.text
  }
}

private struct ValueText: ValueVisitor {
  let isAmount: Bool
  private(set) var text = ""

  /// Keeps the value as text: of an amount, which is in micro-units, its decimal spelling.
  mutating func callAsFunction(_: String, _ value: inout some CellValue) {
    switch value.content {
    case .null: break
    case .integer(let number):
      text = isAmount ? DecimalRate(micros: number).text() : String(number)
    case .text(let content): text = content
    }
  }
}
