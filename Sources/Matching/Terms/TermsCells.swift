import Billing
import Pricing

/// Puts Apple's rows into cells, by storefront, platform, class and what their terms begin with.
struct TermsCells {
  /// Products of a cell begin with the same state and are in the same programmes.
  private struct Key: Hashable {
    var scope: TermsScope
    var start: TermsState
    var programmes: [Int]
  }

  /// Days of a cell on which no rule changes.
  private struct Season: Hashable {
    var cell: Int
    var number: Int
  }

  /// A commission, and a bit for each state of a cell that has it.
  private struct Rate {
    var terms: HeldTerms
    var states: UInt64 = 0
  }

  private var cells: [TermsCell] = []

  /// Puts sales of one day, at a price, whose proceeds have the same currency, into cells.
  ///
  /// - Parameters:
  ///   - counted: indices of groups that are sales of the period.
  ///   - seasons: over which no rule changes.
  init(
    _ groups: ReportGroups, counted: [Int], seasons: Seasons, _ context: MatchingContext,
    _ start: TermsStart
  ) {
    let book = context.priceBook
    let (first, last) = (context.period.first, context.period.last)
    let programmes = groups.skus.map(book.programmes)
    var cellOfKey: [Key: Int] = [:]
    var cellOfSeries = [Int32](repeating: -1, count: groups.seriesCount)
    var kindOfPlace = [Int32](repeating: -1, count: groups.seriesCount * seasons.count)
    var configured: [TermsScope: ConfiguredTerms] = [:]
    var rates: [Season: [Rate]] = [:]
    for index in counted {
      let group = groups.groups[index]
      guard group.units > 0, group.price != 0, group.begin == group.end,
        let currency = group.terms.customerCurrency,
        group.terms.proceedsCurrency ?? currency == currency
      else { continue }
      let series = Int(group.series)
      if cellOfSeries[series] < 0 {
        let scope = group.scope(sku: groups.skus[Int(group.sku)])
        var shared = scope
        // Of a product that the configuration names, the cell goes by it.
        let programmes = programmes[Int(group.sku)]
        if programmes.isEmpty { shared.sku = "" }
        let common = book.common(scope)
        let told = configured[common] ?? book.configured(scope, on: first)
        configured[common] = told
        let state = start.state(of: scope, told)
        let key = Key(scope: shared, start: state, programmes: programmes)
        if cellOfKey[key] == nil {
          cellOfKey[key] = cells.count
          cells.append(TermsCell(shared, groups.groups, start: state, until: last, book: book))
        }
        cellOfSeries[series] = Int32(cellOfKey[key]!)
      }
      let cell = Int(cellOfSeries[series])
      let season = Season(cell: cell, number: seasons.season(of: group.begin))
      let place = series * seasons.count + season.number
      if kindOfPlace[place] < 0 {
        let told = rates[season] ?? Self.rates(of: cells[cell], on: group.begin, book)
        rates[season] = told
        let states = Self.states(
          giving: group, groups.skus[Int(group.sku)], currency, told, context)
        kindOfPlace[place] = cells[cell].kind(states, currency)
      }
      cells[cell].add(group: index, kind: kindOfPlace[place])
    }
  }

  /// The different commissions that a cell's states give on a day, each with the states that give
  /// it as bits.
  private static func rates(of cell: TermsCell, on day: Day, _ book: PriceBook) -> [Rate] {
    var rates: [Rate] = []
    for (place, state) in cell.states.enumerated() {
      let terms = book.held(state, cell.scope, on: day)
      let known = rates.firstIndex { $0.terms.rate == terms.rate }
      if known == nil { rates.append(Rate(terms: terms)) }
      rates[known ?? rates.count - 1].states |= 1 << UInt64(place)
    }
    return rates
  }

  /// The states that give a group's proceeds, as bits by their places in the cell.
  private static func states(
    giving group: ReportGroup, _ sku: String, _ currency: Currency, _ rates: [Rate],
    _ context: MatchingContext
  ) -> UInt64 {
    let row = ReportedProceeds(
      storefront: group.terms.storefront, currency: currency, price: group.price,
      proceeds: abs(group.terms.proceeds), day: group.begin,
      proceedsReason: group.isAfterOneYear ? CommissionClass.afterOneYearReason : "",
      platform: group.platform, sku: sku,
      tierPrice: context.tierPrice(
        sku: sku, storefront: group.terms.storefront, on: group.begin))
    let tolerance = context.settings.tolerance
    return rates.reduce(0) { states, rate in
      context.priceBook.gives(row, under: rate.terms, tolerance: tolerance)
        ? states | rate.states : states
    }
  }

  /// Hands out the cells, and keeps none.
  mutating func take() -> [TermsCell] {
    defer { cells = [] }
    return cells
  }
}
