import Billing
import Languages
import Conclusions

/// What a storefront's refunds in one currency come to.
struct RefundSum {
  var key: RefundKey
  var known: RefundTotal
  /// As Apple reports them; nil where no report says anything.
  var sold: Int64?
  var refunded: Int64?
  /// In base currency, below zero: of the ledger's refunds, and of Apple's. Nil where a rate or a
  /// price is missing.
  var base: Money?
  var reportedBase: Money?
}

struct RefundKey: Hashable {
  var storefront: Storefront?
  var currency: Currency?
}

/// A user with several refunds; amounts are in micro-units, positive.
private struct RefundingUser {
  var name: String
  var refunds: Int
  var amounts: [Currency: Int64] = [:]
}

/// What a user's refunds in one currency come to.
private struct RefundingUserLine {
  var name: String
  /// In all currencies, in the first line of the user.
  var refunds: Int?
  var amount: Money?
}

extension WorkbookContents {
  /// Users with several refunds that are named one by one.
  private static let listedUsers = 100

  /// The rows below the list of refunds: per storefront what Apple reports and what the ledger
  /// knows, then the users with several refunds. Empty where there are no refunds.
  func refundTotals() -> [Row] {
    let sums = refundSums()
    guard !sums.isEmpty else { return [] }
    var below = refundTable(sums)
    add(refundingUsers(), to: &below)
    return below.rows
  }

  /// The place of the row that adds up all refunds; nil without any.
  var refundTotalsPlace: Place? {
    let sums = refundSums()
    return sums.isEmpty ? nil : refunds.pages.totalPlace(row: refundTable(sums).last)
  }

  /// What refunds come to by storefront and currency, in that order, with sales of storefronts
  /// without a refund; empty where there are no refunds.
  private func refundSums() -> [RefundSum] {
    var sums: [RefundKey: RefundSum] = [:]
    for total in allRefunds {
      let key = RefundKey(storefront: total.storefront, currency: total.currency)
      sums[key] = RefundSum(key: key, known: total)
    }
    if sums.isEmpty, reconciliation.proceeds.allSatisfy({ $0.unitsRefunded == 0 }) { return [] }
    // Storefronts without a refund among them: the rate of all divides by all sales.
    for line in reconciliation.proceeds {
      let key = RefundKey(storefront: line.storefront, currency: line.currency)
      let none = RefundTotal(storefront: line.storefront, currency: line.currency)
      var sum = sums[key] ?? RefundSum(key: key, known: none)
      sum.sold = 0
      sum.refunded = 0
      sums[key] = sum
    }
    // Proceeds in several currencies are several lines.
    for line in reconciliation.proceeds {
      let key = RefundKey(storefront: line.storefront, currency: line.currency)
      sums[key]?.sold? += line.unitsSold
      sums[key]?.refunded? += line.unitsRefunded
    }
    addBase(to: &sums)
    return sums.values.sorted {
      ($0.key.storefront?.code ?? "", $0.key.currency?.code ?? "")
        < ($1.key.storefront?.code ?? "", $1.key.currency?.code ?? "")
    }
  }

  /// Adds to each sum what refunds are worth in base currency, by the ledger and by Apple.
  private func addBase(to sums: inout [RefundKey: RefundSum]) {
    let reported = refundsByApple
    // A refund without an amount leaves its storefront without a sum.
    let unknown = Set(
      reconciliation.refunds.lazy.filter { $0.isCounted && $0.amount == nil }.map {
        RefundKey(storefront: $0.storefront, currency: $0.currency)
      })
    for key in sums.keys {
      let apple = key.currency.map { reported[key] ?? .zero($0) }
      sums[key]?.reportedBase = apple.flatMap { reconciliation.inBase($0) }
      let known = sums[key]?.known.amount ?? 0
      sums[key]?.base = key.currency.flatMap {
        unknown.contains(key) ? nil : reconciliation.inBase(Money(micros: -known, $0))
      }
    }
  }

  /// The table of refunds by storefront and currency, with the row that adds up all.
  private func refundTable(_ sums: [RefundSum]) -> PlacedRows {
    let list = refundSumList
    var below = PlacedRows(below: .pages(refunds.pages))
    below.add([.words("@sheet.units-as-apple-reports-them")], .section)
    below.add(list.header)
    let body = below.add(sums, of: list)
    below.addTotalOfAll(sums, of: list, at: body)
    return below
  }

