/// One of the items that a purchase of the Advanced Commerce API is made of: Apple's product is a
/// generic one, and what was sold and for how much stands in its items alone.
///
/// The names are those of `advancedCommerceInfo.items` in `JWSTransactionDecodedPayload`, stored on
/// 2026-11-22; amounts are read in milliunits as everywhere in the payload.
package struct AdvancedItem: Sendable {
  /// The place, from 1, of its transaction's extra among the block's.
  package var extra: Int32
  /// Its place among the items of the transaction, from 1.
  package var place: Int32
  package var sku: String
  package var name: String
  /// Micro-units; nil is "not said". An offer's price is what the period costs in place of it.
  package var price: Int64?
  package var offerPrice: Int64?
  package var revokedAt: Instant?

  /// The item at `place` of a transaction whose extra has the number `extra` in its block, both
  /// from 1.
  package init(extra: Int32, place: Int32, sku: String, name: String) {
    self.extra = extra
    self.place = place
    self.sku = sku
    self.name = name
  }
}

/// What Apple gave back of one item.
package struct AdvancedItemRefund: Sendable {
  /// As ``AdvancedItem``'s.
  package var extra: Int32
  /// The item's place.
  package var place: Int32
  /// Micro-units; nil is "not said".
  package var amount: Int64?
  package var refundedAt: Instant?
  /// `UNINTENDED_PURCHASE`, `FULFILLMENT_ISSUE`, …; as Apple has it.
  package var reason: String
  /// `FULL`, `PRORATED` or `CUSTOM`.
  package var type: String

  /// A refund of the item at `place` of a transaction whose extra has the number `extra` in its
  /// block, both from 1.
  package init(extra: Int32, place: Int32, reason: String, type: String) {
    self.extra = extra
    self.place = place
    self.reason = reason
    self.type = type
  }
}

/// What a payload says of the tax in one purchase.
package struct ToldTax: Sendable {
  package var row: TransactionRow.ID
  /// Index into the transaction terms.
  package var terms: Int32
  package var key: IDKey
  /// Seconds since 1970.
  package var purchasedAt: UInt32
  package var taxCode: String
  /// Micro-units for the whole quantity; nil is "not said".
  package var tax: Int64?
  package var priceWithoutTax: Int64?

  package init(
    row: TransactionRow.ID, terms: Int32, key: IDKey, purchasedAt: UInt32, taxCode: String,
    tax: Int64?, priceWithoutTax: Int64?
  ) {
    self.row = row
    self.terms = terms
    self.key = key
    self.purchasedAt = purchasedAt
    self.taxCode = taxCode
    self.tax = tax
    self.priceWithoutTax = priceWithoutTax
  }
}
