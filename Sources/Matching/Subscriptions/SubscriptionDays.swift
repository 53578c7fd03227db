import Billing
import Pricing

/// The period's days and the day on either side, as Apple cuts them in each storefront.
struct SubscriptionDays {
  /// A way to cut days, for all storefronts; the sales reports' own comes first.
  enum Rule: CaseIterable {
    case sales, pacific, territory, utc
  }

  let rule: Rule
  let first: Day
  /// Days in all.
  let count: Int
  private let starts: [Storefront?: [Int64]]

  /// Cuts the days of all storefronts by a rule.
  ///
  /// - Parameter sales: in which zones the sales reports' days are cut.
  init(
    _ rule: Rule, _ storefronts: Set<Storefront?>, sales: [Storefront: Zone],
    _ context: MatchingContext
  ) {
    self.rule = rule
    let first = context.period.first.advanced(by: -1)
    let count = context.period.dayCount + 2
    let pacific = context.zone("America/Los_Angeles")
    var starts: [Storefront?: [Int64]] = [:]
    for storefront in storefronts {
      let zone: Zone =
        switch rule {
        case .sales: storefront.flatMap { sales[$0] } ?? pacific
        case .pacific: pacific
        case .utc: .utc
        case .territory:
          storefront.flatMap { context.storefronts.territory(of: $0) }
            .map { context.zone($0.zoneName) } ?? pacific
        }
      starts[storefront] = (0...count).map { zone.start(of: first.advanced(by: $0)).seconds }
    }
    (self.first, self.count, self.starts) = (first, count, starts)
  }

  /// The day at a place.
  func day(_ index: Int) -> Day { first.advanced(by: index) }

  /// The place of a day; nil for one that is not among them.
  func index(_ day: Day) -> Int? {
    let index = first.distance(to: day)
    return index >= 0 && index < count ? index : nil
  }

  /// The place of the day that a moment, in seconds since 1970, is of in a storefront; nil where it
  /// is none of these days.
  func index(_ seconds: Int64, in storefront: Storefront?) -> Int? {
    let starts = starts[storefront]!
    let place = starts.partitioningIndex { $0 > seconds } - 1
    return place >= 0 && place < count ? place : nil
  }

  /// When a day begins in a storefront, in seconds since 1970.
  ///
  /// - Parameter index: the place of the day; ``count`` for the end of the last day.
  func start(_ index: Int, in storefront: Storefront?) -> Int64 { starts[storefront]![index] }
}

/// What the ledger has on one of Apple's days, of one kind.
struct OwnDay: Equatable {
  var count: Int64 = 0
  /// Of them those that Apple need not have.
  var optional: Int64 = 0
  /// Of them those near the day's start and its end.
  var nearStart: Int64 = 0
  var nearEnd: Int64 = 0
}

/// Units by day, each of which explains one other unit on its own day or the one beside it.
struct UnitsByDay: Equatable {
  private var left: [Int64]

  init(_ days: Int) { left = Array(repeating: 0, count: days) }

  mutating func add(_ units: Int64, on day: Int) { left[day] += units }

  /// Takes as many units of a day and those beside it as there are, the earliest first, and returns
  /// how many.
  mutating func take(_ units: Int64, near day: Int) -> Int64 {
    var rest = units
    for beside in max(day - 1, 0)...min(day + 1, left.count - 1) {
      let taken = min(rest, left[beside])
      left[beside] -= taken
      rest -= taken
    }
    return units - rest
  }
}

/// What is left of the days' differences when what is near a boundary may stand on its other side.
struct UnexplainedDays: Equatable {
  /// Apple's less the ledger's, by day; 0 where Apple's is not known.
  private(set) var left: [Int64]
  private(set) var moved: Int64 = 0

  /// Compares numbers by day, and sets off what stands on the other side of a boundary.
  ///
  /// - Parameters:
  ///   - apple: by day; nil where no report is there.
  ///   - own: by day.
  init(_ apple: [Int64?], _ own: [OwnDay]) {
    left = zip(apple, own).map { apple, own in
      guard let apple else { return 0 }
      if apple > own.count { return apple - own.count }
      return min(0, apple - (own.count - own.optional))
    }
    for day in apple.indices.dropLast() {
      let (toNext, toThis) = (own[day].nearEnd, own[day + 1].nearStart)
      switch (apple[day] != nil, apple[day + 1] != nil) {
      case (true, true):
        if left[day] < 0, left[day + 1] > 0 {
          move(min(-left[day], left[day + 1], toNext), from: day + 1, to: day)
        } else if left[day] > 0, left[day + 1] < 0 {
          move(min(left[day], -left[day + 1], toThis), from: day, to: day + 1)
        }
      case (true, false): absorb(day, missing: toNext, further: toThis)
      case (false, true): absorb(day + 1, missing: toThis, further: toNext)
      case (false, false): break
      }
    }
  }

  /// Takes units off the difference of a day on which Apple has too many, and adds them to that of
  /// the day beside it, on which Apple has too few; `from` and `to` are places of days.
  private mutating func move(_ units: Int64, from: Int, to: Int) {
    left[from] -= units
    left[to] += units
    moved += units
  }

  /// Subtracts from a day's difference what a neighbouring day without a report may explain: units
  /// that Apple lacks may stand there, and units that it has beyond the ledger's may be that day's.
  ///
  /// - Parameters:
  ///   - day: the place of the day that has a report.
  ///   - missing: the ledger's units of this day that are near the other one.
  ///   - further: the ledger's units of the other day that are near this one.
  private mutating func absorb(_ day: Int, missing: Int64, further: Int64) {
    let units = left[day] < 0 ? -min(-left[day], missing) : min(left[day], further)
    left[day] -= units
    moved += abs(units)
  }

  /// Subtracts from a day's difference units that a difference of another kind of event explains.
  ///
  /// - Parameters:
  ///   - units: with the sign of the day's difference.
  ///   - day: its place.
  mutating func explain(_ units: Int64, on day: Int) { left[day] -= units }
}
