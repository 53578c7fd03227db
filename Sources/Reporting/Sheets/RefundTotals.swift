import Billing
import Languages
import Matching

/// What a storefront's refunds in one currency come to.
private struct RefundSum {
  var known: RefundTotal
  /// As Apple reports them; nil where no report says anything.
  var sold: Int64?
  var refunded: Int64?
}

private struct RefundKey: Hashable {
  var storefront: Storefront?
  var currency: Currency?
}

private struct RefundingUser {
  var name: String
  var refunds: Int
  var amounts: [Currency: Int64] = [:]
}

extension WorkbookContents {
  /// Users with several refunds that are named one by one.
  private static let listedUsers = 100

  /// Below the list of refunds: per storefront what Apple reports and what the ledger knows, then
  /// the users with several refunds. Empty where there are no refunds.
  func refundTotals() -> [Row] {
    let sums = refundSums()
    guard !sums.isEmpty else { return [] }
    let users = refundingUsers()
    return refundTable(sums) + (users.isEmpty ? [] : [Row(cells: [])] + userTable(users))
  }

  /// Where the totals of all refunds stand; nil without any.
  var refundTotalsPlace: Place? {
    let count = refundSums().count
    return count == 0 ? nil : refunds.pages.totalPlace(count + 2)
  }

  /// What all refunds come to, listed or not.
  var allRefunds: [RefundTotal] {
    reconciliation.refundTotals.isEmpty
      ? RefundTotal.totals(of: reconciliation.refunds) : reconciliation.refundTotals
  }

