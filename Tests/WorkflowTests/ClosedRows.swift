import Billing
import Workflow

/// The rows of a CSV that the close in force of a period kept, by column.
func closedRows(_ name: String, _ period: Period, ledger: String) throws -> [[String: String]] {
  let bytes = try closeDocument(name, of: period, number: nil, ledgerPath: ledger)
  let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(fields)
  return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
}

private func fields(_ line: Substring) -> [String] {
  var fields = [""]
  var isQuoted = false
  for character in line {
    if character == "\"" {
      isQuoted.toggle()
    } else if character == ",", !isQuoted {
      fields.append("")
    } else {
      fields[fields.count - 1].append(character)
    }
  }
  return fields
}
