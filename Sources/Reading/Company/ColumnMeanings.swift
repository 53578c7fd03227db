package import Billing

/// A column of a table that a company makes itself, for who has to make one.
package struct TableColumn: Sendable {
  package var name: String
  package var isRequired: Bool
  /// What stands in it.
  package var meaning: Wording
  /// Of one row that could be read; blank where that row has nothing in it.
  package var example: String
}

extension InputKind {
  /// The kinds of table that a company makes itself.
  package static var companyTables: [InputKind] { CompanyTable.all.map(\.kind) }

  /// Columns in the order in which a template has them, required ones first; none for what is no
  /// company's table.
  package var columns: [TableColumn] {
    guard let table = CompanyTable.all.first(where: { $0.kind == self }) else { return [] }
    return table.names.enumerated().map { index, name in
      let (meaning, example) = told(of: name)
      return TableColumn(
        name: name, isRequired: index < table.requiredCount, meaning: meaning, example: example)
    }
  }

  private func told(of column: String) -> (Wording, String) {
    switch (self, column) {
    case (.orders, "order_id"):
      (
        "the order's id in your shop, one of its own for each order",
        "O0000000001"
      )
    case (.transactions, "order_id"):
      (
        "the order that the transaction was fulfilled for",
        "O0000000001"
      )
    case (.orders, "status"):
      (
        "created, paid, fulfilled, refunded or cancelled, as the order stands now",
        "fulfilled"
      )
    case (.orders, "placed_at"):
      (
        "when the customer placed the order, with the offset from UTC",
        "2023-06-12T02:00:00Z"
      )
    case (.bank, "currency"):
      (
        "the account's currency, by its three letters",
        "CNY"
      )
    case (.orders, "channel"):
      (
        "where it was paid; an order of any other channel than apple is left out of the tie-out",
        "apple"
      )
    case (.orders, "coins"):
      (
        "virtual currency that the order granted",
        "300"
      )
    case (.products, "coins"):
      (
        "virtual currency that one unit grants",
        "300"
      )
    case (.orders, "paid_at"):
      (
        "when the order was paid",
        "2023-06-12T02:00:10Z"
      )
    case (.orders, "fulfilled_at"):
      (
        "when it was delivered",
        "2023-06-12T02:00:15Z"
      )
    case (.orders, "transaction_id"):
      (
        """
        Apple's transaction that the order was fulfilled by; without it transactions have to \
        be traced back
        """,
        "400000000000001"
      )
    case (.transactions, "transaction_id"):
      (
        "Apple's id of the transaction",
        "400000000000001"
      )
    case (.orders, "app_version"):
      (
        "the version of the app that placed the order",
        "2.3.1"
      )
    case (.orders, "device"):
      (
        "the device that placed the order",
        "iPhone14,5"
      )
    case (.transactions, "purchased_at"):
      (
        "when Apple charged the customer, with the offset from UTC",
        "2023-06-12T02:00:08Z"
      )
    case (.transactions, "is_trial"):
      (
        "whether it is a free trial",
        "false"
      )
    case (.transactions, "is_intro"):
      (
        "whether it has an introductory price",
        "false"
      )
    case (.transactions, "is_upgraded"):
      (
        "whether the customer left it for a better plan",
        "false"
      )
    case (.transactions, "ownership"):
      (
        "PURCHASED, or FAMILY_SHARED for what a family member bought",
        "PURCHASED"
      )
    case (.transactions, "environment"):
      (
        "Production or Sandbox",
        "Production"
      )
    case (.transactions, "revocation_reason"):
      (
        "why Apple took it back, in Apple's words",
        ""
      )
    case (.transactions, "original_transaction_id"):
      (
        "the transaction that the subscription began with",
        "400000000000001"
      )
    case (.transactions, "web_order_line_item_id"):
      (
        "Apple's id of a subscription's period",
        ""
      )
    case (.transactions, "expires_at"):
      (
        "when a subscription's period ends",
        ""
      )
    case (.transactions, "revoked_at"):
      (
        "when Apple refunded or revoked it",
        ""
      )
    case (.products, "tier"):
      (
        "the price tier or price point, as your table of tiers names it",
        "5"
      )
    case (.products, "apple_identifier"):
      (
        "the number that Apple's reports have for the product",
        "1600000001"
      )
    case (.products, "name"):
      (
        "the product's name for people",
        "300 Gems"
      )
    case (.products, "subscription_group"):
      (
        "the group of an auto-renewable subscription",
        ""
      )
    case (.tiers, "table"):
      (
        "iap, or subscription for the prices of subscriptions",
        "iap"
      )
    case (.tiers, "tier"):
      (
        "the tier's name, as the catalogue has it",
        "5"
      )
    case (.tiers, "price"):
      (
        "the customer price, tax included",
        "30.00"
      )
    case (.tiers, "proceeds"):
      (
        "what Apple pays of it at a commission of 30%",
        "20.63"
      )
    case (.rates, "date"):
      (
        "the day of the rate",
        "2023-06-12"
      )
    case (.rates, "base"):
      (
        "the currency of which one unit is priced",
        "USD"
      )
    case (.rates, "quote"):
      (
        "the currency in which it is priced",
        "CNY"
      )
    case (.rates, "rate"):
      (
        "what one unit of base costs in quote",
        "7.1500"
      )
    case (.taxes, "rate"):
      (
        "the tax in the price: price = net × (1 + rate)",
        "0.06"
      )
    case (.bank, "date"):
      (
        "the day on which the bank booked the credit",
        "2023-08-03"
      )
    case (.bank, "amount"):
      (
        "what came in; what went out has a minus",
        "48399.21"
      )
    case (.bank, "reference"):
      (
        "the bank's text, by which a credit of another amount is known as Apple's",
        "APPLE 85127269"
      )
    case (_, "sku"):
      (
        "the product's id in App Store Connect",
        "com.example.gems.60"
      )
    case (_, "quantity"):
      (
        "how many units were bought at once; 1 where it is left out",
        "1"
      )
    case (_, "unit_price"):
      (
        "what the customer pays for one unit, tax included, as decimal text",
        "30.00"
      )
    case (_, "currency"):
      (
        "the currency of the price, by its three letters",
        "CNY"
      )
    case (_, "storefront"):
      (
        "the customer's country in the App Store, as CN, CHN or Apple's number",
        "CN"
      )
    case (_, "bundle_id"):
      (
        "the app that sold it",
        "com.example.app"
      )
    case (_, "user_id"):
      (
        "the customer in your system",
        "u00000001"
      )
    case (_, "app_account_token"):
      (
        "the UUID that your app gave to the purchase",
        "7e3fb204-2c1e-4b0c-9d6a-0b6f5b1f8a11"
      )
    case (_, "kind"):
      (
        "consumable, non_consumable, auto_renewable or non_renewing",
        "consumable"
      )
    case (_, "effective_from"):
      (
        "the first day on which the row holds; always where it is left out",
        "2023-01-01"
      )
    case (_, "effective_to"):
      (
        "the last day on which the row holds; no end where it is left out",
        ""
      )
    default: preconditionFailure("\(column) of \(rawValue) has no meaning")
    }
  }
}
