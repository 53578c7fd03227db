import Billing
import Languages

/// What a list says of each of its lines, declared once: its sheet with totals and formulas, its
/// tables of text, JSON and CSV all follow from the columns.
///
/// A formula names cells of its own row by their columns: `1-{proceeds}/{gross}`; those of another
/// row with its number, `{gross$9}` or, for a row that may move, `{gross@9}`.
struct List<Line>: Sendable {
  /// As they stand in a sheet.
  let columns: [Column<Line>]
  /// As scripts get them.
  let scripted: [Column<Line>]
  /// Which of them follow one another in an object of JSON, and as which members; the object's name
  /// is empty where it is the line's own.
  fileprivate let objects: [(name: String, columns: Range<Int>)]
  fileprivate let keys: [String]
  /// As they were declared.
  private let all: [Column<Line>]
  /// One for each column that is added up.
  let sums: [ExpectedSum<Line>]
  private let style: @Sendable (Line) -> Row.Style
  private let places: [String: Int]

  /// A list of these columns.
  ///
  /// - Parameters:
  ///   - scripts: the columns that scripts get, in their order; without it all that have a name.
  ///   - sums: what the columns with totals come to, read past them.
  ///   - style: of a line's row.
  init(
    _ all: [Column<Line>], scripts: [String] = [], sums: [ExpectedSum<Line>] = [],
    style: @escaping @Sendable (Line) -> Row.Style = { _ in .body }
  ) {
    self.all = all
    columns = all.filter { $0.head != nil }
    scripted = scripts.isEmpty ? all.filter { !$0.name.isEmpty } : scripts.map { all[named: $0] }
    let paths = scripted.map { $0.name.split(separator: ".").map(String.init) }
    keys = paths.map { $0[$0.count - 1] }
    objects = paths.indices.reduce(into: []) { objects, index in
      let name = paths[index].count > 1 ? paths[index][0] : ""
      let start = objects.last?.name == name ? objects.removeLast().columns.lowerBound : index
      objects.append((name, start..<index + 1))
    }
    self.sums = sums
    self.style = style
    places = Dictionary(
      columns.enumerated().filter { !$1.name.isEmpty }.map { ($1.name, $0) },
      uniquingKeysWith: { _, _ in preconditionFailure("two columns have one name") })
    precondition(
      columns.filter(\.isSummed).map(\.name).sorted() == sums.map(\.column).sorted(),
      "each column that is added up is checked against another way to its sum")
  }

  /// Titles and widths of the columns in the sheet.
  var heads: [ColumnHead] { columns.compactMap(\.head) }

  /// The index of a column in the sheet, from 0.
  func index(_ name: String) -> Int {
    guard let index = places[name] else { unknown(name) }
    return index
  }

  /// The letters of a column in the sheet.
  func letter(_ name: String) -> String { columnLetters(index(name)) }

  /// The row of a line in the sheet.
  ///
  /// - Parameter number: of the row in its sheet, which formulas point at.
  func row(_ line: Line, at number: Int = 0) -> Row {
    var row = Row(cells: [], style: style(line))
    row.cells.reserveCapacity(columns.count)
    // By index: a copy of each column would cost more than most of its cells.
    for index in columns.indices {
      var cell = columns[index].cell(line)
      if case .formula(let formula, let value) = cell {
        cell = .formula(placed(formula, row: number), value)
      }
      row.cells.append(cell)
      if let meaning = columns[index].tint?(line) {
        row.tints.append(Row.Tint(column: index, meaning: meaning))
      }
      if columns[index].isChangeable {
        row.accents.append(Row.Accent(column: index, style: .total))
      }
    }
    return row
  }

  /// How many cells of a line are links, without making its row.
  func linkCount(of line: Line) -> Int {
    columns.indices.count { columns[$0].leads?(line) == true }
  }

