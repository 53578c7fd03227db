import ArgumentParser
import Billing
import Languages
import Workflow

/// `tieout price`
struct PriceCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "price",
    abstract: say("Calculate what Apple should pay for a price, and why."),
    discussion: say(
      """
      Answers for one price, or for each row of a CSV file with the columns storefront, price and \
      date, and optionally currency, commission, sku and tier; answers keep the order of the \
      rows. They follow from the rules alone, unless you name a tier or a SKU whose tier is in \
      the ledger's catalogue; where no price is given, that tier's price is then used. No ledger \
      is needed: the tiers, subscription prices and price points of mainland China are built in.

        tieout price --storefront CN --price 30 --date 2023-06-19
        tieout price --tier 5 --date 2023-06-19
        tieout price questions.csv --format json
      """))

  @Argument(
    help: .words("A CSV file of questions.", value: "file.csv"),
    completion: .file(extensions: ["csv"]))
  var file: String?

  @Option(
    help: .words(
      """
      The country of the App Store: CN, CHN or Apple's number. With --tier it may be left out, to \
      answer for every storefront that has the tier.
      """, value: "country"),
    transform: readStorefront)
  var storefront: Storefront?

  @Option(
    parsing: .unconditional,
    help: .words("The customer price of one unit.", value: "amount"),
    transform: readPrice)
  var price: Int64?

  @Option(
    help: .words("The day of the sale. (default: --as-of)", value: "YYYY-MM-DD"),
    transform: readDay)
  var date: Day?

  @Option(
    help: .words("The customer's currency. (default: the storefront's on that day)", value: "code"),
    transform: readCurrency)
  var currency: Currency?

  @Option(
    help: .words(
      """
      Apple's commission: a rate such as 0.15, or a class: standard, after-one-year, \
      small-business, mini-apps, video-partner or news-partner. (default: what applies there on \
      that day)
      """, value: "commission"),
    transform: readCommission)
  var commission: NamedCommission?

  @Option(
    help: .words(
      "The platform on which the product is bought (default: ios); commissions may depend on it.",
      value: Wording(verbatim: Platform.allCases.map(\.rawValue).joined(separator: "|"))),
    transform: readPlatform)
  var platform: Platform?

  @Option(help: .words("A product of the catalogue, for its tier.", value: "sku"))
  var sku: String?

  @Option(help: .words("A tier or price point.", value: "tier"))
  var tier: String?

  @Option(
    help: .words("The price matrix of the tier.", value: "iap|subscription"),
    completion: .list(["iap", "subscription"]), transform: readTable)
  var table: TierTable?

  @Flag(help: .words("Answer at 30%, at 15% and at each programme's rate, in JSON and CSV too."))
  var allRates = false

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    if shared.format == .jsonl { try shared.refuseCSV() }
    let namesQuestion =
      storefront != nil || price != nil || date != nil || currency != nil || commission != nil
      || platform != nil || sku != nil || tier != nil || table != nil || allRates
    if file != nil {
      guard namesQuestion else { return }
      throw wrongUsage("With a file, its rows are the questions; leave out the other options.")
    }
    let namesTier = tier != nil || sku != nil
    if price == nil, !namesTier {
      throw wrongUsage("Name a file, or a --price, or a --tier or --sku that has one.")
    }
    if storefront == nil, price != nil || !namesTier {
      throw wrongUsage("A --price needs a --storefront.")
    }
  }

  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let desk = try PriceDesk(
      ledgerPath: shared.ledger, isLedgerNeeded: shared.namesLedger,
      settings: configuration.settings)
    if let file { return try answer(file, desk, terminal) }
    let answers = try desk.answers(request)
    terminal.report(answers.doubts)
    try print(on: terminal) { try answers.write(form, everyRate: allRates, to: $0) }
    return shared.fails(on: answers.doubts) ? .failOn : .done
  }

  private func answer(_ file: String, _ desk: PriceDesk, _ terminal: Terminal) throws -> Ending {
    let outcome = try print(on: terminal) { try desk.answer(file: file, as: form, to: $0) }
    terminal.report(outcome.diagnostics)
    if outcome.hasBadInput { return .badInput }
    return shared.fails(on: outcome.diagnostics) ? .failOn : .done
  }

  /// As it comes; what somebody watches when it is whole, or as far as it came before an error.
  private func print<Value>(
    on terminal: Terminal, _ write: (([UInt8]) throws -> Void) throws -> Value
  ) throws -> Value {
    guard terminal.isWatched else { return try write(terminal.print) }
    var text: [UInt8] = []
    let result = Result { try terminal.laidOut { try write { text += $0 } } }
    if !text.isEmpty { try terminal.print(String(decoding: text, as: UTF8.self)) }
    return try result.get()
  }

  private var request: PriceRequest {
    var request = PriceRequest(day: date ?? shared.effectiveAsOf)
    request.storefront = storefront
    request.currency = currency
    request.price = price
    request.commission = commission
    request.platform = platform
    request.sku = sku ?? ""
    request.tier = tier ?? ""
    request.table = table
    return request
  }

  private var form: PriceForm {
    switch shared.format {
    case .text, .jsonl: .text
    case .json: .json
    case .csv: .csv
    }
  }
}

@Sendable private func readPrice(_ text: String) throws -> Int64 {
  guard let price = micros(decimal: text), (0...largestPrice).contains(price) else {
    throw wrongUsage("expected an amount such as 30.00, found \"\(text)\"\(hint(amount: text))")
  }
  return price
}

/// A thousand million, in micro-units: as much as a table may have.
private let largestPrice: Int64 = 1_000_000_000_000_000

@Sendable private func readPlatform(_ text: String) throws -> Platform {
  guard let platform = Platform(rawValue: text.lowercased()) else {
    throw unknownWord(text, among: Platform.allCases.map(\.rawValue))
  }
  return platform
}

@Sendable private func readCommission(_ text: String) throws -> NamedCommission {
  guard let commission = NamedCommission(text) else {
    throw wrongUsage(
      "expected a commission, found \"\(text)\": \(NamedCommission.spellings)")
  }
  return commission
}

@Sendable private func readTable(_ text: String) throws -> TierTable {
  switch text {
  case "iap": return .iap
  case "subscription": return .subscription
  default: throw unknownWord(text, among: ["iap", "subscription"])
  }
}
