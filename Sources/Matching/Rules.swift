package import Billing
import Conclusions

/// The windows, tolerances, limits and weights that conclusions rest on, by name. Matching and the
/// explanation of what it did use the same ones; what a company may choose is in `Settings`.
package enum Rules {
  // MARK: Which facts a period reads

  /// Purchases over the period's edge that are listed one by one; of more, those of one product
  /// and the same two days stand together.
  package static let readableMoves = 5_000

  /// Days before a period in which purchases may be of one of its days under any rule of Apple's
  /// days, with a day to trace orders back.
  package static let daysBefore = 3
  /// The same after a period.
  package static let daysAfter = 4
  /// Days before those in which most chains that go on had their last renewal; those that had it
  /// earlier are looked for in all that is older.
  package static let recentRenewals = 45
  /// Rounds in which rows of other periods bring along what they name: a transaction of another
  /// month may name an order of a third one.
  package static let roundsOutsidePeriod = 3

  /// Seconds between purchases counted elsewhere whose rows are asked for together.
  static let askedTogether: Int64 = 3600

  // MARK: Orders and transactions

  /// Seconds before a purchase in which the order was placed that it may be traced back to: a day,
  /// because a payment that a bank or a parent must allow comes hours later.
  package static let traceBack: Int64 = 86_400
  /// Seconds by which the company's clock may be ahead of Apple's.
  package static let clockTolerance: Int64 = 300
  /// The same in the steps by which back-tracing goes there: what is nearer comes first.
  package static let clockLeads: [Int64] = [10, 40, 160, clockTolerance]
  /// Seconds by which sources of one transaction may differ in its time: some cut milliseconds off,
  /// some round them.
  static let roundingOfTimes: Int64 = 1
  /// Orders that name one ID that no transaction has, from which on it stands for nothing, and the
  /// part of the period's orders that they are more than: one of this many.
  static let repeatedOrders = 20
  static let repeatedShare = 100
  /// How many times as many transactions have a bundle's own app identifier as any other.
  static let mostOfApp = 10
  /// Purchases that have a name of the company's own beside Apple's, from which on it is one, and
  /// how many times as many as have either name beside another.
  static let fewestOfName = 3
  static let mostOfName = 10

  // MARK: Coins

  /// More coins than any order is for.
  static let mostCoins: Int64 = 1_000_000_000_000
  /// Orders and transactions that movements name and the ledger does not have, of which each is
  /// kept; of more, coins count by day and product.
  static let strayCoins = 500_000
  /// Days after which coins that went away before they came are no matter of clocks.
  static let earlyCoins = 1
  /// Users whose movements are put in order at once.
  static let suspectsAtOnce = 200_000
  /// Days from what lacks to what is too much, where coins come late on each day between.
  static let lateChain = 7
  /// Coins come late as a rule where more than one of so many stands for another day's.
  static let lateShare: Int64 = 200
  /// Days from a subscription's purchase in which coins that name it are its own; later ones are a
  /// renewal's.
  static let renewalGrant: Int32 = 2
  /// Days after a refund in which its coins may be taken back, and those in which they may at last.
  static let takeBack: Int32 = 2
  static let takeBackAtLast: Int32 = 60

  // MARK: Clocks

  /// Quarter hours by which a clock may be off: a day.
  static let clockQuarters = 96
  /// Files times terms whose clocks are looked at one by one: some hundred megabytes.
  static let clockCells = 4_000_000
  /// Seconds before a purchase in which most orders are placed.
  package static let clockSlack: Int64 = 600
  /// Pairs that show that a clock is off, at least.
  static let clockPairs = 20
  /// How many times as many pairs are that far apart as a quarter hour less.
  static let clockPeak = 3
  /// The part of all pairs that are that far apart at least, where no file is: one of this many.
  static let clockShare = 50
  /// The part of all pairs whose orders come after their purchases, where the orders' clock is a
  /// little ahead of Apple's: one of this many.
  static let skewShare = 50
  /// Seconds within which the furthest of such leads has others beside it, and how many: single
  /// orders may come late for reasons of their own.
  static let skewStep = 10
  static let skewNeighbours = 3
  /// The part of such leads that stand beside the furthest at least: one of this many.
  static let skewTail = 50
  /// The part of all units by which Apple's days do not fit at least, where all clocks are off
  /// together: one of this many.
  static let clockMisfit: Int64 = 20
  /// Quarter hours on either side of a shift that are no other one.
  static let clockNeighbours = 4
  /// Of a hundred pairs that no id ties those that have to be apart where a file's clock is off:
  /// some orders come to nothing, and stand beside a purchase of someone else's.
  static let lonelyShare = 66

  /// Seconds between an order and a second one of the same user and product within which the second
  /// is probably another try: apps try again at once, customers within the hour.
  static let triedAgain: Int64 = 3600

  // MARK: What the inputs leave out

  /// Purchases or orders without their other side from which on more than half of all, or all of a
  /// storefront's, show that a side is not loaded or that matching failed.
  static let standAlone = 20

  /// Findings that follow from a column that is not told, from which on they are told as one.
  static let gapFindings = 5

  // MARK: Subscriptions

  /// Seconds after the end of a paid period within which a renewal follows at once.
  static let promptRenewal: Int64 = 3600
  /// Seconds before the end of a paid period from which a renewal is turned off or a first charge
  /// fails.
  static let renewalNotice: Int64 = 86_400
  /// Seconds for which Apple goes on trying to charge a renewal: up to 60 days (Apple, Reducing
  /// Involuntary Subscriber Churn, read on 2026-11-22).
  static let billingRetry: Int64 = 60 * 86_400
  /// Seconds of an average month, to count months by.
  static let averageMonth: Int64 = 2_630_000
  /// Seconds by which a period of whole calendar months may end beside the same time of day: a day,
  /// and the two hours of a change of clocks.
  static let calendarMonthSlack: Int64 = 93_600
  /// Seconds by which a gap may differ from whole periods.
  static let periodSlack: Int64 = 86_400

  /// Chains of renewals that are listed one by one; of more only those that a finding is about.
  package static let readableChains = 50_000

  /// Days before a period in which a user's earlier trial or introductory price is looked for.
  package static let earlierOffers = 400

  /// Seconds before a period's start from which a chain's beginning is among its purchases.
  static let begunEarlier: Int64 = 86_400

  // MARK: Apple's days

  /// Hours by which the earliest time zone is ahead of UTC, and the latest behind it.
  static let earliestZone = 14
  static let latestZone = 12
  /// Minutes in steps of which time zones differ.
  static let zoneStep = 15
  /// Sale units below which a storefront does not speak for itself about where its days begin.
  static let boundaryUnits: Int64 = 100
  /// Sales of a product in a storefront up to which they are counted one by one, not over all days:
  /// the result is the same.
  static let fewUnits = 32
  /// Units by which a fixed offset must beat a documented rule: four bought just before a boundary
  /// and booked just after it make as much of a difference to the documented rule.
  static let boundaryDoubt: Int64 = 8
  /// How many times as many units another rule leaves unmatched as a small storefront's own.
  static let boundaryLead: Int64 = 3
  /// Seconds within which a fixed offset is taken for a documented rule.
  static let boundaryNearness: Int64 = 3600

  /// Seconds from a boundary within which Apple may book a purchase on its other side: what is
  /// further off, up to the settings' window, is told as unproven.
  package static let timingNearness: Int64 = 1800

  /// Days after which Apple's report of a day is due.
  static let reportDelay = 2
  /// Days from which on the ledger's money is of another age.
  static let ages = [0, 3, 8, 31]
  /// Purchases of one side from which a day without any of the other's is no chance.
  static let eventfulDay = 10

  // MARK: Deductions

  /// Rows that either side of a change of a deduction has to show.
  static let changeRows: Int64 = 5
  /// Units that either side has to show.
  static let changeUnits: Int64 = 20
  /// Units of a hundred that the rate of a side has to explain.
  static let changeShare: Int64 = 95

  // MARK: Terms

  /// Groups of products with terms of their own that are told apart in a storefront and platform.
  static let termsGroups = 16
  /// Findings of one storefront whose proceeds show the same commission, from which on they are
  /// told as one.
  static let alikeProceeds = 5

  // MARK: Settlement and payment

  /// Days that a row of Apple's sales reports may span: a report of a year.
  package static let longestReport = 366
  /// Days after a fiscal month whose exchange rates its payment may need.
  package static let ratesAfterMonth = 100

  /// Days around the day of a payout, as Apple's file tells it, in which the bank may book it.
  static let bankDays = 10
  /// Days after the usual day of a payout in which it may come where no file tells its day.
  static let bankDaysUntold = 30
  /// Days after a month in which payouts of the months before may come to the bank.
  package static let bankDaysAfterMonth = bankDaysUntold + FiscalMonth.paymentDelay
  /// Days after the day of a payout from which it is late.
  static let bankDelay = 5

  /// Credits among which those are looked for that come to one payout.
  static let mostPayoutParts = 12
  /// Days after a credit in which a debit of its amount may take it back: banks investigate for
  /// weeks.
  static let bankReturnDays = 30

  // MARK: Plans

  /// The part by which rounding to whole coins may raise the net per coin without a remark,
  /// millionths: 66 for 68.77 is what planners mean by rounding, 6 for 6.88 is another rate.
  package static let roundedCoins: Int64 = 50_000

  // MARK: Patterns

  /// Findings that a pattern needs at least.
  static let patternFindings = 5
  /// The part of a code's findings that a pattern needs at least: one of this many.
  static let patternPart = 10
  /// Powers of ten that a pattern is rarer than by chance: one in a million.
  static let patternRarity = 6
  /// How much more of the findings than of all business share a value.
  static let patternExcess = 1.5
  /// The part of a code's findings that a storefront or a product needs at least: one of this many.
  /// Less than half needs to be rarer, too: where and what is sold is uneven by nature.
  static let unevenPart = 5
  static let unevenRarity = 9
  /// Refunds beside the findings that show how refunds divide over time, at least.
  static let fewestRefunds = 50
  /// Quarter hours that recurring hours may last, and days on which they have to recur; no day has
  /// more than twice an even part of so many.
  static let recurringQuarters = 24
  static let recurringDays = 5
  /// Users that make a ring.
  static let ringUsers = 3
  /// Powers of ten that the days of a pattern's findings are rarer than by chance.
  static let onsetRarity = 4

  // MARK: Days that stand out in the flow of purchases

  /// Days below which nobody can say what is usual.
  static let flowDays = 8
  /// Purchases of a day from which its counts and its median delay are compared.
  static let flowPurchases = 20
  /// Purchases of a day from which the delay of its slowest twentieth is compared.
  static let flowPurchasesForLate = 60
  /// Deviations by which an unusual count is further away than chance and weekdays carry it.
  static let flowDeviations = 6.0
  /// Deviations by which an unusual delay is.
  static let flowDelayDeviations = 8.0
  /// Seconds by which an unusual median delay is longer.
  static let flowSlowMedian: Int64 = 60
  /// Seconds by which an unusual delay of the slowest twentieth is longer.
  static let flowSlowLate: Int64 = 300
  /// Purchases without goods that stand out at least.
  static let flowUnfulfilled = 5
  /// Times the others' share that an unusual share of purchases without goods is at least.
  static let flowUnfulfilledExcess = 3.0
  /// Powers of ten that it is rarer than by chance.
  static let flowRarity = 8

  // MARK: Steps of purchases by the company's log

  /// Milliseconds by which an unusual median time of a step is longer, and by which an unusual time
  /// of the slowest twentieth is.
  static let stageSlowMedian: Int64 = 500
  static let stageSlowLate: Int64 = 2000
  /// Stages that are told one by one; a log with more names than these has something else in the
  /// column.
  static let stages = 40

  /// Refunds that one source tells against signed payloads, from which on they are one finding.
  static let alikeContradictions = 5

  // MARK: What is named and shown

  /// Rows that a finding names of one kind.
  static let namedRows = 100
  /// Names that a finding says of all that differ.
  static let namedNames = 5
  /// Rows on either side of a change of a deduction that are named as its proof.
  static let proofRows = 20
  /// Seconds around Apple's day in which units of other days may be behind a difference.
  package static let besideDay: Int64 = 6 * 3600
  /// Seconds around Apple's day in which orders without a transaction may be behind a difference.
  package static let openOrdersBesideDay: Int64 = 86_400
  /// Seconds before Apple's day of a refund in which refunded orders are looked for: customers
  /// generally ask for their money back within 90 days of the purchase.
  package static let refundReach: Int64 = 90 * 86_400
  /// Candidates of which sets are counted that come to a difference.
  static let combinedCandidates = 200
  /// Seconds around an order or a purchase in which others are shown, however they came out.
  package static let nearby: Int64 = 3600
  /// Orders or purchases nearby that are shown.
  package static let nearbyShown = 5
}

extension Rules {
  /// The days of the age that `age` days are of; without an upper bound the oldest.
  package static func ages(with age: Int) -> (from: Int, to: Int?) {
    let place = ages.lastIndex { $0 <= age } ?? 0
    return (ages[place], place + 1 < ages.count ? ages[place + 1] - 1 : nil)
  }
}

extension Period {
  /// Days whose purchases may be of the period.
  package var purchaseDays: ClosedRange<Day> {
    first.advanced(by: -Rules.daysBefore)...last.advanced(by: Rules.daysAfter)
  }
}
