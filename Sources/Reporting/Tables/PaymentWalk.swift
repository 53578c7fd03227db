import Billing
import Languages
import Conclusions

/// From what Apple settled of a fiscal month to what it paid for it, all regions together, in base
/// currency at the rates of the month's last day.
struct PaymentWalk {
  enum Step: Hashable {
    case settled, earned, difference, adjustment, inputTax, withholding, carriedBalance, unexplained
    case owed, notPaid, exchange, paid

    /// Whether the step is what those before it come to.
    var isTotal: Bool { self == .owed || self == .paid }
  }

  struct Line {
    var step: Step
    var amount: Money
  }

  /// Steps that are nothing are left out, but for what is settled, owed and paid.
  var lines: [Line] = []
  /// What is owed and not paid, by currency.
  var notPaid: [Money] = []

  /// Follows a fiscal month from settled to paid; nil where no payments summary is loaded, or a
  /// rate is missing.
  init?(_ month: Reconciliation) {
    guard let payments = month.settlement?.payments, !payments.isEmpty else { return nil }
    /// A part of payments added up in base currency; nil where a rate is missing.
    func sum(_ all: [RegionPayment], _ part: (RegionPayment) -> Money?) -> Money? {
      let amounts = Dictionary(grouping: all.compactMap(part), by: \.currency)
        .map { $1.sum(in: $0, \.self) }
      let known = amounts.compactMap { month.inBase($0) }
      return known.count == amounts.count ? known.sum(in: month.baseCurrency, \.self) : nil
    }
    let unpaid = payments.filter { $0.paid == nil }
    let parts: [(Step, Money?)] = [
      (.settled, sum(payments, \.settled)),
      (.earned, sum(payments) { $0.settled == nil ? $0.earned : nil }),
      (.difference, sum(payments, \.difference)), (.adjustment, sum(payments, \.adjustment)),
      (.inputTax, sum(payments, \.inputTax)), (.withholding, sum(payments, \.withholding)),
      (.carriedBalance, sum(payments, \.carriedBalance)),
      (.unexplained, sum(payments, \.unexplained)),
    ]
    guard let owedUnpaid = sum(unpaid, \.owed), let paid = sum(payments, \.paid) else {
      return nil
    }
    var running = Money.zero(month.baseCurrency)
    for (step, amount) in parts {
      guard let amount else { return nil }
      running += amount
      if !amount.isZero || step == .settled { lines.append(Line(step: step, amount: amount)) }
    }
    lines.append(Line(step: .owed, amount: running))
    if !owedUnpaid.isZero { lines.append(Line(step: .notPaid, amount: -owedUnpaid)) }
    let exchange = paid - (running - owedUnpaid)
    if !exchange.isZero { lines.append(Line(step: .exchange, amount: exchange)) }
    lines.append(Line(step: .paid, amount: paid))
    notPaid = Dictionary(grouping: unpaid, by: \.currency)
      .map { $1.sum(in: $0, \.owed) }.filter { !$0.isZero }.sorted { $0.currency < $1.currency }
  }

  /// The amount of a step; nil where it was left out.
  subscript(step: Step) -> Money? { lines.first { $0.step == step }?.amount }
}

extension WorkbookContents {
  /// The walk from settled to paid; nil where no payments summary is loaded, or a rate is missing.
  var paymentWalk: PaymentWalk? { PaymentWalk(reconciliation) }

  /// The place of a step below the payout statement; nil where it has no row.
  func walkPlace(of step: PaymentWalk.Step) -> Place? {
    guard let walk = paymentWalk, let above = rowsAbovePaymentWalk,
      let index = walk.lines.firstIndex(where: { $0.step == step })
    else { return nil }
    // An empty row, a title and the columns' titles stand between.
    return Place(sheet: say("@sheet.payout-statement"), row: above.next + 3 + index)
  }

  /// The cell with a step's amount, as formulas of other sheets write it.
  func walkReference(_ place: Place) -> String {
    "\(quoted(sheet: place.sheet))!$\(walkLetter)$\(place.row)"
  }

  /// The letter of the column with the amounts.
  private var walkLetter: String { columnLetters(2) }

