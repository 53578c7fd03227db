import Billing
import Conclusions

/// What the events of purchases say, of findings and of all business.
struct EventBusiness {
  private let index: EventIndex
  private let table: MatchTable
  private let context: MatchingContext
  /// Dimensions that nothing but events tells.
  private let own: Set<Pattern.Dimension>
  private var countsOfBase: [Pattern.Base: [Pattern.Dimension: Counts]] = [:]

  /// Purchases by value, and all that tell one.
  struct Counts {
    var counts: [String: Int] = [:]
    var total = 0
  }

  /// Stands for a purchase whose events did not fail: a value that no pattern is made of.
  static let unfailed = "\u{0}"
  static let failures: [Pattern.Dimension] = [.server, .message, .stage]

  /// Prepares to look up what the events of purchases say, and finds out which dimensions nothing
  /// but events tells.
  init(_ traces: EventTraces, _ table: MatchTable, _ context: MatchingContext) {
    index = EventIndex(traces)
    self.table = table
    self.context = context
    var own = Set(Self.failures)
    if table.orderTerms.allSatisfy(\.appVersion.isEmpty),
      table.transactionTerms.allSatisfy(\.appVersion.isEmpty)
    {
      own.insert(.appVersion)
    }
    if table.orderTerms.allSatisfy(\.device.isEmpty) { own.insert(.device) }
    self.own = own
  }

  /// Whether only events tell a dimension: neither orders nor transactions do.
  func tells(_ dimension: Pattern.Dimension) -> Bool { own.contains(dimension) }

  /// The values of a dimension that the events of an order or a transaction tell, each once; none
  /// where it has no events.
  func texts(_ dimension: Pattern.Dimension, order: Int?, transaction: Int?) -> [String] {
    texts(dimension, traits(order, transaction))
  }

  /// What the events of a purchase say, as indices of traits. Of an order without its transaction,
  /// or a transaction without its order, the one that it is matched with counts, too.
  private func traits(_ order: Int?, _ transaction: Int?) -> [Int32] {
    let transaction = transaction ?? order.flatMap { table.transactionOf[$0].position }
    let order = order ?? transaction.flatMap { table.orderOf[$0].position }
    let ours = order.map { table.orders[$0] }
    let theirs = transaction.map { table.transactions[$0] }
    return index.traits(
      order: ours?.key ?? theirs?.order ?? .none,
      transaction: theirs?.key ?? ours?.transaction ?? .none)
  }

  /// The values of a dimension that traits tell, each once; ``unfailed`` for dimensions of failures
  /// where no trait has one.
  ///
  /// - Parameter traits: their indices in ``index``.
  private func texts(_ dimension: Pattern.Dimension, _ traits: [Int32]) -> [String] {
    if traits.isEmpty { return [] }
    var texts: [String] = []
    for trait in traits {
      let text = text(dimension, index.traits[Int(trait)])
      if !text.isEmpty, !texts.contains(text) { texts.append(text) }
    }
    return texts.isEmpty && Self.failures.contains(dimension) ? [Self.unfailed] : texts
  }

  /// The value of a dimension that a trait tells, as `pay-03 (verify)`; empty where it tells
  /// nothing.
  private func text(_ dimension: Pattern.Dimension, _ trait: EventTraces.Trait) -> String {
    /// A text of the trait's failure, with the step at which it failed.
    func failed(_ text: (EventTraces.Failure) -> String) -> String {
      guard let failure = trait.failure else { return "" }
      let text = text(failure)
      return text.isEmpty ? "" : "\(text) (\(failure.stage))"
    }
    return switch dimension {
    case .stage: trait.failure?.stage ?? ""
    case .server: failed(\.server)
    case .message: failed(\.message)
    case .appVersion: trait.appVersion
    case .device: trait.device
    default: ""
    }
  }

  /// How the period's orders, or transactions, that have events divide over the values of a
  /// dimension.
  mutating func counts(_ dimension: Pattern.Dimension, _ base: Pattern.Base) -> Counts {
    if countsOfBase[base] == nil { countsOfBase[base] = count(base) }
    return countsOfBase[base]?[dimension] ?? Counts()
  }

  /// How the period's orders, or transactions, that have events divide over the values of each
  /// dimension that only events tell.
  ///
  /// - Parameter base: `ordersWithEvents`; else transactions are meant.
  private func count(_ base: Pattern.Base) -> [Pattern.Dimension: Counts] {
    let dimensions = own.sorted { $0.rawValue < $1.rawValue }
    var counts = Dictionary(uniqueKeysWithValues: dimensions.map { ($0, Counts()) })
    /// Adds one purchase to `counts`, under each value that its events tell; one without events
    /// adds nothing.
    ///
    /// - Parameter traits: the indices of what its events say.
    func add(_ traits: [Int32]) {
      if traits.isEmpty { return }
      for dimension in dimensions {
        let texts = texts(dimension, traits)
        if texts.isEmpty { continue }
        counts[dimension]!.total += 1
        for text in texts { counts[dimension]!.counts[text, default: 0] += 1 }
      }
    }
    let days = BusinessDays(context)
    if base == .ordersWithEvents {
      for order in table.orders.indices where table.transactionOf[order] != .merged {
        let entry = table.orders[order]
        guard table.isApple[Int(entry.terms)], days.index(entry.placedAt) >= 0 else { continue }
        add(traits(order, nil))
      }
    } else {
      let billable = table.transactionTerms.map(context.isBillable)
      for transaction in table.transactions.indices
      where table.orderOf[transaction] != .merged {
        let entry = table.transactions[transaction]
        guard billable[Int(entry.terms)], table.chains.role(of: transaction) != .restore,
          days.index(entry.purchasedAt) >= 0
        else { continue }
        add(traits(nil, transaction))
      }
    }
    return counts
  }
}
