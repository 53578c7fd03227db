package import Billing

/// What of a sale decides which terms it is under, beside its day.
package struct TermsScope: Hashable, Sendable {
  package var storefront: Storefront
  /// Nil where no row tells it: taken for iOS.
  package var platform: Platform?
  /// Empty where no product is meant.
  package var sku: String
  /// A subscription after a year of paid service.
  package var isAfterOneYear: Bool

  package init(
    _ storefront: Storefront, platform: Platform? = nil, sku: String = "",
    isAfterOneYear: Bool = false
  ) {
    self.storefront = storefront
    self.platform = platform
    self.sku = sku
    self.isAfterOneYear = isAfterOneYear
  }
}

/// What no table knows of an account: the class that its sale falls under, and the agreement that
/// it has accepted.
package struct TermsState: Hashable, Sendable {
  package var commissionClass: CommissionClass
  /// The newest that was accepted and concerns the sale; nil is none.
  package var agreement: String?

  package init(_ commissionClass: CommissionClass, agreement: String? = nil) {
    self.commissionClass = commissionClass
    self.agreement = agreement
  }
}

/// The terms that hold for a sale.
package struct HeldTerms: Hashable, Sendable {
  let rule: TermsRule
  package let state: TermsState

  /// `standard`, or an agreement's name.
  package var name: String { rule.name }
  package var commissionClass: CommissionClass { rule.commissionClass }
  /// Millionths of the net price.
  package var rate: Int64 { rule.rate }

  /// The first day of a document's or a table's row; nil is open.
  package var from: Day? { rule.days.from }

  package static func == (left: HeldTerms, right: HeldTerms) -> Bool {
    left.rate == right.rate && left.state == right.state && left.name == right.name
      && left.commissionClass == right.commissionClass && left.rule.days == right.rule.days
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(rate)
    hasher.combine(name)
    hasher.combine(commissionClass)
  }

  /// The terms in words for people: `EU-2026, small business 15%`.
  package var wording: Wording {
    let rate = exactPercent(rate)
    let own: Wording = commissionClass.wording
    if name == "standard" { return "\(own) \(rate)" }
    return commissionClass == .standard
      ? Wording(verbatim: "\(name) \(rate)") : "\(name), \(own) \(rate)"
  }
}

/// What the configuration says of a sale's terms; where it says nothing of a part, Apple's rows do.
package struct ConfiguredTerms: Hashable, Sendable {
  /// By the configuration, and by default where that says nothing.
  package var state: TermsState
  package var namesClass: Bool
  package var namesAgreement: Bool

  /// The configuration's state, with what it does not name taken from the one that rows show.
  package func completed(by shown: TermsState) -> TermsState {
    TermsState(
      namesClass ? state.commissionClass : shown.commissionClass,
      agreement: namesAgreement ? state.agreement : shown.agreement)
  }
}

extension PriceBook {
  /// The terms that hold for a sale on a day: what the configuration says goes before what Apple's
  /// rows show, and where neither says anything no agreement is taken for accepted.
  package func terms(of scope: TermsScope, on day: Day) -> HeldTerms {
    if let span = shown.span(of: scope, on: day) { return held(span.expected, scope, on: day) }
    let configured = configured(scope, on: day)
    var state = configured.state
    if !configured.namesClass, let last = shown.lastClass(of: scope, before: day) {
      state.commissionClass = last
    }
    // An account accepts an agreement once, for all storefronts.
    if !configured.namesAgreement {
      state.agreement = documented.agreements(scope.storefront, scope.platform, until: day)
        .last { !isOnlyShown($0, scope) && shown.accepted[$0].map { $0 <= day } ?? false }
    }
    return held(state, scope, on: day)
  }

  /// A scope whose terms are those of `scope` on every day, so that sales of many products are
  /// looked up once: without the SKU, unless the configuration or what Apple's rows show names it.
  package func common(_ scope: TermsScope) -> TermsScope {
    var common = scope
    common.sku = ""
    return isNamed(scope.sku) || isNamed("") ? scope : common
  }

  /// Whether what rows show, or a programme of the configuration, names this SKU.
  private func isNamed(_ sku: String) -> Bool {
    shown.skus.contains(sku) || programmes.contains { $0.has(sku) }
  }

  /// Names of the documented agreements that an account accepts or not, ascending.
  package static var agreementNames: [String] {
    Set(TermsTable.builtIn.rules.filter { $0.hold != .always }.map(\.name)).sorted()
  }

  /// Indexes of the configuration's programmes that have a product.
  package func programmes(of sku: String) -> [Int] {
    programmes.indices.filter { programmes[$0].has(sku) }
  }

  /// Whether terms give the proceeds of a row within `tolerance` minor units, one at least in US
  /// dollars.
  package func gives(_ row: ReportedProceeds, under terms: HeldTerms, tolerance: Int64) -> Bool {
    isNear(
      row.proceeds, expectation(of: row, under: terms, as: row.day).proceeds,
      within: allowance(row.currency, tolerance))
  }

  /// The terms of a sale on a day where the account has this class and agreement.
  package func held(_ state: TermsState, _ scope: TermsScope, on day: Day) -> HeldTerms {
    HeldTerms(
      rule: documented.rule(
        state, storefront: scope.storefront, platform: scope.platform, day: day), state: state)
  }

  /// What the configuration says of a sale's terms on a day.
  package func configured(_ scope: TermsScope, on day: Day) -> ConfiguredTerms {
    let ofProduct = programmes.last { $0.span.contains(day) && $0.has(scope.sku) }
    var commissionClass: CommissionClass = scope.isAfterOneYear ? .afterOneYear : .standard
    if smallBusiness.contains(where: { $0.contains(day) }) { commissionClass = .smallBusiness }
    if let ofProduct { commissionClass = ofProduct.name }
    let names = documented.agreements(scope.storefront, scope.platform, until: .distantFuture)
    let declared = agreements.filter { names.contains($0.name) }
    let accepted = names.last { name in
      declared.contains { $0.name == name && $0.accepted.map { $0 <= day } ?? false }
    }
    return ConfiguredTerms(
      state: TermsState(commissionClass, agreement: accepted),
      namesClass: ofProduct != nil || !smallBusiness.isEmpty,
      // No document says that accepting it is enough on every platform.
      namesAgreement: !declared.isEmpty && !(accepted.map { isOnlyShown($0, scope) } ?? false))
  }

  /// Whether nothing but Apple's rows can tell that an agreement holds for a sale: no document says
  /// that accepting it is enough on the sale's platform.
  func isOnlyShown(_ agreement: String, _ scope: TermsScope) -> Bool {
    !documented.rules.contains {
      $0.name == agreement && $0.hold == .accepted && $0.concerns(scope.storefront, scope.platform)
    }
  }

  /// The states of terms that documents allow a sale until a day, those without an agreement first.
  package func states(of scope: TermsScope, until day: Day) -> [TermsState] {
    let classes: [CommissionClass] =
      [scope.isAfterOneYear ? .afterOneYear : .standard, .smallBusiness]
      + CommissionClass.ofProducts
    let agreements =
      [nil] + documented.agreements(scope.storefront, scope.platform, until: day).map { $0 }
    return agreements.flatMap { agreement in classes.map { TermsState($0, agreement: agreement) } }
  }
}

extension Day {
  /// Beyond every day that a table names.
  static let distantFuture = Day(number: .max)
}
