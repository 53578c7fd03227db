import Billing

extension ClockCorrection {
  /// A finding for each clock that is off, with how many others it explains.
  ///
  /// - Parameters:
  ///   - table: all of it matched, by corrected times.
  ///   - reported: findings about Apple's reports that times as they were told lead to, less those
  ///     that there are.
  package func findings(
    _ table: MatchTable, reported: Int, _ context: MatchingContext
  ) -> [UnresolvedFinding] {
    let explained = explained(table, context) + max(reported, 0)
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

  /// Findings that the times as they were told would have led to.
  private func explained(_ table: MatchTable, _ context: MatchingContext) -> Int {
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
  fileprivate var explanationOfSkew: Wording {
    let howFar = delay(abs(seconds))
    let pairs: Wording = """
      \(pairs) of \(allPairs) orders that ids tie to a purchase come after it, by up to \(howFar)
      """
    return side == .orders
      ? """
      the clock of the orders is \(howFar) ahead: \(pairs); here, their times are corrected by that
      """
      : """
      the clock of the company's transactions is \(howFar) behind: \(pairs), and Apple's own times \
      agree with the orders; here, their times are corrected by that
      """
  }

  fileprivate func explanation(_ explained: Int) -> Wording {
    let names = Wording(verbatim: files.prefix(Rules.nearbyShown).joined(separator: ", "))
    let more = files.count - Rules.nearbyShown
    let places: Wording = more > 0 ? "\(names) and \(more) more" : names
    let whose: Wording =
      switch side {
      case .orders: part.isEmpty ? "orders in \(places)" : "orders of \(part) in \(places)"
      case .transactions:
        part.isEmpty ? "transactions in \(places)" : "transactions of \(part) in \(places)"
      case .both: "all orders and transactions of the company"
      }
    let howFar: Wording =
      seconds > 0 ? "\(duration(seconds)) ahead" : "\(duration(-seconds)) behind"
    let rest: Wording =
      explained == 0
      ? "the times shown here are corrected by that amount"
      : counted(
        explained,
        """
        the times shown here are corrected by that amount, and 1 finding that only follows from \
        it is not raised
        """
      ) {
        """
        the times shown here are corrected by that amount, and \($0) findings that only follow \
        from it are not raised
        """
      }
    guard let zone else { return "the clock of \(whose) is \(howFar): \(evidence); \(rest)" }
    let remedy: Wording =
      isWhole ? "these are times of \(zone): set import.zone" : "these are times of \(zone)"
    return "the clock of \(whose) is \(howFar): \(evidence); \(remedy); \(rest)"
  }

  private var evidence: Wording {
    let apart: Wording =
      isByID
      ? "\(pairs) of \(allPairs) purchases that ids tie to orders are that far from them"
      : """
      \(pairs) of \(allPairs) purchases are that far from the only order of their product and \
      storefront within a day
      """
    switch proof {
    case .sameTransactions:
      return """
        \(pairs) of \(allPairs) transactions that Apple also has are that far from Apple's times
        """
    case .apple: return "\(apart), and Apple itself gives the times of these purchases"
    case .files: return "\(apart), and other files of the same kind are right"
    case .none: return "\(apart), and nothing shows which of the two clocks is off"
    case .reports(let before, let after):
      let reports: Wording = """
        Apple's report days and the purchases differ by \(spoken(units: before)) in one \
        direction and \(after) in the other
        """
      return side == .both ? reports : "\(apart), and \(reports)"
    }
  }
}
