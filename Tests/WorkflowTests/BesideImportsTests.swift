import Billing
import Foundation
import Support
import Testing

/// What is concluded beside an import is true of a state that the ledger really had: of the one
/// before the import, after it, or between two of its files, and never of a mixture.
///
/// `TIEOUT_ROUNDS=500` in the environment runs as many rounds as that.
struct BesideImportsTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["TIEOUT_ROUNDS"].flatMap { Int($0) } ?? 16

  /// Commands that read much. `reconcile` records its findings, which `explain` tells: they are not
  /// run on the same ledger.
  private static let conclusions = [
    ["reconcile --period 2023-06 --format json", "reconcile --period 2023-06"],
    [
      "export findings --period 2023-06", "explain O7 --format json", "status --format json",
      "plan what-if --period 2023-06 --commission 0.15 --format json",
      "export journal --period 2023-06", "export proceeds --period 2023-06",
      "price --storefront CN --sku gems.60 --price 6 --format json",
    ],
  ]
  private static let files = 12

  private let folder: TemporaryFolder

  /// Two reports, eight hundred orders and their transactions; and to be imported later, by turns,
  /// orders, their transactions and a report of another day or of one restated.
  init() throws {
    folder = try TemporaryFolder()
    try folder.write("base/products.csv", "sku,kind\ngems.60,consumable\n")
    try folder.write("base/orders.csv", Inputs.orders(0..<600))
    try folder.write("base/transactions.csv", Inputs.transactions(0..<600))
    for day in 1...2 { try writeReport("base", day: day, units: 24) }
    for index in 0..<Self.files {
      let rows = 600 + index / 3 * 20..<620 + index / 3 * 20
      let name = "later/\(padded(index, 2))"
      switch index % 3 {
      case 0: try folder.write("\(name).csv", Inputs.orders(rows))
      case 1: try folder.write("\(name).csv", Inputs.transactions(rows))
      default: try writeReport(name, day: 2 + index / 6, units: 20 + index)
      }
    }
  }

  private func writeReport(_ place: String, day: Int, units: Int) throws {
    try folder.write(
      "\(place)/" + Inputs.salesName(day: day), Inputs.sales(day: day, units: units))
  }

  private func later(_ index: Int) -> String {
    index % 3 == 2 ? "later/\(padded(index, 2))" : "later/\(padded(index, 2)).csv"
  }

  private func run(_ command: String) throws -> CommandLineRun {
    try Self.run(command, in: folder)
  }

  private static func run(_ command: String, in folder: TemporaryFolder) throws -> CommandLineRun {
    let words = (command + " --as-of 2023-07-05").split(separator: " ").map(String.init)
    return try CommandLineRun(words, in: folder)
  }

  /// What each command prints in each state from before the first file to after the last.
  private func truths(of commands: [String]) throws -> [[String]] {
    func now() throws -> [String] { try commands.map { try run($0).output } }
    var states = [try now()]
    for index in 0..<Self.files {
      #expect(try run("import \(later(index))").status == 0)
      states.append(try now())
    }
    return states
  }

  @Test(arguments: Self.conclusions) func whatIsConcludedIsOfOneState(
    _ commands: [String]
  ) throws {
    #expect(try run("import base").status == 0)
    let start = Data(folder.ledgerBytes)
    let states = try truths(of: commands)
    #expect(Set(states.map { $0[0] }).count == Self.files + 1, "each file changes the conclusion")
    let imports = (0..<Self.files).map { later($0) }
    let rounds = Self.rounds / Self.conclusions.count
    var seen: Set<Int> = []
    // On a busy machine one import of all files may end before a conclusion begins.
    for round in 0..<5 * rounds where round < rounds || seen.count <= 2 {
      let calls = round < rounds ? [imports.joined(separator: " ")] : imports
      try start.write(to: URL(fileURLWithPath: folder.ledger))
      let (imported, concluded) = inTwoThreads(
        { Result { try calls.map { try run("import \($0)") } } },
        { [folder] in
          Result {
            try (round..<round + 4).map { step in
              let index = step % commands.count
              return (index, try Self.run(commands[index], in: folder))
            }
          }
        })
      for summary in try imported.get() { #expect(summary.status == 0, "\(summary.errors)") }
      for (index, run) in try concluded.get() {
        let state = states.firstIndex { $0[index] == run.output }
        #expect(run.status == 0, "\(commands[index]): \(run.errors)")
        #expect(state != nil, "\(commands[index]) printed what no state says")
        if let state { seen.insert(state) }
      }
    }
    #expect(seen.count > 2, "the conclusions ran beside the imports")
  }
}
