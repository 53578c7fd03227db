import Billing
import Reporting
@testable import Matching

/// Where the journal of a period and its bridges differ: each step of the bridge is an account's
/// balance.
func journalDifferences(
  _ result: Reconciliation, _ settings: Settings = Settings()
) -> [String] {
  let journal = Journal(result, settings: settings)
  let isFiscal = result.period.fiscalMonth != nil
  let steps: [(causes: [BridgeCause], accounts: [AccountRole], sign: Int64)] =
    isFiscal
    ? [([.settlementDifference], [.settlementDifference], -1)]
    : [
      (
        [.reportedGross],
        RevenueKind.allCases.map(AccountRole.revenue) + [.refunds, .priorPeriod, .deferred], -1
      ),
      ([.tax], [.tax], -1), ([.commission], [.commission], -1),
      ([.proceedsDifference], [.proceedsDifference], -1), ([.exchange], [.conversion], -1),
      ([.reportedProceeds], [.receivable], 1),
    ]
  var differences: [String] = []
  for (causes, accounts, sign) in steps {
    var expected: [Currency: Int64] = [:]
    for step in result.bridges.filter({ $0.storefront != "ALL" }).flatMap(\.steps)
    where causes.contains(step.cause) {
      expected[step.currency, default: 0] += sign * step.amount.micros
    }
    var found: [Currency: Int64] = [:]
    for account in accounts { found.merge(journal.balances(of: account), uniquingKeysWith: +) }
    for currency in Set(expected.keys).union(found.keys).sorted()
    where expected[currency, default: 0] != found[currency, default: 0] {
      differences.append(
        "\(causes) \(currency): bridge \(expected[currency, default: 0]), "
          + "journal \(found[currency, default: 0])")
    }
  }
  return differences
}
