package import Billing
package import Matching

extension Pattern {
  /// What the findings have in common, how much of all business has it, and how unlikely that is
  /// by chance: whole sentences.
  package var explanation: Wording {
    [shared, baseline, "Chance alone would do so in fewer than one of 10^\(rarity) cases."]
      .joined(separator: " ")
  }

  private var names: String { codes.map(\.rawValue).joined(separator: ", ") }

  private var shared: Wording {
    switch dimension {
    case .time: inSpan
    case .day: onDays
    case .boundary: acrossBoundary
    case .user:
      count == total
        ? "All \(total) \(names) are of user \(value)."
        : "\(count) of \(total) \(names) are of user \(value)."
    case .appVersion:
      count == total
        ? "All \(total) \(names) come from app version \(value)."
        : "\(count) of \(total) \(names) come from app version \(value)."
    case .device:
      count == total
        ? "All \(total) \(names) come from devices of the kind \(value)."
        : "\(count) of \(total) \(names) come from devices of the kind \(value)."
    case .storefront:
      count == total
        ? "All \(total) \(names) are of storefront \(value)."
        : "\(count) of \(total) \(names) are of storefront \(value)."
    case .product:
      count == total
        ? "All \(total) \(names) are of product \(value)."
        : "\(count) of \(total) \(names) are of product \(value)."
    case .file:
      count == total
        ? "All \(total) \(names) come from the file \(value)."
        : "\(count) of \(total) \(names) come from the file \(value)."
    }
  }

  private var inSpan: Wording {
    guard let span else { return "" }
    let (first, last) = (span.lowerBound, span.upperBound)
    if first.day() == last.day() {
      let day = first.day()
      return count == total
        ? "All \(total) \(names) are between \(clock(first)) and \(clock(last)) UTC on \(day)."
        : """
        \(count) of \(total) \(names) are between \(clock(first)) and \(clock(last)) UTC on \(day).
        """
    }
    let (from, to) = ("\(first.day()) \(clock(first))", "\(last.day()) \(clock(last))")
    return count == total
      ? "All \(total) \(names) are between \(from) and \(to) UTC."
      : "\(count) of \(total) \(names) are between \(from) and \(to) UTC."
  }

  private var onDays: Wording {
    guard let days else { return "" }
    let (first, last) = (days.lowerBound, days.upperBound)
    if first == last {
      return count == total
        ? "All \(total) \(names) are of Apple's report day \(first)."
        : "\(count) of \(total) \(names) are of Apple's report day \(first)."
    }
    return count == total
      ? "All \(total) \(names) are of Apple's report days \(first) to \(last)."
      : "\(count) of \(total) \(names) are of Apple's report days \(first) to \(last)."
  }

  private var acrossBoundary: Wording {
    guard let days else { return "" }
    let (first, last) = (days.lowerBound, days.upperBound)
    return count == total
      ? """
      All \(total) differences of \(value) are units that are missing on one report day and \
      stand on the next or the one before, from \(first) to \(last): the day boundary.
      """
      : """
      \(count) of \(total) differences of \(value) are units that are missing on one report day \
      and stand on the next or the one before, from \(first) to \(last): the day boundary.
      """
  }

  /// How much of all business has it.
  private var baseline: Wording {
    let share = baseShare < 100 ? "0.01%" : percent(baseShare)
    switch (base, baseShare < 100) {
    case (.orders, false): return "Of all orders \(share) are so."
    case (.orders, true): return "Of all orders less than \(share) are so."
    case (.transactions, false): return "Of all transactions \(share) are so."
    case (.transactions, true): return "Of all transactions less than \(share) are so."
    case (.units, false): return "Of all units that Apple reports \(share) are so."
    case (.units, true): return "Of all units that Apple reports less than \(share) are so."
    case (.rows, false): return "Of all rows of Apple's reports \(share) are so."
    case (.rows, true): return "Of all rows of Apple's reports less than \(share) are so."
    case (.days, _): return "Scattered differences would meet so in \(share) of the cases."
    }
  }

  /// What to do about it, by what is shared and by what is wrong.
  package var advice: Wording {
    switch dimension {
    case .appVersion where codes.allSatisfy(\.isLoss):
      """
      look at how this version sends receipts and orders, and ask its users for those that are lost
      """
    case .storefront where codes.allSatisfy(\.isLoss):
      """
      look at what keeps this storefront's receipts and notifications from the server, and fetch \
      them from Apple's
      """
    case .product where codes.allSatisfy(\.isLoss):
      "look at whether the server knows this product when its receipts come in"
    case .time:
      """
      look for an outage, a release or a stuck queue at that time, and clear the findings together
      """
    case .user: "look at this user's orders and receipts as a whole before anything is granted"
    case .appVersion: "compare this version's products and prices with the catalogue"
    case .device: "try the purchase on this kind of device"
    case .storefront: "look at what was set up for this storefront: prices, taxes, currency"
    case .product: "compare this product in the catalogue with App Store Connect"
    case .file: "look at how this file was made, and export it again"
    case .day: "look whether the exports and Apple's report of that time are whole"
    case .boundary:
      """
      set day_boundary for this storefront where it is known, or ask Apple when its day began
      """
    }
  }

  /// `02:10`, in UTC.
  private func clock(_ moment: Instant) -> String {
    let minutes = (moment.seconds - moment.day().startUTC.seconds) / 60
    return "\(padded(Int(minutes / 60), 2)):\(padded(Int(minutes % 60), 2))"
  }
}

extension FindingCode {
  /// Whether one side lacks what the other has: receipts, orders or words of refunds that were
  /// lost, whatever they cost.
  fileprivate var isLoss: Bool {
    switch self {
    case .transactionWithoutOrder, .orderWithoutTransaction, .chargedNotFulfilled, .lateFulfilment,
      .refundNotReversed, .refundedNotByApple, .notInLedger, .notInReport, .refundNotInLedger,
      .refundNotInReport, .transactionReused:
      true
    default: false
    }
  }
}

extension Pattern.Dimension {
  /// What is shared, for a reader.
  var wording: Wording {
    switch self {
    case .time: "span of time"
    case .user: "user"
    case .appVersion: "app version"
    case .device: "device"
    case .storefront: "storefront"
    case .product: "product"
    case .file: "file"
    case .day: "report day"
    case .boundary: "day boundary"
    }
  }
}

extension Pattern {
  /// `1e-23`: below which the chance is.
  var chance: String { "1e-\(rarity)" }

  /// The value, the span or the days as one text.
  var place: String {
    if let span {
      let (first, last) = (span.lowerBound, span.upperBound)
      return first.day() == last.day()
        ? "\(first.day()) \(clock(first))-\(clock(last))"
        : "\(first.day()) \(clock(first)) - \(last.day()) \(clock(last))"
    }
    guard let days, value.isEmpty else { return value }
    return days.count == 1 ? "\(days.lowerBound)" : "\(days.lowerBound)..\(days.upperBound)"
  }
}
