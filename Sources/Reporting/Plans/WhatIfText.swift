package import Billing

extension WhatIf {
  /// The answer for a person. Ends with a line feed.
  package func text(workbook: String? = nil) -> String {
    var table = TextTable("lrrrrr")
    table.add("", "proceeds", "effect", "", "net of 1,000 coins", "")
    add("as it is", before, to: &table)
    for index in ranking { add(changes[index].name, alone[index], to: &table) }
    if changes.count > 1 { add("all together", together, to: &table) }
    let volumes = period.map { "volumes of \($0)" } ?? "one unit of each product"
    var parts = [
      "What if, on \(day): \(volumes), by the rules, in \(baseCurrency)\n" + table.text
    ]
    if !notes.isEmpty { parts.append("Notes\n" + notes.map(paragraph).joined()) }
    if let workbook { parts.append("Workbook: \(workbook)\n") }
    return parts.joined(separator: "\n")
  }

  private func add(_ name: String, _ sum: Sum, to table: inout TextTable) {
    let isBefore = sum == before && name == "as it is"
    let change = effect(sum)
    let net = sum.netPerThousand
    table.add(
      name, amount(sum.proceeds), isBefore ? "" : (change > 0 ? "+" : "") + amount(change),
      isBefore ? "" : part(Fraction(Int128(change)), of: Fraction(Int128(before.proceeds))),
      net?.text(places: 4) ?? "-",
      isBefore
        ? "" : net.flatMap { net in before.netPerThousand.map { part(net - $0, of: $0) } } ?? "")
  }

  private func part(_ change: Fraction, of whole: Fraction) -> String {
    guard whole != .zero else { return "-" }
    let text = percent((change / whole).micros)
    return change > .zero ? "+\(text)" : text
  }

  private func amount(_ micros: Int64) -> String {
    Fraction(micros: micros).amountText(baseCurrency)
  }
}
