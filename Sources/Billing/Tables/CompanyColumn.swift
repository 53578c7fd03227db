/// A row of a table that a company makes itself, with the list of the table's columns: what reads,
/// maps, stores and shows a column follows from it.
package protocol ListedRow: Sendable {
  /// In the order of a template, required ones first; those that a row holds also in the order in
  /// which the ledger's table has them.
  static var columns: [CompanyColumn<Self>] { get }
  /// What reading starts from; nothing of it is left.
  static var blank: Self { get }
}

/// What is said of a column to those who make or map a table.
package struct TableColumn: Sendable {
  package var name: String
  package var form: ColumnForm
  package var isRequired: Bool
  /// What stands in it.
  package var meaning: Wording
  /// Of one row that could be read; blank where that row has nothing in it.
  package var example: String
  /// The words that it may have; nil where it holds anything else.
  package var words: [String]?
  /// What shops call it; for advice only, nothing is read by them.
  package var usualNames: [String]

  package init(
    _ name: String, _ form: ColumnForm, required: Bool = false, _ meaning: Wording = "",
    _ example: String = "", words: [String]? = nil, called usualNames: [String] = []
  ) {
    self.name = name
    self.form = form
    isRequired = required
    self.meaning = meaning
    self.example = example
    self.words = words
    self.usualNames = usualNames
  }
}

/// How a column of the company's tables is written.
package enum ColumnForm: Sendable {
  /// Names and remarks, in which a word for nothing is one like any other.
  case text
  /// Ids and codes that may be anything.
  case code
  /// What only its table's reader understands.
  case plain
  case word, flag, time, day, amount, number
  /// A time, or a day alone.
  case moment

  package var isTime: Bool { [.time, .day, .moment].contains(self) }
  package var isNumber: Bool { self == .amount || self == .number }
}

/// A column of a company's table, and where a row has its value.
package final class CompanyColumn<Row>: Sendable {
  package let name: String
  package let value: ColumnValue<Row>
  /// As the company's table has it; nil for what only Apple says.
  package let shown: TableColumn?
  /// The column of the ledger's table, as SQL names it.
  package let stored: String
  /// What it means in the ledger's view; nil where a column of this name means the same in all.
  package let viewMeaning: Wording?
  /// Its head in the sheet of rows that findings show; nil where it is not in it.
  package let sheetHead: Wording?

  /// A column that the company's table has; its parameters are what the fields say.
  package init(
    _ name: String, _ value: ColumnValue<Row>, required: Bool = false, _ meaning: Wording,
    _ example: String = "", called usualNames: [String] = [], stored: String? = nil,
    view: Wording? = nil, sheet: Wording? = nil
  ) {
    self.name = name
    self.value = value
    shown = TableColumn(
      name, value.form, required: required, meaning, example, words: value.words,
      called: usualNames)
    self.stored = stored ?? name
    viewMeaning = view
    sheetHead = sheet
  }

  /// A column of the ledger that only Apple's facts have, and no table of the company's.
  package init(apples name: String, _ value: ColumnValue<Row>, view: Wording? = nil) {
    self.name = name
    self.value = value
    (shown, stored, viewMeaning, sheetHead) = (nil, name, view, nil)
  }
}

/// Where a row has a value that may have to be there.
package enum ColumnPlace<Row, Value>: Sendable {
  case always(any WritableKeyPath<Row, Value> & Sendable)
  case ifSaid(any WritableKeyPath<Row, Value?> & Sendable)

  /// The value that a row has here; nil where nothing was said.
  package func value(of row: Row) -> Value? {
    switch self {
    case .always(let path): row[keyPath: path]
    case .ifSaid(let path): row[keyPath: path]
    }
  }

  /// Writes a value into a row, and returns whether there was one. Nil empties a value that may be
  /// absent, and leaves one that has to be there as it was.
  package func put(_ value: Value?, into row: inout Row) -> Bool {
    switch self {
    case .always(let path): if let value { row[keyPath: path] = value }
    case .ifSaid(let path): row[keyPath: path] = value
    }
    return value != nil
  }
}

