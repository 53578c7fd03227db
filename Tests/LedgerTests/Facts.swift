import Billing
import Ledger

/// An order as a test states it.
struct OrderFact: Hashable {
  var id = ""
  var transaction = ""
  var user = ""
  var token = ""
  var placed: Int64
  var paid: Int64?
  var fulfilled: Int64?
  var terms = OrderTerms(sku: "gems.60", status: .paid)
}

/// A transaction as a test states it.
struct TransactionFact: Hashable {
  var id = ""
  var original = ""
  var webOrderLineItem = ""
  var order = ""
  var user = ""
  var token = ""
  var purchased: Int64
  var expires: Int64?
  var revoked: Int64?
  var terms = TransactionTerms(sku: "gems.60", kind: .consumable)
  /// Of what Apple told: when, and the line of its record.
  var told: Int64?
  var line: Int32 = 1
}

/// A sales-report row as a test states it.
struct SalesFact: Hashable {
  var sku = "gems.60"
  var units: Int32 = 1
  var price: Int64 = 6_000_000
  var storefront = "CN"
  var day: Day
  var end: Day?
}

/// Makes the blocks of one file from its facts; lines count from 2.
struct BlockMaker {
  private var line: Int32 = 1
  private var orderTerms: [OrderTerms: Int32] = [:]
  private var transactionTerms: [TransactionTerms: Int32] = [:]
  private var products: [SalesProduct: Int32] = [:]
  private var salesTerms: [SalesTerms: Int32] = [:]
  private var hasCondition = false

  mutating func block(_ facts: [OrderFact]) -> FactBlock {
    var text = Text()
    var new: [OrderTerms] = []
    let rows = facts.map { fact in
      line += 1
      return OrderRow(
        line: line, terms: code(fact.terms, &orderTerms, &new), orderID: text.add(fact.id),
        userID: text.add(fact.user), transactionID: text.add(fact.transaction),
        appAccountToken: text.add(fact.token), placedAt: Instant(seconds: fact.placed),
        paidAt: fact.paid.map(Instant.init), fulfilledAt: fact.fulfilled.map(Instant.init))
    }
    var block = FactBlock(rows: .orders(rows))
    block.text = text.bytes
    block.newOrderTerms = new
    return block
  }

  mutating func block(_ facts: [TransactionFact]) -> FactBlock {
    var text = Text()
    var new: [TransactionTerms] = []
    let rows = facts.map { fact in
      line += 1
      return TransactionRow(
        line: line, terms: code(fact.terms, &transactionTerms, &new),
        transactionID: text.add(fact.id), originalTransactionID: text.add(fact.original),
        webOrderLineItemID: text.add(fact.webOrderLineItem), orderID: text.add(fact.order),
        appAccountToken: text.add(fact.token), userID: text.add(fact.user),
        purchasedAt: Instant(seconds: fact.purchased), expiresAt: fact.expires.map(Instant.init),
        revokedAt: fact.revoked.map(Instant.init))
    }
    var block = FactBlock(rows: .transactions(rows))
    block.text = text.bytes
    block.newTransactionTerms = new
    return block
  }

  mutating func block(_ facts: [SalesFact]) -> FactBlock {
    var newProducts: [SalesProduct] = []
    var newTerms: [SalesTerms] = []
    let rows = facts.map { fact in
      line += 1
      let terms = SalesTerms(
        storefront: Storefront(fact.storefront)!, customerCurrency: Currency("CNY"),
        customerPrice: fact.price, proceedsCurrency: Currency("CNY"), proceeds: fact.price / 10 * 7)
      return SalesRow(
        line: line, units: fact.units, begin: fact.day, end: fact.end ?? fact.day,
        product: code(
          SalesProduct(sku: fact.sku, type: ProductType("IA1")), &products, &newProducts),
        terms: code(terms, &salesTerms, &newTerms), condition: 0)
    }
    var block = FactBlock(rows: .sales(rows))
    block.newSalesProducts = newProducts
    block.newSalesTerms = newTerms
    block.newSalesConditions = hasCondition ? [] : [SalesCondition()]
    hasCondition = true
    return block
  }

  private func code<Value: Hashable>(
    _ value: Value, _ codes: inout [Value: Int32], _ new: inout [Value]
  ) -> Int32 {
    if let code = codes[value] { return code }
    let code = Int32(codes.count)
    codes[value] = code
    new.append(value)
    return code
  }

  private struct Text {
    var bytes: [UInt8] = []
    mutating func add(_ id: String) -> TextSlice {
      let start = UInt32(bytes.count)
      bytes += Array(id.utf8)
      return id.isEmpty ? .none : TextSlice(start: start, count: UInt32(id.utf8.count))
    }
  }
}

extension Ledger {
  /// Imports blocks as one file whose content's hash is `content`, else its name.
  @discardableResult
  func load(
    _ file: String, _ kind: InputKind, _ blocks: [FactBlock], content: String? = nil,
    vendor: String = "", days: ClosedRange<Day>? = nil, keep: Bool = true
  ) throws -> FileOutcome {
    let header = FileHeader(file: file, kind: kind, importedAt: Instant(seconds: 1_700_000_000))
    return try importFile(header) { appender in
      for block in blocks { try appender.append(block) }
      guard keep else { return .discard }
      return .keep(
        FileTrailer(
          sha256: content ?? file, headSHA256: "head " + (content ?? file), vendor: vendor,
          begin: days?.lowerBound, end: days?.upperBound,
          rows: blocks.reduce(0) { $0 + $1.rowCount },
          rejected: blocks.reduce(0) { $0 + $1.rejects.count }, byteCount: 100))
    }
  }

  @discardableResult
  func load(_ file: String, _ orders: [OrderFact]) throws -> FileOutcome {
    var maker = BlockMaker()
    return try load(file, .orders, [maker.block(orders)])
  }

  @discardableResult
  func load(_ file: String, _ transactions: [TransactionFact]) throws -> FileOutcome {
    var maker = BlockMaker()
    return try load(file, .transactions, [maker.block(transactions)])
  }

  /// Imports a sales report; its days are those of its rows unless given.
  @discardableResult
  func load(
    _ file: String, _ sales: [SalesFact], vendor: String = "85127269", content: String? = nil,
    days: ClosedRange<Day>? = nil
  ) throws -> FileOutcome {
    var maker = BlockMaker()
    let span = sales.map(\.day).min()!...sales.map { $0.end ?? $0.day }.max()!
    return try load(
      file, .sales, [maker.block(sales)], content: content, vendor: vendor, days: days ?? span)
  }

  func facts(
    purchases: ClosedRange<Int64> = 0...4_000_000_000,
    days: ClosedRange<Day> = Day("1970-01-01")!...Day("2100-01-01")!
  ) throws -> MonthFacts {
    try facts(
      purchases: Instant(seconds: purchases.lowerBound)...Instant(seconds: purchases.upperBound),
      reportDays: days)
  }
}
