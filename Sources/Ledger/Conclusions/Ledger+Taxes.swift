import Billing
import GRDB

extension Ledger {
  /// Records the taxes that the built-in table does not have and on which Apple's rows of a run's
  /// period agree.
  ///
  /// - Parameter run: the run's number.
  static func record(_ taxes: [RecordedTax], run: Int64, _ db: Database) throws {
    let insert = try RawStatement(
      db, "INSERT INTO finding_tax VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for (number, tax) in taxes.enumerated() {
      try insert.run(
        with: run, Int64(number), tax.storefront.code, tax.currency.code, tax.from, tax.to,
        tax.commission, Int64(tax.isForAll ? 1 : 0), tax.inside, tax.deducted)
    }
  }

  /// The taxes that a run recorded, by its number, in their order.
  func taxes(of run: Int64, _ db: Database) throws -> [RecordedTax] {
    let select = try RawStatement(
      db,
      """
      SELECT storefront, currency, from_day, to_day, commission, for_all, inside, deducted
      FROM finding_tax WHERE run_id = ? ORDER BY number
      """, run)
    var taxes: [RecordedTax] = []
    while try select.step() {
      guard let storefront = Storefront(select.text(0)), let currency = Currency(select.text(1))
      else { continue }
      taxes.append(
        RecordedTax(
          storefront: storefront, currency: currency, from: Day(number: Int32(select.int64(2))),
          to: Day(number: Int32(select.int64(3))), commission: select.int64(4),
          isForAll: select.int64(5) == 1, inside: select.int64(6), deducted: select.int64(7)))
    }
    return taxes
  }
}