/// What a column holds, and where a row has it. Amounts are micro-units.
package enum ColumnValue<Row>: Sendable {
  package typealias Path<Value> = any WritableKeyPath<Row, Value> & Sendable

  /// What the table's own reader reads: ids and times of rows that come by the million, and what no
  /// other table has.
  case own(ColumnForm)
  case text(Path<String>)
  case code(Path<String>)
  /// A word of the company's own.
  case plain(Path<String>)
  case status(Path<OrderStatus>)
  case outcome(Path<EventOutcome>)
  case kind(ColumnPlace<Row, ProductKind>)
  case tierTable(Path<TierTable>)
  case ownership(Path<Ownership?>)
  case environment(Path<StoreEnvironment?>)
  case movement(Path<CoinMovement>)
  case coinOrigin(Path<CoinOrigin?>)
  case itemKind(Path<GameItemKind>)
  case flag(Path<Bool>)
  case saidFlag(Path<Bool?>)
  case count(Path<Int64?>)
  /// A whole number, which may be below zero.
  case coins(ColumnPlace<Row, Int64>)
  /// Units as they were said; 0 is "not said".
  case quantity(Path<Int32>)
  case httpStatus(Path<Int32?>)
  case price(ColumnPlace<Row, Int64>)
  /// An amount that may be below zero.
  case balance(Path<Int64>)
  /// Millionths.
  case fraction(Path<Int64>)
  case rate(Path<DecimalRate>)
  case currency(ColumnPlace<Row, Currency>)
  case storefront(ColumnPlace<Row, Storefront>)
  case day(ColumnPlace<Row, Day>)
  case factSource(Path<FactSource>)
  case revocationType(Path<RevocationType?>)
  case percentage(Path<Int32?>)
  case offer(Path<OfferKind?>)

  /// Whether the table's own reader reads the column, and a row holds no value for it here.
  package var isOwn: Bool { if case .own = self { true } else { false } }

  /// How the company's table writes the column.
  package var form: ColumnForm {
    switch self {
    case .own(let form): form
    case .text: .text
    case .code: .code
    case .plain, .currency, .storefront: .plain
    case .status, .outcome, .kind, .tierTable, .ownership, .environment, .factSource,
      .revocationType, .offer, .movement, .coinOrigin, .itemKind:
      .word
    case .flag, .saidFlag: .flag
    case .count, .coins, .quantity, .httpStatus, .fraction, .rate, .percentage: .number
    case .price, .balance: .amount
    case .day: .day
    }
  }

  /// The words that the column may have, as the company's table writes them; nil where it holds
  /// anything else.
  fileprivate var words: [String]? {
    switch self {
    case .status: OrderStatus.allCases.map(\.name)
    case .outcome: EventOutcome.allCases.map(\.name)
    case .kind: ProductKind.allCases.map(\.name)
    case .movement: CoinMovement.allCases.map(\.name)
    case .coinOrigin: CoinOrigin.allCases.map(\.name)
    case .itemKind: GameItemKind.allCases.map(\.name)
    case .tierTable: TierTable.allCases.map(\.name)
    case .ownership: ["PURCHASED", "FAMILY_SHARED", "ASSIGNED"]
    case .environment: ["Production", "Sandbox"]
    case .flag, .saidFlag: ["true", "false"]
    default: nil
    }
  }
}

extension ListedRow {
  /// The columns of the company's table.
  package static var tableColumns: [TableColumn] { columns.compactMap(\.shown) }
  /// The columns whose values a row holds: all but those that the table's own reader reads.
  package static var heldColumns: [CompanyColumn<Self>] { columns.filter { !$0.value.isOwn } }
  /// The columns whose values a row holds and that the company's table has.
  package static var saidColumns: [CompanyColumn<Self>] { heldColumns.filter { $0.shown != nil } }
  /// The columns that stand in the sheet of rows that findings show.
  package static var sheetColumns: [CompanyColumn<Self>] {
    heldColumns.filter { $0.sheetHead != nil }
  }
}
