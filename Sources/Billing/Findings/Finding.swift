/// Money of one storefront, in one of its currencies.
package struct StorefrontMoney: Hashable, Sendable {
  /// Nil where nobody told it.
  package var storefront: Storefront?
  package var amount: Money

  package init(_ storefront: Storefront?, _ amount: Money) {
    self.storefront = storefront
    self.amount = amount
  }
}

/// A difference with a cause, an amount and its evidence.
package struct Finding: Hashable, Sendable {
  package var code: FindingCode
  package var severity: Severity
  /// Of payments and of a file's own totals: the code of Apple's financial region, such as `EU`.
  package var storefront: Storefront?
  package var currency: Currency?
  /// Level 1: the business day; level 2: Apple's report day; level 3: the day of the sale, by
  /// Apple's report; level 4: the fiscal month's last day.
  package var date: Day?
  package var sku: String?
  package var units: Int64?
  /// Micro-units of `currency`, Apple's side minus ours; nil where no money differs.
  package var amount: Int64?
  /// What it comes to by storefront and currency, where it is about several; else empty.
  package var parts: [StorefrontMoney] = []
  /// Numbers and amounts of Apple's documents that it takes for the cause; most have none.
  package var documents: [String] = []
  package var orderIDs: [String]
  package var transactionIDs: [String]
  package var sources: [Source]
  /// What happened, with its figures.
  package var explanation: Wording
  /// What to do about it.
  package var action: Wording
  /// Digest of code, storefront, currency, date, sku, units, amount, ids, parts and documents.
  package var id: String
  /// The id that it had while its SKU stood in one app; nil for all that were not there then.
  package var formerID: String?
  /// The user whom its orders name, or its transactions where it has no order; empty where there is
  /// none or several. No part of the id.
  package var customer = ""
  /// What people said of it; nil where nobody said anything. No part of the id.
  package var work: FindingWork?
  /// Whether its amount reaches the threshold of the settings; nil where there is none.
  package var isMaterial: Bool?

  package init(
    code: FindingCode, severity: Severity, storefront: Storefront?, currency: Currency?, date: Day?,
    sku: String?, units: Int64?, amount: Int64?, orderIDs: [String], transactionIDs: [String],
    sources: [Source], explanation: Wording, action: Wording, id: String
  ) {
    self.code = code
    self.severity = severity
    self.storefront = storefront
    self.currency = currency
    self.date = date
    self.sku = sku
    self.units = units
    self.amount = amount
    self.orderIDs = orderIDs
    self.transactionIDs = transactionIDs
    self.sources = sources
    self.explanation = explanation
    self.action = action
    self.id = id
  }

  /// `amount` with its currency.
  package var money: Money? {
    guard let amount, let currency else { return nil }
    return Money(micros: amount, currency)
  }

  /// All money that it is about: its parts, or its amount.
  package var worth: [StorefrontMoney] { Self.worth(parts, storefront, amount, currency) }

  /// The parts, or where there are none the amount with its storefront; empty where it has no
  /// money.
  ///
  /// - Parameter amount: micro-units of `currency`.
  fileprivate static func worth(
    _ parts: [StorefrontMoney], _ storefront: Storefront?, _ amount: Int64?, _ currency: Currency?
  ) -> [StorefrontMoney] {
    if !parts.isEmpty { return parts }
    guard let amount, let currency else { return [] }
    return [StorefrontMoney(storefront, Money(micros: amount, currency))]
  }

  /// The order of findings in every output: storefront, date, SKU, code, id, nils first.
  package static func isOrderedBefore(_ left: Finding, _ right: Finding) -> Bool {
    withUnsafePointer(to: left) { left in
      withUnsafePointer(to: right) { precedes(left, $0) }
    }
  }

  /// Whether `left` comes before `right` in the order of every output. It takes pointers, so that
  /// no copy is made of findings that are looked at where they stand.
  fileprivate static func precedes(
    _ left: UnsafePointer<Finding>, _ right: UnsafePointer<Finding>
  ) -> Bool {
    if left.pointee.storefront != right.pointee.storefront {
      return (left.pointee.storefront?.code ?? "") < (right.pointee.storefront?.code ?? "")
    }
    if left.pointee.date != right.pointee.date {
      return (left.pointee.date?.number ?? .min) < (right.pointee.date?.number ?? .min)
    }
    if left.pointee.sku != right.pointee.sku {
      return (left.pointee.sku ?? "") < (right.pointee.sku ?? "")
    }
    if left.pointee.code != right.pointee.code {
      return left.pointee.code.rawValue < right.pointee.code.rawValue
    }
    return left.pointee.id < right.pointee.id
  }
}

extension [Finding] {
  /// The same findings in the order of every output; nothing is sorted where they have it, as
  /// mostly.
  package var inOutputOrder: [Finding] {
    let areInOrder = withUnsafeBufferPointer { all in
      guard let base = all.baseAddress else { return true }
      return !all.indices.dropFirst().contains { Finding.precedes(base + $0, base + $0 - 1) }
    }
    return areInOrder ? self : sorted(by: Finding.isOrderedBefore)
  }

  /// What the finding at a place is worth, as ``Finding/worth``, without a copy of the finding.
  package func worth(at place: Int) -> [StorefrontMoney] {
    Finding.worth(
      self[place].parts, self[place].storefront, self[place].amount, self[place].currency)
  }
}
