import Billing
import Pricing

extension ClockSearch {
  /// The pairs of one file, and those of them that are apart by the quarter hours in question.
  struct FilePairs {
    /// Of a hundred pairs those that have to be apart.
    var share = 90
    var all = 0
    var apart = 0
    /// Times of those that are apart, by the file's own clock, and how many pairs lie between.
    var times: ClosedRange<UInt32>?
    var between = 0

    /// Whether the file's clock is off, at least from one moment to another.
    var isOff: Bool { apart >= Rules.clockPairs && 100 * apart >= share * between }
    /// Whether the file's clock is off in all of it.
    var isWholeOff: Bool { apart >= Rules.clockPairs && 100 * apart >= share * all }
    /// Whether hardly any of its pairs is other than the rest.
    var isWholeOrRight: Bool { apart == 0 || 100 * apart >= share * all }
    /// Whether more than half of its pairs are apart.
    var isMostlyOff: Bool { 2 * apart > all }

    /// Adds a pair that is apart, by its time in seconds since 1970.
    mutating func add(_ moment: UInt32) {
      apart += 1
      times = min(times?.lowerBound ?? moment, moment)...max(times?.upperBound ?? moment, moment)
    }
  }

  /// The index in `files`, ascending by first row, of the file that a row is of: the last one that
  /// does not begin after it; 0 where there is none. The search is written out, as each pair asks.
  func file<Table>(of row: RowID<Table>, _ files: [RowFile<Table>]) -> Int {
    var (low, high) = (0, files.count)
    while low < high {
      let middle = (low + high) / 2
      if files[middle].firstRow.number > row.number { high = middle } else { low = middle + 1 }
    }
    return max(low - 1, 0)
  }

  /// Names of the files that have pairs apart, ascending.
  ///
  /// - Parameter pairs: by file.
  func names<Table>(of files: [RowFile<Table>], _ pairs: [FilePairs]) -> [String] {
    Set(zip(files, pairs).filter { $0.1.apart > 0 }.map(\.0.name)).sorted()
  }

  /// For each file whose clock is off, its rows and the times between which it is.
  ///
  /// - Parameters:
  ///   - pairs: by file.
  ///   - files: beside these, ascending by first row; may be empty where all rows are of one.
  func spans<Table>(_ pairs: [FilePairs], _ files: [RowFile<Table>]) -> [ClockRule.Span] {
    pairs.indices.compactMap { index in
      guard pairs[index].isOff, let times = pairs[index].times else { return nil }
      let first = files.isEmpty ? 0 : files[index].firstRow.number
      let next = index + 1 < files.count ? files[index + 1].firstRow.number - 1 : Int32.max
      return ClockRule.Span(
        rows: first...max(first, next), times: pairs[index].isWholeOff ? 0...UInt32.max : times)
    }
  }

  /// Spans of files and those of single rows together, ascending.
  func joined(_ files: [ClockRule.Span], _ rows: [ClockRule.Span]) -> [ClockRule.Span] {
    (files + rows).sorted { $0.rows.lowerBound < $1.rows.lowerBound }
  }

  /// The name of the zone whose local times, taken for UTC, would be as far ahead at the first and
  /// the last moment at which pairs are apart: the company's own, else the default storefront's,
  /// else that of the storefront with most orders; nil where no zone would.
  ///
  /// - Parameters:
  ///   - seconds: by which the clock is ahead of Apple's.
  ///   - files: by file, its pairs and the times of those apart.
  func zone(_ seconds: Int64, _ files: [FilePairs]) -> String? {
    let times = files.compactMap(\.times)
    guard let first = times.map(\.lowerBound).min(), let last = times.map(\.upperBound).max()
    else { return nil }
    return likelyZones.first { zone in
      [first, last].allSatisfy {
        // They are local times that were taken for UTC.
        Int64(zone.offset(at: Instant(seconds: Int64($0) - seconds))) == seconds
      }
    }?.name
  }

  /// Zones by which a clock may go, the likeliest first: the company's own, that of the default
  /// storefront, then those of storefronts by their orders.
  private var likelyZones: [Zone] {
    var counts: [Storefront: Int] = [:]
    for entry in table.orders {
      guard let storefront = table.orderTerms[Int(entry.terms)].storefront else { continue }
      counts[storefront, default: 0] += 1
    }
    let sold = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    let home = [context.settings.defaultStorefront].compactMap(\.self)
    return [context.settings.businessZone]
      + (home + sold).compactMap { context.storefronts.zoneName(of: $0) }
      .compactMap { context.zones[$0] }
  }
}
