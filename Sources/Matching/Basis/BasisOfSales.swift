import Billing
package import Conclusions

extension SalesTieOut {
  /// What level 2 says of what its figures rest on.
  ///
  /// - Parameter flow: purchases by the company's day.
  package func basis(_ flow: [FlowDay]) -> Basis {
    var basis = Basis()
    let all = Array(context.period.days)
    /// Days of the period whose slots are meant.
    func days(where isMeant: (ReportDays.Slot) -> Bool) -> [Day] {
      self.days.slots.filter { $0.isInPeriod && isMeant($0) }.flatMap { Array($0.begin...$0.end) }
    }

    /// Adds to the basis that something is absent on these days of the period; nothing for none.
    func add(_ kind: Absence.Kind, _ absent: [Day]) {
      if absent.isEmpty { return }
      basis.absences.append(Absence(kind, days: absent, of: all.count))
    }
    add(.salesReports, days { $0.isMissing && isDue($0) })
    add(.salesReportsNotDue, days { $0.isMissing && !isDue($0) })
    add(.transactions, daysWithoutTransactions)
    let known = flow.filter { context.period.contains($0.day) }
    add(
      .orders,
      known.allSatisfy({ $0.orders == 0 })
        ? all : known.filter { $0.orders == 0 && $0.purchases >= Rules.eventfulDay }.map(\.day))
    if context.catalogue.isEmpty { basis.absences.append(Absence(.catalogue, count: 1)) }
    if !reports.untiered.isEmpty {
      basis.absences.append(
        Absence(.tierPrices, names: reports.untiered.map(\.code).sorted()))
    }
    basis.absences += untoldAbsences
    if unpricedUnits > 0 { basis.absences.append(Absence(.prices, count: Int(unpricedUnits))) }
    let joined = Set(units.products.map(\.sku)).intersection(units.joinedSKUs).sorted()
    if !joined.isEmpty { basis.absences.append(Absence(.apps, names: joined)) }
    basis.money = clearing.money(self.days, asOf: context.asOf)
    return basis
  }

  /// Days on which Apple reports sales and the ledger has none: all, or those that are eventful
  /// enough to be no chance.
  private var daysWithoutTransactions: [Day] {
    let inPeriod = days.slots.indices.filter { days.slots[$0].isInPeriod }
    let isEmpty = inPeriod.allSatisfy { saleUnits.counted[$0] == 0 }
    let reported = inPeriod.reduce(0) { $0 + saleUnits.reported[$1] }
    if isEmpty, reported > 0 || !days.hasReports { return Array(context.period.days) }
    return inPeriod.filter {
      saleUnits.counted[$0] == 0 && saleUnits.reported[$0] >= Int64(Rules.eventfulDay)
    }
    .flatMap { Array(days.slots[$0].begin...days.slots[$0].end) }
  }

  /// Whether Apple's report of a slot's days was to be had by the day that ages are counted to.
  func isDue(_ slot: ReportDays.Slot) -> Bool {
    slot.begin.distance(to: context.asOf) > Rules.reportDelay
  }
}
