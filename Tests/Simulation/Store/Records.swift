import Billing

/// A row of the company's order table as it will be written; zeros are left blank.
struct OrderRecord {
  var number: UInt64
  var user: UInt32
  var item: Int
  var market: Int
  var status = OrderStatus.fulfilled
  var quantity = 1
  /// Nil is left blank, and so is the currency.
  var price: Int64?
  var placed: Int64
  var paid: Int64 = 0
  var fulfilled: Int64 = 0
  var transaction: UInt64 = 0
  var token: UInt64 = 0
  var channel = Channel.apple
  var coins: Int64?
  /// Where another currency than the storefront's was charged.
  var currency: Currency?
}

enum Channel { case blank, apple, web }

/// A row of the company's transaction table as it will be written; zeros are left blank.
struct TransactionRecord {
  var number: UInt64
  var original: UInt64
  var webOrderLineItem: UInt64 = 0
  var order: UInt64 = 0
  var item: Int
  var market: Int
  var quantity = 1
  /// What the customer paid per unit, whether or not this row tells it.
  var price: Int64
  /// Price, currency and storefront are written.
  var tellsPrice = true
  var purchased: Int64
  var expires: Int64 = 0
  var revoked: Int64 = 0
  var isTrial = false
  var isIntro = false
  var isUpgraded = false
  var isFamilyShared = false
  var isSandbox = false
  var isForeign = false
  /// A restore is the earlier transaction again.
  var isRestore = false
  var token: UInt64 = 0
  var user: UInt32
  var currency: Currency?
  /// When the first transaction of its chain was bought.
  var began: Int64
  var teller = Teller.drawn

  /// In Production, of our bundle, PURCHASED, and no restore.
  var isBillable: Bool { !isFamilyShared && !isSandbox && !isForeign && !isRestore }
  /// Taken back by Apple; an upgrade is no refund.
  var isRefunded: Bool { revoked != 0 && !isUpgraded }

  /// What was known of it at a moment: a revocation that came later is left out.
  func known(at moment: Int64) -> TransactionRecord {
    guard revoked > moment else { return self }
    var record = self
    record.revoked = 0
    record.isUpgraded = false
    return record
  }
}

/// Who tells of a transaction.
enum Teller {
  /// The company's table, or Apple only, as the share of Apple draws it.
  case drawn
  /// The company's table.
  case company
  /// The deposit that it stands in tells all that is told.
  case deposit
}

/// The descriptive columns of a sales row: rows that agree in them are one row.
struct SaleKey: Hashable, Comparable {
  var market: Int
  var item: Int
  /// Positive; the sign follows `isRefund`.
  var price: Int64
  /// Per unit; positive on refunds too.
  var proceeds: Int64
  var isRefund = false
  var standing = Standing.once
  var afterOneYear = false
  var isPreserved = false
  var offer = Offer.none
  var device: UInt8 = 0
  var currency: Currency?
  /// An update, a re-download or a restore: `7F`, `3F`, `IA3` instead of the item's type.
  var isWithoutMoney = false
  /// Apple took back a part of the price: units stay 0.
  var isPartialRefund = false

  enum Standing: UInt8 { case once, new, renewal }
  enum Offer: UInt8 { case none, trial, introductory }

  private var place: (Int, Int, Int64, Int64, Int, UInt16) {
    let circumstances =
      (isRefund ? 1 : 0) | Int(standing.rawValue) << 1 | (afterOneYear ? 8 : 0)
      | (isPreserved ? 16 : 0) | Int(offer.rawValue) << 5 | (isWithoutMoney ? 128 : 0)
      | (isPartialRefund ? 256 : 0) | Int(device) << 9
    return (market, item, price, proceeds, circumstances, currency?.packed ?? 0)
  }

  static func < (left: Self, right: Self) -> Bool { left.place < right.place }
}
