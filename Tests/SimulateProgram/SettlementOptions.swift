import ArgumentParser
import Billing
import Simulation

/// How Apple settles and pays.
struct SettlementOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Apple's financial reports and payments, too, of each fiscal month wholly inside the period; "
        + "adds the storefronts FR, PA, MO, JO and ID."))
  var settlement = false

  @Flag(help: "One financial report for all regions instead of one per region.")
  var financeSingle = false

  @Flag(inversion: .prefixedNo, help: "The detail of the financial reports.")
  var financeDetail = true

  @Option(help: "The payments summary: english, chinese or json.")
  var payments = PaymentsLayout.english

  @Option(help: "Days after which everything has settled; 0 settles at once.")
  var maxLag = 10

  @Option(help: "How often each kind of fault in settlement and payment is injected.")
  var settlementFaults = 0

  @Option(help: "The currency of the bank account: CNY, or one of the storefronts'.")
  var bankCurrency = "CNY"

  /// Nil where nothing is to be settled.
  ///
  /// - Throws: `ValidationError` where an option is out of range.
  func parameters(clean: Bool) throws -> SettlementParameters? {
    guard settlement else { return nil }
    guard (0...27).contains(maxLag) else {
      throw ValidationError("--max-lag must lie between 0 and 27 days")
    }
    guard (0...3).contains(settlementFaults) else {
      throw ValidationError("--settlement-faults must lie between 0 and 3")
    }
    guard let bank = Currency(bankCurrency), SettlementParameters.bankCurrencies.contains(bank)
    else { throw ValidationError("--bank-currency: no rate is known for \(bankCurrency)") }
    var parameters = SettlementParameters()
    parameters.isSingleFile = financeSingle
    parameters.writesDetail = financeDetail
    parameters.payments = payments
    parameters.maxLag = maxLag
    parameters.faults = clean ? 0 : settlementFaults
    parameters.bankCurrency = bank
    return parameters
  }
}

extension PaymentsLayout: ExpressibleByArgument {}
