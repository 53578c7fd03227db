import Billing
import Conclusions
import Matching
import Support
import Testing

/// A year of coins by chance, under every policy.
@Suite struct CoinYearTests {
  private static let currencies = ["USD", "CNY", "JPY"].map { Currency($0)! }

  /// Months of events, as a game with few players has them.
  private struct Year {
    var months: [(period: Period, events: [CoinEvent])] = []
    /// What refunds paid back.
    var paidBack: Int64 = 0

    /// - Parameter divides: whether each coin of a sale has a price in whole micro-units.
    init(seed: UInt64, divides: Bool = false, refunds: Bool = true) {
      var random = SplitMix64(seed: seed)
      var sales: [CoinEvent] = []
      for month in 1...12 {
        let period = Period("2023-\(month < 10 ? "0" : "")\(month)")!
        var events: [CoinEvent] = []
        for _ in 0..<Int.random(in: 20...60, using: &random) {
          let day = period.first.advanced(by: Int.random(in: 0..<period.dayCount, using: &random))
          let user = UInt64.random(in: 1...6, using: &random)
          let coins = Int64.random(in: 1...300, using: &random)
          let at = day.startUTC.seconds + Int64.random(in: 0..<86_400, using: &random)
          func event(_ kind: CoinEvent.Kind, _ value: CoinValue) -> CoinEvent {
            CoinEvent(kind, at: at, day: day, user: user, value)
          }
          let bare = CoinValue(coins: coins, amount: 0)
          switch Int.random(in: 0..<10, using: &random) {
          case 0...2:
            let price = Int64.random(in: 1...20_000, using: &random)
            let amount = divides ? price * coins : price * 1009
            var sale = event(.sold, CoinValue(coins: coins, amount: amount, cost: amount / 3))
            sale.channel = Int32.random(in: 0...1, using: &random)
            sale.currency = CoinYearTests.currencies.randomElement(using: &random)
            sale.sale = random.next()
            sales.append(sale)
            events.append(sale)
          case 3: events.append(event(.given, bare))
          case 4...7:
            var use = event(.used, bare)
            use.days = Int32([0, 0, 7, 90].randomElement(using: &random)!)
            let channels: [Int32?] = [nil, nil, 0, 1]
            use.channel = channels.randomElement(using: &random)!
            events.append(use)
          case 8:
            events.append(event(Bool.random(using: &random) ? .expired : .adjusted, bare))
            if events[events.count - 1].kind == .adjusted {
              events[events.count - 1].value.coins.negate()
            }
          default:
            guard refunds, !sales.isEmpty else { continue }
            var refund = sales.remove(at: Int.random(in: 0..<sales.count, using: &random))
            guard refund.at < at else { continue }
            (refund.kind, refund.at, refund.day) = (.refunded, at, day)
            paidBack += refund.value.amount
            events.append(refund)
          }
        }
        months.append((period, events))
      }
    }
  }

  static let policies: [CoinPolicy] = {
    var all: [CoinPolicy] = []
    for method in CoinPolicy.Method.allCases {
      for free in CoinPolicy.FreeCoins.allCases {
        for breakage in [CoinPolicy.Breakage.none, .proportion(137_000), .remote] {
          var policy = CoinPolicy()
          (policy.presentation, policy.valuation) = (.principal, method)
          (policy.freeCoins, policy.breakage, policy.remoteMonths) = (free, breakage, 1)
          all.append(policy)
        }
      }
    }
    return all
  }()

  @Test(arguments: policies)
  func `opening and movements come to the closing under every policy`(_ policy: CoinPolicy) {
    for seed in UInt64(1)...8 {
      let year = Year(seed: seed)
      var book = CoinBook(coin: "", channels: ["apple", "google"], policy: policy)
      var before: [String: CoinRoll] = [:]
      var (paidBack, wasOwed): (Int64, Bool) = (0, false)
      for (period, events) in year.months {
        let rolls = book.month(period, events)
        for roll in rolls {
          let name = "\(roll.channel) \(roll.currency) \(period) seed \(seed)"
          let last = before.removeValue(forKey: "\(roll.channel)\(roll.currency)")
          #expect(roll.opening == last?.closing ?? .zero, "\(name)")
          #expect(roll.itemsOpening == last?.itemsClosing ?? .zero, "\(name)")
          #expect(roll.closing.coins >= 0 && roll.closing.amount >= 0, "\(name)")
          #expect(roll.closing.coins > 0 || roll.closing == .zero, "\(name)")
          #expect(roll.itemsClosing.amount >= 0, "\(name)")
          // The ages are those of the coins themselves, the closing follows from movements.
          #expect(roll.ages.reduce(0, +) == roll.closing.amount, "\(name)")
          wasOwed = wasOwed || roll.closing.amount > 0
          paidBack += roll.allRefunded.amount + roll.reversed.amount
          checkCents(roll, last, name)
        }
        #expect(before.values.allSatisfy { $0.closing == .zero && $0.itemsClosing == .zero })
        before = Dictionary(
          uniqueKeysWithValues: rolls.map { ("\($0.channel)\($0.currency)", $0) })
        #expect(rolls.reduce(0) { $0 + $1.closing.coins + $1.broken } == book.unspent)
      }
      #expect(paidBack == year.paidBack && wasOwed)
    }
  }

