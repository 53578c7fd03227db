package import Billing

/// How revenue of one product that is paid for in advance is spread over the days that are paid
/// for.
package struct DeferralLine: Hashable, Sendable {
  package var sku: String
  package var kind: RevenueKind
  /// Paid for and not yet delivered when the period began.
  package var start: Money
  /// Sold in the period.
  package var added: Money
  /// Delivered in the period.
  package var recognised: Money
  /// Paid for and not yet delivered when it was refunded in the period.
  package var released: Money
  /// What of the end will be delivered, month by month; without months in which nothing is.
  package var ahead: [Month]

  package init(
    sku: String, kind: RevenueKind, start: Money, added: Money, recognised: Money, released: Money,
    ahead: [Month]
  ) {
    self.sku = sku
    self.kind = kind
    self.start = start
    self.added = added
    self.recognised = recognised
    self.released = released
    self.ahead = ahead
  }

  package struct Month: Hashable, Sendable {
    /// Of the calendar month.
    package var first: Day
    package var amount: Money

    package init(first: Day, amount: Money) {
      self.first = first
      self.amount = amount
    }

    /// The month as `2023-07`.
    package var name: String { String(first.description.prefix(7)) }
  }

  package var currency: Currency { start.currency }
  /// Paid for and not yet delivered when the period ended.
  package var end: Money { start + added - recognised - released }
}

/// The time that one payment for a subscription pays for, as Apple's reports name it: `7 Days`,
/// `1 Month`, `1 Year`.
package struct PaidPeriod: Hashable, Sendable {
  private let days: Int
  private let months: Int

  /// Reads the time as a number and days, weeks, months or years; nil for anything else.
  package init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, let number = plainNumber(words[0]), (1...1000).contains(number) else {
      return nil
    }
    switch words[1].lowercased() {
    case "day", "days": (days, months) = (number, 0)
    case "week", "weeks": (days, months) = (7 * number, 0)
    case "month", "months": (days, months) = (0, number)
    case "year", "years": (days, months) = (0, 12 * number)
    default: return nil
    }
  }

  /// The first day that is not paid for any more, of a period that begins on `start`; a month from
  /// the 31st ends where the next month does.
  package func end(from start: Day) -> Day {
    if months == 0 { return start.advanced(by: days) }
    let (year, month, day) = start.parts
    let count = year * 12 + month - 1 + months
    let (endYear, endMonth) = (count / 12, count % 12 + 1)
    let last = Day.length(ofMonth: endMonth, year: endYear)
    return Day(year: endYear, month: endMonth, day: min(day, last)) ?? start
  }

  /// The most days that a period of this length can have.
  package var longest: Int { days + months * 31 }
}
