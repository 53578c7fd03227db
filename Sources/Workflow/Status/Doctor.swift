package import Billing
import Languages
import Ledger
import Reporting

/// What a company's set-up leaves open, and what that hides.
package struct Doctor: Sendable {
  /// A key of the configuration, or a kind of table, that is not there.
  private struct Gap {
    var name: String
    /// What a table is, for a reader.
    var what: Wording = ""
    /// What applies instead, or cannot be checked.
    var effect: Wording
  }

  private let path: String?
  private let ledgerPath: String
  private var keys: [Gap] = []
  private var tables: [Gap] = []

  /// Finds out which keys of the configuration and which tables are missing.
  ///
  /// - Parameters:
  ///   - path: of the configuration in force.
  ///   - given: the keys that it sets.
  /// - Throws: a ``Stop`` where the ledger cannot be read; one that is not there holds nothing.
  package init(
    path: String?, given: Set<String>, _ settings: Settings, ledgerPath: String, asOf: Day
  ) throws {
    (self.path, self.ledgerPath) = (path, ledgerPath)
    for assumption in settings.assumptions {
      keys.append(Gap(name: assumption.key, effect: assumption.taken))
    }
    for (key, effect) in Self.openKeys where !given.contains(key) {
      keys.append(Gap(name: key, effect: effect))
    }
    var loaded: Set<InputKind> = []
    var coins: ToldOfCoins?
    if identity(of: ledgerPath) != nil {
      try stopping {
        try Ledger.reading(ledgerPath) { ledger in
          loaded = Set(try LedgerStatus(ledger, asOf: asOf).kinds.map(\.kind))
          coins = try ledger.toldOfCoins()
        }
      }
    }
    if loaded.contains(.unitCounts) { loaded.formUnion([.transactions, .orders]) }
    // Apple's own words about purchases are transactions, whichever file has them.
    if loaded.contains(where: \.isPurchases) { loaded.insert(.transactions) }
    if loaded.contains(.history) { loaded.insert(.notifications) }
    for (kind, effect) in Self.needed where !loaded.contains(kind) {
      tables.append(Gap(name: kind.rawValue, what: kind.wording, effect: effect))
    }
    if let coins {
      tables += Self.gaps(in: coins, loaded)
      if loaded.contains(.coinMovements) { keys += Self.gaps(in: settings, coins.channels) }
    }
  }

  /// The tables and columns that lack for the checks of coins; empty where none are sold and none
  /// move.
  ///
  /// - Parameter loaded: kinds of tables that the ledger has.
  private static func gaps(in coins: ToldOfCoins, _ loaded: Set<InputKind>) -> [Gap] {
    /// A gap that is a table, or a column of one.
    func gap(_ kind: InputKind, column: String? = nil, _ effect: Wording) -> Gap {
      let name = [kind.rawValue, column].compactMap(\.self).joined(separator: ".")
      return Gap(name: name, what: kind.wording, effect: effect)
    }
    guard loaded.contains(.coinMovements) else {
      return coins.sold ? [gap(.coinMovements, "@doctor.coin-movements")] : []
    }
    var gaps: [Gap] = []
    if !coins.sold { gaps.append(gap(.products, column: "coins", "@doctor.coins-of-products")) }
    if !coins.origins {
      gaps.append(gap(.coinMovements, column: "paid", "@doctor.coins-paid-or-free"))
    }
    if !coins.users {
      gaps.append(gap(.coinMovements, column: "user_id", "@doctor.coins-of-users"))
    }
    if !loaded.contains(.coinBalances) {
      gaps.append(gap(.coinBalances, "@doctor.coin-balances"))
    }
    return gaps
  }

  /// The keys of the configuration that lack for valuing coins.
  ///
  /// - Parameter channels: those that movements of coins name.
  private static func gaps(in settings: Settings, _ channels: [String]) -> [Gap] {
    let policy = settings.coins
    var gaps = policy.missingKeys.map { Gap(name: "coins.\($0)", effect: "@doctor.coins-valued") }
    if policy.presentation != nil, !policy.agrees(with: settings.revenue) {
      gaps.append(
        Gap(
          name: "coins.presentation",
          effect: "@doctor.coins-and-revenue \(settings.revenue.rawValue)"))
    }
    let known = Set(settings.channels.map { $0.name.lowercased() })
    let unknown = channels.filter { !known.contains($0.lowercased()) }
    if !unknown.isEmpty {
      gaps.append(Gap(name: "channels", effect: "@doctor.channels-of-coins \(unknown.asList)"))
    }
    return gaps
  }

  /// Keys whose defaults a company should know of.
  private static let openKeys: [(key: String, effect: Wording)] = [
    ("company", "@doctor.company"),
    ("business_zone", "@doctor.business-zone"),
    ("vendor_numbers", "@doctor.vendor-numbers"),
    ("bundle_ids", "@doctor.bundle-ids"),
    ("default_storefront", "@doctor.default-storefront"),
    ("small_business", "@doctor.small-business"),
    ("agreements", "@doctor.agreements"),
    ("sandbox_users", "@doctor.sandbox-users"),
    ("material", "@doctor.material"),
  ]

  /// Tables and reports in the order in which they are missed.
  private static let needed: [(kind: InputKind, effect: Wording)] = [
    (.sales, "@doctor.sales"),
    (.transactions, "@doctor.transactions"),
    (.orders, "@doctor.orders"),
    (.products, "@doctor.products"),
    (.tiers, "@doctor.tiers"),
    (.rates, "@doctor.rates"),
    (.notifications, "@doctor.notifications"),
    (.finance, "@doctor.finance"),
    (.payments, "@doctor.payments"),
    (.bank, "@doctor.bank"),
    (.subscription, "@doctor.subscription"),
    (.taxes, "@doctor.taxes"),
  ]

  /// The open keys and missing tables, each with its effect, for a person.
  package var text: String {
    var lines = [
      path.map { say("@doctor.configuration \($0)") } ?? say("@doctor.no-configuration")
    ]
    lines += keys.map { "  " + say("@doctor.key \($0.name) \($0.effect)") }
    if keys.isEmpty { lines.append("  " + say("@doctor.nothing-is-open")) }
    lines += ["", say("@doctor.not-in-the-ledger \(ledgerPath)")]
    lines += tables.map { table in
      "  " + say("@doctor.table \(table.name) \(table.what) \(table.effect)")
    }
    if tables.isEmpty { lines.append("  " + say("@doctor.nothing-is-missing")) }
    lines += ["", say("@doctor.where-to-go-on")]
    return lines.map { $0 + "\n" }.joined()
  }

  /// The open keys and missing tables for a script: one JSON document.
  package var json: String {
    func writeFields(of gap: Gap, _ name: String, to writer: inout JSONWriter) {
      writer.string(name, gap.name)
      writer.string("effect", say(gap.effect))
    }
    return jsonDocument { writer in
      writer.string("configuration", path)
      writer.string("ledger", ledgerPath)
      writer.objects("open", of: keys) { writeFields(of: $1, "key", to: &$0) }
      writer.objects("missing", of: tables) { writeFields(of: $1, "kind", to: &$0) }
    }
  }
}