  /// The columns of what refunds come to by storefront and currency; formulas over the lists of
  /// proceeds and of refunds.
  var refundSumList: List<RefundSum> {
    let base = reconciliation.baseCurrency
    return List(
      [
        Column(.text("@sheet.by-storefront")) {
          $0.key.storefront == nil ? .words("@shared.not-known") : .blank
        },
        Column(.text("")) { _ in .blank }, Column(.text("")) { _ in .blank },
        Column(.text("@shared.storefront")) { .place($0.key.storefront) },
        Column(.text("@shared.currency")) { .text(ifAny: $0.key.currency?.code) },
        Column("sold", .number("@shared.units-sold"), totals: [.all]) {
          reported("units_sold", of: $0.key, $0.sold)
        },
        Column("refunded", .number("@shared.units-refunded"), totals: [.all]) {
          reported("units_refunded", of: $0.key, $0.refunded)
        },
        Column("share", .number("@sheet.share-of-sold"), totals: [.ofAll(Self.share)]) {
          Self.share([$0])
        },
        Column("refunds", .number("@sheet.refunded-in-ledger"), totals: [.all]) {
          known("COUNTIFS", .integer($0.known.refunds), of: $0)
        },
        Column("beyond_window", .number("@sheet.beyond-window"), totals: [.all]) {
          known("COUNTIFS", .integer($0.known.beyondWindow), of: $0, marked: "beyond_window")
        },
        Column("units", .number("@shared.units"), totals: [.all]) {
          known("SUMIFS", .integer($0.known.units), of: $0, adding: "units")
        },
        Column("amount", .number("@shared.amount")) {
          // An amount of an unknown currency is added to nothing.
          let amount = $0.key.currency == nil ? nil : $0.known.amount.map { -$0 }
          return known("SUMIFS", .money(ifAny: amount, $0.key.currency), of: $0, adding: "amount")
        },
        Column("base", .number("@sheet.ledger-in \(base)"), totals: [.allIfComplete]) {
          converted($0)
        },
        Column("reported_base", .number("@sheet.apple-in \(base)"), totals: [.allIfComplete]) {
          .money(ifAny: $0.reportedBase)
        },
        Column("not_taken_back", .number("@sheet.not-taken-back"), totals: [.all]) {
          known("COUNTIFS", .integer($0.known.notTakenBack), of: $0, marked: "not_taken_back")
        },
      ],
      sums: [
        ExpectedSum("sold") { $0.sold },
        ExpectedSum("refunded", all: reconciliation.proceeds.reduce(0) { $0 + $1.unitsRefunded }),
        ExpectedSum("refunds", all: allRefunds.reduce(0) { $0 + $1.refunds }),
        ExpectedSum("beyond_window", all: allRefunds.reduce(0) { $0 + $1.beyondWindow }),
        ExpectedSum("units", all: allRefunds.reduce(0) { $0 + $1.units }),
        ExpectedSum("base") { $0.base?.micros },
        ExpectedSum("reported_base") { $0.reportedBase?.micros },
        ExpectedSum("not_taken_back", all: allRefunds.reduce(0) { $0 + $1.notTakenBack }),
      ])
  }

  /// The cell with what a storefront's refunds are worth in base currency; as the Bridge has it:
  /// the storefront's sum, converted once.
  private func converted(_ sum: RefundSum) -> Cell {
    guard let base = sum.base, sum.known.refunds > 0, let currency = sum.key.currency,
      let rate = bridgeRateReference(of: sum.key.storefront, currency)
    else { return .money(ifAny: sum.base) }
    return .formula("ROUND({amount}*\(rate),\(base.currency.minorDigits))", .money(base))
  }

  /// The cell with a figure of the ledger's refunds, as a formula over their list.
  ///
  /// - Parameters:
  ///   - function: `COUNTIFS` or `SUMIFS`.
  ///   - value: what the formula comes to.
  ///   - column: the one that is added up; nil where rows are.
  ///   - mark: the column that must say yes; nil for all refunds.
  private func known(
    _ function: String, _ value: Cell, of sum: RefundSum, adding column: String? = nil,
    marked mark: String? = nil
  ) -> Cell {
    guard sum.known.refunds > 0, value != .blank else { return value }
    let list = refundList
    let formula = refunds.pages.sum { pageRange in
      /// The cells of a column of the list of refunds in one of its sheets, by the column's name.
      func range(_ name: String) -> String { pageRange(list.index(name)) }
      var parts = column.map { [range($0)] } ?? []
      parts += [range("what"), "\"\(say("@sheet.refund"))\""]
      parts += [range("storefront"), criterion(sum.key.storefront?.placeInWords)]
      parts += [range("currency"), criterion(sum.key.currency?.code)]
      if let mark { parts += [range(mark), "\"\(say("@shared.yes"))\""] }
      return "\(function)(\(parts.joined(separator: ",")))"
    }
    return .formula(formula, value)
  }

