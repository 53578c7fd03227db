internal import Billing

/// Keys of an item of Advanced Commerce, of its offer and of its refunds.
enum ItemKey: Int, JSONKey {
  case sku, displayName, price, offer, refunds, revocationDate
  case refundAmount, refundDate, refundReason, refundType

  var name: String { self == .sku ? "SKU" : String(describing: self) }
}

/// An amount of an item, as the one field of a record.
enum ItemField: Int, CaseIterable { case amount }

/// The parts of an item, each with fields of its own.
struct ItemFields {
  let item = ObjectFields<ItemKey>()
  let part = ObjectFields<ItemKey>()
}

extension PayloadReader {
  /// Adds the items of Advanced Commerce of the transaction whose extra was added last.
  ///
  /// - Parameter list: the array of the items; −1 for none.
  mutating func readItems(
    _ tape: JSONTape, _ list: Int32, into collector: inout PurchaseCollector
  ) throws(RecordDiagnostic) {
    for (index, node) in try elements(tape, list).enumerated() {
      let fields = items.item
      try fields.find(tape, node)
      try tape.requirePlain(fields[.sku], "SKU")
      try tape.requirePlain(fields[.displayName], "displayName")
      var item = AdvancedItem(
        extra: 0, place: Int32(truncatingIfNeeded: index + 1), sku: text(tape, fields[.sku]),
        name: text(tape, fields[.displayName]))
      item.price = try amount(tape, fields[.price], "price")
      item.revokedAt = try tape.time(fields[.revocationDate], "revocationDate", &times)
      try items.part.find(tape, fields[.offer])
      item.offerPrice = try amount(tape, items.part[.price], "price")
      try collector.addItem(item)
      for node in try elements(tape, fields[.refunds]) {
        let fields = items.part
        try fields.find(tape, node)
        var refund = AdvancedItemRefund(
          extra: 0, place: item.place, reason: text(tape, fields[.refundReason]),
          type: text(tape, fields[.refundType]))
        refund.amount = try amount(tape, fields[.refundAmount], "refundAmount")
        refund.refundedAt = try tape.time(fields[.refundDate], "refundDate", &times)
        try collector.addItemRefund(refund)
      }
    }
  }

  /// The trimmed text of a part; empty for no part (−1).
  private func text(_ tape: JSONTape, _ node: Int32) -> String {
    String(decoding: trimmed(tape.text(node)), as: UTF8.self)
  }

  /// An amount in micro-units, from a number of milliunits; nil when blank.
  private mutating func amount(
    _ tape: JSONTape, _ node: Int32, _ name: StaticString
  ) throws(RecordDiagnostic) -> Int64? {
    itemAmount.begin()
    itemAmount.put(.amount, tape.text(node), at: tape.place(of: node))
    do throws(RecordDiagnostic) {
      return try itemAmount.record(line: 0).milliunits(0, name)
    } catch {
      throw error.placed { itemAmount.place(of: $0) }
    }
  }
}
