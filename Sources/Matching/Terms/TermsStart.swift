import Billing
import Pricing

/// What holds where the configuration says nothing, before rows show it.
struct TermsStart {
  /// What the rows of a storefront, platform and class prove.
  struct Proof {
    var scope: TermsScope
    /// Rows by the class that gives them.
    var rows: [CommissionClass: Int64] = [:]
    /// Rows that no documented terms give.
    var unexplained: Int64 = 0
    var all: Int64 = 0

    /// Nothing is proven of the scope's rows yet.
    init(scope: TermsScope) { self.scope = scope }
  }

  /// What the reports of the period before show.
  private let earlier: ShownTerms?
  /// Where no documented terms explain most rows: they have a tax that no table knows, and the
  /// class is that of most other rows of the account.
  private var unexplained: Set<ShownTerms.Key> = []
  /// That class; nil where none has most of the rows.
  private var common: CommissionClass?

  init(earlier: ShownTerms?) { self.earlier = earlier }

  /// The state that rows of a scope begin with. Where the configuration says nothing, it is what
  /// the reports of the period before show; without these the default, or the common class where no
  /// documented terms explain most of the scope's rows.
  ///
  /// - Parameter told: what the configuration says.
  func state(of scope: TermsScope, _ told: ConfiguredTerms) -> TermsState {
    if let shown = earlier?.last(of: scope) { return told.completed(by: shown) }
    var state = told.state
    if !told.namesClass, let common, unexplained.contains(ShownTerms.Key(scope)) {
      state.commissionClass = common
    }
    return state
  }

  /// Notes where no documented terms explain most rows, and the class of most other rows of the
  /// account; returns whether rows begin with another state by that.
  mutating func takeCommonClass(of proofs: [Proof]) -> Bool {
    let ordinary = proofs.filter { !$0.scope.isAfterOneYear }
    unexplained = Set(
      ordinary.filter { $0.unexplained * 2 > $0.all }.map { ShownTerms.Key($0.scope) })
    if unexplained.isEmpty { return false }
    var rows: [CommissionClass: Int64] = [:]
    for proof in ordinary { rows.merge(proof.rows, uniquingKeysWith: +) }
    let all = rows.values.reduce(0, +)
    common = rows.first { $0.value * 2 > all }?.key
    return common != nil && common != .standard
  }
}
