/// What a view has of rows that lie in blocks, without a join for each of them.
///
/// Terms, files and products are few: what a view says of one is worked out once and looked up by
/// the number that a row has. Times and places are written as text where they are asked for.
struct ViewRows {
  /// The table whose rows they are, and its name in the view's statement.
  let table: String
  let alias: String
  /// By the name of a small table in the view's statement: the table, and the column that has the
  /// number of its row.
  private let lists: [String: (table: String, key: String)]

  /// Describes the rows of a view: those of `table`, which the view's statement calls `alias`.
  ///
  /// - Parameter lists: the small tables that the view looks up, by the letter that stands for each
  ///   in its SQL; the key is the column of the rows that has the number of the small table's row.
  ///   Files, as `s`, are among them unless given.
  init(_ table: String, as alias: String = "r", lists: [String: (table: String, key: String)]) {
    (self.table, self.alias) = (table, alias)
    self.lists = lists.merging(["s": ("source", "source_id")]) { own, _ in own }
  }

  /// The SQL of a view's column, and the derived columns of the rows that it needs.
  func sql(_ column: LedgerView.Column) -> (sql: String, derived: [DerivedColumn]) {
    let name = Self.prefix + column.name
    /// Makes the view's column a derived column `name` of the rows, for this view alone: the SQL
    /// that asks for it, and the derived column.
    func own(_ value: DerivedColumn.Value) -> (String, [DerivedColumn]) {
      ("\(alias).\(name)", [DerivedColumn(name: name, value: value, isOfView: true)])
    }
    switch column.form {
    case .place: return own(.place)
    case .moment(let time): return own(.moment(of: String(time.dropFirst(alias.count + 1))))
    case .expression: break
    }
    let names = Self.places(in: Array(column.sql.utf8)).map { $0.name }
    if let first = names.first, names.allSatisfy({ $0 == first }),
      let list = lists[String(decoding: [first], as: UTF8.self)]
    {
      return own(.listed(of: list.key, list.table, Self.renaming(column.sql) { _ in "t." }))
    }
    return mixed(column.sql)
  }

  /// The SQL of an expression over several tables in which each column of a small table is replaced
  /// by a derived column of the rows; and these derived columns.
  private func mixed(_ expression: String) -> (sql: String, derived: [DerivedColumn]) {
    var derived: [DerivedColumn] = []
    let sql = Self.renaming(expression) { table in
      guard let list = lists[table.name] else { return "\(table.name)." }
      let name = "\(Self.prefix)\(table.name)_"
      derived.append(
        DerivedColumn(
          name: name + table.column, value: .listed(of: list.key, list.table, "t." + table.column),
          isOfView: true))
      return "\(alias).\(name)"
    }
    return (sql, derived)
  }

  /// The columns of views among those of the rows begin so.
  static let prefix = "view_"

  /// The expression with each table's letter and the point behind it replaced by what `name` makes
  /// of that letter and the column that follows.
  private static func renaming(
    _ expression: String, _ name: ((name: String, column: String)) -> String
  ) -> String {
    let bytes = Array(expression.utf8)
    var renamed = ""
    var done = 0
    for (place, table) in places(in: bytes) {
      let column = bytes[(place + 2)...].prefix { isOfName($0) }
      renamed += String(decoding: bytes[done..<place], as: UTF8.self)
      renamed += name(
        (String(decoding: [table], as: UTF8.self), String(decoding: column, as: UTF8.self)))
      done = place + 2
    }
    return renamed + String(decoding: bytes[done...], as: UTF8.self)
  }

  /// Where the letter of a table stands before a point and a column, outside of quoted texts, and
  /// which letter.
  private static func places(in text: [UInt8]) -> [(place: Int, name: UInt8)] {
    var isInText = false
    return text.indices.compactMap { place in
      if text[place] == UInt8(ascii: "'") { isInText.toggle() }
      guard !isInText, place + 1 < text.count, text[place + 1] == UInt8(ascii: "."),
        isLetter(text[place]), place == 0 || !isOfName(text[place - 1])
      else { return nil }
      return (place, text[place])
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
  /// Whether a byte may stand in a name: a small letter, a digit, an underscore or a point.
  private static func isOfName(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte) || byte == 0x5F || byte == 0x2E
  }
}
