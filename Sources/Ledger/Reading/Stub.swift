package import Billing
extension Ledger {
  package func settlementFacts(_ days: ClosedRange<Day>) throws -> SettlementFacts { SettlementFacts() }
  package func resolveFinance(_ rows: [RowID]) throws -> [(row: RowID, source: Source)] { [] }
}
