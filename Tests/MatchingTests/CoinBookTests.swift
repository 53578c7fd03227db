import Billing
import Conclusions
import Support
import Testing

@testable import Matching

/// What is owed for coins, by examples worked by hand and by histories of chance.
@Suite struct CoinBookTests {
  private static let usd = Currency("USD")!
  private static let june = Period("2023-06")!

  /// A policy by the words of the configuration, `lot first`, with the share that is expected to
  /// stay unused or the months after which nobody comes back.
  private static func policy(
    _ words: String, expecting share: Int64 = 0, remote months: Int? = nil
  ) -> CoinPolicy {
    let parts = words.split(separator: " ").map(String.init)
    var policy = CoinPolicy()
    policy.presentation = .principal
    policy.valuation = CoinPolicy.Method(rawValue: parts[0])!
    policy.freeCoins = CoinPolicy.FreeCoins(rawValue: parts[1])!
    if share > 0 { policy.breakage = .proportion(share) }
    if let months { (policy.breakage, policy.remoteMonths) = (.remote, months) }
    return policy
  }

  /// `06-01 sold 100 10.00 A`: a day of 2023, what happened, coins, the amount, the sale.
  private static func events(_ lines: String...) -> [CoinEvent] {
    lines.map { line in
      let words = line.split(separator: " ").map(String.init)
      let kinds: [String: CoinEvent.Kind] = [
        "sold": .sold, "given": .given, "refunded": .refunded, "taken": .takenBack,
        "used": .used, "expired": .expired, "adjusted": .adjusted,
      ]
      let day = Day("2023-\(words[0])")!
      let amount = words.count > 3 ? micros(decimal: words[3])! : 0
      var event = CoinEvent(
        kinds[words[1]]!, at: day.startUTC.seconds, day: day, user: 1,
        CoinValue(coins: Int64(words[2])!, amount: amount, cost: amount / 10 * 3), channel: 0,
        currency: usd)
      if words.count > 4 { event.sale = IDKey(words[4]).raw }
      if words.count > 5 { event.days = Int32(words[5])! }
      if event.kind == .used { event.channel = nil }
      return event
    }
  }

  private static func book(_ policy: CoinPolicy) -> CoinBook {
    CoinBook(coin: "gems", channels: ["apple", "google"], policy: policy)
  }

  /// `opening sold refunded used breakage closing | revenue`, amounts with the coins before them.
  private static func text(_ roll: CoinRoll) -> String {
    func amount(_ micros: Int64) -> String { decimalText(micros: micros, minimumDigits: 2) }
    let parts = [
      roll.opening, roll.sold, roll.refunded, roll.used, roll.breakage, roll.closing,
    ].map { "\($0.coins)=\(amount($0.amount))" }
    let revenue = roll.delivered.amount + roll.breakage.amount
    return "\(parts.joined(separator: " ")) | \(amount(revenue))"
  }

  // MARK: - By hand

