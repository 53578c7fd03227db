/// What an account of the journal is for; raw values are the keys of `[accounts]`.
package enum AccountRole: String, Hashable, Sendable, CaseIterable {
  /// What Apple owes.
  case receivable
  case bank
  case refunds
  case commission
  /// What Apple takes off the price and remits.
  case tax
  /// Actual proceeds less those of the rule.
  case proceedsDifference = "proceeds_difference"
  /// What findings of level 3 come to.
  case settlementDifference = "settlement_difference"
  /// What findings of level 4 come to, and what the bank got beside the regions' proceeds.
  case paymentDifference = "payment_difference"
  case adjustment
  /// Tax that was withheld and can be credited.
  case withholding
  case inputTax = "input_tax"
  /// What Apple invoices as commission on external purchases; an accepted offset pays it.
  case commissionPayable = "commission_payable"
  /// What was collected, or converted by Apple, at other rates than it stood in the books at.
  case realisedExchange = "realised_exchange"
  /// What is still owed, at the rate of the month's last day.
  case unrealisedExchange = "unrealised_exchange"
  /// The receivable's revaluation, in base currency.
  case revaluation
  /// Paid for and not yet delivered.
  case deferred
  /// Commission on what is deferred.
  case deferredCommission = "deferred_commission"
  /// What was deferred before the first close.
  case opening
  /// Revenue of closed periods that is booked later.
  case priorPeriod = "prior_period"
  case revenueConsumable = "revenue_consumable"
  case revenueNonConsumable = "revenue_non_consumable"
  case revenueAutoRenewable = "revenue_auto_renewable"
  case revenueNonRenewing = "revenue_non_renewing"
  case revenueApps = "revenue_apps"
  case revenueUnknown = "revenue_unknown"
  /// Coins that are paid for and not used, and items in use that were bought with them.
  case coinLiability = "coin_liability"
  /// Revenue of coins that nobody is expected to use.
  case coinBreakage = "coin_breakage"
  /// What refunds of coins pay back until Apple's reports take it off.
  case coinRefunds = "coin_refunds"
  /// Commission on coins that are not used yet.
  case coinCost = "coin_cost"
  /// Revenue and commission of coins that other channels than Apple sold: their sales stand in the
  /// company's own books.
  case channelRevenue = "channel_revenue"
  case channelCommission = "channel_commission"
  /// What of theirs belongs to closed periods and is booked later.
  case channelPriorPeriod = "channel_prior_period"

  /// Whether the account stands for coins, and its balance goes on from month to month.
  package var isOfCoins: Bool { [.coinLiability, .coinRefunds, .coinCost].contains(self) }

  /// The account that revenue of a kind is booked in.
  package static func revenue(_ kind: RevenueKind) -> AccountRole {
    switch kind {
    case .consumable: .revenueConsumable
    case .nonConsumable: .revenueNonConsumable
    case .autoRenewable: .revenueAutoRenewable
    case .nonRenewing: .revenueNonRenewing
    case .apps: .revenueApps
    case .unknown: .revenueUnknown
    }
  }

  /// The account's name where the company gives none, accepted by hledger and by beancount.
  package var defaultName: String {
    switch self {
    case .receivable: "Assets:Receivable:Apple"
    case .bank: "Assets:Bank"
    case .refunds: "Income:Apple:Refunds"
    case .commission: "Expenses:Apple:Commission"
    case .tax: "Expenses:Apple:Tax"
    case .proceedsDifference: "Expenses:Apple:ProceedsDifference"
    case .settlementDifference: "Expenses:Apple:SettlementDifference"
    case .paymentDifference: "Expenses:Apple:PaymentDifference"
    case .adjustment: "Income:Apple:Adjustment"
    case .withholding: "Assets:Tax:Withholding"
    case .inputTax: "Liabilities:Tax:Input"
    case .commissionPayable: "Liabilities:Apple:CommissionInvoices"
    case .realisedExchange: "Income:Apple:Exchange:Realised"
    case .unrealisedExchange: "Income:Apple:Exchange:Unrealised"
    case .revaluation: "Assets:Receivable:Apple:Revaluation"
    case .deferred: "Liabilities:Deferred:Apple"
    case .deferredCommission: "Assets:Deferred:Apple:Commission"
    case .coinLiability: "Liabilities:Deferred:Coins"
    case .coinBreakage: "Income:Coins:Breakage"
    case .coinRefunds: "Liabilities:Refunds:Coins"
    case .coinCost: "Assets:Deferred:Coins:Commission"
    case .channelRevenue: "Income:Channels:Consumable"
    case .channelCommission: "Expenses:Channels:Commission"
    case .channelPriorPeriod: "Income:Channels:PriorPeriod"
    case .opening: "Equity:Opening:Apple"
    case .priorPeriod: "Income:Apple:PriorPeriod"
    case .revenueConsumable: "Income:Apple:Consumable"
    case .revenueNonConsumable: "Income:Apple:NonConsumable"
    case .revenueAutoRenewable: "Income:Apple:AutoRenewable"
    case .revenueNonRenewing: "Income:Apple:NonRenewing"
    case .revenueApps: "Income:Apple:Apps"
    case .revenueUnknown: "Income:Apple:Unknown"
    }
  }

  /// The first part of the default name: `Assets`, `Liabilities`, `Equity`, `Income` or `Expenses`.
  package var root: String { String(defaultName.prefix { $0 != ":" }) }
}

