import ArgumentParser
import Billing
import Languages
import Workflow

/// `tieout price`
struct PriceCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "price",
    abstract: say("@command.calculate-what-apple-should-pay"),
    discussion: say(
      "@command.answers-for-one-price"))

  @Argument(
    help: .words("@command.csv-file-of-questions", value: "@command.file-csv"),
    completion: .file(extensions: ["csv"]))
  var file: String?

  @Option(
    help: .words(
      "@command.country-of-the-app-store", value: "@shared.country"),
    transform: readStorefront)
  var storefront: Storefront?

  @Option(
    parsing: .unconditional,
    help: .words("@command.customer-price-of-one-unit", value: "@shared.amount"),
    transform: readPrice)
  var price: Int64?

  @Option(
    help: .words("@command.day-of-the-sale-default", value: "YYYY-MM-DD"),
    transform: readDay)
  var date: Day?

  @Option(
    help: .words("@command.customer-currency-default-the-storefront", value: "@shared.code"),
    transform: readCurrency)
  var currency: Currency?

  @Option(
    help: .words(
      "@command.apple-commission-a-rate-such", value: "@shared.commission"),
    transform: readCommission)
  var commission: NamedCommission?

  @Option(
    help: .words(
      "@command.platform-on-which-the-product",
      value: Wording(verbatim: Platform.allCases.map(\.rawValue).joined(separator: "|"))),
    transform: readPlatform)
  var platform: Platform?

  @Option(help: .words("@command.product-of-the-catalogue", value: "@shared.sku"))
  var sku: String?

  @Option(help: .words("@command.tier-or-price-point", value: "@shared.tier"))
  var tier: String?

  @Option(
    help: .words("@command.price-matrix-of-the-tier", value: "iap|subscription"),
    completion: .list(["iap", "subscription"]), transform: readTable)
  var table: TierTable?

  @Flag(help: .words("@command.answer-at-30-at-15"))
  var allRates = false

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    if shared.format == .jsonl { try shared.refuseCSV() }
    let namesQuestion =
      storefront != nil || price != nil || date != nil || currency != nil || commission != nil
      || platform != nil || sku != nil || tier != nil || table != nil || allRates
    if file != nil {
      guard namesQuestion else { return }
      throw wrongUsage("@command.with-a-file-its-rows")
    }
    let namesTier = tier != nil || sku != nil
    if price == nil, !namesTier {
      throw wrongUsage("@command.name-a-file")
    }
    if storefront == nil, price != nil || !namesTier {
      throw wrongUsage("@command.price-needs-a-storefront")
    }
  }

  /// Answers one question, or each row of a file, and prints what the price should bring.
  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    let desk = try PriceDesk(
      ledgerPath: shared.ledger, isLedgerNeeded: shared.namesLedger,
      settings: configuration.settings)
    if let file { return try answer(file, desk, terminal) }
    let answers = try desk.answers(request)
    terminal.report(answers.doubts)
    try print(on: terminal) {
      try answers.write(form, everyRate: allRates, tables: shared.verbose, to: $0)
    }
    return shared.fails(on: answers.doubts) ? .failOn : .done
  }

  /// Answers and prints the questions of a file; the ending tells of rows that could not be
  /// answered.
  private func answer(_ file: String, _ desk: PriceDesk, _ terminal: Terminal) throws -> Ending {
    let outcome = try print(on: terminal) { try desk.answer(file: file, as: form, to: $0) }
    terminal.report(outcome.diagnostics)
    if outcome.hasBadInput { return .badInput }
    return shared.fails(on: outcome.diagnostics) ? .failOn : .done
  }

  /// Runs `write` and prints the bytes that it passes on: as they come, but on a terminal all at
  /// once at its end, also where it ends with an error.
  private func print<Value>(
    on terminal: Terminal, _ write: (([UInt8]) throws -> Void) throws -> Value
  ) throws -> Value {
    guard terminal.isWatched else { return try write(terminal.print) }
    var text: [UInt8] = []
    let result = Result { try terminal.laidOut { try write { text += $0 } } }
    if !text.isEmpty { try terminal.print(String(decoding: text, as: UTF8.self)) }
    return try result.get()
  }

  /// The question that the options ask.
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

  /// The form of the answers, by `--format`.
  private var form: PriceForm {
    switch shared.format {
    case .text, .jsonl: .text
    case .json: .json
    case .csv: .csv
    }
  }
}

/// A price in micro-units, from 0 to ``largestPrice``; refuses other text with a hint.
@Sendable private func readPrice(_ text: String) throws -> Int64 {
  guard let price = micros(decimal: text), (0...largestPrice).contains(price) else {
    throw wrongUsage("@command.expected-an-amount-such \(text) \(hint(amount: text))")
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
      "@command.expected-a-commission-found \(text) \(NamedCommission.spellings)")
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
