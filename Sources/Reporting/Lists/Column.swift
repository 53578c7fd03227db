import Billing

/// One column of a ``List``: what it says of a line, and how it is titled and added up.
struct Column<Line>: Sendable {
  /// The key in JSON and the name in CSV; formulas, links and charts find the column by it. Empty
  /// where nothing needs to. In JSON `now.price` is the member `price` of the object `now`.
  let name: String
  /// How the column stands in a sheet; nil where only scripts have it.
  private(set) var head: ColumnHead?
  let totals: [Total<Line>]
  /// What people read of a line.
  let cell: @Sendable (Line) -> Cell
  /// Whether a cell leads to another place of the workbook; nil where none of the column does.
  private(set) var leads: (@Sendable (Line) -> Bool)?
  /// Whether all of its cells do.
  private(set) var alwaysLeads = false
  private(set) var script = Script<Line>.cell
  private(set) var tint: (@Sendable (Line) -> Row.Meaning?)?
  /// Whether a reader may change the cells, by which other cells are calculated.
  private(set) var isChangeable = false
  /// Another head than the sheet's, for tables of text.
  private var textHead: ColumnHead?
  /// What tables of text have instead of the cell; nil where they have the cell.
  private(set) var text: (@Sendable (Line) -> String)?

  /// How the column stands in tables of text; nil where these cannot have it.
  var headInText: ColumnHead? { textHead ?? head }

  /// A column that scripts and people read; only scripts where it has no head.
  init(
    _ name: String, _ head: ColumnHead?, totals: [Total<Line>] = [],
    _ cell: @escaping @Sendable (Line) -> Cell
  ) {
    (self.name, self.head, self.totals, self.cell) = (name, head, totals, cell)
    if name == "sku" { script = .product }
  }

  /// A column that only scripts read.
  init(_ name: String, _ cell: @escaping @Sendable (Line) -> Cell) { self.init(name, nil, cell) }

  /// A column that only people read.
  init(
    _ head: ColumnHead, totals: [Total<Line>] = [], _ cell: @escaping @Sendable (Line) -> Cell
  ) {
    self.init("", head, totals: totals, cell)
  }

  /// A column whose cells lead to other places of the workbook.
  init(
    _ name: String, _ head: ColumnHead?, leadingTo place: @escaping @Sendable (Line) -> Place?
  ) {
    self.init(name, head) { .link(ifAny: place($0)) }
    leads = { place($0) != nil }
  }

  /// A column whose cells all lead to other places; a line says itself what a reader sees there.
  init(
    _ name: String, _ head: ColumnHead?, reading text: @escaping @Sendable (Line) -> String,
    leadingTo place: @escaping @Sendable (Line) -> Place
  ) {
    self.init(name, head) { .link(place($0), text($0)) }
    leads = { _ in true }
    alwaysLeads = true
  }

  /// A column that only scripts read, whose values no cell holds.
  init(_ name: String, script: Script<Line>) {
    self.init(name, nil) { _ in .blank }
    self.script = script
  }

  /// A column without title and cells, which keeps the place of one in the list above.
  static var gap: Column { Column(.number("")) { _ in .blank } }

  /// The same column, in which scripts get a code for what people read in words.
  func coded(_ code: @escaping @Sendable (Line) -> String?) -> Column {
    var column = self
    column.script = .text(code)
    return column
  }

  /// The same column, in which scripts get whether it is so; null where nobody knows.
  func deciding(_ isSo: @escaping @Sendable (Line) -> Bool?) -> Column {
    var column = self
    column.script = .bool(isSo)
    return column
  }

  /// The same column, in which scripts get each of the ids.
  func listed(_ ids: @escaping @Sendable (Line) -> [String]) -> Column {
    var column = self
    column.script = .list(ids)
    return column
  }

  /// The same column, in which JSON documents get objects for what people read in words.
  func documented(_ write: @escaping @Sendable (inout JSONWriter, Line) -> Void) -> Column {
    var column = self
    column.script = .json(write)
    return column
  }

  /// The same column, in which JSON documents get objects, and rows, which have no room for
  /// objects, get texts.
  func documented(
    as texts: @escaping @Sendable (Line) -> [String],
    _ write: @escaping @Sendable (inout JSONWriter, Line) -> Void
  ) -> Column {
    var column = self
    column.script = .parts(texts, write)
    return column
  }

  /// The same column, in which scripts get a figure to the millionth, without zeros at its end,
  /// where people read another number of places.
  var toTheMillionth: Column {
    coded { [cell] in cell($0).micros.map { decimalText(micros: $0) } }
  }

  /// The same column, which has another head in tables of text, and there another text than its
  /// cell's.
  func told(
    _ head: ColumnHead? = nil, _ text: (@Sendable (Line) -> String)? = nil
  ) -> Column {
    var column = self
    (column.textHead, column.text) = (head, text)
    return column
  }

  /// The same column of products, in which JSON documents get the SKU and, where it stands in
  /// several apps, the app beside it.
  var ofProducts: Column {
    var column = self
    column.script = .product
    return column
  }

  /// The same column with cells that a reader may change, marked as such.
  var changeable: Column {
    var column = self
    column.isChangeable = true
    return column
  }

  /// The same column in the group of columns that a reader folds away.
  var grouped: Column {
    var column = self
    column.head = head?.grouped
    return column
  }

  /// The same column with the colour of a severity behind the cells of lines that have one.
  func tinted(_ severity: @escaping @Sendable (Line) -> Severity?) -> Column {
    meaning { severity($0).map { .severity($0) } }
  }

  /// The same column with a colour that means something behind the cells of lines that have such a
  /// meaning.
  func meaning(_ meaning: @escaping @Sendable (Line) -> Row.Meaning?) -> Column {
    var column = self
    column.tint = meaning
    return column
  }
}

/// What scripts get in a column.
enum Script<Line>: Sendable {
  /// The value that people read.
  case cell
  /// The same, of a product: in documents its SKU, and its app where there are several.
  case product
  case text(@Sendable (Line) -> String?)
  case bool(@Sendable (Line) -> Bool?)
  case list(@Sendable (Line) -> [String])
  /// Texts in rows, and objects in documents.
  case parts(@Sendable (Line) -> [String], @Sendable (inout JSONWriter, Line) -> Void)
  /// Objects, which rows have no room for.
  case json(@Sendable (inout JSONWriter, Line) -> Void)
}

/// How a column is added up below its list.
enum Total<Line>: Sendable {
  /// In the row of each currency that stands in the column named: what its lines come to.
  case perCurrency(in: String)
  /// The same, with a zero where none of its lines has a figure.
  case perCurrencyOrZero(in: String, @Sendable (Currency) -> Cell)
  /// In the row of all lines: what they come to.
  case all
  /// The same, and nothing where one of the lines has no figure.
  case allIfComplete
  /// In the row of all lines: a figure that is no sum.
  case ofAll(@Sendable ([Line]) -> Cell)

  /// The name of the column whose currency says in which row a line is added up; nil for totals
  /// over all lines.
  var currencyColumn: String? {
    switch self {
    case .perCurrency(let name), .perCurrencyOrZero(let name, _): name
    case .all, .allIfComplete, .ofAll: nil
    }
  }
}
