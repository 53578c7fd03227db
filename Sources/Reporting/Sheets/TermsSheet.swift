import Billing
import Languages
import Conclusions
import Pricing

extension List<TermsLine> {
  /// The columns of the terms that Apple's rows show, and how sure that is.
  static var terms: List {
    List([
      Column("storefront", .text("@shared.storefront")) { .place($0.storefront) }
        .coded { $0.storefront.code },
      Column("platform", .text("@sheet.platform")) { .text(ifAny: $0.platform?.name) }
        .coded { $0.platform?.rawValue },
      Column("products", .text("@sheet.products", 8...48)) { .words($0.productWording) }
        .listed { $0.skus },
      Column("after_one_year", .text("@shared.after-one-year")) { .mark($0.isAfterOneYear) }
        .deciding { $0.isAfterOneYear },
      Column("terms", .text("@sheet.terms-2")) { .words($0.terms.agreement) }
        .coded { $0.terms.name },
      Column("class", .text("@sheet.class")) { .words($0.terms.commissionClass.wording) }
        .coded { $0.terms.commissionClass.rawValue },
      Column("commission", .number("@shared.commission")) { .ratio($0.terms.rate) },
      Column("from", .date("@sheet.first-day")) { .day($0.from) },
      Column("to", .date("@sheet.last-day")) { .day($0.to) },
      Column("rows", .number("@sheet.rows")) { .integer($0.rows) },
      Column("units", .number("@shared.units")) { .integer($0.units) },
      Column("currency", .text("@shared.currency")) { .text($0.proceeds.currency.code) },
      Column("proceeds", .number("@shared.proceeds")) { .money($0.proceeds) },
      Column("confidence", .number("@sheet.confidence")) { line in
        line.confidence.map { .ratio($0) } ?? .words("@sheet.not-decidable")
      }.documented { $0.decimal($1.confidence) },
      Column("runner_up", .text("@sheet.runner-up", 8...40)) { line in
        line.runnerUp.map { .words($0.wording) } ?? .blank
      }.coded { line in line.runnerUp.map { "\($0.name) \($0.commissionClass.rawValue)" } },
      Column("runner_up_commission") { .ratio(ifAny: $0.runnerUp?.rate) },
      Column("configured", .text("@sheet.configured-otherwise", 8...40)) { line in
        line.configured.map { .words($0.wording) } ?? .blank
      }.coded { line in line.configured.map { "\($0.name) \($0.commissionClass.rawValue)" } }
        .tinted { $0.configured == nil ? nil : .error },
    ])
  }
}

extension HeldTerms {
  /// The name of the agreement that the terms hold by, which is the same in every language; a word
  /// of its own where they hold without one.
  fileprivate var agreement: Wording {
    name == "standard" ? "@shared.standard" : Wording(verbatim: name)
  }
}

extension WorkbookContents {
  /// The sheet of the terms that Apple's rows show; nil where they show none.
  func termsSheet() -> Sheet? {
    wholeSheet(say("@sheet.terms"), .terms, reconciliation.terms, frozenColumns: 3)
  }
}
