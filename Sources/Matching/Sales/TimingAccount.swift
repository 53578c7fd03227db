import Billing
import Conclusions

extension SalesTieOut {
  /// Moves units of the ledger's side over day boundaries where as many transactions near them
  /// prove it, then what only transactions further off may account for, then what those near may,
  /// or an order that stands without a payment. Each move becomes a finding.
  ///
  /// - Parameters:
  ///   - product: its index into `units.products`.
  ///   - key: the same product by storefront and SKU.
  mutating func settleTiming(
    _ product: Int32, _ key: ProductKey, isRefund: Bool, _ evidence: Evidence
  ) {
    let window = context.settings.timingWindow
    let near = min(window, Rules.timingNearness)
    var moved: [TimingMove] = []
    for proof in [TimingProof.near, .further, .orOrder] {
      if proof == .further, window <= near { continue }
      if proof == .orOrder, isRefund { continue }
      moved += moveOverBoundaries(
        product, key, isRefund: isRefund, evidence, within: proof == .further ? window : near,
        after: moved, proof)
    }
  }

  /// What says that units moved.
  private enum TimingProof {
    /// As many were bought near the boundary.
    case near
    /// As many were bought further from it alone.
    case further
    /// As many were bought near it, but an order stands of which the unit may be as well.
    case orOrder
  }

  /// Moves units of a product over day boundaries as far as one kind of proof allows, and makes the
  /// findings.
  ///
  /// - Parameters:
  ///   - reach: seconds from the boundary within which transactions prove a move.
  ///   - moved: what was moved already.
  /// - Returns: what is moved now.
  private mutating func moveOverBoundaries(
    _ product: Int32, _ key: ProductKey, isRefund: Bool, _ evidence: Evidence, within reach: Int64,
    after moved: [TimingMove], _ proof: TimingProof
  ) -> [TimingMove] {
    let differences: [Int64?] = days.slots.indices.map { slot in
      guard isComparable[slot], !isAbsent(key.sku, slot: slot) else { return nil }
      let cell = CellKey(product: product, slot: Int16(slot), isRefund: isRefund)
      guard let difference = cells[cell]?.difference else { return 0 }
      guard difference > 0, !isRefund, proof != .orOrder else { return difference }
      // Whose order stands without a payment has paid, and his receipt was lost.
      return max(difference - evidence.standingUnits(key, in: days.slots[slot], self), 0)
    }
    guard differences.contains(where: { ($0 ?? 0) > 0 }),
      differences.contains(where: { ($0 ?? 0) < 0 })
    else { return [] }
    let boundaries = SlotTables.boundaries(days, zone(of: key.storefront))
    let near = evidence.units(of: product, isRefund: isRefund)
    var late = [Int64](repeating: 0, count: differences.count)
    var early = late
    for unit in near {
      let slot = Int(unit.slot)
      if let begin = boundaries[slot], unit.moment < begin + reach { early[slot] += unit.quantity }
      if slot + 1 < boundaries.count, let end = boundaries[slot + 1], unit.moment >= end - reach {
        late[slot + 1] += unit.quantity
      }
    }
    for move in moved {
      if move.isLate {
        late[move.boundary] -= move.units
      } else {
        early[move.boundary] -= move.units
      }
    }
    let moves = timingMoves(differences: differences, late: late, early: early)
    for move in moves {
      let boundary = boundaries[move.boundary]!
      var candidates = near.filter {
        Int($0.slot) == move.from && abs($0.moment - boundary) <= reach
      }
      .sorted { (abs($0.moment - boundary), $0.key) < (abs($1.moment - boundary), $1.key) }
      // The nearest were moved before.
      var before = moved.filter { $0.from == move.from && $0.to == move.to }
        .reduce(0) { $0 + $1.units }
      while before > 0, let first = candidates.first {
        let taken = min(before, first.quantity)
        before -= taken
        candidates[0].quantity -= taken
        if candidates[0].quantity == 0 { candidates.removeFirst() }
      }
      apply(
        move, boundary: boundary, product, key, isRefund: isRefund, candidates, proof, evidence)
    }
    return moves
  }

  /// What a move took over the boundary in one currency.
  private struct Moved {
    var units: Int64 = 0
    /// Micro-units.
    var amount: Int64 = 0
  }

