import Billing
import Conclusions
import Matching
import Testing

/// What the figures of a month rest on: each part that is taken away is named, and nothing else.
struct BasisTests {
  struct Example: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var absences: [String]
    var change: @Sendable (inout World) -> Void

    init(
      _ text: String, _ absences: String..., change: @escaping @Sendable (inout World) -> Void
    ) {
      (testDescription, self.absences, self.change) = (text, absences, change)
    }
  }

  /// Twelve purchases on each of three days, which Apple reports.
  private static func month(_ change: (inout World) -> Void) -> World {
    World { world in
      world.reports()
      for day in ["09", "10", "11"] {
        for number in 10..<22 {
          world.pair("\(day)\(number)", at: "2023-06-\(day)T12:00:\(number)")
        }
        world.sale(on: "2023-06-\(day)", units: 12)
      }
      change(&world)
    }
  }

  static let examples = [
    Example("everything is there") { _ in },
    Example("a report is missing", "sales-reports 1 of 30: 2023-06-10") { world in
      world.facts.coverage.removeAll { $0.begin == Day("2023-06-10")! }
    },
    Example("no report", "sales-reports 30 of 30") { $0.facts.coverage = [] },
    Example(
      "the last days are not due", "sales-reports-not-due 2 of 30: 2023-06-29 2023-06-30"
    ) { world in
      world.asOf = Day("2023-07-01")!
      world.facts.coverage.removeAll { $0.begin >= Day("2023-06-29")! }
    },
    Example("no transactions", "transactions 30 of 30") { $0.facts.transactions = [] },
    Example("a day without transactions", "transactions 1 of 30: 2023-06-10") { world in
      world.facts.transactions.removeAll { Self.isOfThe10th($0.purchasedAt) }
    },
    Example("no orders", "orders 30 of 30") { $0.facts.orders = [] },
    Example("a day without orders", "orders 1 of 30: 2023-06-10") { world in
      world.facts.orders.removeAll { Self.isOfThe10th($0.placedAt) }
    },
    Example("neither orders nor transactions", "transactions 30 of 30", "orders 30 of 30") {
      ($0.facts.orders, $0.facts.transactions) = ([], [])
    },
    Example("no catalogue", "catalogue 1") { $0.facts.products = [] },
  ]

  private static func isOfThe10th(_ seconds: UInt32) -> Bool {
    Day("2023-06-10")!.startUTC.seconds <= Int64(seconds)
      && Int64(seconds) < Day("2023-06-11")!.startUTC.seconds
  }

  @Test(arguments: examples) func whatIsAbsentIsNamed(_ example: Example) {
    let world = Self.month(example.change)
    let tieOut = world.tieOut()
    let flow = PurchaseFlow.days(tieOut.book, world.context)
    let found = tieOut.sales.basis(flow).absences.map { absence in
      let whole = absence.count == absence.total
      let days = whole ? "" : absence.days.map { " \($0)" }.joined()
      return "\(absence.kind.rawValue) \(absence.count)"
        + (absence.total.map { " of \($0)" } ?? "") + (days.isEmpty ? "" : ":\(days)")
    }
    #expect(found == example.absences)
  }

  /// Of 1,080 CNY: on the 10th a report is missing, on the 11th Apple has two units fewer and one
  /// at another price.
  @Test func moneyIsClearedWhereAppleHasIt() {
    let world = World { world in
      world.asOf = Day("2023-07-10")!
      for day in ["09", "10", "11"] {
        for number in 10..<22 {
          world.pair("\(day)\(number)", at: "2023-06-\(day)T12:00:\(number)")
        }
      }
      world.reports("2023-05-31", "2023-06-09")
      world.reports("2023-06-11")
      world.sale(on: "2023-06-09", units: 12)
      world.sale(on: "2023-06-11", units: 9)
      world.sale(on: "2023-06-11", units: 1, price: "25.00")
    }
    let money = world.tieOut().sales.basis([]).money
    #expect(
      money.map { "\($0.from) \($0.to ?? 0) \($0.ledger.text) \($0.cleared.text)" } == [
        "8 30 720.00 270.00", "31 0 360.00 360.00",
      ])
    #expect(money.map(\.timely.text) == ["360.00", "360.00"])
    #expect(money.map(\.complete.text) == ["360.00", "360.00"])
  }
}