  /// Rows that are made from their lines when they are asked for.
  ///
  /// - Parameter line: makes the line of an index, from 0.
  /// - Precondition: only cells of columns that lead elsewhere are links.
  func rows(count: Int, _ line: @escaping @Sendable (Int) -> Line) -> Rows {
    // Where no cell depends on its line, no line is made to count them.
    let always = columns.count { $0.alwaysLeads }
    let isConstant = columns.allSatisfy { $0.alwaysLeads || $0.leads == nil }
    return Rows(count: count, links: { isConstant ? always : linkCount(of: line($0)) }) { index in
      let row = row(line(index))
      for index in columns.indices where columns[index].leads == nil {
        if case .link = row.cells[index] {
          preconditionFailure("\(columns[index].name) leads somewhere unsaid")
        }
      }
      return row
    }
  }

  /// The rows of lines whose formulas point at the rows that these stand in.
  func rows(_ lines: [Line], at body: ListBody) -> [Row] {
    lines.enumerated().map { row($1, at: body.row(of: $0)) }
  }

  /// The row of the columns' titles, where the list stands below another.
  var header: Row {
    Row(
      cells: columns.map { .text(ifAny: $0.head?.title) }, style: .tableHeader,
      accents: columns.enumerated().filter { $1.head?.isNumeric == true }.map {
        Row.Accent(column: $0.offset, style: .numberHeader)
      })
  }

