package import Billing

/// How a simulated Apple settles and pays what it reported as sold.
package struct SettlementParameters: Hashable, Sendable {
  /// One report for all regions, with its second table, instead of one per region.
  package var isSingleFile = false
  /// The detail, which has the days of each row, is written too.
  package var writesDetail = true
  package var payments = PaymentsLayout.english
  /// Days after which everything has settled; 0 settles each unit on the day of its report.
  package var maxLag = 10
  /// How often each kind of fault between sales, settlement and payment is injected; a payout is
  /// wrong once a month at most. Units in one file only need the detail.
  package var faults = 0
  /// What the bank account is kept in.
  package var bankCurrency = Currency("CNY")!

  package init() {}

  /// The currencies that a bank account may be kept in.
  package static let bankCurrencies = Set(LoadedRates.currencies.compactMap { Currency($0) })
}

/// How Apple's payments summary is written.
package enum PaymentsLayout: String, Hashable, Sendable, CaseIterable {
  /// The page's CSV in English.
  case english
  /// The page's CSV in Chinese, with thousands separators.
  case chinese
  /// What the page itself is made from.
  case json
}

extension SimulationParameters {
  /// The fiscal months that lie wholly inside the period: those that settle here.
  package var fiscalMonths: [FiscalMonth] {
    var months: [FiscalMonth] = []
    var month = FiscalMonth(containing: period.first)
    while month.last <= period.last {
      if month.first >= period.first { months.append(month) }
      month = FiscalMonth(containing: month.last.advanced(by: 1))
    }
    return months
  }
}

extension FiscalMonth {
  /// The day on which Apple pays it.
  var paid: Day { last.advanced(by: 33) }

  /// The calendar month that Apple names it by.
  var name: (year: Int, month: Int) {
    number <= 3 ? (year - 1, number + 9) : (year, number - 3)
  }

  /// `0623`, as the names of its reports have it.
  var stamp: String { padded(name.month, 2) + padded(name.year % 100, 2) }
}
