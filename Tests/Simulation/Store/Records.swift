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

  enum Channel: String { case blank = "", apple, web, android }

  mutating func move(by seconds: Int64) {
    placed += seconds
    paid += seconds
    fulfilled += seconds
  }

  /// Nothing came of it.
  mutating func leave(_ status: OrderStatus) {
    self.status = status
    (paid, fulfilled, coins) = (0, 0, nil)
  }
}

/// A row of the company's transaction table as it will be written; zeros are left blank.
struct TransactionRecord {
  var number: UInt64
  var original: UInt64
  var webOrderLineItem: UInt64 = 0
  var order: UInt64 = 0
  var item: Int
  var market: Int
  var quantity = 1
  /// What the customer paid per unit, whether or not this row states it.
  var price: Int64
  /// Price, currency and storefront are written.
  var statesPrice = true
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
  var source = TransactionSource.drawn
  /// Of a commitment: which of its twelve instalments, from 1, and when it ends; 0 for none.
  var instalment: UInt8 = 0
  var committedUntil: Int64 = 0
  /// Thousandths of the price without tax that the payload tells as tax; nil where it tells none.
  var toldTax: Int?
  var taxCode = ""

  /// In Production, of our bundle, PURCHASED, and no restore.
  var isBillable: Bool { !isFamilyShared && !isSandbox && !isForeign && !isRestore }
  /// Taken back by Apple; an upgrade is no refund.
  var isRefunded: Bool { revoked != 0 && !isUpgraded }
  /// The first of its chain, or alone.
  var isOriginal: Bool { number == original }

  /// What was known of it at a moment: a revocation that came later is left out.
  func known(at moment: Int64) -> TransactionRecord {
    guard revoked > moment else { return self }
    var record = self
    record.revoked = 0
    record.isUpgraded = false
    return record
  }

  mutating func move(by seconds: Int64) {
    purchased += seconds
    began += seconds
  }

  /// Bought in the sandbox, under a number of its own.
  mutating func moveToSandbox(_ number: UInt64) {
    (self.number, original, isSandbox) = (number, number, true)
  }
}

/// An order and its transaction.
typealias Purchase = (order: OrderRecord, transaction: TransactionRecord)

/// Where a transaction can be read.
enum TransactionSource {
  /// In the company's table, or in Apple's messages only, as the share of Apple draws it.
  case drawn
  /// In the company's table.
  case company
  /// In the rows and messages of the deposit that it stands in.
  case deposit
}

/// How a sale stands in Apple's report, beside its product and price.
struct SaleTerms: Hashable {
  enum Standing: UInt8 { case once, new, renewal }
  enum Offer: UInt8 { case none, trial, introductory }

  var standing = Standing.once
  var afterOneYear = false
  var isPreserved = false
  var offer = Offer.none
  var device: UInt8 = 0
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
  var terms = SaleTerms()
  var currency: Currency?
  /// An update, a re-download or a restore: `7F`, `3F`, `IA3` instead of the item's type.
  var isWithoutMoney = false
  /// Apple took back a part of the price: units stay 0.
  var isPartialRefund = false

  private var place: (Int, Int, Int64, Int64, Int, UInt16) {
    let circumstances =
      (isRefund ? 1 : 0) | Int(terms.standing.rawValue) << 1 | (terms.afterOneYear ? 8 : 0)
      | (terms.isPreserved ? 16 : 0) | Int(terms.offer.rawValue) << 5 | (isWithoutMoney ? 128 : 0)
      | (isPartialRefund ? 256 : 0) | Int(terms.device) << 9
    return (market, item, price, proceeds, circumstances, currency?.packed ?? 0)
  }

  static func < (left: Self, right: Self) -> Bool { left.place < right.place }
}

/// Report units of one kind on one day.
struct UnitKey: Hashable {
  var day: Day
  var market: Int
  var item: Int
  var isRefund: Bool
}

/// A storefront and a currency that proceeds are counted in.
struct ProceedsPlace: Hashable, Comparable {
  var market: Int
  var currency: Currency

  static func < (left: Self, right: Self) -> Bool {
    (left.market, left.currency) < (right.market, right.currency)
  }
}