  /// A formula with the cells of a row in place of the columns' names in braces:
  /// `1-{proceeds}/{gross}` becomes `1-D7/C7`, `{gross$9}` becomes `C$9`, and `{gross@9}` `C9`.
  func placed(_ formula: String, row: Int) -> String {
    guard formula.utf8.contains(0x7B) else { return formula }
    var text = ""
    var rest = formula[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      let cell = rest[rest.index(after: open)..<close]
      let name = cell.prefix { $0 != "$" && $0 != "@" }
      text += letter(String(name))
      text += name.endIndex == cell.endIndex ? "\(row)" : cell[name.endIndex...].drop { $0 == "@" }
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}

/// Stops the program, which asked for a column that the list does not have.
private func unknown(_ name: String) -> Never {
  preconditionFailure("no column of the list is named \(name)")
}

extension Array {
  /// The column of a name.
  fileprivate subscript<Line>(named name: String) -> Column<Line> where Element == Column<Line> {
    guard let column = first(where: { $0.name == name }) else { unknown(name) }
    return column
  }
}

extension List {
  /// The list as a table of text.
  ///
  /// - Parameter names: which columns, in their order there.
  /// - Precondition: each of them has a head.
  func textTable(_ lines: some Sequence<Line>, _ names: [String]) -> TextTable {
    let columns = names.map { all[named: $0] }
    let heads = columns.map { $0.headInText! }
    var table = TextTable(String(heads.map { $0.isNumeric ? "r" : "l" }))
    table.name(columns: heads.map(\.title))
    for line in lines {
      table.add(
        cells: zip(columns, heads).map { column, head in
          column.text?(line) ?? column.cell(line).shortText(isNumeric: head.isNumeric)
        })
    }
    return table
  }

  /// The list as CSV, for a file that is held whole.
  func csv(_ lines: some Sequence<Line>) -> String {
    var writer = RowWriter(.csv, scripted.map(\.name)) { _ in }
    for line in lines {
      writer.add(line, of: self)
      writer.closeRow()
    }
    return writer.text
  }
}

extension JSONWriter {
  /// A member with an array of the list's lines, an object each.
  mutating func lines<Line>(_ name: String, _ lines: some Sequence<Line>, of list: List<Line>) {
    key(name)
    self.lines(lines, of: list)
  }

  /// An array of the list's lines, an object each.
  mutating func lines<Line>(_ lines: some Sequence<Line>, of list: List<Line>) {
    array(of: lines) { writer, line in writer.object { $0.members(line, of: list) } }
  }

  /// What the list says of a line, as members of the object that is open.
  mutating func members<Line>(_ line: Line, of list: List<Line>) {
    for (name, columns) in list.objects {
      if name.isEmpty {
        members(line, columns, of: list)
      } else {
        object(name) { $0.members(line, columns, of: list) }
      }
    }
  }

  /// What some columns, by their indices, say of a line, as members of the object that is open.
  private mutating func members<Line>(_ line: Line, _ columns: Range<Int>, of list: List<Line>) {
    // By index: a copy of each column would cost more than most of its values.
    for index in columns {
      if case .product = list.scripted[index].script,
        case .text(let sku) = list.scripted[index].cell(line)
      {
        product(list.keys[index], sku)
        continue
      }
      key(list.keys[index])
      switch list.scripted[index].script {
      case .cell, .product: value(list.scripted[index].cell(line))
      case .text(let text): string(text(line))
      case .bool(let isSo): if let isSo = isSo(line) { bool(isSo) } else { null() }
      case .list(let texts): array(of: texts(line)) { $0.string($1) }
      case .parts(_, let write), .json(let write): write(&self, line)
      }
    }
  }

  /// Two members: a product's SKU and, where the SKU stands in several apps, its app.
  ///
  /// - Parameters:
  ///   - key: of the SKU.
  ///   - name: the product's, which has the app in it where there are several.
  package mutating func product(_ key: String, _ name: String) {
    let product = AppProduct(name)
    string(key, product.sku)
    if let app = product.app { string("app", app) }
  }

  /// A cell's value: whole numbers as numbers, all else as text; null where nothing is known.
  private mutating func value(_ cell: Cell) {
    switch cell {
    case .integer(let value), .ordinal(let value): integer(value)
    case .formula(_, let result): value(result)
    case .blank, .text, .money, .ratio, .rate, .exchange, .day, .quotient, .share, .link:
      string(cell.scriptText)
    }
  }
}

extension RowWriter {
  /// Writes the cells of a line, without the end of its row.
  mutating func add<Line>(_ line: Line, of list: List<Line>) {
    for column in list.scripted {
      switch column.script {
      case .cell, .product: value(column.cell(line))
      case .text(let text): self.text(text(line))
      case .bool(let isSo): bool(isSo(line))
      case .list(let texts), .parts(let texts, _): self.list(texts(line))
      case .json: preconditionFailure("a row has no room for objects")
      }
    }
  }

  /// A cell's value: whole numbers as numbers, all else as text; empty where nothing is known.
  private mutating func value(_ cell: Cell) {
    switch cell {
    case .integer(let value), .ordinal(let value): integer(value)
    case .formula(_, let result): value(result)
    case .blank, .text, .money, .ratio, .rate, .exchange, .day, .quotient, .share, .link:
      text(cell.scriptText)
    }
  }
}

extension Cell {
  /// The cell's value as text for scripts; nil where nothing is known.
  fileprivate var scriptText: String? { self == .blank ? nil : exactText }

  /// The figure in millionths, rounded half up; nil where the cell has none, or counts.
  var micros: Int64? {
    switch self {
    case .money(let micros, _), .ratio(let micros), .rate(let micros): micros
    case .exchange(let value), .quotient(let value, _), .share(let value): value.micros
    case .formula(_, let value): value.micros
    case .blank, .text, .integer, .ordinal, .day, .link: nil
    }
  }

  /// The cell as a table of text has it, with thousands apart; `-` stands for a number that is not
  /// there.
  fileprivate func shortText(isNumeric: Bool) -> String {
    switch self {
    case .blank: isNumeric ? "-" : ""
    case .ratio(let millionths): percent(millionths)
    case .share(let value): percent(value.micros)
    case .integer, .money: grouped(decimal: exactText)
    case .formula(_, let value): value.shortText(isNumeric: isNumeric)
    case .text, .ordinal, .rate, .exchange, .day, .quotient, .link: exactText
    }
  }
}
