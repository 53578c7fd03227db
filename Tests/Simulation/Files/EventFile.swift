package import Billing

/// The company's log of each order's steps, `events.csv`, and the truth about it. What it draws is
/// drawn apart: orders and transactions are the same with and without it, but for those that a
/// failing server keeps from being fulfilled.
final class EventFile {
  private let parameters: EventParameters
  private let store: Store
  private let file: LineFile?
  private var random: RandomNumbers
  private var durations: [Place: [Int64]] = [:]
  private var counts: [Place: TrueStageDay] = [:]

  private struct Place: Hashable {
    var day: Day
    var stage: String
  }

  private static let name = "events.csv"
  private static let header =
    "at,stage,outcome,duration_ms,http_status,order_id,user_id,transaction_id,app_version,device,"
    + "server,message\n"
  /// Servers that verify receipts; an order always meets the same.
  private static let servers = ["pay-01", "pay-02", "pay-03", "pay-04"]
  static let failingServer = "pay-03"

  init(directory: String?, store: Store, _ parameters: EventParameters) throws {
    self.parameters = parameters
    self.store = store
    random = RandomNumbers(seed: store.parameters.seed ^ 0xE7E9_75)
    file = try directory.map {
      try LineFile(
        path: "\($0)/\(Self.name)", header: Self.header, shuffles: store.parameters.shuffle)
    }
  }

  static func server(of order: UInt64) -> String {
    servers[Int(mixed(order &+ 0x5E4E) % UInt64(servers.count))]
  }

  /// Logs the steps that an order went through.
  ///
  /// - Parameter fails: whether a failing server kept it from being fulfilled.
  func take(_ order: OrderRecord, fails: Bool) throws {
    try log("list", order, at: order.placed - 20, .ok, 120, names: false)
    try log("order", order, at: order.placed, .ok, 60)
    guard order.paid != 0 || fails else {
      if order.status == .cancelled {
        try log("pay", order, at: order.placed + 15, .cancelled, 9000)
      }
      return
    }
    let paid = order.paid != 0 ? order.paid : order.placed + 30
    try log("pay", order, at: paid, .ok, 3000)
    try log("upload", order, at: paid + 1, .ok, 250)
    if fails { return try log("verify", order, at: paid + 2, .failed, 5000, message: "timed out") }
    if failsAtFirst(paid + 2) {
      try log("verify", order, at: paid + 2, .failed, 5000, message: "timed out")
      try log("verify", order, at: paid + 7, .ok, 300)
    } else {
      try log("verify", order, at: paid + 2, .ok, 300)
    }
    if order.fulfilled != 0 { try log("fulfil", order, at: order.fulfilled, .ok, 40) }
  }

  /// One in a hundred, and in the bad hour nearly all.
  private func failsAtFirst(_ moment: Int64) -> Bool {
    let isBad = parameters.badHour.map { $0..<$0 + 3600 }?.contains(moment) ?? false
    return random.chance(isBad ? 900 : 10)
  }

  private func log(
    _ stage: String, _ order: OrderRecord, at moment: Int64, _ outcome: EventOutcome,
    _ usual: Int, message: String = "", names: Bool = true
  ) throws {
    let day = Instant(seconds: moment).day()
    var duration = Int64(random.within(usual / 2...usual * 3 / 2))
    if stage == "verify", day == parameters.slowDay { duration *= 20 }
    if day == parameters.missingDay { return }
    let place = Place(day: day, stage: stage)
    var count = counts[place] ?? TrueStageDay(day: day, stage: stage)
    count.events += 1
    if outcome == .failed { count.failed += 1 }
    if outcome == .cancelled { count.cancelled += 1 }
    counts[place] = count
    durations[place, default: []].append(duration)
    let isServers = ["upload", "verify", "fulfil"].contains(stage)
    try file?.row([
      .time(moment), .text(stage), .text(outcome.name), .number(duration),
      .text(isServers ? outcome == .failed ? "503" : "200" : ""),
      names ? Names.order(order.number) : .blank, Names.user(order.user),
      isServers ? .unlessZero(order.transaction) : .blank,
      .text(store.parameters.appVersion(of: order.user, at: moment)),
      .text(store.parameters.device(of: order.user)),
      .text(isServers ? Self.server(of: order.number) : ""), .text(message),
    ])
  }

  /// Closes the file; what it came to, by day and step.
  func finish() throws -> [TrueStageDay] {
    try file?.close(random: &random)
    return counts.map { place, count in
      var count = count
      let sorted = durations[place]!.sorted()
      count.medianDuration = sorted[(sorted.count * 50 + 99) / 100 - 1]
      count.lateDuration = sorted[(sorted.count * 95 + 99) / 100 - 1]
      return count
    }.filter { store.parameters.period.contains($0.day) }
      .sorted { ($0.day, $0.stage) < ($1.day, $1.stage) }
  }
}

/// What the company's log has of a month.
package struct EventParameters: Hashable, Sendable {
  /// A day of which the log has nothing, and one on which verifying takes twenty times as long.
  package var missingDay: Day?
  package var slowDay: Day?
  /// Seconds since 1970: the hour from then on in which nearly every first verification fails.
  package var badHour: Int64?
  /// One server fails to verify one receipt in eight for good.
  package var hasFailingServer = false

  package init() {}
}

/// How a step went on a day, by the log.
package struct TrueStageDay: Hashable, Sendable {
  package var day: Day
  package var stage: String
  package var events = 0
  package var failed = 0
  package var cancelled = 0
  /// Milliseconds.
  package var medianDuration: Int64 = 0
  package var lateDuration: Int64 = 0

  init(day: Day, stage: String) {
    self.day = day
    self.stage = stage
  }
}
