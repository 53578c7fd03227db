import ArgumentParser
import Simulation

/// A game's coins.
struct GameOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "A game's movements of coins, balances and items; gems and gold as packs, and orders of a "
        + "second channel."))
  var coins = false

  @Flag(help: "With --coins, sums of each day without users instead of each movement.")
  var coinsByDay = false

  @Option(help: "With --coins, about so many movements; by default a dozen for each order.")
  var movements: Int?

  @Option(help: "With --coins, orders of the channel android; by default one for four of Apple's.")
  var androidOrders: Int?

  @Flag(help: "With --coins, grants name neither order nor transaction.")
  var unnamedGrants = false

  @Option(help: "With --coins, how many of 1,000 grants come a day late; by default 25.")
  var lateGrants: Int?

  @Flag(help: "With --coins, a second file tells three days again.")
  var repeatedMovements = false

  @Flag(
    help: ArgumentHelp(
      "With --coins-by-day, an earlier export in 0-first-download, to be imported first, has less "
        + "of one day."))
  var restatedMovements = false

  @Option(
    help: ArgumentHelp(
      "With --coins: all, all:COUNT, none, or NAME[:COUNT] comma-separated, out of "
        + "\(CoinFault.allCases.map(\.rawValue).joined(separator: ", "))."))
  var coinFaults = "none"

  /// Nil where no coins are told.
  ///
  /// - Throws: `ValidationError` where an option is out of range or goes with none.
  func parameters(clean: Bool) throws -> CoinParameters? {
    guard coins || coinsByDay else {
      let isAlone =
        movements == nil && androidOrders == nil && lateGrants == nil && !unnamedGrants
        && !repeatedMovements
        && !restatedMovements && coinFaults == "none"
      guard isAlone else { throw ValidationError("options of coins need --coins") }
      return nil
    }
    var parameters = CoinParameters()
    parameters.byDay = coinsByDay
    guard movements ?? 0 >= 0, androidOrders ?? 0 >= 0 else {
      throw ValidationError("--movements and --android-orders must be 0 or more")
    }
    guard coinsByDay || !restatedMovements else {
      throw ValidationError("--restated-movements needs --coins-by-day")
    }
    guard (0...1000).contains(lateGrants ?? 0) else {
      throw ValidationError("--late-grants must lie between 0 and 1000")
    }
    parameters.lateShare = lateGrants ?? parameters.lateShare
    parameters.movements = movements
    parameters.androidOrders = androidOrders
    parameters.namesOrders = !unnamedGrants && !coinsByDay
    parameters.repeats = repeatedMovements
    parameters.restates = restatedMovements
    guard !clean else { return parameters }
    parameters.faults = try chosen(
      coinFaults, "--coin-faults", every: parameters.everyFault, named: CoinFault.init(rawValue:))
    return parameters
  }
}