  /// Adds the walk from settled to paid below the payout statement, each line leading to what it is
  /// made of.
  func addPaymentWalk(to below: inout PlacedRows) {
    guard let walk = paymentWalk, let place = walkPlace(of: .settled) else { return }
    let base = reconciliation.baseCurrency
    below.add()
    below.add([.words("@sheet.from-settled-to-paid \(reconciliation.period) \(base)")], .section)
    below.add(.tableHeader(["@shared.step", ""], numbers: ["@shared.in-2 \(base)"]))
    precondition(below.next == place.row, "the walk stands elsewhere")
    var first = place.row
    for line in walk.lines {
      let here = below.next
      let label = label(of: line.step, walk)
      let amount = Cell.money(line.amount)
      below.add(
        [
          source(of: line.step).map { .link($0, say(label)) } ?? .words(label), .blank,
          line.step.isTotal
            ? .formula("SUM(\(walkLetter)\(first):\(walkLetter)\(here - 1))", amount) : amount,
        ], line.step.isTotal ? .total : .body)
      if line.step.isTotal { first = here }
    }
  }

  /// Adds below the walk what Apple owes at the month's end, divided into what it settled, what it
  /// settles later and payments that it did not make. Left out where more than rounding is in it
  /// beside these: a payment of an earlier month that comes after this one's end.
  func addClosingParts(to below: inout PlacedRows) {
    guard let walk = paymentWalk, let closing = reconciliation.owedByApple,
      let total = receivableTotal
    else { return }
    let base = reconciliation.baseCurrency
    var parts: [(name: Wording, formula: String, amount: Money)] = []
    /// Adds a step of the payment walk to the parts of what Apple owes, where it has a row there.
    func add(_ step: PaymentWalk.Step) {
      guard let amount = walk[step], let place = walkPlace(of: step) else { return }
      parts.append((label(of: step, walk), walkReference(place), amount))
    }
    add(.settled)
    let carried = reconciliation.bridges.first(where: \.isSummary)?.steps.first {
      $0.cause == .settlementCarryOut
    }
    if let carried, let reference = bridgeTotalReference(of: .settlementCarryOut) {
      parts.append(("@sheet.sold-not-settled", "-\(reference)", -carried.amount))
    }
    add(.carriedBalance)
    let rest = closing - parts.sum(in: base) { $0.amount }
    let conversions = reconciliation.receivable.count + reconciliation.bridges.count
    guard rest.magnitude.micros <= base.minorUnit * Int64(conversions) else { return }
    below.add()
    below.add([.words("@sheet.closing-parts \(reconciliation.period) \(base)")], .section)
    below.add(.tableHeader(["@shared.step", ""], numbers: ["@shared.in-2 \(base)"]))
    let first = below.next
    for part in parts {
      below.add([.words(part.name), .blank, .formula(part.formula, .money(part.amount))])
    }
    let sum = "SUM(\(walkLetter)\(first):\(walkLetter)\(below.last))"
    let owed = "\(quoted(sheet: total.place.sheet))!\(total.letter)\(total.place.row)"
    if !rest.isZero {
      below.add([
        .words("@shared.rounding"), .blank,
        .formula("ROUND(\(owed)-\(sum),\(base.minorDigits))", .money(rest)),
      ])
    }
    below.add(
      [
        .link(total.place, say(CloseFigure.closing.label)), .blank,
        .formula("SUM(\(walkLetter)\(first):\(walkLetter)\(below.last))", .money(closing)),
      ], .total)
  }

  /// What a step is called in the sheet.
  private func label(of step: PaymentWalk.Step, _ walk: PaymentWalk) -> Wording {
    switch step {
    case .settled: CloseFigure.settled.label
    case .earned: "@sheet.earned-no-report"
    case .difference: "@sheet.paid-not-as-owed"
    case .adjustment: "@shared.adjustment"
    case .inputTax: "@shared.input-tax"
    case .withholding: "@shared.withholding"
    case .carriedBalance: "@sheet.carried-from-earlier-payments"
    case .unexplained: "@shared.unexplained"
    case .owed: "@sheet.owed"
    case .notPaid: "@sheet.not-paid-carried-on \(listed(walk.notPaid))"
    case .exchange: "@sheet.exchange-and-rounding"
    case .paid: "@sheet.paid-on \(paidDays)"
    }
  }

  /// The days of the month's payouts, in words.
  var paidDays: String {
    let days = Set((reconciliation.settlement?.payouts ?? []).map(\.day)).sorted()
    return days.map(\.description).joined(separator: ", ")
  }

  /// The place of what a step is made of; nil where no sheet has it.
  private func source(of step: PaymentWalk.Step) -> Place? {
    switch step {
    case .settled:
      reconciliation.settlement?.lines.isEmpty == false
        ? Place(sheet: say("@sheet.settlement"), row: 1) : nil
    case .difference: findingPlace(.paymentDiffers)
    case .adjustment: findingPlace(.adjustment)
    case .withholding: findingPlace(.withholding)
    case .notPaid, .carriedBalance: findingPlace(.carriedBalance)
    case .earned, .inputTax, .unexplained, .owed, .exchange, .paid: nil
    }
  }
}
