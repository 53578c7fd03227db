import Billing

/// How Apple's rows of a period divide over storefronts, products, days and devices.
struct ReportCounts {
  /// Units and groups of equal rows.
  struct Count {
    var units = 0
    var rows = 0
  }

  private(set) var total = Count()
  private(set) var storefronts: [String: Count] = [:]
  private(set) var products: [String: Count] = [:]
  private(set) var days: [Day: Count] = [:]
  private(set) var devices: [String: Count] = [:]
  private let reports: SalesReports

  /// How sales, or refunds, divide over storefronts, products and days.
  ///
  /// - Parameter refunds: whether of refunds; else of sales.
  init(_ reports: SalesReports, refunds: Bool) {
    self.reports = reports
    // By numbers, as there are as many groups as rows that differ.
    var bySKU = [Count](repeating: Count(), count: reports.groups.skus.count)
    var byStorefront: [Storefront: Count] = [:]
    // Groups of a storefront and day stand together.
    var (storefront, day, together): (Storefront?, Day?, Count) = (nil, nil, Count())
    /// Adds what is in `together` to `storefront` and to `day`, and empties it.
    func addTogether() {
      if let storefront { byStorefront[storefront, default: Count()].add(together) }
      if let day { days[day, default: Count()].add(together) }
      together = Count()
    }
    for (index, group) in reports.groups.groups.enumerated()
    where group.type == .covered && group.isRefund == refunds && group.units != 0
      && reports.slotOfGroup[index] >= 0
    {
      let units = Int(abs(group.units))
      if group.terms.storefront != storefront || group.begin != day {
        addTogether()
        (storefront, day) = (group.terms.storefront, group.begin)
      }
      together.add(units)
      total.add(units)
      bySKU[Int(group.sku)].add(units)
    }
    addTogether()
    for (storefront, count) in byStorefront { storefronts[storefront.code] = count }
    for (number, count) in bySKU.enumerated() where count.rows > 0 {
      products[reports.groups.skus[number], default: Count()].add(count)
    }
  }

  /// Adds how the rows divide over devices: one pass over all of them.
  mutating func countDevices() {
    var counts = [Count](repeating: Count(), count: reports.facts.salesConditions.count)
    for row in reports.facts.sales where row.units > 0 {
      counts[Int(row.condition)].add(Int(row.units))
    }
    for (condition, count) in zip(reports.facts.salesConditions, counts) where count.rows > 0 {
      devices[condition.device, default: Count()].add(count)
    }
    devices[""] = nil
  }

  /// The part of the units, or of the rows, of all values that a value has.
  static func part(of value: String, in counts: [String: Count], rows: Bool) -> Double {
    let size = { (count: Count) in rows ? count.rows : count.units }
    let all = counts.values.reduce(0) { $0 + size($1) }
    return Double(counts[value].map(size) ?? 0) / Double(max(all, 1))
  }

  /// The part of all that a value has, to reckon chances with: of units or of groups of rows,
  /// whichever is larger, as findings may fall on either, and at least an even share of all values.
  ///
  /// - Parameters:
  ///   - count: what the value has; nil for nothing.
  ///   - values: how many values there are.
  func share(_ count: Count?, among values: Int) -> Double {
    let count = count ?? Count()
    let units = Double(count.units + 1) / Double(total.units + 1)
    let rows = Double(count.rows + 1) / Double(total.rows + 1)
    return max(units, rows, 1 / Double(max(values, 1)))
  }
}

extension ReportCounts.Count {
  /// Adds a group of so many units.
  fileprivate mutating func add(_ units: Int) {
    self.units += units
    rows += 1
  }

  /// Adds the units and rows of another count.
  fileprivate mutating func add(_ more: Self) {
    units += more.units
    rows += more.rows
  }
}

extension SalesReports {
  /// The devices that rows of Apple's sales reports name, by row.
  func devices(of rows: Set<SalesRow.ID>) -> [SalesRow.ID: String] {
    var devices: [SalesRow.ID: String] = [:]
    // A set would hash every row of the month.
    let asked = rows.sorted()
    for entry in facts.sales {
      let place = asked.partitioningIndex { $0 >= entry.row }
      guard place < asked.count, asked[place] == entry.row else { continue }
      devices[entry.row] = facts.salesConditions[Int(entry.condition)].device
    }
    return devices
  }
}
