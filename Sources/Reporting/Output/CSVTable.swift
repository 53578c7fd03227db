/// A CSV as the lists write it, with a header.
struct CSVTable {
  private let rows: [[String]]

  /// Divides CSV text into rows and fields, quoted ones too.
  init(_ text: String) {
    var rows: [[String]] = [[]]
    var field = ""
    var isQuoted = false
    var isAfterQuote = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"":
        // A doubled one stands for itself.
        if isAfterQuote, !isQuoted { field.unicodeScalars.append(scalar) }
        isQuoted.toggle()
        isAfterQuote = !isQuoted
        continue
      case "," where !isQuoted:
        rows[rows.count - 1].append(field)
        field = ""
      case "\n" where !isQuoted:
        rows[rows.count - 1].append(field)
        field = ""
        rows.append([])
      default: field.unicodeScalars.append(scalar)
      }
      isAfterQuote = false
    }
    if !field.isEmpty || !rows[rows.count - 1].isEmpty { rows[rows.count - 1].append(field) }
    self.rows = rows.filter { !$0.isEmpty }
  }

  /// The rows below the header, each as a value; nil where one of them is not understood.
  ///
  /// - Parameter body: gets a row as a look-up by the column's name.
  func read<Value>(_ body: ((String) -> String?) -> Value?) -> [Value]? {
    guard let header = rows.first else { return nil }
    var places: [String: Int] = [:]
    for (index, name) in header.enumerated() { places[name] = index }
    var values: [Value] = []
    for row in rows.dropFirst() {
      guard row.count == header.count, let value = body({ places[$0].map { row[$0] } }) else {
        return nil
      }
      values.append(value)
    }
    return values
  }
}
