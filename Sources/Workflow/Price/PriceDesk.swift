package import Billing
import Ledger
import Matching
package import Pricing

/// What `price` is asked on the command line.
package struct PriceRequest: Sendable {
  /// Nil asks for every storefront that has the tier.
  package var storefront: Storefront?
  package var currency: Currency?
  /// Micro-units.
  package var price: Int64?
  package var day: Day
  package var commission: NamedCommission?
  package var platform: Platform?
  /// Empty where none is named, as the tier.
  package var sku = ""
  package var tier = ""
  package var table: TierTable?

  package init(day: Day) { self.day = day }
}

/// The answers to what the command line asks.
package struct PriceAnswers: Sendable {
  /// One for each storefront, ascending.
  package var quotes: [PriceQuote] = []
  /// The same at every commission worth comparing, for each storefront in turn.
  package var rates: [[RatedQuote]] = []
  /// What would hold with agreements of which nobody knows whether they were accepted, for each
  /// storefront.
  package var undecided: [[PriceQuote]] = []
  /// The rows behind the figures, where one storefront was asked for.
  package var sources: [FigureSource] = []
  /// What is odd about the answers.
  package var doubts: [Diagnostic] = []
}

/// Answers what prices should bring: by the built-in facts, the configuration, and the tables in
/// the ledger where there is one.
package struct PriceDesk: Sendable {
  /// Of days around which nothing is recorded.
  private let plain: PriceBook
  private let known: KnownTerms?
  /// As each of the recorded reconciliations has it.
  private let recordedBooks: [PriceBook]
  private let catalogue: CatalogueBook

  /// Prepares prices and terms from the ledger's tables, or without any where there is no ledger.
  ///
  /// - Parameter isLedgerNeeded: the caller named the ledger, so that it must be there.
  /// - Throws: a ``Stop`` for a ledger that is missing though needed, or cannot be read.
  package init(ledgerPath: String, isLedgerNeeded: Bool, settings: Settings) throws {
    guard isLedgerNeeded || identity(of: ledgerPath) != nil else {
      self.init(tables: MonthFacts(), settings: settings, known: nil)
      return
    }
    self = try stopping {
      try Ledger.reading(ledgerPath) { ledger in
        PriceDesk(
          tables: try ledger.companyTables(), settings: settings, known: try KnownTerms(ledger))
      }
    }
  }

  /// Prepares the price books of tables and settings.
  ///
  /// - Parameter known: the terms that reconciliations recorded; nil without a ledger.
  private init(tables: MonthFacts, settings: Settings, known: KnownTerms?) {
    catalogue = CatalogueBook(tables.products, tables.shared)
    let plain = PriceBook(tables, settings)
    recordedBooks = (0..<(known?.count ?? 0)).map { place in
      var book = plain
      book.shown = known!.shown(place, by: plain)
      book.found = known!.found(place, by: plain)
      return book
    }
    self.plain = plain
    self.known = known
  }

  /// The prices and terms that hold on a day, with what reconciliations around it found.
  func book(on day: Day) -> PriceBook { known?.place(on: day).map { recordedBooks[$0] } ?? plain }

  /// Answers what the command line asks. Throws a ``Diagnostic`` that names the option at fault.
  package func answers(_ request: PriceRequest) throws -> PriceAnswers {
    do throws(PriceDoubt) {
      return try answered(request)
    } catch {
      throw error.diagnostic(.error)
    }
  }

  /// The answers for each storefront asked about, with every commission, undecided agreements and
  /// doubts.
  private func answered(_ request: PriceRequest) throws(PriceDoubt) -> PriceAnswers {
    var answers = PriceAnswers()
    let book = book(on: request.day)
    for question in try questions(request) {
      let quote = try book.quote(question)
      answers.quotes.append(quote)
      answers.rates.append(try book.everyRate(question))
      if let doubt = book.doubt(of: quote, to: question) {
        answers.doubts.append(doubt.diagnostic(.warning))
      }
      let open = question.commission == nil ? book.openAgreements(question) : []
      answers.undecided.append(
        try open.map { name throws(PriceDoubt) in
          try book.quote(question, accepting: name)
        })
    }
    if let quote = answers.quotes.first, answers.quotes.count == 1 {
      answers.sources = book.sources(of: quote)
    }
    return answers
  }

  /// The question for the storefront that is named, else for each storefront that has the tier.
  private func questions(_ request: PriceRequest) throws(PriceDoubt) -> [PriceQuestion] {
    if let storefront = request.storefront { return [try resolved(request.question(storefront))] }
    guard let anywhere = StorefrontTable.builtIn.entries.first?.storefront else { return [] }
    let named = try resolved(request.question(anywhere))
    let storefronts = plain.storefronts(tier: named.tier, table: named.table, on: request.day)
    guard !storefronts.isEmpty else {
      throw PriceDoubt(
        .tier, "@price.no-table-has-a-tier \(tierName(named.tier)) \(request.day)",
        help: "@price.check-its-name-or-import")
    }
    return storefronts.map {
      var question = named
      question.storefront = $0
      return question
    }
  }

  /// The question with the tier that the catalogue has for its SKU, where it names no tier itself.
  /// Throws where neither a tier nor a price is known.
  func resolved(_ question: PriceQuestion) throws(PriceDoubt) -> PriceQuestion {
    guard question.tier.isEmpty, !question.sku.isEmpty else { return question }
    let sku = AppProduct.written(question.sku)
    let product = catalogue.product(sku, on: question.day) ?? Product(sku: sku, kind: .consumable)
    let table: TierTable = product.kind == .autoRenewable ? .subscription : .iap
    let tiers = plain.tiers.tiers(of: product)
    let priced = tiers.first {
      !plain.storefronts(tier: $0, table: table, on: question.day).isEmpty
    }
    guard let tier = priced ?? tiers.last else {
      if question.price != nil { return question }
      let apps = catalogue.shared.names(of: sku)
      if catalogue.contains(sku), !apps.isEmpty {
        throw PriceDoubt(
          .sku, "@price.sku-stands-in-several-apps \(sku)",
          help: "@price.write-the-sku \(apps.joined(separator: ", "))")
      }
      throw PriceDoubt(
        .sku,
        catalogue.contains(question.sku)
          ? "@price.catalogue-has-no-tier \(question.sku)"
          : "@price.no-catalogue-has-the-sku \(question.sku)",
        help: "@price.import-a-table-of-products")
    }
    var resolved = question
    resolved.tier = tier
    resolved.table = table
    return resolved
  }
}

extension PriceBook {
  /// Made of the built-in facts, the configuration, and the company's commissions, taxes and tiers.
  init(_ tables: MonthFacts, _ settings: Settings) {
    self.init(
      developerCountry: settings.developerCountry, smallBusiness: settings.smallBusiness,
      agreements: settings.agreements, programmes: settings.programmes,
      commissions: tables.commissions, overrides: tables.taxes, tiers: tables.tiers,
      standIns: .builtIn)
  }
}

extension PriceRequest {
  /// The request as a question about one storefront.
  fileprivate func question(_ storefront: Storefront) -> PriceQuestion {
    PriceQuestion(
      storefront: storefront, currency: currency, price: price, day: day, commission: commission,
      platform: platform, sku: sku, tier: tier, table: table)
  }
}

extension PriceDoubt {
  /// The doubt as a diagnostic about an option of the command line.
  fileprivate func diagnostic(_ severity: Severity) -> Diagnostic {
    Diagnostic(
      severity, topic: part.rawValue, at: SourceLocation(file: "--\(part.rawValue)"), message,
      help: help)
  }
}
