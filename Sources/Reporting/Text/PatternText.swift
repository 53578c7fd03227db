package import Billing
package import Conclusions

extension Pattern {
  /// What the findings have in common, how much of all business has it, and how unlikely that is
  /// by chance: whole sentences.
  package var explanation: Wording {
    [shared, onset, baseline, rarityWords].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The codes of the findings, for a sentence.
  private var names: String { codes.map(\.rawValue).joined(separator: ", ") }

  /// The sentence that says how many of the findings have what in common.
  private var shared: Wording {
    switch dimension {
    case .time: inSpan
    case .day: onDays
    case .boundary: acrossBoundary
    case .user:
      count == total
        ? "@text.all-findings-concern-user \(total) \(names) \(value)"
        : "@text.of-findings-concern-user \(count) \(total) \(names) \(value)"
    case .appVersion:
      count == total
        ? "@text.all-findings-come-from-app \(total) \(names) \(value)"
        : "@text.of-findings-come-from-app \(count) \(total) \(names) \(value)"
    case .device:
      count == total
        ? "@text.all-findings-come-from-devices \(total) \(names) \(value)"
        : "@text.of-findings-come-from-devices \(count) \(total) \(names) \(value)"
    case .storefront:
      count == total
        ? "@text.all-findings-concern-storefront \(total) \(names) \(value)"
        : "@text.of-findings-concern-storefront \(count) \(total) \(names) \(value)"
    case .product:
      count == total
        ? "@text.all-findings-concern-product \(total) \(names) \(value)"
        : "@text.of-findings-concern-product \(count) \(total) \(names) \(value)"
    case .file:
      count == total
        ? "@text.all-findings-come \(total) \(names) \(value)"
        : "@text.of-findings-come \(count) \(total) \(names) \(value)"
    case .stage:
      count == total
        ? "@text.all-findings-have-a-failed \(total) \(names) \(value)"
        : "@text.of-findings-have-a-failed \(count) \(total) \(names) \(value)"
    case .server:
      count == total
        ? "@text.all-findings-have-a-failed-event \(total) \(names) \(value)"
        : "@text.of-findings-have-a-failed-event \(count) \(total) \(names) \(value)"
    case .message:
      count == total
        ? "@text.all-findings-have-a-failed-event-that-says \(total) \(names) \(value)"
        : "@text.of-findings-have-a-failed-event-that-says \(count) \(total) \(names) \(value)"
    case .hours:
      count == total
        ? "@text.all-findings-fall-between-of-the-company \(total) \(names) \(hours)"
        : "@text.of-findings-fall-between-of-the-company \(count) \(total) \(names) \(hours)"
    case .ring:
      count == total
        ? "@text.all-findings-concern-the-same \(total) \(names) \(ringUsers)"
        : "@text.of-findings-concern-the-same \(count) \(total) \(names) \(ringUsers)"
    case .renamed:
      count == total
        ? "@text.all-findings-concern-one-product \(total) \(names) \(value)"
        : "@text.of-findings-concern-one-product \(count) \(total) \(names) \(value)"
    }
  }

  /// The names of the first users of a ring, and how many more there are; the sheet has all.
  private var ringUsers: Wording {
    let named = 5
    let first = users.prefix(named).asList
    return users.count <= named
      ? first : "@shared.and-more-2 \(first) \(users.count - named)"
  }

  /// The hours of the day that findings fall between: `02:00 and 04:15`.
  private var hours: Wording {
    let ends = value.split(separator: "-")
    guard ends.count == 2 else { return Wording(verbatim: value) }
    return "@shared.and \(String(ends[0])) \(String(ends[1]))"
  }

  /// The sentence that says when what is shared began and ended to matter; empty where no days are
  /// known.
  private var onset: Wording {
    guard let days, !value.isEmpty, dimension != .boundary else { return "" }
    return days.count == 1
      ? "@text.they-all-fall \(days.lowerBound)"
      : "@text.they-all-fall-between \(days.lowerBound) \(days.upperBound)"
  }

  /// The sentence that says how unlikely the pattern is by chance; empty for products under several
  /// SKUs.
  private var rarityWords: Wording {
    dimension == .renamed ? "" : "@text.probability-by-chance-below-10 \(rarity)"
  }

  /// The sentence for findings that fall within a span of time.
  private var inSpan: Wording {
    guard let span else { return "" }
    let (first, last) = (span.lowerBound, span.upperBound)
    if first.day() == last.day() {
      let day = first.day()
      return count == total
        ? """
        @text.all-findings-fall-between-and-utc \(total) \(names) \(clock(first)) \
        \(clock(last)) \(day)
        """
        : """
        @text.of-findings-fall-between-and-utc \(count) \(total) \(names) \(clock(first)) \
        \(clock(last)) \(day)
        """
    }
    let (from, to) = ("\(first.day()) \(clock(first))", "\(last.day()) \(clock(last))")
    return count == total
      ? "@text.all-findings-fall-between \(total) \(names) \(from) \(to)"
      : "@text.of-findings-fall-between \(count) \(total) \(names) \(from) \(to)"
  }

  /// The sentence for findings that fall on the same report days.
  private var onDays: Wording {
    guard let days else { return "" }
    let (first, last) = (days.lowerBound, days.upperBound)
    if first == last {
      return count == total
        ? "@text.all-findings-fall-on-apple \(total) \(names) \(first)"
        : "@text.of-findings-fall-on-apple \(count) \(total) \(names) \(first)"
    }
    return count == total
      ? "@text.all-findings-fall-on-apple-report \(total) \(names) \(first) \(last)"
      : "@text.of-findings-fall-on-apple-report \(count) \(total) \(names) \(first) \(last)"
  }

  /// The sentence for differences that are units on the wrong side of a day boundary.
  private var acrossBoundary: Wording {
    guard let days else { return "" }
    let (first, last) = (days.lowerBound, days.upperBound)
    return count == total
      ? "@text.all-differences-in-are-units \(total) \(value) \(first) \(last)"
      : "@text.of-differences-in-are-units \(count) \(total) \(value) \(first) \(last)"
  }

  /// The sentence that says which share of all business has what is shared.
  private var baseline: Wording {
    let share = baseShare < 100 ? "0.01%" : percent(baseShare)
    switch (base, baseShare < 100) {
    case (.orders, false): return "@text.that-covers-of-all-other \(share)"
    case (.orders, true): return "@text.that-covers-less-than \(share)"
    case (.transactions, false): return "@text.that-covers-of-all-other-transactions \(share)"
    case (.transactions, true): return "@text.that-covers-less-than-of-all-other \(share)"
    case (.refunds, false): return "@text.that-covers-of-all-other-refunds \(share)"
    case (.refunds, true): return "@text.that-covers-less-than-of-all \(share)"
    case (.units, false): return "@text.that-covers-of-all-units \(share)"
    case (.units, true): return "@text.that-covers-less-than-of-all-units \(share)"
    case (.rows, false): return "@text.that-covers-of-all-rows \(share)"
    case (.rows, true): return "@text.that-covers-less-than-of-all-rows \(share)"
    case (.ordersWithEvents, false): return "@text.that-covers-of-all-other-orders \(share)"
    case (.ordersWithEvents, true):
      return "@text.that-covers-less-than-of-all-other-orders \(share)"
    case (.transactionsWithEvents, false):
      return "@text.that-covers-of-all-other-transactions-with-events \(share)"
    case (.transactionsWithEvents, true):
      return "@text.that-covers-less-than-of-all-other-transactions \(share)"
    case (.days, _): return "@text.random-differences-would-line-up \(share)"
    }
  }

  /// What to do about the pattern, by what is shared and by what is wrong.
  package var advice: Wording {
    switch dimension {
    case .appVersion where codes.allSatisfy(\.isLoss):
      "@text.look-at-how-this-version"
    case .storefront where codes.allSatisfy(\.isLoss):
      "@text.look-at-what-keeps-this-storefront"
    case .product where codes.allSatisfy(\.isLoss):
      "@text.look-at-whether-the-server"
    case .file where codes.allSatisfy(\.isLoss):
      "@text.check-whether-this-file-holds"
    case .hours where codes.allSatisfy(\.isLoss):
      "@text.look-at-what-runs-at-these-hours"
    case .hours: "@text.look-at-what-runs"
    case .time where codes.allSatisfy(\.isPrice):
      "@text.look-for-a-release"
    case .time:
      "@text.look-for-an-outage"
    case .user where codes.allSatisfy(\.isDelivery):
      "@text.look-at-what-keeps"
    case .ring where codes.allSatisfy(\.isDelivery):
      "@text.look-at-what-keeps-these-users"
    case .ring:
      "@text.review-these-users-orders"
    case .renamed:
      "@text.put-all-skus"
    case .device where codes.allSatisfy(\.isPrice):
      "@text.compare-the-prices"
    case .user: "@text.review-this-user-orders"
    case .appVersion: "@text.compare-this-version-products"
    case .device: "@text.try-the-purchase"
    case .stage: "@text.look-at-why-this-step"
    case .server:
      "@text.look-at-this-server-log"
    case .message: "@text.look-for-what-makes"
    case .storefront: "@text.check-the-setup"
    case .product: "@text.compare-this-product"
    case .file: "@text.check-how-this-file"
    case .day: "@text.check-that-the-exports"
    case .boundary:
      "@text.set-day-boundary"
    }
  }

  /// A moment's hour and minute in UTC: `02:10`.
  private func clock(_ moment: Instant) -> String {
    let minutes = (moment.seconds - moment.day().startUTC.seconds) / 60
    return "\(padded(Int(minutes / 60), 2)):\(padded(Int(minutes % 60), 2))"
  }
}

extension FindingCode {
  /// Whether the code says that one side lacks what the other has: receipts, orders or words of
  /// refunds that were lost, whatever they cost.
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

extension FindingCode {
  /// Whether the code is about amounts or coins that differ between the sides of a pair, or from
  /// the list.
  fileprivate var isPrice: Bool {
    switch self {
    case .priceMismatch, .coinsMismatch, .priceNotInTier, .priceDiffers, .currencyUnexpected,
      .proceedsUnexpected, .proceedsOffRule:
      true
    default: false
    }
  }

  /// Whether the code is about purchases that were paid and whose items did not come, or came late.
  fileprivate var isDelivery: Bool {
    switch self {
    case .chargedNotFulfilled, .lateFulfilment, .transactionWithoutOrder: true
    default: false
    }
  }
}

extension Pattern.Dimension {
  /// The name of what is shared, for a reader.
  var wording: Wording {
    switch self {
    case .time: "@text.span-of-time"
    case .hours: "@text.hours-of-the-day"
    case .ring: "@text.group-of-users"
    case .renamed: "@text.product-under-different-skus"
    case .user: "@shared.user"
    case .appVersion: "@text.app-version"
    case .device: "@text.device"
    case .storefront: "@shared.storefront"
    case .product: "@shared.product"
    case .stage: "@text.failed-step"
    case .server: "@text.server-of-a-failed-step"
    case .message: "@text.message-of-a-failed-step"
    case .file: "@shared.file"
    case .day: "@shared.report-day"
    case .boundary: "@shared.day-boundary"
    }
  }
}

extension Pattern {
  /// The power of ten below which the pattern's chance is: `1e-23`.
  var chance: String { "1e-\(rarity)" }

  /// What findings share, as one text: the value, the span of time or the days.
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