  /// The cell with a figure of Apple's reports, as a formula over the list of proceeds; blank where
  /// no report says anything.
  ///
  /// - Parameters:
  ///   - column: of the list of proceeds.
  ///   - key: whose figure it is: a storefront and currency.
  ///   - value: what the formula comes to.
  private func reported(_ column: String, of key: RefundKey, _ value: Int64?) -> Cell {
    guard let value else { return .blank }
    let list = proceedsList
    let rows = proceedsBody.rows
    /// The cells of a column of the list of proceeds, by its name.
    func range(_ name: String) -> String {
      let letter = list.letter(name)
      return "\(quoted(sheet: proceedsSheetName))!"
        + "$\(letter)$\(rows.lowerBound):$\(letter)$\(rows.upperBound)"
    }
    let criteria = [
      range("storefront"), criterion(key.storefront?.code), range("currency"),
      criterion(key.currency?.code),
    ]
    return .formula(
      "SUMIFS(\(range(column)),\(criteria.joined(separator: ",")))", .integer(value))
  }

  /// The cell with the share of sold units that was refunded; blank where none were sold.
  private static let share: @Sendable ([RefundSum]) -> Cell = { sums in
    let sold = sums.compactMap(\.sold)
    let refunded = sums.reduce(0) { $0 + ($1.refunded ?? 0) }
    return Cell.share(refunded, of: sold.reduce(0, +)).map {
      .formula("IF({sold}=0,0,{refunded}/{sold})", $0)
    } ?? .blank
  }

  /// The criterion, in quotes, by which a formula finds the cells that have a word; those that are
  /// empty, without one.
  private func criterion(_ word: String?) -> String { "\"\(word ?? "=")\"" }

  /// The users with several refunds, those with most of them first.
  private func refundingUsers() -> [RefundingUser] {
    var users: [String: RefundingUser] = [:]
    for refund in reconciliation.refunds where refund.userRefunds > 1 && !refund.user.isEmpty {
      var user = users[refund.user] ?? RefundingUser(name: refund.user, refunds: 0)
      user.refunds = max(user.refunds, refund.userRefunds)
      if refund.isCounted, let currency = refund.currency, let amount = refund.amount {
        user.amounts[currency, default: 0] += amount
      }
      users[refund.user] = user
    }
    return users.values.sorted { ($1.refunds, $0.name) < ($0.refunds, $1.name) }
  }

  /// Adds the table of users with several refunds, a line per currency; of many only the first.
  private func add(_ users: [RefundingUser], to below: inout PlacedRows) {
    if users.isEmpty { return }
    let lines = users.prefix(Self.listedUsers).flatMap { user in
      let amounts = user.amounts.sorted { $0.key < $1.key }
      return (0..<max(1, amounts.count)).map { index in
        RefundingUserLine(
          name: user.name, refunds: index == 0 ? user.refunds : nil,
          amount: index < amounts.count
            ? Money(micros: -amounts[index].value, amounts[index].key) : nil)
      }
    }
    below.addTable("@sheet.users-with-several-refunds", lines, of: List.refundingUsers)
    let rest = users.count - Self.listedUsers
    if rest > 0 { below.add([.words("@shared.and-more \(rest)")], .subtitle) }
  }
}

extension List<RefundingUserLine> {
  /// The columns of users with several refunds. Figures, not formulas: a spreadsheet takes users'
  /// names of many digits for rounded numbers, and stars in them for any text.
  fileprivate static var refundingUsers: List {
    List([
      Column(.text("@shared.user")) { .text(ifAny: $0.name) },
      Column(.text("")) { _ in .blank }, Column(.text("")) { _ in .blank },
      Column(.text("@shared.currency")) { .text(ifAny: $0.amount?.currency.code) },
      Column(.number("@shared.refunds")) { .integer(ifAny: $0.refunds.map { Int64($0) }) },
      Column(.number("@shared.amount")) { .money(ifAny: $0.amount?.micros, $0.amount?.currency) },
    ])
  }
}

extension Reconciliation {
  /// What a refund is worth in base currency, below zero; nil where its amount or a rate is not
  /// known.
  func inBase(_ refund: RefundLine) -> Money? {
    guard let amount = refund.amount, let currency = refund.currency else { return nil }
    return inBase(Money(micros: -amount, currency))
  }
}
