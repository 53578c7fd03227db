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
  package static var companyTables: [InputKind] { CompanyTable.made.map(\.kind) }

  /// Columns in the order in which a template has them, required ones first; none for what is no
  /// company's table.
  package var columns: [TableColumn] {
    guard let table = CompanyTable.made.first(where: { $0.kind == self }) else { return [] }
    return table.shownNames.enumerated().map { index, name in
      let (meaning, example) = told(of: name)
      return TableColumn(
        name: name, isRequired: index < table.requiredCount, meaning: meaning, example: example)
    }
  }

  private func told(of column: String) -> (Wording, String) {
    switch (self, column) {
    case (.orders, "order_id"):
      (
        "the order's id in your shop, unique to each order",
        "O0000000001"
      )
    case (.transactions, "order_id"):
      (
        "the order that the transaction was fulfilled for",
        "O0000000001"
      )
    case (.orders, "status"):
      (
        "created, paid, fulfilled, refunded or cancelled: the order's status now",
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
        "where it was paid; an order from any channel other than apple is left out of the tie-out",
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
        Apple's transaction for which the order was fulfilled; without it, transactions have to be \
        traced back to orders
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
        "whether the customer upgraded from it to another plan",
        "false"
      )
    case (.transactions, "ownership"):
      (
        "PURCHASED; FAMILY_SHARED where a family member bought it",
        "PURCHASED"
      )
    case (.transactions, "environment"):
      (
        "Production or Sandbox",
        "Production"
      )
    case (.transactions, "revocation_reason"):
      (
        "why Apple revoked it, in Apple's words",
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
        "the product's name, as people read it",
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
        "what Apple pays for it at a commission of 30%",
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
        "the amount received; an amount paid out is negative",
        "48399.21"
      )
    case (.bank, "reference"):
      (
        "the bank's text, which identifies a credit as Apple's even if its amount differs",
        "APPLE 85127269"
      )
    case (.events, "at"):
      (
        "when the step ended, with the offset from UTC",
        "2023-06-12T02:00:12Z"
      )
    case (.events, "stage"):
      (
        "list, order, pay, upload, verify or fulfil, or a step of your own",
        "verify"
      )
    case (.events, "outcome"):
      (
        "ok, failed, or cancelled by the customer",
        "failed"
      )
    case (.events, "duration_ms"):
      (
        "how long the step took, in milliseconds",
        "840"
      )
    case (.events, "http_status"):
      (
        "the status that the step was answered with",
        "503"
      )
    case (.events, "order_id"):
      (
        "the order that it was a step of",
        "O0000000001"
      )
    case (.events, "transaction_id"):
      (
        "Apple's transaction, once it is known",
        "400000000000001"
      )
    case (.events, "app_version"):
      (
        "the version of the app",
        "2.3.1"
      )
    case (.events, "device"):
      (
        "the customer's device",
        "iPhone14,5"
      )
    case (.events, "server"):
      (
        "the server that took the step",
        "pay-03"
      )
    case (.events, "message"):
      (
        "what it said; the same words for the same thing, without ids",
        "timeout"
      )
    case (.commissions, "name"):
      (
        "what the terms are called",
        "EU-2026"
      )
    case (.commissions, "storefront"):
      (
        "a storefront, a group of them such as EU, or * for every one",
        "DE"
      )
    case (.commissions, "class"):
      (
        "standard, after-one-year or small-business; empty for a programme",
        "standard"
      )
    case (.commissions, "rate"):
      (
        "Apple's commission, as a fraction",
        "0.26"
      )
    case (.commissions, "platform"):
      (
        "platforms such as ios, several separated by spaces; every one where it is left out",
        "ios"
      )
    case (.commissions, "programme"):
      (
        "mini-apps, video-partner or news-partner; empty for a class",
        ""
      )
    case (.commissionInvoice, "invoice_number"):
      (
        "the number of Apple's invoice",
        "AEI-2026-000123"
      )
    case (.commissionInvoice, "billing_period"):
      (
        "the month that it bills, or its days",
        "2026-10"
      )
    case (.commissionInvoice, "currency"):
      (
        "the currency of the invoice, by its three letters",
        "EUR"
      )
    case (.commissionInvoice, "amount"):
      (
        "the commission without tax",
        "100.00"
      )
    case (.commissionInvoice, "tax"):
      (
        "the tax on the commission",
        "19.00"
      )
    case (.commissionInvoice, "total"):
      (
        "the commission and its tax",
        "119.00"
      )
    case (.commissionInvoice, "due"):
      (
        "the day by which it is to be paid",
        "2026-11-30"
      )
    case (.commissionInvoice, "app"):
      (
        "the app that it is about",
        "com.example.app"
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
        "the first day on which the row applies; always where it is left out",
        "2023-01-01"
      )
    case (_, "effective_to"):
      (
        "the last day on which the row applies; no end where it is left out",
        ""
      )
    default: preconditionFailure("\(column) of \(rawValue) has no meaning")
    }
  }
}
