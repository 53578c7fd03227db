package import Billing
import Languages
import Matching

extension Absence {
  /// What is absent, as a sentence that names its figures.
  var wording: Wording {
    let named = Wording(
      verbatim: shortened(kind == .sides ? names + spans : names.isEmpty ? spans : names))
    switch kind {
    case .matching:
      return """
        matching failed as a whole (purchases and orders that stand alone: \(grouped(count)) of \
        \(grouped(total ?? 0))): act on no single one, and check whether both tables are complete, \
        with right times, zones and IDs
        """
    case .sides:
      return """
        of \(named) nothing of the other side is loaded (purchases or orders that stand alone: \
        \(grouped(count))): act on no single one, and import the rest
        """
    case .salesReports:
      if count == total { return "no sales report is loaded" }
      return count == 1
        ? "the sales report of \(named) is not loaded"
        : "sales reports of \(count) of \(total ?? 0) days are not loaded: \(named)"
    case .salesReportsNotDue:
      return count == 1
        ? "the sales report of \(named) is not due yet"
        : "sales reports of \(count) of \(total ?? 0) days are not due yet: \(named)"
    case .transactions:
      return count == total
        ? "no transactions are loaded"
        : "the ledger has no transactions of days on which Apple reports sales: \(named)"
    case .orders:
      return count == total
        ? "no orders are loaded"
        : "the ledger has no orders of days on which there were purchases: \(named)"
    case .pages:
      return count == 1
        ? "an answer of the App Store Server API has further pages that are not loaded: \(named)"
        : """
        \(count) answers of the App Store Server API have further pages that are not loaded: \
        \(named)
        """
    case .storefronts:
      return """
        no source gives the storefront of \(grouped(count)) of \(spoken(units: total ?? 0)): what \
        was sold where, at which price, and what moved across a day boundary is not known; add the \
        column \(named) to orders or transactions
        """
    case .quantities:
      return """
        no order or transaction gives a quantity, so purchases of several units are not known; \
        add the column \(named)
        """
    case .ownPrices:
      return """
        no order or transaction gives a price, so offers and wrong prices are not known; add the \
        columns \(named)
        """
    case .revocations:
      return """
        no transaction gives a revocation, so which purchases Apple refunded is not known; add \
        the columns \(named) to transactions
        """
    case .originals:
      return """
        no transaction names its original, so renewals and restored purchases are not known; add \
        the column \(named) to transactions
        """
    case .environments:
      return """
        no transaction gives \(named), so Sandbox and Family Sharing transactions are not known; \
        add it to transactions
        """
    case .users:
      return """
        no source gives the user of Sandbox purchases, so which are by allowed users is not \
        known; add the column \(named) to orders or transactions
        """
    case .offers:
      return """
        no transaction gives an introductory price, so subscription offers and wrong prices are \
        not known; add the column \(named) to transactions
        """
    case .channels:
      return """
        no order gives its channel, so which of the orders without a transaction \
        (\(grouped(count))) were paid elsewhere is not known; add the column \(named) to orders
        """
    case .clocks:
      return """
        Apple reports \(grouped(count)) of \(spoken(units: total ?? 0)) on days where no \
        documented day boundary puts them: nothing shows whether the company's clock is off or \
        Apple's days begin elsewhere; set day_boundary, or import signed transactions of these days
        """
    case .countedRows:
      return """
        of the purchases that Spark counted, \(grouped(count)) have to be looked at one by one: \
        what is wrong with them is not found yet, and findings do not name them; run tieout spark \
        for the period again, then its script, and import what that writes
        """
    case .laterMessages:
      return """
        Apple's messages were imported after Spark's counts, so purchases of both may count twice; \
        run tieout spark for the period again, then its script, and import what that writes
        """
    case .handedRows:
      return """
        the script of tieout spark wrote rows of orders and transactions beside its counts \
        (\(grouped(total ?? 0))), but the ledger has another number of them \
        (\(grouped(count))): import both files, and forget other files with rows of these days
        """
    case .ids:
      return """
        no id ties \(grouped(count)) of \(counted(total ?? 0, "1 order") { "\($0) orders" }) to a \
        transaction: they are traced back by product and time, and which orders Sandbox purchases \
        fulfilled is not known; add one of the columns \(named)
        """
    case .rates:
      return "no exchange rates for \(named): nothing is totalled in base currency"
    case .catalogue: return "no catalogue is loaded: SKUs, tiers and coins are not checked"
    case .tierPrices:
      return """
        no tier prices of these days are loaded for \(named): Apple's prices there are not checked \
        against tiers; load a table of tiers that has these days
        """
    case .prices:
      return count == 1
        ? "1 unit has no price from any source; the ledger's amounts exclude it"
        : """
        \(grouped(count)) units have no price from any source; the ledger's amounts exclude \
        them
        """
    case .apps:
      return count == 1
        ? """
        \(named) stands in several apps, and nothing tells which app some of its rows belong to: \
        its units are compared over all apps; fill bundle_id in orders and transactions, and \
        bundle_id with apple_identifier in the catalogue
        """
        : """
        \(count) SKUs stand in several apps, and nothing tells which app some of their rows belong \
        to: their units are compared over all apps (\(named)); fill bundle_id in orders and \
        transactions, and bundle_id with apple_identifier in the catalogue
        """
    case .regionReports:
      return count == 1
        ? "the financial report of region \(named) is not loaded"
        : "financial reports of \(count) regions are not loaded: \(named)"
    }
  }

