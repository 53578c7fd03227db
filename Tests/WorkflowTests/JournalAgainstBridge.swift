import Billing
import Conclusions
import Reporting
@testable import Matching

/// Where the journal of a period and its bridges differ: each step of the bridge is an account's
/// balance.
func journalDifferences(
  _ result: Reconciliation, _ settings: Settings = Settings()
) -> [String] {
  let journal = Journal(result, settings: settings)
  let revenue =
    RevenueKind.allCases.map(AccountRole.revenue) + [.refunds, .priorPeriod, .deferred, .opening]
  let commission: [AccountRole] = [.commission, .deferredCommission]
  let own: Set<AccountRole> = [
    .bank, .settlementDifference, .paymentDifference, .adjustment, .inputTax, .withholding,
    .realisedExchange, .unrealisedExchange, .revaluation,
  ]
  let isGross = settings.revenue == .grossOfTax
  // Openings and changes of what is deferred move between these accounts alone.
  let steps: [(causes: [BridgeCause], accounts: [AccountRole], sign: Int64)] = [
    (
      isGross ? [.reportedGross, .commission] : [.reportedGross, .tax, .commission],
      revenue + commission, -1
    ),
    (isGross ? [.tax] : [], [.tax], -1),
    ([.proceedsDifference], [.proceedsDifference], -1), ([.reportedProceeds], [.receivable], 1),
    // What converts is what the other accounts leave of each currency.
    ([.exchange], AccountRole.allCases.filter { !own.contains($0) }, 1),
  ]
  var differences: [String] = []
  for (causes, accounts, sign) in steps {
    var expected: [Currency: Int64] = [:]
    for step in result.bridges.filter({ $0.storefront != "ALL" }).flatMap(\.steps)
    where causes.contains(step.cause) {
      expected[step.currency, default: 0] += sign * step.amount.micros
    }
    var found: [Currency: Int64] = [:]
    for posting in journal.entries.filter(\.isOfSales).flatMap(\.postings)
    where accounts.contains(posting.account) {
      found[posting.amount.currency, default: 0] += posting.amount.micros
    }
    for currency in Set(expected.keys).union(found.keys).sorted()
    where expected[currency, default: 0] != found[currency, default: 0] {
      differences.append(
        "\(causes) \(currency): bridge \(expected[currency, default: 0]), "
          + "journal \(found[currency, default: 0])")
    }
  }
  return differences
}

extension JournalEntry {
  /// Whether it is not about what Apple settled or paid.
  fileprivate var isOfSales: Bool { !narration.contains(" FY20") }
}
