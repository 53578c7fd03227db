import Billing

/// What makes many findings at once.
package enum SimulatedPattern: String, Hashable, Sendable, CaseIterable {
  /// For some hours, or minutes of a large month, orders are lost or never fulfilled.
  case outage
  /// A user replays other users' receipts, and has orders without any.
  case forger
  /// A version of the app places orders of some products at other products' prices.
  case wrongTier = "wrong-tier"
  /// From some day on, a storefront's report day begins hours earlier than before.
  case boundary
}

extension SimulationParameters {
  /// The version that a wrong tier came with.
  static let spoiledVersion = "2.3.1"

  /// The version of the app that a user had at a moment: some never update, the others do within
  /// five days.
  func appVersion(of user: UInt32, at moment: Int64) -> String {
    let chance = mixed(UInt64(user) &+ 0x5EED)
    if chance % 10 == 0 { return "2.2.0" }
    let wait = Int64(chance / 16 % (5 * 86_400))
    let days = (moment - wait - period.first.startUTC.seconds) / 86_400
    let length = Int64(period.dayCount)
    return days < length / 5 ? "2.3.0" : days < length * 3 / 5 ? Self.spoiledVersion : "2.4.0"
  }

  /// The kind of device that a user has.
  func device(of user: UInt32) -> String {
    switch mixed(UInt64(user) &+ 0xDE11) % 100 {
    case 0..<66: "iPhone"
    case 66..<91: "iPad"
    case 91..<96: "iPod touch"
    default: "Desktop"
    }
  }
}
