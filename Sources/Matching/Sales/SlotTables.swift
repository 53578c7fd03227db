import Billing

/// For each class of units, the report slot of each quarter hour by its storefront's zone;
/// storefronts whose days begin together share a table.
struct SlotTables {
  /// By table and quarter hour, the slot; `ReportDays.none` where no report has it.
  private var tables: [[Int16]] = []
  /// Per class, the index of its table.
  private(set) var tableOf: [Int32] = []
  /// By table and slot, the boundary at which the slot begins, in seconds from the grid's start.
  private var starts: [[Int64?]] = []

  init() {}

  /// Makes a table for each zone that the storefronts of the units' classes have.
  ///
  /// - Parameter zone: the zone of a storefront's report day.
  init(_ units: BillableUnits, _ days: ReportDays, zone: (Storefront?) -> Zone) {
    var known = [Int32](repeating: -1, count: Storefront.limit)
    var byZone: [Zone: Int32] = [:]
    tableOf = units.classes.map { sold in
      let place = Int(sold.storefront?.packed ?? 0)
      if known[place] >= 0 { return known[place] }
      let zone = zone(sold.storefront)
      let table = byZone[zone] ?? Int32(tables.count)
      if byZone[zone] == nil {
        byZone[zone] = table
        tables.append(units.grid.slots(in: zone, days))
        starts.append(Self.boundaries(days, zone).map { $0.map { $0 - units.grid.start } })
      }
      known[place] = table
      return table
    }
  }

  /// The report slot that has the units of a class in a quarter hour, or `ReportDays.none`.
  ///
  /// - Parameters:
  ///   - classIndex: into `BillableUnits.classes`.
  ///   - quarter: of the grid.
  @inline(__always) func slot(_ classIndex: Int, _ quarter: Int) -> Int16 {
    tables[Int(tableOf[classIndex])][quarter]
  }

  /// The moment at which each slot begins in a zone, in seconds since 1970; nil where the slot
  /// before it does not end just then.
  static func boundaries(_ days: ReportDays, _ zone: Zone) -> [Int64?] {
    days.slots.indices.map { slot in
      slot > 0 && days.slots[slot - 1].end.advanced(by: 1) == days.slots[slot].begin
        ? zone.start(of: days.slots[slot].begin).seconds : nil
    }
  }

  /// By table and quarter hour, whether any moment of the quarter hour is within `window` seconds
  /// of a boundary.
  func nearBoundary(window: Int64) -> [[Bool]] {
    zip(tables, starts).map { table, starts in
      var near = Array(repeating: false, count: table.count)
      for case let start? in starts {
        let first = max(Int((start - window) / 900) - 1, 0)
        let last = min(Int((start + window) / 900), table.count - 1)
        if first <= last { for quarter in first...last { near[quarter] = true } }
      }
      return near
    }
  }
}
