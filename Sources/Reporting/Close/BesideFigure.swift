import Billing
import Languages
import Conclusions

/// A few words beside a figure of a close.
struct BesideFigure: Hashable, Sendable {
  var text: Wording
  /// Whether whoever signs has to know it.
  var isUrgent = false
}

/// The days of the rates by which amounts are converted.
private struct RateSpan {
  var first: Day
  var last: Day

  /// The span in words; one day where both are the same.
  var text: Wording { first == last ? "\(first)" : "@shared.to \(first) \(last)" }
}

extension Reconciliation {
  /// The days from which the rates at the month's end are; nil where nothing is converted.
  private var lastRates: RateSpan? {
    let days = rateDays.values
    guard let first = days.min(), let last = days.max() else { return nil }
    return RateSpan(first: first, last: last)
  }

  /// How many days before the month's end its oldest rate is; nil where none is too old.
  private var staleDays: Int? {
    let age = lastRates.map { $0.first.distance(to: period.last) } ?? 0
    return age > DatedRate.mostDays ? age : nil
  }

  /// The words that say by which rates the book converts, and how old they are where they are too
  /// old; nil where it converts nothing.
  var conversion: Wording? {
    lastRates.map { rates in
      staleDays.map { "@close.at-rates-of-days-old \(rates.text) \($0) \(period.last)" }
        ?? "@close.at-rates-of \(rates.text)"
    }
  }

  /// The remark that figures are converted at rates that are too old; none where they are not.
  var staleRemarks: [Wording] {
    guard let rates = lastRates, let age = staleDays else { return [] }
    return ["@close.converted-at-old-rates \(rates.text) \(age) \(period.last)"]
  }

  /// The words beside figures: of which day or month their rates are, and which fiscal months
  /// payments were for.
  func remarksBesideFigures(_ settings: Settings) -> [CloseFigure: BesideFigure] {
    var beside: [CloseFigure: BesideFigure] = [:]
    if let conversion {
      beside[.closing] = BesideFigure(text: conversion, isUrgent: staleDays != nil)
      beside[.settled] = BesideFigure(text: conversion)
      if period.fiscalMonth != nil {
        beside[.proceeds] = BesideFigure(text: conversion)
      } else {
        beside[.proceeds] = BesideFigure(
          text: settings.revenueRate == .day
            ? "@close.at-the-rates-of-each-day" : "@close.at-the-mean-rates-of \(period)")
      }
    }
    for (figure, payments) in bookedPayments {
      let all = Set(payments).sorted { ($0.month, $0.day) < ($1.month, $1.day) }
      let names = all.map { "\($0.month) (\($0.day))" }.joined(separator: ", ")
      var text: Wording = "@close.paid-for \(names)"
      if figure == .paid, let settlement {
        // Whether the bank has it, only the close of the payment's own month tells.
        let earlier = Set(all.map(\.month)).filter { $0 != settlement.month }.sorted()
        let months = earlier.map(\.description).joined(separator: ", ")
        if !earlier.isEmpty { text = "@close.received-see-close \(text) \(months)" }
      }
      beside[figure] = BesideFigure(text: text)
    }
    return beside
  }

  private struct Payment: Hashable {
    var month: FiscalMonth
    var day: Day
  }

  /// The payments that each figure of the period comes of: for which fiscal month and on which day.
  private var bookedPayments: [CloseFigure: [Payment]] {
    var found: [CloseFigure: [Payment]] = [:]
    for settled in books?.settled ?? [] {
      let figure: CloseFigure? =
        switch settled.key.kind {
        case .collected: .paid
        case .adjustment: .adjustment
        case .inputTax: .inputTax
        case .withholding: .withholding
        case .paymentDifference: .paymentDifference
        case .settlementDifference, .payoutDifference, .offset: nil
        }
      guard let figure, settled.micros != 0 else { continue }
      found[figure, default: []].append(Payment(month: settled.key.month, day: settled.day))
    }
    guard let settlement else { return found }
    for payment in settlement.paidInMonth {
      let booked = Payment(
        month: payment.month ?? settlement.month, day: payment.paidOn ?? period.last)
      for (figure, amount) in [
        (CloseFigure.paid, payment.owed), (.adjustment, payment.adjustment),
        (.inputTax, payment.inputTax), (.withholding, payment.withholding),
        (.paymentDifference, payment.difference),
      ] where !amount.isZero {
        found[figure, default: []].append(booked)
      }
    }
    return found
  }
}

extension BankPayout {
  /// Whether Apple says that it was paid, and no bank statement has it. One that a statement should
  /// have is late, not unproven; one that the bank took back is returned.
  var isUnproven: Bool { isPaid && received == nil && !isLate && returned == nil }
}

extension Settlement {
  /// The payouts that Apple says it made and no bank statement has.
  var unprovenPayouts: [BankPayout] { payouts.filter(\.isUnproven) }

  /// The unproven payouts in words, a remark for each.
  var unprovenReceipts: [Wording] {
    unprovenPayouts.map {
      "@close.not-proven-received \(spoken($0.amount)) \($0.day)"
    }
  }
}

extension Reconciliation {
  /// The remarks on what is absent, for whoever signs: inputs, and what no bank statement proves.
  var absenceWordings: [Wording] {
    basis.absences.map(\.wording) + (settlement?.unprovenReceipts ?? [])
  }
}
