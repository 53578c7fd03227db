import Billing

/// Whose the events of a period are: what each purchase's events say that findings may share.
package struct EventTraces: Sendable {
  /// What an event says of its purchase.
  struct Trait: Hashable {
    /// Where it failed; nil for one that did not.
    var failure: Failure?
    var appVersion: String
    var device: String
  }

  struct Failure: Hashable {
    var stage: String
    var server: String
    var message: String
  }

  /// That the purchase of a key has an event that says so.
  struct Trace: Hashable {
    var key: UInt64
    var trait: Int32
  }

  let traits: [Trait]
  private let traitOfTerms: [Int32]
  private(set) var orders: [Trace] = []
  private(set) var transactions: [Trace] = []
  /// Events of one purchase come soon after each other and mostly say the same: what was kept of
  /// late is not kept again.
  private var recent: [Trace]

  private static let recentCount = 1 << 14

  /// Prepares to note what events say of their purchases.
  ///
  /// - Parameter terms: what events point into.
  init(_ terms: [PurchaseEventTerms]) {
    var places: [Trait: Int32] = [:]
    var traits: [Trait] = []
    traitOfTerms = terms.map { terms in
      let trait = Trait(
        failure: terms.outcome == .failed
          ? Failure(stage: terms.stage, server: terms.server, message: terms.message) : nil,
        appVersion: terms.appVersion, device: terms.device)
      if let known = places[trait] { return known }
      let place = Int32(traits.count)
      places[trait] = place
      traits.append(trait)
      return place
    }
    self.traits = traits
    recent = Array(repeating: Trace(key: 0, trait: -1), count: Self.recentCount)
  }

  /// Notes what an event says of its order and of its transaction, where it names them.
  mutating func add(_ event: PurchaseEventEntry) {
    let trait = traitOfTerms[event.terms]
    if !event.order.isNone, isNew(Trace(key: event.order.raw, trait: trait), side: 0) {
      orders.append(Trace(key: event.order.raw, trait: trait))
    }
    if !event.transaction.isNone, isNew(Trace(key: event.transaction.raw, trait: trait), side: 1) {
      transactions.append(Trace(key: event.transaction.raw, trait: trait))
    }
  }

  /// Whether a trace is not among those that were noted a short time ago; it is among them from
  /// then on.
  ///
  /// - Parameter side: 0 for traces of orders, 1 for those of transactions.
  private mutating func isNew(_ trace: Trace, side: UInt64) -> Bool {
    let mixed = (trace.key &* 0x9E37_79B9_7F4A_7C15) ^ (UInt64(UInt32(trace.trait)) &* 0x85EB_CA6B)
    // Orders and transactions have places of their own, for their keys may be alike.
    let half = UInt64(Self.recentCount / 2)
    let place = Int(side * half + (mixed >> 32) % half)
    if recent[place] == trace { return false }
    recent[place] = trace
    return true
  }
}

/// Finds the traces of a purchase.
struct EventIndex {
  let traits: [EventTraces.Trait]
  private let orders: TraceTable
  private let transactions: TraceTable

  /// Sorts traces, so that they are found by the keys of orders and transactions.
  init(_ traces: EventTraces) {
    traits = traces.traits
    orders = TraceTable(traces.orders)
    transactions = TraceTable(traces.transactions)
  }

  /// What the events of a purchase say, as indices into ``traits``, each once; empty for one that
  /// has none.
  func traits(order: IDKey, transaction: IDKey) -> [Int32] {
    var found: [Int32] = []
    orders.forEach(order.raw) { found.append($0) }
    transactions.forEach(transaction.raw) { trait in
      if !found.contains(trait) { found.append(trait) }
    }
    return found
  }
}

/// Traces by key.
private struct TraceTable {
  private let traces: [EventTraces.Trace]
  /// The place of the first trace of a key, from 1; 0 is free.
  private let slots: [UInt32]

  /// Sorts traces by their key; each is kept once.
  init(_ unsorted: [EventTraces.Trace]) {
    let order = sortedByKey(count: unsorted.count) { unsorted[$0].key }
    var traces: [EventTraces.Trace] = []
    traces.reserveCapacity(unsorted.count)
    var keys = 0
    for item in order {
      let trace = unsorted[Int(item.index)]
      let start = traces.lastIndex { $0.key != trace.key }.map { $0 + 1 } ?? 0
      if traces[start...].contains(trace) { continue }
      if start == traces.count { keys += 1 }
      traces.append(trace)
    }
    var size = 1024
    while size < 2 * keys { size *= 2 }
    var slots = [UInt32](repeating: 0, count: size)
    for place in traces.indices where place == 0 || traces[place - 1].key != traces[place].key {
      var slot = Self.slot(traces[place].key, size)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = UInt32(place + 1)
    }
    self.traces = traces
    self.slots = slots
  }

  /// The slot at which the search for a key begins, in a table of so many slots.
  private static func slot(_ key: UInt64, _ size: Int) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & (size - 1)
  }

  /// Calls `body` with each trait of a key.
  func forEach(_ key: UInt64, _ body: (Int32) -> Void) {
    // No id has no trace.
    if key == 0 { return }
    var slot = Self.slot(key, slots.count)
    while slots[slot] != 0 {
      var place = Int(slots[slot]) - 1
      guard traces[place].key == key else {
        slot = (slot + 1) & (slots.count - 1)
        continue
      }
      while place < traces.count, traces[place].key == key {
        body(traces[place].trait)
        place += 1
      }
      return
    }
  }
}

extension [UnresolvedFinding] {
  /// Whether a code of level 1 has so many that a pattern may be behind them.
  package var mayHavePatterns: Bool {
    var counts: [FindingCode: Int] = [:]
    for finding in self where finding.code.level == 1 { counts[finding.code, default: 0] += 1 }
    return counts.values.contains { $0 >= Rules.patternFindings }
  }
}
