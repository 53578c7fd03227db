package import Billing
package import Matching

extension Pattern {
  /// What the findings have in common, how much of all business has it, and how unlikely that is
  /// by chance: whole sentences.
  package var explanation: Wording {
    [shared, onset, baseline, rarityWords].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private var names: String { codes.map(\.rawValue).joined(separator: ", ") }

  private var shared: Wording {
    switch dimension {
    case .time: inSpan
    case .day: onDays
    case .boundary: acrossBoundary
    case .user:
      count == total
        ? "All \(total) \(names) findings concern user \(value)."
        : "\(count) of \(total) \(names) findings concern user \(value)."
    case .appVersion:
      count == total
        ? "All \(total) \(names) findings come from app version \(value)."
        : "\(count) of \(total) \(names) findings come from app version \(value)."
    case .device:
      count == total
        ? "All \(total) \(names) findings come from \(value) devices."
        : "\(count) of \(total) \(names) findings come from \(value) devices."
    case .storefront:
      count == total
        ? "All \(total) \(names) findings concern storefront \(value)."
        : "\(count) of \(total) \(names) findings concern storefront \(value)."
    case .product:
      count == total
        ? "All \(total) \(names) findings concern product \(value)."
        : "\(count) of \(total) \(names) findings concern product \(value)."
    case .file:
      count == total
        ? "All \(total) \(names) findings come from the file \(value)."
        : "\(count) of \(total) \(names) findings come from the file \(value)."
    case .stage:
      count == total
        ? "All \(total) \(names) findings have a failed event at \(value)."
        : "\(count) of \(total) \(names) findings have a failed event at \(value)."
    case .server:
      count == total
        ? "All \(total) \(names) findings have a failed event on server \(value)."
        : "\(count) of \(total) \(names) findings have a failed event on server \(value)."
    case .message:
      count == total
        ? "All \(total) \(names) findings have a failed event that says: \(value)."
        : "\(count) of \(total) \(names) findings have a failed event that says: \(value)."
    case .hours:
      count == total
        ? "All \(total) \(names) findings fall between \(hours) of the company's day, on many days."
        : """
        \(count) of \(total) \(names) findings fall between \(hours) of the company's day, on \
        many days.
        """
    case .ring:
      count == total
        ? "All \(total) \(names) findings concern the same users: \(ringUsers)."
        : "\(count) of \(total) \(names) findings concern the same users: \(ringUsers)."
    case .renamed:
      count == total
        ? """
        All \(total) \(names) findings concern one product under different SKUs, \(value): its \
        Apple Identifier is the same.
        """
        : """
        \(count) of \(total) \(names) findings concern one product under different SKUs, \(value): \
        its Apple Identifier is the same.
        """
    }
  }

  /// The first users of a ring, and how many more there are; the sheet has all.
  private var ringUsers: Wording {
    let named = 5
    let first = users.prefix(named).joined(separator: ", ")
    return users.count <= named
      ? Wording(verbatim: first) : "\(first) and \(users.count - named) more"
  }

  /// `02:00 and 04:15`.
  private var hours: Wording {
    let ends = value.split(separator: "-")
    guard ends.count == 2 else { return Wording(verbatim: value) }
    return "\(String(ends[0])) and \(String(ends[1]))"
  }

  /// When what is shared began and ended to matter.
  private var onset: Wording {
    guard let days, !value.isEmpty, dimension != .boundary else { return "" }
    return days.count == 1
      ? "They all fall on \(days.lowerBound)."
      : "They all fall between \(days.lowerBound) and \(days.upperBound)."
  }

  private var rarityWords: Wording {
    dimension == .renamed ? "" : "Probability by chance: below 10^-\(rarity)."
  }

  private var inSpan: Wording {
    guard let span else { return "" }
    let (first, last) = (span.lowerBound, span.upperBound)
    if first.day() == last.day() {
      let day = first.day()
      return count == total
        ? """
        All \(total) \(names) findings fall between \(clock(first)) and \(clock(last)) UTC on \
        \(day).
        """
        : """
        \(count) of \(total) \(names) findings fall between \(clock(first)) and \(clock(last)) \
        UTC on \(day).
        """
    }
    let (from, to) = ("\(first.day()) \(clock(first))", "\(last.day()) \(clock(last))")
    return count == total
      ? "All \(total) \(names) findings fall between \(from) and \(to) UTC."
      : "\(count) of \(total) \(names) findings fall between \(from) and \(to) UTC."
  }

  private var onDays: Wording {
    guard let days else { return "" }
    let (first, last) = (days.lowerBound, days.upperBound)
    if first == last {
      return count == total
        ? "All \(total) \(names) findings fall on Apple's report day \(first)."
        : "\(count) of \(total) \(names) findings fall on Apple's report day \(first)."
    }
    return count == total
      ? "All \(total) \(names) findings fall on Apple's report days \(first) to \(last)."
      : "\(count) of \(total) \(names) findings fall on Apple's report days \(first) to \(last)."
  }

  private var acrossBoundary: Wording {
    guard let days else { return "" }
    let (first, last) = (days.lowerBound, days.upperBound)
    return count == total
      ? """
      All \(total) differences in \(value) are units that moved to a neighbouring report day, \
      from \(first) to \(last): the day boundary.
      """
      : """
      \(count) of \(total) differences in \(value) are units that moved to a neighbouring \
      report day, from \(first) to \(last): the day boundary.
      """
  }

  /// How much of all business has it.
  private var baseline: Wording {
    let share = baseShare < 100 ? "0.01%" : percent(baseShare)
    switch (base, baseShare < 100) {
    case (.orders, false): return "That covers \(share) of all other orders."
    case (.orders, true): return "That covers less than \(share) of all other orders."
    case (.transactions, false): return "That covers \(share) of all other transactions."
    case (.transactions, true): return "That covers less than \(share) of all other transactions."
    case (.refunds, false): return "That covers \(share) of all other refunds."
    case (.refunds, true): return "That covers less than \(share) of all other refunds."
    case (.units, false): return "That covers \(share) of all units that Apple reports."
    case (.units, true): return "That covers less than \(share) of all units that Apple reports."
    case (.rows, false): return "That covers \(share) of all rows in Apple's reports."
    case (.rows, true): return "That covers less than \(share) of all rows in Apple's reports."
    case (.ordersWithEvents, false): return "That covers \(share) of all other orders with events."
    case (.ordersWithEvents, true):
      return "That covers less than \(share) of all other orders with events."
    case (.transactionsWithEvents, false):
      return "That covers \(share) of all other transactions with events."
    case (.transactionsWithEvents, true):
      return "That covers less than \(share) of all other transactions with events."
    case (.days, _): return "Random differences would line up like this in \(share) of cases."
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
    case .file where codes.allSatisfy(\.isLoss):
      "check whether this file holds all of its rows, and export it again"
    case .hours where codes.allSatisfy(\.isLoss):
      """
      look at what runs at these hours of each day, a job, a backup or a restart, and fetch what \
      was lost from Apple
      """
    case .hours: "look at what runs at these hours of each day: a job, an import or a sale"
    case .time where codes.allSatisfy(\.isPrice):
      """
      look for a release or a change of prices at that time, and clear the findings together
      """
    case .time:
      """
      look for an outage, a release or a stuck queue at that time, and clear the findings together
      """
    case .user where codes.allSatisfy(\.isDelivery):
      "look at what keeps this user's purchases from being delivered"
    case .ring where codes.allSatisfy(\.isDelivery):
      "look at what keeps these users' purchases from being delivered"
    case .ring:
      """
      review these users' orders and receipts together, and what devices and payments they share, \
      before granting anything
      """
    case .renamed:
      """
      put all SKUs of the product into the catalogue, and let orders and transactions name the \
      one that Apple reports
      """
    case .device where codes.allSatisfy(\.isPrice):
      "compare the prices that this kind of device shows with the catalogue"
    case .user: "review this user's orders and receipts together before granting anything"
    case .appVersion: "compare this version's products and prices with the catalogue"
    case .device: "try the purchase on this kind of device"
    case .stage: "look at why this step fails, and repeat it for these purchases"
    case .server:
      "look at this server's log of that time, and repeat the step for these purchases"
    case .message: "look for what makes this message, and repeat the step for these purchases"
    case .storefront: "check the setup of this storefront: prices, taxes, currency"
    case .product: "compare this product in the catalogue with App Store Connect"
    case .file: "check how this file was made, and export it again"
    case .day: "check that the exports and Apple's reports of that time are complete"
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

extension FindingCode {
  /// Whether amounts or coins differ on both sides of a pair, or from the list.
  fileprivate var isPrice: Bool {
    switch self {
    case .priceMismatch, .coinsMismatch, .priceNotInTier, .priceDiffers, .currencyUnexpected,
      .proceedsUnexpected, .proceedsOffRule:
      true
    default: false
    }
  }

  /// Whether what was paid did not come, or came late.
  fileprivate var isDelivery: Bool {
    switch self {
    case .chargedNotFulfilled, .lateFulfilment, .transactionWithoutOrder: true
    default: false
    }
  }
}

extension Pattern.Dimension {
  /// What is shared, for a reader.
  var wording: Wording {
    switch self {
    case .time: "span of time"
    case .hours: "hours of the day"
    case .ring: "group of users"
    case .renamed: "product under different SKUs"
    case .user: "user"
    case .appVersion: "app version"
    case .device: "device"
    case .storefront: "storefront"
    case .product: "product"
    case .stage: "failed step"
    case .server: "server of a failed step"
    case .message: "message of a failed step"
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