  private func refundSums() -> [(key: RefundKey, sum: RefundSum)] {
    var sums: [RefundKey: RefundSum] = [:]
    for total in allRefunds {
      let key = RefundKey(storefront: total.storefront, currency: total.currency)
      sums[key] = RefundSum(known: total)
    }
    for line in reconciliation.proceeds {
      let key = RefundKey(storefront: line.storefront, currency: line.currency)
      guard line.unitsRefunded != 0 || sums[key] != nil else { continue }
      let none = RefundTotal(storefront: line.storefront, currency: line.currency)
      var sum = sums[key] ?? RefundSum(known: none)
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
    return sums.map { ($0.key, $0.value) }.sorted {
      ($0.0.storefront?.code ?? "", $0.0.currency?.code ?? "")
        < ($1.0.storefront?.code ?? "", $1.0.currency?.code ?? "")
    }
  }

  private func refundTable(_ sums: [(key: RefundKey, sum: RefundSum)]) -> [Row] {
    let first = refunds.pages.totalPlace(2).row
    let header = Row.tableHeader(
      ["by storefront", "storefront", "currency"],
      numbers: [
        "units sold", "units refunded", "share of sold", "refunds", "beyond window", "units",
        "amount", "not taken back",
      ])
    let all = grouped(String(sums.reduce(0) { $0 + $1.sum.known.refunds }))
    let title: Wording =
      reconciliation.refundTotals.isEmpty
      ? "Units as Apple reports them, and the refunds that the ledger knows"
      : """
      Units as Apple reports them, and all \(all) refunds that the ledger knows; listed are those \
      that something is to be said of, then others
      """
    var rows = [Row(cells: [.words(title)], style: .section), header]
    for (index, entry) in sums.enumerated() {
      rows.append(refundRow(of: entry.key, entry.sum, at: first + index))
    }
    rows.append(refundRowOfAll(sums.map(\.sum), from: first))
    return rows
  }

  private func refundRow(of key: RefundKey, _ sum: RefundSum, at row: Int) -> Row {
    let storefront = criterion(key.storefront?.code)
    let currency = criterion(key.currency?.code)
    func known(
      _ function: String, _ value: Cell, of column: Int? = nil, marked mark: Int? = nil
    ) -> Cell {
      guard sum.known.refunds > 0, value != .blank, reconciliation.refundTotals.isEmpty else {
        return value
      }
      let formula = refunds.pages.sum { range in
        var parts = column.map { [range($0)] } ?? []
        parts += [range(RefundColumn.what), "\"\(say("*refund"))\""]
        parts += [range(RefundColumn.storefront), storefront]
        parts += [range(RefundColumn.currency), currency]
        if let mark { parts += [range(mark), "\"\(say("yes"))\""] }
        return "\(function)(\(parts.joined(separator: ",")))"
      }
      return .formula(formula, value)
    }
    func reported(_ letter: String, _ value: Int64?) -> Cell {
      guard let value else { return .blank }
      let last = reconciliation.proceeds.count + 1
      func range(_ letter: String) -> String {
        "\(quoted(sheet: proceedsSheetName))!$\(letter)$2:$\(letter)$\(last)"
      }
      let criteria = "\(range("A")),\(storefront),\(range("B")),\(currency)"
      return .formula("SUMIFS(\(range(letter)),\(criteria))", .integer(value))
    }
    // An amount of an unknown currency is added to nothing.
    let amount = key.currency == nil ? nil : sum.known.amount.map { -$0 }
    return Row(cells: [
      key.storefront == nil ? .words("not known") : .blank, .text(ifAny: key.storefront?.code),
      .text(ifAny: key.currency?.code),
      reported("D", sum.sold), reported("E", sum.refunded),
      share(of: sum.refunded, in: sum.sold, at: row),
      known("COUNTIFS", .integer(sum.known.refunds)),
      known("COUNTIFS", .integer(sum.known.beyondWindow), marked: RefundColumn.beyondWindow),
      known("SUMIFS", .integer(sum.known.units), of: RefundColumn.units),
      known("SUMIFS", .money(ifAny: amount, key.currency), of: RefundColumn.amount),
      known("COUNTIFS", .integer(sum.known.notTakenBack), marked: RefundColumn.notTakenBack),
    ])
  }

  private func refundRowOfAll(_ sums: [RefundSum], from first: Int) -> Row {
    let last = first + sums.count - 1
    func total(_ letter: String, _ value: (RefundSum) -> Int64) -> Cell {
      .formula(
        "SUM(\(letter)\(first):\(letter)\(last))", .integer(sums.reduce(0) { $0 + value($1) }))
    }
    let (sold, refunded) = sums.reduce((0, 0) as (Int64, Int64)) {
      ($0.0 + ($1.sold ?? 0), $0.1 + ($1.refunded ?? 0))
    }
    let hasReports = sums.contains { $0.sold != nil }
    return Row(
      cells: [
        .words("all"), .blank, .blank, hasReports ? total("D") { $0.sold ?? 0 } : .blank,
        hasReports ? total("E") { $0.refunded ?? 0 } : .blank,
        hasReports ? share(of: refunded, in: sold, at: last + 1) : .blank,
        total("G", \.known.refunds), total("H", \.known.beyondWindow),
        total("I", \.known.units), .blank, total("K", \.known.notTakenBack),
      ], style: .total)
  }

  private func share(of refunded: Int64?, in sold: Int64?, at row: Int) -> Cell {
    guard let refunded, let sold, let share = ratio(refunded, of: sold) else { return .blank }
    return .formula("IF(D\(row)=0,0,E\(row)/D\(row))", .ratio(share))
  }

  /// What a formula compares with; a cell without a word has none.
  private func criterion(_ word: String?) -> String { "\"\(word ?? "=")\"" }

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

  /// Figures, not formulas: a spreadsheet takes users' names of many digits for rounded numbers,
  /// and stars in them for any text.
  private func userTable(_ users: [RefundingUser]) -> [Row] {
    var rows = [
      Row(cells: [.words("Users with several refunds")], style: .section),
      Row.tableHeader(["user", "", "", "currency"], numbers: ["refunds", "amount"]),
    ]
    for user in users.prefix(Self.listedUsers) {
      let amounts = user.amounts.sorted { $0.key < $1.key }
      for index in 0..<max(1, amounts.count) {
        let amount = index < amounts.count ? amounts[index] : nil
        rows.append(
          Row(cells: [
            .text(ifAny: user.name), .blank, .blank, .text(ifAny: amount?.key.code),
            index == 0 ? .integer(Int64(user.refunds)) : .blank,
            .money(ifAny: amount.map { -$0.value }, amount?.key),
          ]))
      }
    }
    let rest = users.count - Self.listedUsers
    if rest > 0, reconciliation.refundTotals.isEmpty {
      rows.append(Row(cells: [.words("and \(rest) more users")], style: .subtitle))
    }
    return rows
  }
}
