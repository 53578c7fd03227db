import Billing
import Languages
package import Pricing

extension WhatIf {
  /// The answer for a person. Ends with a line feed.
  ///
  /// - Parameter workbook: the path of the workbook; nil for none.
  package func text(workbook: String? = nil) -> String {
    var table = TextTable("lrrrrr")
    table.name(columns: "", "@shared.proceeds", "@plan.effect", "", "@plan.net-per-1-000-coins", "")
    add(say("@plan.as-it-is"), before, isBefore: true, to: &table)
    for index in ranking { add(say(changes[index].name), alone[index], to: &table) }
    if changes.count > 1 { add(say("@plan.all-together"), together, to: &table) }
    let volumes: Wording =
      period.map { "@plan.volumes-2 \($0)" } ?? "@plan.one-unit-of-each-product"
    let title: Wording = "@plan.what-if-on-by \(day) \(volumes) \(baseCurrency)"
    var parts = [say(title) + "\n" + table.text]
    if !notes.isEmpty { parts.append(section("@shared.notes", notes)) }
    if let workbook { parts.append(say("@shared.workbook \(workbook)") + "\n") }
    return parts.joined(separator: "\n")
  }

  /// Adds an outcome's line: its name, proceeds, effect and what 1,000 coins net.
  ///
  /// - Parameter isBefore: whether the outcome is things as they are, which has no effect to show.
  private func add(
    _ name: String, _ sum: Sum, isBefore: Bool = false, to table: inout TextTable
  ) {
    let change = effect(sum)
    let net = sum.netPerThousand
    table.add(
      name, amount(sum.proceeds), isBefore ? "" : (change > 0 ? "+" : "") + amount(change),
      isBefore ? "" : part(Fraction(Int128(change)), of: Fraction(Int128(before.proceeds))),
      net?.text(places: 4) ?? "-",
      isBefore
        ? "" : net.flatMap { net in before.netPerThousand.map { part(net - $0, of: $0) } } ?? "")
  }

  /// A change as a part of a whole in per cent, with a plus above zero; `-` where the whole is
  /// zero.
  private func part(_ change: Fraction, of whole: Fraction) -> String {
    guard whole != .zero else { return "-" }
    let text = percent((change / whole).micros)
    return change > .zero ? "+\(text)" : text
  }

  /// Micro-units of base currency as text, rounded to the minor unit.
  private func amount(_ micros: Int64) -> String {
    Fraction(micros: micros).amountText(baseCurrency)
  }
}