  /// Takes the units of a move from one day's cell to the other's, with the bridge's step `timing`
  /// where one of them is outside the period, and makes a finding per currency.
  ///
  /// - Parameters:
  ///   - boundary: seconds since 1970.
  ///   - candidates: the ledger's units that may be those that moved, the nearest first.
  private mutating func apply(
    _ move: TimingMove, boundary: Int64, _ product: Int32, _ key: ProductKey, isRefund: Bool,
    _ candidates: [Evidence.Unit], _ timing: TimingProof, _ evidence: Evidence
  ) {
    let from = CellKey(product: product, slot: Int16(move.from), isRefund: isRefund)
    let to = CellKey(product: product, slot: Int16(move.to), isRefund: isRefund)
    var (source, target) = (cells[from] ?? UnitCell(), cells[to] ?? UnitCell())
    var rest = move.units
    var moved: [Currency?: Moved] = [:]
    let sign: Int64 = isRefund ? -1 : 1
    let (wasIn, isIn) = (days.slots[move.from].isInPeriod, days.slots[move.to].isInPeriod)
    var left = candidates.map(\.quantity)
    // Prices that one day has too many of and the other lacks go first, then the nearest.
    for fitness in [2, 1, 0] {
      for (index, unit) in candidates.enumerated() where rest > 0 && left[index] > 0 {
        let price = price(of: units.classes[Int(unit.sold)])
        let count = min(
          rest, left[index], source.room(for: price, to: target, fitness: fitness))
        guard count > 0 else { continue }
        source.move(count, at: price, to: &target)
        clearing.move(count, key.storefront, price, from: move.from, to: move.to)
        rest -= count
        left[index] -= count
        let gross = (price.price ?? 0).multipliedExactly(by: count)
        moved[price.currency, default: Moved()].units += count
        moved[price.currency]!.amount += gross
        guard wasIn != isIn else { continue }
        bridge.add(
          .timing, key.storefront, price, units: isIn ? sign * count : -sign * count,
          isProven: timing == .near)
      }
    }
    cells[from] = source
    cells[to] = target
    guard wasIn || isIn else { return }
    for (currency, part) in moved.sorted(by: { ($0.key?.code ?? "") < ($1.key?.code ?? "") }) {
      // Which of them Apple booked elsewhere nobody can tell: each of them may be it.
      let proof = candidates.filter { units.classes[Int($0.sold)].currency == currency }
      var finding = UnresolvedFinding(
        timing == .near ? .timing : .timingUnproven, storefront: key.storefront,
        currency: currency, day: days.slots[move.to].begin, sku: key.sku, units: part.units,
        amount: wasIn == isIn ? nil : (isIn ? sign : -sign) * part.amount,
        transactions: proof.prefix(Rules.namedRows).map(\.row),
        explanation: words(timing, part.units, move, boundary, isRefund: isRefund))
      if timing == .near {
        finding.explanation = finding.explanation
          .told(by: Set(proof.map(\.source)).sorted(by: >))
      } else {
        let candidates = evidence.units(of: product, isRefund: isRefund)
          .filter { Int($0.slot) == move.from }
        finding.transactions = candidates.prefix(Rules.namedRows).map(\.row)
        if !isRefund {
          finding.orders = evidence.openOrders(key, in: days.slots[move.to], self)
        }
      }
      add(finding, groupsOf: key, slot: move.to)
    }
  }

  /// The explanation of a move of some units over the boundary at a moment in seconds since 1970.
  private func words(
    _ proof: TimingProof, _ count: Int64, _ move: TimingMove, _ seconds: Int64, isRefund: Bool
  ) -> Wording {
    switch proof {
    case .near: movedWords(count, move, seconds, isRefund: isRefund)
    case .further: unprovenWords(count, move, seconds, isRefund: isRefund)
    case .orOrder: ambiguousWords(count, move, seconds)
    }
  }

  /// The explanation of a move of units that may as well be of an order without a payment.
  ///
  /// - Parameter seconds: the boundary, since 1970.
  private func ambiguousWords(_ count: Int64, _ move: TimingMove, _ seconds: Int64) -> Wording {
    let boundary = Instant(seconds: seconds)
    let (from, to) = (days.slots[move.from].begin, days.slots[move.to].begin)
    let near = duration(min(context.settings.timingWindow, Rules.timingNearness))
    let units = spoken(units: count)
    return "@sales.sold-on-by-the-ledger-alone \(units) \(from) \(to) \(near) \(boundary) \(to)"
  }

  /// The explanation of a move of units that transactions near the boundary prove.
  ///
  /// - Parameter seconds: the boundary, since 1970.
  private func movedWords(
    _ count: Int64, _ move: TimingMove, _ seconds: Int64, isRefund: Bool
  ) -> Wording {
    let boundary = Instant(seconds: seconds)
    let (from, to) = (days.slots[move.from].begin, days.slots[move.to].begin)
    let window = duration(min(context.settings.timingWindow, Rules.timingNearness))
    let units = spoken(units: count)
    return isRefund
      ? "@sales.apple-report-of-has-refunded \(to) \(units) \(from) \(window) \(boundary)"
      : "@sales.apple-report-of-has-sold \(to) \(units) \(from) \(window) \(boundary)"
  }

  /// The explanation of a move of units for which only transactions further from the boundary may
  /// account.
  ///
  /// - Parameter seconds: the boundary, since 1970.
  private func unprovenWords(
    _ count: Int64, _ move: TimingMove, _ seconds: Int64, isRefund: Bool
  ) -> Wording {
    let boundary = Instant(seconds: seconds)
    let (from, to) = (days.slots[move.from].begin, days.slots[move.to].begin)
    let near = duration(min(context.settings.timingWindow, Rules.timingNearness))
    let units = spoken(units: count)
    return isRefund
      ? "@sales.refunded-on-by-the-ledger \(units) \(from) \(to) \(near) \(boundary)"
      : "@sales.sold-on-by-the-ledger \(units) \(from) \(to) \(near) \(boundary)"
  }

  /// For each slot, whether its differences may be timing: those with reports, and of the days
  /// beside the period those of which the ledger has half of Apple's units at least.
  ///
  /// - Parameter units: sale units by slot, Apple's and the ledger's.
  func comparableSlots(_ units: (reported: [Int64], counted: [Int64])) -> [Bool] {
    days.slots.indices.map { slot in
      !days.slots[slot].isMissing
        && (days.slots[slot].isInPeriod || 2 * units.counted[slot] >= units.reported[slot])
    }
  }
}
