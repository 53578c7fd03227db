import Billing

extension ClockCorrection {
  /// A finding for each clock that is off, with how many others it explains.
  ///
  /// - Parameters:
  ///   - table: all of it matched, by corrected times.
  ///   - reported: how many findings about Apple's reports the correction saves, by comparing with
  ///     times as they were told; less than 0 where it makes more.
  package func findings(
    _ table: MatchTable, reported: Int, _ context: MatchingContext
  ) -> [UnresolvedFinding] {
    let explained = explainedCount(table, context) + max(reported, 0)
    return shifts.map { shift in
      var finding = UnresolvedFinding(
        .clockOff, units: Int64(shift.pairs), orders: shift.orders,
        transactions: shift.transactions,
        explanation: shift.isSkew ? shift.explanationOfSkew : shift.explanation(explained))
      // It is within what clocks may differ, and nothing is left of it.
      if shift.isSkew { finding.severity = .info }
      return finding
    }
  }

  /// How many findings of pairs the times as they were told would have led to, and the corrected
  /// ones do not.
  private func explainedCount(_ table: MatchTable, _ context: MatchingContext) -> Int {
    let days = BusinessDays(context)
    var count = 0
    for index in table.transactions.indices {
      guard let order = table.orderOf[index].position, table.chains.role(of: index) == .original,
        days.index(table.transactions[index].purchasedAt) >= 0
      else { continue }
      let (ours, theirs) = (table.orders[order], table.transactions[index])
      var (told, bought) = (ours, theirs)
      if order < orders.count {
        told.placedAt = UInt32(clamping: Int64(told.placedAt) + Int64(orders[order]))
        if told.fulfilledAt != 0 {
          told.fulfilledAt = UInt32(clamping: Int64(told.fulfilledAt) + Int64(orders[order]))
        }
      }
      if index < transactions.count {
        bought.purchasedAt = UInt32(
          clamping: Int64(bought.purchasedAt) + Int64(transactions[index]))
      }
      let late = context.settings.lateAfter
      let (now, before) = (
        PairTimes(ours, theirs, lateAfter: late), PairTimes(told, bought, lateAfter: late)
      )
      if before.before != nil, now.before == nil { count += 1 }
      if before.late != nil, now.late == nil { count += 1 }
      if table.owner(of: index)?.rule == .backTracing {
        let delay = Int64(bought.purchasedAt) - Int64(told.placedAt)
        // Neither side would have found the other.
        if delay < -Rules.clockTolerance || delay > Rules.traceBack { count += 2 }
      }
    }
    return count
  }
}

extension ClockShift {
  /// Says how far a clock is off by less than a quarter hour, and how many pairs show it.
  fileprivate var explanationOfSkew: Wording {
    let howFar = delay(abs(seconds))
    let pairs: Wording = "@clock.of-orders-that-ids-tie \(pairs) \(allPairs) \(howFar)"
    return side == .orders
      ? "@clock.clock-of-the-orders-is \(howFar) \(pairs)"
      : "@clock.clock-of-the-company-transactions \(howFar) \(pairs)"
  }

  /// Says whose clock is off, how far, by what evidence, and what is to be done.
  ///
  /// - Parameter explained: how many findings its wrong times would have led to.
  fileprivate func explanation(_ explained: Int) -> Wording {
    let names = files.prefix(Rules.nearbyShown).map { Wording(verbatim: $0) }.joined(
      separator: ", ")
    let more = files.count - Rules.nearbyShown
    let places: Wording = more > 0 ? "@shared.and-more-2 \(names) \(more)" : names
    let whose: Wording =
      switch side {
      case .orders: part.isEmpty ? "@clock.orders \(places)" : "@clock.orders-2 \(part) \(places)"
      case .transactions:
        part.isEmpty ? "@clock.transactions \(places)" : "@clock.transactions-2 \(part) \(places)"
      case .both: "@clock.all-orders-and-transactions"
      }
    let howFar: Wording =
      seconds > 0 ? "@clock.ahead \(duration(seconds))" : "@clock.behind \(duration(-seconds))"
    let rest: Wording =
      explained == 0
      ? "@clock.times-shown-here-are-corrected"
      : counted(
        explained,
        "@clock.times-shown-here-are-corrected-by"
      ) {
        "@clock.times-shown-here-are-corrected-by-that-amount \($0)"
      }
    guard let zone else { return "@clock.clock-of-is \(whose) \(howFar) \(evidence) \(rest)" }
    let remedy: Wording =
      isWhole ? "@clock.these-are-times-of-set \(zone)" : "@clock.these-are-times \(zone)"
    return "@clock.clock-of-is-2 \(whose) \(howFar) \(evidence) \(remedy) \(rest)"
  }

  /// Says how many pairs show that the clock is off, and what shows whose clock it is.
  private var evidence: Wording {
    let apart: Wording =
      isByID
      ? "@clock.of-purchases-that-ids-tie \(pairs) \(allPairs)"
      : "@clock.of-purchases-are-that-far \(pairs) \(allPairs)"
    switch proof {
    case .sameTransactions:
      return "@clock.of-transactions-that-apple-also \(pairs) \(allPairs)"
    case .apple: return "@clock.and-apple-itself-gives \(apart)"
    case .files: return "@clock.and-other-files \(apart)"
    case .none: return "@clock.and-nothing-shows \(apart)"
    case .reports(let before, let after):
      let reports: Wording = "@clock.apple-report-days \(spoken(units: before)) \(after)"
      return side == .both ? reports : "@clock.and \(apart) \(reports)"
    }
  }
}