  private func checkCents(_ exact: CoinRoll, _ last: CoinRoll?, _ name: String) {
    let roll = exact.rounded
    #expect(roll.opening == last?.rounded.closing ?? .zero, "\(name)")
    #expect(roll.itemsOpening == last?.rounded.itemsClosing ?? .zero, "\(name)")
    #expect(roll.ages.reduce(0, +) == roll.closing.amount, "\(name)")
    let unit = roll.currency.minorUnit
    let (paidBack, cents) = (exact.allRefunded + exact.reversed, roll.allRefunded + roll.reversed)
    #expect(abs(paidBack.amount - cents.amount) * 2 <= unit, "\(name)")
    for value in [roll.sold, roll.used, roll.breakage, roll.closing, roll.itemsClosing] {
      #expect(value.amount % unit == 0 && value.cost % unit == 0, "\(name)")
    }
    #expect(abs(roll.closing.amount - exact.closing.amount) * 2 <= unit, "\(name)")
  }

  /// Coin by coin, each with its own price: what a ledger of single coins comes to.
  @Test(arguments: [CoinPolicy.FreeCoins.first, .last])
  func `by lot it is what single coins come to`(_ free: CoinPolicy.FreeCoins) {
    var policy = CoinPolicy()
    (policy.presentation, policy.valuation, policy.freeCoins) = (.principal, .lot, free)
    for seed in UInt64(20)...27 {
      let year = Year(seed: seed, divides: true, refunds: false)
      var book = CoinBook(coin: "", channels: ["apple", "google"], policy: policy)
      var users: [UInt64: SingleCoins] = [:]
      for (period, events) in year.months {
        let rolls = book.month(period, events)
        for event in events.sorted(by: { ($0.at, $0.kind) < ($1.at, $1.kind) }) {
          users[event.user, default: SingleCoins()].take(event, free)
        }
        let owed = users.values.flatMap(\.paid).reduce(0) { $0 + $1.price }
        #expect(rolls.reduce(0) { $0 + $1.closing.amount } == owed, "\(period) seed \(seed)")
      }
    }
  }

  /// A user's coins, one by one.
  private struct SingleCoins {
    var paid: [(channel: Int32, price: Int64)] = []
    var free: Int64 = 0
    /// What went away before it came.
    var early: [CoinEvent] = []

    mutating func take(_ event: CoinEvent, _ policy: CoinPolicy.FreeCoins) {
      let coins = abs(event.value.coins)
      switch event.kind {
      case .sold:
        let price = event.value.amount / coins
        paid += Array(repeating: (channel: event.channel!, price: price), count: Int(coins))
      case .given: free += coins
      default: return spend(event, coins, policy)
      }
      let before = early
      early = []
      for use in before where use.day.distance(to: event.day) <= 1 {
        spend(use, abs(use.value.coins), policy)
      }
    }

    private mutating func spend(
      _ event: CoinEvent, _ coins: Int64, _ policy: CoinPolicy.FreeCoins
    ) {
      let count = Int64(paid.count)
      let ofFree = policy == .first ? min(coins, free) : min(max(0, coins - count), free)
      free -= ofFree
      let ofPaid = min(coins - ofFree, count)
      for _ in 0..<ofPaid {
        paid.remove(at: paid.firstIndex { $0.channel == event.channel } ?? 0)
      }
      let lacking = coins - ofFree - ofPaid
      if lacking == 0 { return }
      let same = early.firstIndex {
        ($0.kind, $0.day, $0.channel, $0.days) == (event.kind, event.day, event.channel, event.days)
      }
      if let same {
        early[same].value.coins = abs(early[same].value.coins) + lacking
      } else {
        early.append(event)
        early[early.count - 1].value.coins = lacking
      }
    }
  }

  @Test func `months in any order of rows are the same`() {
    for policy in Self.policies {
      let year = Year(seed: 5)
      var (one, other) = (
        CoinBook(coin: "", channels: ["apple", "google"], policy: policy),
        CoinBook(coin: "", channels: ["apple", "google"], policy: policy)
      )
      var random = SplitMix64(seed: 99)
      for (period, events) in year.months {
        let shuffled = events.shuffled(using: &random)
        #expect(one.month(period, events) == other.month(period, shuffled))
      }
    }
  }
}
