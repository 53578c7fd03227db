import ArgumentParser
import Billing
import Simulation

@main
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Makes a month of a company's App Store trade, and the truth about it.",
    discussion: """
      Writes orders, transactions, the catalogue, tiers, rates, tieout.toml and Apple's daily \
      sales reports, and truth.json with the findings that follow from the injected faults; with \
      --settlement also Apple's financial reports and payments, in the folder finance. \
      The same parameters give the same bytes, but for what --apple-share adds: its signatures, \
      and the test certificates, are random by nature. No private key is written.
      """)

  @Option(help: "The folder to write into; it is made where it is absent.")
  var out: String

  @Flag(help: "The month of the repository's samples; only --out counts beside it.")
  var sample = false

  @Option(help: "What the randomness grows from.")
  var seed: UInt64 = 1

  @Option(help: "Orders, abandoned and earlier ones among them.")
  var orders = 2000

  @Option(help: "A month, a range of days or a fiscal month.")
  var period = "2023-06"

  @Option(help: "How Apple cuts its days: pacific, territory, territory-old, local or mixed.")
  var dayRule = DayRule.pacific

  @Option(
    help: ArgumentHelp(
      "Storefronts, comma-separated, out of CN,US,JP,DE,GB,AU,TW,HK,KR,FR,PA,MO,JO,ID; or how "
        + "many of Apple's 175, in June 2023."))
  var storefronts: String?

  @Option(help: "all, all:COUNT, none, or CODE[:COUNT] comma-separated.")
  var faults = "none"

  @Option(
    help: "Taxes that Apple changes without a word, as STOREFRONT:DAY:RATE: DE:2023-06-11:0.16.")
  var taxChange: [String] = []

  @Flag(help: "No faults, whatever --faults says.")
  var clean = false

  @Flag(help: "Rows in random order; holds each file in memory.")
  var shuffle = false

  @Flag(help: "Orders and transactions in one file per day.")
  var split = false

  @Flag(help: "Sales reports as plain text instead of gzip.")
  var plain = false

  @Flag(help: "Sell a paid app beside the in-app purchases.")
  var paidApp = false

  @Option(help: "Consumables beside the built-in ones; more of them give more sales rows.")
  var furtherProducts = 0

  @Option(
    help: ArgumentHelp(
      "A catalogue of so many SKUs, of which few sell most, instead of --further-products."))
  var skus: Int?

  @Option(help: "Days whose report has its header in a gzip member of its own.")
  var multiMemberDays = 2

  @Option(
    help: ArgumentHelp(
      "The part of the transactions, 0 to 1, that only Apple's receipts, notifications and "
        + "server answers tell."))
  var appleShare = 0.0

  @Option(
    help: ArgumentHelp(
      "Faults between the company's table and Apple's messages: all, all:COUNT, none, or "
        + "NAME[:COUNT] comma-separated, out of "
        + "\(AppleFault.allCases.map(\.rawValue).joined(separator: ", "))."))
  var appleFaults = "none"

  @Flag(help: "Apple's subscription reports beside the sales reports.")
  var subscriptionReports = false

  @Option(
    help: ArgumentHelp(
      "Faults of the subscription reports: all, all:COUNT, none, or NAME[:COUNT] "
        + "comma-separated, out of "
        + "\(SubscriptionFault.allCases.map(\.rawValue).joined(separator: ", "))."))
  var subscriptionFaults = "none"

  @Option(
    help: ArgumentHelp(
      "What is behind many findings at once, repeated: "
        + "\(SimulatedPattern.allCases.map(\.rawValue).joined(separator: ", "))."
    ))
  var pattern: [SimulatedPattern] = []

  @Option(
    help: ArgumentHelp(
      "What is wrong with whole files, repeated: clock:TABLE:SECONDS, column:TABLE.NAME, each "
        + "with :N for one row of so many, or pages."))
  var broken: [String] = []

  @Flag(help: "Orders tell the app's version and the device; --pattern has it always.")
  var apps = false

  @Flag(help: "The company's log of each order's steps, with a server that fails to verify.")
  var events = false

  @OptionGroup(title: "Settlement")
  var settlement: SettlementOptions

  @OptionGroup(title: "Coins")
  var game: GameOptions

  @Option(help: "Instead of a month, this many wrapped receipts of two transactions each.")
  var purchases: Int?

  @Option(help: "With --purchases, this many signed notifications beside them.")
  var signed = 0

  func run() throws {
    if let purchases {
      try writeStream(purchases)
      return
    }
    let faults = try broken.map { text in
      guard let fault = BrokenInput(text) else {
        throw ValidationError("--broken: \(text) is no clock, column or pages")
      }
      return fault
    }
    let truth = try SimulatedMonth(sample ? .sample : parameters()).write(to: out)
    for (text, fault) in zip(broken, faults) where try fault.apply(in: out) == 0 {
      throw ValidationError("--broken: \(text) meets no file")
    }
    print(
      "\(truth.counts.orders) orders, \(truth.counts.transactions) transactions, "
        + "\(truth.counts.salesRows) sales rows in \(truth.counts.salesReports) reports, "
        + "\(truth.expected.count + (truth.coins?.expected.count ?? 0)) findings expected: \(out)")
    for left in truth.leftOut + (truth.coins?.leftOut ?? []) {
      print("left out for want of room: \(left.asked - left.made) of \(left.asked) \(left.kind)")
    }
  }

  private func writeStream(_ purchases: Int) throws {
    guard let period = Period(period) else {
      throw ValidationError("--period is no month or range of days: \(self.period)")
    }
    guard purchases >= 0, signed >= 0 else {
      throw ValidationError("--purchases and --signed must be 0 or more")
    }
    let stream = PurchaseStream(
      receipts: purchases, notifications: signed, seed: seed, period: period)
    try stream.write(to: out)
    print("\(purchases) receipts, \(signed) signed notifications: \(out)")
  }

  private func parameters() throws -> SimulationParameters {
    var parameters = SimulationParameters()
    guard let period = Period(period) else {
      throw ValidationError("--period is no month or range of days: \(self.period)")
    }
    guard orders > 0 else { throw ValidationError("--orders must be 1 or more") }
    parameters.seed = seed
    parameters.period = period
    parameters.orders = orders
    parameters.dayRule = dayRule
    parameters.faults = clean ? [:] : try chosenFaults()
    parameters.taxChanges = try taxChange.map(change)
    parameters.shuffle = shuffle
    parameters.split = split
    parameters.gzip = !plain
    parameters.paidApp = paidApp
    parameters.furtherProducts = furtherProducts
    if let skus {
      guard skus >= SimulationParameters.fewestSKUs else {
        throw ValidationError("--skus must be \(SimulationParameters.fewestSKUs) or more")
      }
      parameters.furtherProducts = skus - SimulationParameters.fewestSKUs
      parameters.hasBestsellers = true
    }
    parameters.patterns = pattern
    parameters.tellsApps = apps || !pattern.isEmpty
    parameters.multiMemberDays = multiMemberDays
    if events {
      var log = EventParameters()
      log.hasFailingServer = !clean
      parameters.events = log
    }
    guard (0...1).contains(appleShare) else {
      throw ValidationError("--apple-share must lie between 0 and 1")
    }
    parameters.appleShare = appleShare
    parameters.appleFaults = clean ? [:] : try chosenAppleFaults()
    parameters.subscriptionFaults = clean ? [:] : try chosenSubscriptionFaults()
    parameters.subscriptionReports = subscriptionReports || !parameters.subscriptionFaults.isEmpty
    parameters.settlement = try settlement.parameters(clean: clean)
    parameters.coins = try game.parameters(clean: clean)
    if parameters.settlement != nil {
      guard !parameters.fiscalMonths.isEmpty else {
        throw ValidationError("--settlement: no fiscal month lies wholly inside \(self.period)")
      }
      parameters.storefronts = SimulationParameters.settledStorefronts
    }
    if let count = storefronts.flatMap({ Int($0) }) {
      guard let largest = SimulationParameters.largest(count) else {
        throw ValidationError("--storefronts: \(count) is not from 1 to 175")
      }
      parameters.storefronts = largest
    } else if let storefronts {
      parameters.storefronts = try storefronts.split(separator: ",").map { code in
        guard let storefront = Storefront(code),
          SimulationParameters.settledStorefronts.contains(storefront)
        else { throw ValidationError("--storefronts: \(code) has no prices here") }
        return storefront
      }
    }
    let isNamed = parameters.storefronts.allSatisfy(
      SimulationParameters.namedStorefronts.contains)
    guard isNamed || (appleShare == 0 && parameters.appleFaults.isEmpty) else {
      throw ValidationError("--apple-share: only the first 19 storefronts stand in messages")
    }
    return parameters
  }

  private func change(_ words: String) throws -> TaxChange {
    let parts = words.split(separator: ":")
    guard parts.count == 3, let storefront = Storefront(parts[0]),
      SimulationParameters.everyStorefront.contains(storefront), let day = Day(parts[1]),
      let tax = micros(decimal: String(parts[2])), tax >= 0
    else { throw ValidationError("--tax-change: \(words) is not STOREFRONT:DAY:RATE") }
    return TaxChange(storefront: storefront, day: day, tax: tax)
  }

  private func chosenFaults() throws -> [FindingCode: Int] {
    try chosen(faults, "--faults", every: SimulationParameters.everyFault) {
      FindingCode(rawValue: $0).flatMap { SimulationParameters.everyFault()[$0] == nil ? nil : $0 }
    }
  }

  private func chosenAppleFaults() throws -> [AppleFault: Int] {
    try chosen(
      appleFaults, "--apple-faults", every: SimulationParameters.everyAppleFault,
      named: AppleFault.init(rawValue:))
  }

  private func chosenSubscriptionFaults() throws -> [SubscriptionFault: Int] {
    try chosen(
      subscriptionFaults, "--subscription-faults",
      every: { count in
        Dictionary(uniqueKeysWithValues: SubscriptionFault.allCases.map { ($0, count) })
      }, named: SubscriptionFault.init(rawValue:))
  }
}

extension DayRule: ExpressibleByArgument {}
extension SimulatedPattern: ExpressibleByArgument {}