/// The names of the company's accounts.
package struct Accounts: Hashable, Sendable {
  private var names: [AccountRole: String] = [:]

  package init() {}

  /// The name by which hledger and the CSV have the account.
  package subscript(role: AccountRole) -> String {
    get { names[role] ?? role.defaultName }
    set { names[role] = newValue }
  }

  /// The account's name for beancount: the company's, or where beancount would not take that the
  /// nearest that it does.
  package func beancountName(of role: AccountRole) -> String {
    var parts = self[role].split(separator: ":").map(String.init)
    if let first = parts.first.map(Self.beancountPart), Self.roots.contains(first), parts.count > 1
    {
      parts.removeFirst()
      return ([first] + parts.map(Self.beancountPart)).joined(separator: ":")
    }
    return ([role.root] + parts.map(Self.beancountPart)).joined(separator: ":")
  }

  private static let roots: Set<String> = [
    "Assets", "Liabilities", "Equity", "Income", "Expenses",
  ]

  /// A part of a name, between colons, as beancount takes it: letters, digits and hyphens, the
  /// first one a capital or a digit.
  private static func beancountPart(_ part: String) -> String {
    var text = String(
      part.map { $0.isLetter || $0.isASCII && $0.isWholeNumber ? $0 : Character("-") })
    guard let first = text.first else { return "X" }
    if first.isUppercase || first.isWholeNumber { return text }
    if first.isASCII, first.isLetter { return text.removeFirst().uppercased() + text }
    return "X" + (first == "-" ? text : "-" + text)
  }

  /// Whether a text may be an account's name, as every output can carry it: hledger ends a name at
  /// two spaces, and takes some signs at its start for something else.
  package static func isName(_ text: String) -> Bool {
    guard let first = text.first, !"([*!=~;".contains(first), first != ":", text.last != ":",
      first != " ", text.last != " "
    else { return false }
    return !text.contains { $0 == ";" || $0 == "\"" || $0.isNewline || $0 == "\t" }
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      && !text.contains("  ") && !text.contains("::")
  }
}

/// What revenue is booked by: the catalogue's kinds, apps themselves, and what nobody knows.
package enum RevenueKind: String, Hashable, Sendable, CaseIterable {
  case consumable
  case nonConsumable = "non_consumable"
  case autoRenewable = "auto_renewable"
  case nonRenewing = "non_renewing"
  case apps
  case unknown

  package init(_ kind: ProductKind) {
    switch kind {
    case .consumable: self = .consumable
    case .nonConsumable: self = .nonConsumable
    case .autoRenewable: self = .autoRenewable
    case .nonRenewing: self = .nonRenewing
    }
  }

  /// The kind in words for people.
  package var wording: Wording {
    switch self {
    case .consumable: "@shared.consumable"
    case .nonConsumable: "@shared.non-consumable"
    case .autoRenewable: "@shared.auto-renewable"
    case .nonRenewing: "@shared.non-renewing"
    case .apps: "@shared.apps"
    case .unknown: "@shared.unknown"
    }
  }
}
