import Billing

@testable import Reporting

/// Sheets as text, one line per row, for golden files.
func dump(_ sheets: [Sheet]) -> String { sheets.map(dump).joined(separator: "\n") }

private func widths(of sheet: Sheet) -> [Int] {
  sheet.widths(of: (0..<min(sheet.rows.count, 2_000)).map { sheet.rows[$0] })
}

private func dump(_ sheet: Sheet) -> String {
  var text = "== \(sheet.name) frozen \(sheet.frozenRows)x\(sheet.frozenColumns)"
  text += sheet.hasHeader ? " filtered\n" : "\n"
  text += "widths " + widths(of: sheet).map(String.init).joined(separator: " ") + "\n"
  if sheet.hasHeader { text += sheet.columns.map(\.title).joined(separator: " | ") + "\n" }
  for index in 0..<sheet.rows.count {
    text += "\(sheet.firstBodyRow + index)\(dump(sheet.rows[index]))\n"
  }
  for (index, row) in sheet.totals.enumerated() {
    text += "\(sheet.lastBodyRow + 2 + index)\(dump(row))\n"
  }
  for chart in sheet.charts {
    let labels = chart.series.flatMap(\.labels).joined(separator: " ")
    text +=
      "chart \(chart.title), rows \(chart.rows.lowerBound)-\(chart.rows.upperBound): \(labels)\n"
  }
  return text
}

private func dump(_ row: Row) -> String {
  var cells = row.cells.enumerated().map { column, cell in
    let tint = row.tints.first { $0.column == column }
    return dump(cell) + (tint.map { " {\(dump($0.meaning))}" } ?? "")
  }
  while cells.last == "" { cells.removeLast() }
  return (row.style == .body ? "" : " [\(row.style)]") + cells.map { " | \($0)" }.joined()
}

private func dump(_ meaning: Row.Meaning) -> String {
  switch meaning {
  case .severity(let severity): severity.rawValue
  case .cause(let family): family.rawValue
  }
}

private func dump(_ cell: Cell) -> String {
  switch cell {
  case .blank: ""
  case .text(let text): text
  case .integer(let value), .ordinal(let value): String(value)
  case .money(let micros, let currency): "\(Money(micros: micros, currency).text) \(currency)"
  case .ratio(let millionths): "\(percent(millionths))"
  case .rate(let micros): "×\(decimalText(micros: micros))"
  case .exchange(let value): "×\(value.rateText)"
  case .day(let day): day.description
  case .quotient(let value, let places): value.text(places: places)
  case .share(let value): percent(value.micros)
  case .formula(let formula, let value): "=\(formula) → \(dump(value))"
  case .link(let place, let text): "[\(text)](\(place.reference))"
  }
}