  /// IFRS 15.31 and 15.106, ASC 606-10-25-23 and 606-10-45-2: what is used is revenue, what is not
  /// is a contract liability. IFRS 15.87 to 88, ASC 606-10-32-42 to 43: a refund changes the price
  /// of a contract that is in part fulfilled; what was recognised of it is taken back in the month
  /// of the change.
  ///
  /// Sale A: 100 coins at 10.00, of which 50 are used (5.00). A is refunded: 5.00 is owed no more,
  /// the other 5.00 was revenue. Sale B: 200 coins at 18.00, of which nothing is used.
  @Test func `a refund takes back its own lot, and the revenue of what was spent of it`() {
    var book = Self.book(Self.policy("lot first"))
    let rolls = book.month(
      Self.june,
      Self.events(
        "06-01 sold 100 10.00 A", "06-02 used 50", "06-03 sold 200 18.00 B",
        "06-20 refunded 100 10.00 A", "06-20 taken 50"))
    #expect(rolls.count == 1)
    #expect(
      rolls.first.map(Self.text) == "0=0.00 300=28.00 50=5.00 50=5.00 0=0.00 200=18.00 | 0.00")
    #expect(rolls.first?.reversed.amount == 5_000_000)
    // The commission goes with the coins: IFRS 15.99, ASC 340-40-35-1.
    #expect(rolls.first?.closing.cost == 5_400_000)
    #expect(book.unspent == 200 && book.unbacked == 0)
  }

  /// 300 coins at 29.47, of which 100 buy an item for 30 days on the 11th. The refund on the 22nd
  /// takes back 200 coins (19.65) and 18 days of the item; 12 days (3.93) were revenue.
  @Test(arguments: [100, 300])
  func `a refund takes back what is not delivered of an item`(_ spent: Int) {
    var book = Self.book(Self.policy("lot first"))
    let june = book.month(
      Self.june,
      Self.events(
        "06-10 sold 300 29.47 A", "06-11 used \(spent) 0 - 30", "06-22 refunded 300 29.47 A"))
    #expect(june.map(\.delivered.amount) == [0])
    #expect(june.map { $0.closing + $0.itemsClosing } == [.zero])
    // 100 coins are 9.823333, and 12 of 30 days of that; 300 are 29.47.
    #expect(june.map(\.reversed.amount) == [spent == 100 ? 3_929_333 : 11_788_000])
    let cost = june.map { $0.sold - $0.allRefunded - $0.delivered - $0.reversed }
    #expect(cost.map(\.cost) == [0])
    #expect(book.month(Period("2023-07")!, []).isEmpty)
  }

  /// Two sales of 300 coins at 4.99; of one 100 are used, of the other 150. What is owed goes from
  /// 5.82 to 2.50, and 3.32 with 1.66 were 4.98.
  @Test func `a refund comes to what was paid, to the cent`() {
    var book = Self.book(Self.policy("lot first"))
    var events = Self.events(
      "06-08 sold 300 4.99 A", "06-10 used 100", "06-09 sold 300 4.99 B", "06-11 used 150")
    for place in 2...3 { events[place].user = 2 }
    _ = book.month(Self.june, events)
    let july = book.month(Period("2023-07")!, Self.events("07-12 refunded 300 4.99 A"))
      .map(\.rounded)
    #expect(july.map(\.refunded.amount) == [3_320_000])
    #expect(july.map(\.reversed.amount) == [1_670_000])
    #expect(july.map(\.closing.amount) == [2_500_000])
  }

  @Test(arguments: [(0, 5_890_000), (5_890_000, 0), (890_000, 5_000_000), (6_000_000, 0)])
  func `refunds of the day after the month are known`(_ ahead: Int, _ unknown: Int) {
    func money(_ micros: Int64) -> Money { Money(micros: micros, Self.usd) }
    var tie = CoinStatement.Tie(
      reported: money(0), ofApple: money(0), ofOthers: money(0), refundsOpening: money(0),
      refunded: money(4_000_000), reportedRefunds: money(9_890_000))
    tie.refundsAhead = Int64(ahead)
    #expect(tie.refundsClosing == money(-5_890_000))
    #expect(tie.unknownRefunds == money(Int64(unknown)))
  }

  /// A log that says paid or free where coins expire, and not where they are spent: by the policy
  /// 60 of 100 free ones are spent first, or all; what then expires as free is of the sale.
  @Test(arguments: [
    ("lot first", 60, 40, 0), ("lot first", 330, 40, 40), ("average first", 90, 40, 30),
    ("lot last", 330, 40, 0),
  ])
  func `coins called free that are taken from sales are counted`(
    _ policy: String, _ spent: Int, _ expired: Int, _ counted: Int64
  ) {
    var book = CoinBook(
      coin: "gems", channels: ["apple"], policy: Self.policy(policy), isTold: false)
    var events = Self.events(
      "06-01 sold 400 4.00 A", "06-02 given 100", "06-09 used \(spent)", "06-20 expired \(expired)")
    events[3].origin = .free
    let rolls = book.month(Self.june, events)
    #expect(rolls.map(\.expired.coins) == [counted] && book.freeOfSales == counted)
    _ = book.month(Period("2023-07")!, [])
    #expect(book.freeOfSales == 0)
  }

  /// 300 coins at 3.00 of Apple's and 100 at 2.00 of another channel: 200 that go without a channel
  /// are taken three from the one and one from the other, and counted.
  @Test(arguments: [
    ("channel-average", nil, 200, [150, 50]), ("channel-average", 0, 0, [200]),
    ("average", nil, 0, [150, 50]),
  ])
  func `coins that go without a channel are counted where each has its mean`(
    _ method: String, _ channel: Int32?, _ counted: Int64, _ used: [Int64]
  ) {
    var book = Self.book(Self.policy("\(method) first"))
    var events = Self.events("06-01 sold 300 3.00 A", "06-01 sold 100 2.00 B", "06-09 used 200")
    (events[1].channel, events[2].channel) = (1, channel)
    let rolls = book.month(Self.june, events)
    #expect(rolls.map(\.used.coins).filter { $0 > 0 } == used)
    #expect(book.ofNoChannel == counted)
    _ = book.month(Period("2023-07")!, [])
    #expect(book.ofNoChannel == 0)
  }

  @Test func `a refund in a later month takes the rest of an item`() {
    var book = Self.book(Self.policy("lot first"))
    let june = book.month(
      Self.june, Self.events("06-01 sold 100 30.00 A", "06-11 used 100 0 - 60"))
    #expect(june.map(\.delivered.amount) == [10_000_000])
    // On 10 July 30 of 60 days have passed: 5.00 of July and 10.00 of June were revenue.
    let july = book.month(Period("2023-07")!, Self.events("07-10 refunded 100 30.00 A"))
    #expect(july.map(\.itemsRefunded.amount) == [15_000_000])
    #expect(july.map(\.reversed.amount) == [15_000_000])
    #expect(july.map(\.delivered.amount) == [-10_000_000])
    #expect(july.map(\.itemsClosing) == [.zero])
  }

  /// IFRS 15.B46, ASC 606-10-55-48: an entity that expects to be entitled to breakage recognises it
  /// in proportion to the pattern of rights that customers exercise.
  ///
  /// 100 coins at 1.00, 20 of them expected to stay. 40 are used of the expected 80: half of the
  /// price is revenue, 50.00, of which 10.00 is breakage.
  @Test(arguments: ["lot first", "average first", "channel-average first"])
  func `breakage comes in proportion to use`(_ policy: String) {
    var book = Self.book(Self.policy(policy, expecting: 200_000))
    let june = book.month(Self.june, Self.events("06-01 sold 100 100.00 A", "06-10 used 40"))
    #expect(
      june.map(Self.text) == ["0=0.00 100=100.00 0=0.00 40=40.00 10=10.00 50=50.00 | 50.00"])
    #expect(june.first?.broken == 10 && book.unspent == 60)
    // The rest of the expected ones, one by one: all of the price is revenue, and 20 are left.
    let uses = (0..<40).map { _ in "07-05 used 1" }
    var all: [CoinEvent] = []
    for use in uses { all += Self.events(use) }
    let july = book.month(Period("2023-07")!, all)
    #expect(
      july.map(Self.text) == ["50=50.00 0=0.00 0=0.00 40=40.00 10=10.00 0=0.00 | 50.00"])
    // More than was expected: it has been revenue before.
    let august = book.month(Period("2023-08")!, Self.events("08-05 used 15"))
    #expect(august.map(Self.text) == ["0=0.00 0=0.00 0=0.00 0=0.00 0=0.00 0=0.00 | 0.00"])
    #expect(book.unspent == 5)
    #expect(book.cohorts == [CoinCohort(month: Self.june.first, sold: 100, left: 5)])
  }

  /// 300 coins at 1.00, 20 % expected to stay; 100 are used, and 25 are breakage. The refund of all
  /// takes 175 that are owed for; 125.00 was revenue.
  @Test func `a refund of coins with breakage counts those that were owed for`() {
    var book = Self.book(Self.policy("lot first", expecting: 200_000))
    let june = book.month(
      Self.june,
      Self.events("06-01 sold 300 300.00 A", "06-10 used 100", "06-20 refunded 300 300.00 A"))
    #expect(
      june.map(Self.text) == [
        "0=0.00 300=300.00 175=175.00 100=100.00 25=25.00 0=0.00 | 0.00"
      ])
    #expect(june.map(\.reversed.amount) == [125_000_000])
    #expect(book.unspent == 0 && book.bare == 200)
  }

  /// Which coins go first is the company's policy: free ones carry no price (IFRS 15.22 to 30 make
  /// them no promise of the contract where they are not given with a sale), so that it decides when
  /// revenue comes.
  ///
  /// 100 coins for nothing and 100 at 10.00; 60 are used.
  @Test(arguments: [
    ("lot first", "0=0.00 100=10.00 0=0.00 0=0.00 0=0.00 100=10.00 | 0.00"),
    ("lot last", "0=0.00 100=10.00 0=0.00 60=6.00 0=0.00 40=4.00 | 6.00"),
    ("lot proportion", "0=0.00 100=10.00 0=0.00 30=3.00 0=0.00 70=7.00 | 3.00"),
  ])
  func `free and paid coins are told apart by policy`(_ policy: String, _ expected: String) {
    var whole = Self.book(Self.policy(policy))
    let bought = ["06-01 given 100", "06-01 sold 100 10.00 A"].flatMap { Self.events($0) }
    let rolls = whole.month(Self.june, bought + Self.events("06-10 used 60"))
    #expect(rolls.map(Self.text) == [expected])
    // One by one it is the same.
    var single = Self.book(Self.policy(policy))
    let uses = (0..<60).flatMap { _ in Self.events("06-10 used 1") }
    #expect(single.month(Self.june, bought + uses).map(Self.text) == [expected])
  }

  @Test func `a movement that says so decides which coins go`() {
    var book = Self.book(Self.policy("lot first"))
    var events = Self.events("06-01 given 100", "06-01 sold 100 10.00 A", "06-10 used 60")
    events[2].origin = .paid
    #expect(
      book.month(Self.june, events).map(Self.text) == [
        "0=0.00 100=10.00 0=0.00 60=6.00 0=0.00 40=4.00 | 6.00"
      ])
  }

  @Test func `what is of use for days is revenue over them`() {
    var book = Self.book(Self.policy("lot first"))
    // 20 days of June and 40 after: a third.
    let june = book.month(
      Self.june, Self.events("06-01 sold 100 30.00 A", "06-11 used 100 0 - 60"))
    #expect(june.map(Self.text) == ["0=0.00 100=30.00 0=0.00 100=30.00 0=0.00 0=0.00 | 10.00"])
    #expect(june.first?.itemsClosing.amount == 20_000_000)
    #expect(june.first?.itemsClosing.cost == 6_000_000)
    let july = book.month(Period("2023-07")!, [])
    #expect(july.first?.itemsDelivered.amount == 15_500_000)
    let august = book.month(Period("2023-08")!, [])
    #expect(august.first?.itemsDelivered.amount == 4_500_000)
    #expect(book.month(Period("2023-09")!, []).isEmpty)
  }

  /// IFRS 15.B46, ASC 606-10-55-48: else when it is remote that the customer will use them.
  @Test(arguments: ["lot last", "average last"])
  func `coins of who stays away are revenue until they come back`(_ policy: String) {
    var book = Self.book(Self.policy(policy, remote: 2))
    _ = book.month(Self.june, Self.events("06-15 sold 100 10.00 A"))
    #expect(book.month(Period("2023-07")!, []).map(\.breakage.amount) == [0])
    let august = book.month(Period("2023-08")!, [])
    #expect(august.map(Self.text) == ["100=10.00 0=0.00 0=0.00 0=0.00 100=10.00 0=0.00 | 10.00"])
    let back = book.month(Period("2023-09")!, Self.events("09-03 used 40"))
    #expect(
      back.map(Self.text) == ["0=0.00 0=0.00 0=0.00 40=4.00 -100=-10.00 60=6.00 | -6.00"])
    #expect(book.unspent == 60)
  }

  @Test func `a mean is that of the month, of all channels or of one`() {
    func rolls(_ policy: String) -> [String] {
      var book = Self.book(Self.policy(policy))
      var events = Self.events(
        "06-01 sold 100 10.00 A", "06-02 used 60", "06-20 sold 300 18.00 B")
      events[2].channel = 1
      events[1].channel = 1
      // The sale of the other channel comes later; by the mean of a month that is no matter.
      events[1].at = events[2].at
      return book.month(Self.june, events).map(Self.text)
    }
    // 400 coins: a quarter of what is used is of the first channel.
    #expect(
      rolls("average last") == [
        "0=0.00 100=10.00 0=0.00 15=1.50 0=0.00 85=8.50 | 1.50",
        "0=0.00 300=18.00 0=0.00 45=2.70 0=0.00 255=15.30 | 2.70",
      ])
    #expect(
      rolls("channel-average last") == [
        "0=0.00 100=10.00 0=0.00 0=0.00 0=0.00 100=10.00 | 0.00",
        "0=0.00 300=18.00 0=0.00 60=3.60 0=0.00 240=14.40 | 3.60",
      ])
  }

  @Test func `coins that no sale brought are counted and worth nothing`() {
    var book = Self.book(Self.policy("lot first"))
    let rolls = book.month(Self.june, Self.events("06-01 sold 10 1.00 A", "06-02 used 25"))
    #expect(rolls.map(Self.text) == ["0=0.00 10=1.00 0=0.00 10=1.00 0=0.00 0=0.00 | 1.00"])
    #expect(book.unbacked == 15)
  }

  /// What stood there before the first movement is the oldest, and nothing is owed for it here.
  @Test func `coins of before go before those of sales`() {
    var book = Self.book(Self.policy("lot first"))
    var events = Self.events(
      "06-01 given 30", "06-01 sold 100 10.00 A", "06-02 used 50", "06-03 used 20")
    events[0].origin = .paid
    events[3].origin = .paid
    #expect(
      book.month(Self.june, events).map(Self.text) == [
        "0=0.00 100=10.00 0=0.00 40=4.00 0=0.00 60=6.00 | 4.00"
      ])
    #expect(book.unspent == 60 && book.bare == 0 && book.unbacked == 0)
  }

  /// Clocks differ by seconds, at midnight by a day. What went away two days before was not there.
  @Test(arguments: [("06-04", 25), ("06-05", 25), ("06-06", 0)])
  func `what went away a moment before it was bought is of that sale`(_ day: String, _ used: Int) {
    var book = Self.book(Self.policy("lot first"))
    let rolls = book.month(
      Self.june, Self.events("06-04 used 25") + Self.events("\(day) sold 100 10.00 A"))
    #expect(rolls.map(\.used.coins) == [Int64(used)])
    #expect(book.unbacked == Int64(25 - used) && book.unspent == Int64(100 - used))
  }

  /// Coins without a price are there, and nothing is owed for them.
  @Test func `what was sold at no known price is worth nothing`() {
    var book = Self.book(Self.policy("lot first"))
    var events = Self.events("06-01 sold 100 0 A", "06-02 used 40")
    events[0].currency = nil
    #expect(book.month(Self.june, events).isEmpty)
    #expect(book.bare == 60 && book.unspent == 0 && book.unbacked == 0)
  }

  /// A present brings nobody back, a purchase does.
  @Test func `coins of who is away stay revenue while they only get presents`() {
    var book = Self.book(Self.policy("lot first", remote: 1))
    _ = book.month(Self.june, Self.events("06-15 sold 100 10.00 A"))
    let july = book.month(Period("2023-07")!, [])
    #expect(july.map(\.breakage.amount) == [10_000_000])
    let august = book.month(Period("2023-08")!, Self.events("08-03 given 20"))
    #expect(august.map(\.breakage.amount).filter { $0 != 0 } == [])
    let september = book.month(Period("2023-09")!, Self.events("09-03 sold 10 1.00 B"))
    #expect(september.map(\.breakage.amount) == [-10_000_000])
    #expect(book.unspent == 110)
  }

  /// Of 100 coins at 10.00 and 100 at 20.00 half are used, at 0.15: the refund of the second sale
  /// takes back 100 at 0.15, and 5.00 of revenue, whichever came first.
  @Test(arguments: ["06-02", "06-20"])
  func `a refund counts at the month's mean`(_ day: String) {
    var book = Self.book(Self.policy("average first"))
    let rolls = book.month(
      Self.june,
      Self.events("06-01 sold 100 10.00 A", "06-01 sold 100 20.00 B", "06-10 used 100")
        + Self.events("\(day) refunded 100 20.00 B"))
    // Before or after the use: 100 of 200 coins are there.
    #expect(rolls.first?.refunded == CoinValue(coins: 100, amount: 15_000_000, cost: 4_500_000))
    #expect(rolls.first?.reversed.amount == 5_000_000)
  }

  /// 100 coins owed at 10.00 and 100 more sold at 10.00; 50 are used.
  @Test(arguments: [
    (1_000_000, 0, "first", "15.00 5.00"), (1_500_000, 0, "first", "16.00 4.00"),
    (1_000_000, 20, "first", "17.00 3.00"), (1_000_000, 20, "last", "15.00 5.00"),
    (1_000_000, 50, "proportion", "16.00 4.00"),
  ])
  func `another rate and free coins change what is owed after a month`(
    _ rate: Int64, _ free: Int64, _ policy: String, _ expected: String
  ) {
    var roll = CoinRoll(coin: "gems", channel: "apple", currency: Self.usd)
    roll.opening = CoinValue(coins: 50, amount: 5_000_000)
    roll.sold = CoinValue(coins: 100, amount: 10_000_000)
    roll.used = CoinValue(coins: 50, amount: 5_000_000)
    let outlook = CoinOutlook.outlooks(
      [roll], rate: { _ in rate }, free: free, Self.policy("lot \(policy)"))
    #expect(outlook.map { "\($0.changed.owed.text) \($0.changed.revenue.text)" } == [expected])
    #expect(outlook.first?.asItIs.owed.text == "15.00")
  }

  /// 100 coins of June and 100 of July; July's sale is refunded and taken back, and 60 are used.
  /// The 40 that are left are June's: the pool alone would leave the latest, of July.
  /// Where they are not taken back, the 60 are of those that the refund left.
  @Test(arguments: [(true, Int64(40)), (false, 100)])
  func `at a mean no more is left of a month than it sold`(isTaken: Bool, left: Int64) {
    var book = Self.book(Self.policy("average first"))
    _ = book.month(Self.june, Self.events("06-01 sold 100 10.00 A"))
    var july = Self.events("07-01 sold 100 10.00 B", "07-02 refunded 100 10.00 B")
    july[1].soldOn = Day("2023-07-01")!
    if isTaken { july += Self.events("07-02 taken 100 0.00 B") }
    _ = book.month(Period("2023-07")!, july + Self.events("07-03 used 60"))
    #expect(
      book.cohorts == [
        CoinCohort(month: Self.june.first, sold: 100, left: left),
        CoinCohort(month: Day("2023-07-01")!, sold: 0, left: 0),
      ])
  }

  @Test func `a policy says which keys it lacks`() {
    var policy = CoinPolicy()
    policy.breakage = .remote
    #expect(policy.missingKeys == ["presentation", "valuation", "remote_months"])
    #expect(Self.policy("average first").missingKeys.isEmpty)
    #expect(Self.policy("lot first").needsUsers)
    #expect(Self.policy("average first", remote: 3).needsUsers)
    #expect(!Self.policy("average first").needsUsers)
  }
}
