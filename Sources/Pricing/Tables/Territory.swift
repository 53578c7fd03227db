import Billing
import CTablesHeader

/// The group of countries whose report days, by Apple's partner documentation, begin in one zone.
package enum Territory: String, Hashable, Sendable, CaseIterable {
  /// United States, Canada, Latin America.
  case pacific
  /// Europe, Middle East, Africa.
  case centralEuropean = "central-european"
  /// Japan and Asia Pacific.
  case japan
  /// Australia, New Zealand, Papua New Guinea, Solomon Islands.
  case westernAustralia = "western-australia"

  /// IANA name of the territory's zone.
  package var zoneName: String { Self.zones[self]! }

  static let zones = readZones(FactTable.embedded(ctables_territories()))

  /// The zone of each territory by its IANA name, from the bytes of the table.
  static func readZones(_ bytes: some Collection<UInt8>) -> [Territory: String] {
    let table = FactTable(
      "territories.csv", columns: ["territory", "zone", "countries", "evidence"], bytes: bytes)
    var zones: [Territory: String] = [:]
    for row in table.rows {
      guard let territory = Territory(rawValue: row.text(0)) else {
        preconditionFailure("\(row.place): no such territory")
      }
      precondition(zones.updateValue(row.text(1), forKey: territory) == nil, "\(row.place): again")
    }
    precondition(zones.count == allCases.count, "territories.csv: not every territory is named")
    return zones
  }
}
