package import Billing
import GRDB

extension Ledger {
  /// Errors and warnings that the last reconciliation of each calendar and fiscal month recorded
  /// and that were not accepted, by the day since which they are open: of a calendar month those of
  /// orders and sales, of a fiscal month those of settlement and payment. Each comes once.
  package func openFindings() throws -> [OpenFinding] {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT r.period, f.id, f.code, f.severity, f.day, f.currency, f.amount, p.currency,
          p.amount, f.number
        FROM finding f JOIN finding_run r ON r.id = f.run_id
          LEFT JOIN finding_part p ON p.finding = f.number
          LEFT JOIN finding_former w ON w.finding = f.number
        WHERE f.severity <> 'info'
          AND ifnull((SELECT action FROM finding_remark WHERE finding_id IN (f.id, w.id)
            AND action IN ('accept', 'reopen') ORDER BY id DESC LIMIT 1), '') <> 'accept'
          AND NOT EXISTS (SELECT 1 FROM close_acceptance a JOIN close c ON c.id = a.close_id
            WHERE a.finding_id = f.id
              AND c.id = (SELECT max(id) FROM close WHERE period = c.period))
        ORDER BY f.number, p.place
        """)
      var found: [String: OpenFinding] = [:]
      var number: Int64?
      while try select.step() {
        let id = select.text(1)
        guard let period = Period(select.text(0)), let code = FindingCode(rawValue: select.text(2)),
          let severity = Severity(rawValue: select.text(3)), period.judges(code)
        else { continue }
        // Parts of one finding follow one another; of two runs the newer one counts.
        if number != select.int64(9) {
          number = select.int64(9)
          found[id] = OpenFinding(
            period: period, code: code, severity: severity,
            day: select.optionalDay(4) ?? period.last, amounts: [])
        }
        let place: Int32 = select.isNull(7) ? 5 : 7
        if let currency = Currency(select.text(place)), !select.isNull(place + 1) {
          found[id]!.amounts.append(Money(micros: select.int64(place + 1), currency))
        }
      }
      return found.values.sorted {
        ($0.day, $0.code.rawValue, $0.amounts.map(\.micros).first ?? 0)
          < ($1.day, $1.code.rawValue, $1.amounts.map(\.micros).first ?? 0)
      }
    }
  }

  /// The amounts that the last reconciliation of the latest fiscal month found to be sold and not
  /// settled, those of earlier months among them.
  package func unsettledSales() throws -> [DatedAmount] {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT day, amount, currency FROM finding_unsettled
        WHERE run_id = (SELECT id FROM finding_run WHERE period LIKE 'FY%'
          ORDER BY period DESC LIMIT 1)
        ORDER BY day, currency, amount
        """)
      var amounts: [DatedAmount] = []
      while try select.step() {
        guard let currency = Currency(select.text(2)) else { continue }
        amounts.append(
          DatedAmount(Money(micros: select.int64(1), currency), since: select.day(0)))
      }
      return amounts
    }
  }

  /// Records what a run found to be sold and not settled.
  static func record(_ unsettled: [DatedAmount], run: Int64, _ db: Database) throws {
    let insert = try RawStatement(db, "INSERT INTO finding_unsettled VALUES (?, ?, ?, ?)")
    for amount in unsettled {
      try insert.run(with: run, amount.day, amount.amount.micros, amount.amount.currency.code)
    }
  }
}

extension Period {
  /// Whether a reconciliation of this period is the one that finds such findings: calendar months
  /// find those of orders, sales and coins, fiscal months those of settlement and payment.
  fileprivate func judges(_ code: FindingCode) -> Bool {
    if fiscalMonth != nil { return (3...5).contains(code.level) }
    return first.parts.day == 1 && last.advanced(by: 1).parts.day == 1 && dayCount <= 31
      && !(3...5).contains(code.level)
  }
}