  /// Days as spans: `2023-06-03 to 2023-06-05`.
  private var spans: [String] {
    var spans: [ClosedRange<Day>] = []
    for day in days {
      if let last = spans.last, last.upperBound.advanced(by: 1) == day {
        spans[spans.count - 1] = last.lowerBound...day
      } else {
        spans.append(day...day)
      }
    }
    return spans.map { span in
      span.lowerBound == span.upperBound
        ? "\(span.lowerBound)" : say("\(span.lowerBound) to \(span.upperBound)")
    }
  }

  private func shortened(_ parts: [String]) -> String {
    let shown = 5
    let text = parts.prefix(shown).joined(separator: ", ")
    return parts.count > shown ? say("\(text) and \(parts.count - shown) more") : text
  }
}

extension Reconciliation {
  /// What the figures rest on: what nobody configured, clocks that are off, what is absent, both sides in money, and how
  /// much of the ledger's money Apple's reports have.
  var basisSections: [SummaryPage.Section] {
    [assumed, clocks, absences, money, clearing].compactMap(\.self)
  }

  /// What was taken for values that nobody configured.
  private var assumed: SummaryPage.Section? {
    if assumptions.isEmpty { return nil }
    return SummaryPage.Section(title: "Assumed", pieces: [.points(assumptions.map(\.text))])
  }

  /// Clocks that are off: all times are judged by what is taken for right.
  private var clocks: SummaryPage.Section? {
    let clocks = findings.filter { $0.code == .clockOff }
    if clocks.isEmpty { return nil }
    return SummaryPage.Section(
      title: "Wrong clocks", pieces: [.points(clocks.prefix(3).map(\.explanation))])
  }

  private var absences: SummaryPage.Section? {
    if basis.absences.isEmpty { return nil }
    return SummaryPage.Section(
      title: "Missing", pieces: [.points(basis.absences.map(\.wording))])
  }

  private var money: SummaryPage.Section? {
    let sides = bothSides
    if sides.isEmpty { return nil }
    let shown = 6
    var table = TextTable("lrrrrrr")
    table.name(columns: "", "ledger", "Apple", "difference", "explained", "open", "unexplained")
    for side in sides.prefix(shown) {
      func text(_ amount: Money?) -> String { amount.map(grouped) ?? "-" }
      table.add(
        side.currency.code, text(side.ledger), text(side.apple), text(side.difference),
        text(side.explained), text(side.open), text(side.unexplained))
    }
    var section = SummaryPage.Section(
      title: "By value, at customer prices", pieces: [.table(table)])
    section.addMore(sides.count - shown)
    return section
  }

  private var clearing: SummaryPage.Section? {
    let all = clearedMoney.filter { !$0.ledger.isZero }
    if all.isEmpty { return nil }
    let shown = 6
    var table = TextTable("lrrrr")
    table.name(columns: hasAllRates ? "age" : "", "ledger", "on time", "complete", "cleared")
    for money in all.prefix(shown) {
      func share(_ part: Money) -> String {
        ratio(part.micros, of: money.ledger.micros).map(percent) ?? "-"
      }
      table.add(
        hasAllRates ? say(money.age) : money.currency.code, grouped(money.ledger),
        share(money.timely), share(money.complete), share(money.cleared))
    }
    let title: Wording =
      """
      The ledger's amounts by age: on time (the report for the day is loaded or not due yet), \
      complete (the report for the day is loaded), cleared (the amount is in Apple's sales report \
      too)
      """
    var section = SummaryPage.Section(title: title, pieces: [.table(table)])
    section.addMore(all.count - shown)
    return section
  }
}

extension AgedMoney {
  /// Its age for a reader.
  var age: Wording { spokenAge(from, to) }
}

/// An age in days; the oldest has no upper bound.
package func spokenAge(_ from: Int, _ to: Int?) -> Wording {
  guard let to else { return "over \(from - 1) days" }
  return "\(from) to \(to) days"
}
