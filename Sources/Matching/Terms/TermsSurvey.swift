import Billing
import Conclusions
import Pricing

/// Which documented terms explain Apple's rows, by storefront, platform and product, and since
/// when.
///
/// Every row's rounded proceeds leave a narrow span of commissions, and so a few documented states
/// of an account. What the configuration says goes before; rows that show otherwise on enough days
/// are kept beside it.
struct TermsSurvey: Sendable {
  private(set) var shown = ShownTerms()
  private(set) var lines: [TermsLine] = []
  private(set) var changes: [TermsChange] = []

  /// Finds out which terms the sales of the period show.
  ///
  /// - Parameters:
  ///   - counted: indices of groups that are sales of the period.
  ///   - seasons: over which no rule changes.
  ///   - earlier: what the reports of the period before show.
  init(
    _ groups: ReportGroups, counted: [Int], seasons: Seasons, context: MatchingContext,
    earlier: ShownTerms?
  ) {
    var start = TermsStart(earlier: earlier)
    /// Puts the sales into cells by what `start` says that their terms begin with, and finds out
    /// what each cell shows.
    func survey() -> [CellTerms] {
      var cells = TermsCells(groups, counted: counted, seasons: seasons, context, start)
      return cells.take().map { cell in
        CellTerms(cell, groups, context, hasEarlier: earlier?.last(of: cell.scope) != nil)
      }
    }
    var found = survey()
    if start.takeCommonClass(of: found.map(\.proof)) { found = survey() }
    Self.nameAllButTheLargest(&found)
    let accepted = Self.acceptedDays(found)
    var courses: [ShownTerms.Key: [ShownTerms.Course]] = [:]
    for var terms in found {
      terms.align(accepted)
      courses[ShownTerms.Key(terms.cell.scope), default: []] += terms.courses
      let told = terms.told()
      lines += told.lines
      changes += told.changes
    }
    lines.sort(by: TermsLine.isOrderedBefore)
    changes.sort { ($0.line.from, $0.order) < ($1.line.from, $1.order) }
    shown = ShownTerms(
      courses, on: context.period.first...context.period.last,
      accepted: accepted.mapValues(\.day))
  }

  /// Of several cells of one storefront, platform and class, makes all but the one with most rows
  /// list their products: that one stands for all others, and for any product that comes new.
  /// Products that began with terms of their own are a cell of their own.
  private static func nameAllButTheLargest(_ found: inout [CellTerms]) {
    let rests = Dictionary(grouping: found.indices.filter { found[$0].isOfOthers }) {
      ShownTerms.Key(found[$0].cell.scope)
    }
    for cells in rests.values where cells.count > 1 {
      let largest = cells.max { (found[$0].rowCount, -$0) < (found[$1].rowCount, -$1) }
      for cell in cells where cell != largest { found[cell].nameOthers() }
    }
  }

  /// By agreement, the day on which the account accepted it: it does so on one day, which is the
  /// one that most rows prove on both sides.
  private static func acceptedDays(_ found: [CellTerms]) -> [String: CellTerms.Acceptance] {
    var best: [String: CellTerms.Acceptance] = [:]
    for proof in found.flatMap(\.acceptances) {
      if let known = best[proof.agreement],
        (known.rows, proof.day.number) >= (proof.rows, known.day.number)
      {
        continue
      }
      best[proof.agreement] = proof
    }
    return best
  }
}

/// Where terms became others.
struct TermsChange: Sendable {
  /// What holds since.
  var line: TermsLine
  var before: HeldTerms
  /// The days on which it may have begun, which leave equally many rows unexplained; one where the
  /// rows, a document or the configuration tell it.
  var begins: ClosedRange<Day>
  /// What the rows since bring more than they would have before, micro-units.
  var effect: Int64

  /// What changes of one day are sorted by.
  fileprivate var order: String {
    "\(line.storefront) \(line.platform?.rawValue ?? "") \(line.isAfterOneYear) \(line.skus)"
  }
}
