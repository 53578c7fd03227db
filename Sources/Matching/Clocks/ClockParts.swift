import Billing

/// A part of a side whose clock is off where the rest of its files is right.
struct ClockParts {
  /// What its rows have in common, as `JP`; empty where it has no such part.
  var name = ""
  /// Rows of it that no id ties to the other side, at any time, ascending: those that one ties are
  /// judged by that.
  var spans: [ClockRule.Span] = []
}

extension ClockSearch {
  /// Calls with the moment, the file and the terms of each row that is held against another, and
  /// whether the two are apart.
  typealias Sights = (_ body: (UInt32, Int, Int32, Bool) -> Void) -> Void

  /// By the terms of orders, what a part of the orders may have in common: storefront, version,
  /// device, app; empty for what is not told.
  var orderTraits: [[String]] {
    table.orderTerms.map {
      [$0.storefront?.code ?? "", $0.appVersion, $0.device, $0.bundleID]
    }
  }

  /// By the terms of transactions, what a part of these may have in common: storefront, version,
  /// app; empty for what is not told.
  var transactionTraits: [[String]] {
    table.transactionTerms.map { [$0.storefront?.code ?? "", $0.appVersion, $0.bundleID] }
  }

  /// The part of orders, of one storefront, version, device or app, whose clock is off, with its
  /// rows that no id ties to a purchase; empty where there is none.
  ///
  /// - Parameters:
  ///   - peak: quarter hours by which it is off.
  ///   - files: pairs by file.
  ///   - names: the files, ascending by first row.
  ///   - pairs: of orders and purchases; none shows a part unless ids tie them.
  func parts(
    ofOrders peak: Int, _ files: [FilePairs], _ names: [RowFile<OrderRow>], _ pairs: Pairs
  ) -> ClockParts {
    guard pairs.isByID, PartCells.fit(files, terms: table.orderTerms.count) else {
      return ClockParts()
    }
    let cells = PartCells(files, orderTraits) { body in
      forEach(of: pairs) { pair in
        let entry = table.orders[pair.order]
        body(entry.placedAt, file(of: entry.row, names), entry.terms, pair.quarter == peak)
      }
    }
    if cells.isEmpty { return ClockParts() }
    let untied = table.orders.indices.lazy.filter {
      table.orders[$0].transaction.isNone && table.isOpen(order: $0)
    }.map { table.orders[$0] }.filter {
      cells.isOff($0.placedAt, file(of: $0.row, names), $0.terms)
    }
    return ClockParts(name: cells.name, rows: untied.map(\.row.number))
  }

  /// The part of the company's transactions, of one storefront, version or app, whose clock is off,
  /// with its rows that no id ties to an order; empty where there is none.
  ///
  /// - Parameters:
  ///   - peak: quarter hours by which purchases are apart from their orders.
  ///   - files: pairs by file.
  ///   - names: the files, ascending by first row.
  ///   - pairs: of orders and purchases; none shows a part unless ids tie them.
  func parts(
    ofTransactions peak: Int, _ files: [FilePairs], _ names: [RowFile<TransactionRow>],
    _ pairs: Pairs
  ) -> ClockParts {
    guard pairs.isByID else { return ClockParts() }
    return parts(of: files, names, isTied: { !table.isOpen(transaction: $0) }) { body in
      forEach(of: pairs) { pair in
        let entry = table.transactions[pair.transaction]
        body(entry.purchasedAt, file(of: entry.row, names), entry.terms, pair.quarter == peak)
      }
    }
  }

  /// The part of the company's transactions whose clock is off, by Apple's times of the same
  /// transactions: all rows of the part; empty where there is none.
  ///
  /// - Parameters:
  ///   - peak: quarter hours by which the company's times are later.
  ///   - files: pairs by file.
  ///   - names: the files, ascending by first row.
  ///   - doubles: positions of the company's rows, each with that of Apple's row.
  func parts(
    ofDoubles peak: Int, _ files: [FilePairs], _ names: [RowFile<TransactionRow>],
    _ doubles: [(ours: Int, theirs: Int)]
  ) -> ClockParts {
    parts(of: files, names, isTied: { _ in false }) { body in
      for double in doubles {
        let entry = table.transactions[double.ours]
        body(
          entry.purchasedAt, file(of: entry.row, names), entry.terms,
          quarter(ofDouble: double) == peak)
      }
    }
  }

  /// The part of the company's transactions whose clock is off, with its rows but for those that
  /// `isTied` leaves out; empty where there is none.
  ///
  /// - Parameters:
  ///   - files: pairs by file.
  ///   - names: the files, ascending by first row.
  ///   - isTied: whether an id ties the transaction at a position to an order, which judges it.
  ///   - forEachRow: calls with each row that is held against another, and whether both are apart.
  private func parts(
    of files: [FilePairs], _ names: [RowFile<TransactionRow>], isTied: (Int) -> Bool,
    _ forEachRow: Sights
  ) -> ClockParts {
    guard PartCells.fit(files, terms: table.transactionTerms.count) else { return ClockParts() }
    let cells = PartCells(files, transactionTraits, forEachRow)
    if cells.isEmpty { return ClockParts() }
    let isCompany = table.transactionTerms.map { $0.factSource == .company }
    var rows: [Int32] = []
    for (index, entry) in table.transactions.enumerated()
    where isCompany[Int(entry.terms)] && !isTied(index) {
      if cells.isOff(entry.purchasedAt, file(of: entry.row, names), entry.terms) {
        rows.append(entry.row.number)
      }
    }
    return ClockParts(name: cells.name, rows: rows)
  }
}

extension ClockParts {
  /// A part of some rows, in spans of rows that follow each other.
  ///
  /// - Parameter rows: numbers, in any order.
  fileprivate init(name: String, rows: some Sequence<Int32>) {
    self.name = name
    for row in rows.sorted() {
      if let last = spans.last, last.rows.upperBound == row - 1 {
        spans[spans.count - 1].rows = last.rows.lowerBound...row
      } else {
        spans.append(ClockRule.Span(rows: row...row, times: 0...UInt32.max))
      }
    }
  }
}

/// Pairs by the terms of one of their sides.
struct TermPairs {
  private var all: [Int32]
  private var apart: [Int32]

  /// No pairs yet.
  ///
  /// - Parameter count: of terms.
  init(_ count: Int) {
    all = Array(repeating: 0, count: count)
    apart = all
  }

  /// Counts a pair by the index of its terms, and whether it is apart.
  mutating func add(_ terms: Int32, _ isApart: Bool) {
    all[Int(terms)] += 1
    if isApart { apart[Int(terms)] += 1 }
  }

  /// Whether terms with some trait in common, as one storefront, have so many pairs apart that
  /// their clock is off: `Rules.clockPairs` at least, and nine in ten of their pairs.
  ///
  /// - Parameter traits: by terms, the text of each kind of trait; empty for nothing.
  func haveMostOf(_ traits: @autoclosure () -> [[String]]) -> Bool {
    // Of such pairs most are of terms that are mostly apart: a quick look before texts are made.
    let mostly = zip(all, apart).reduce(0) { 2 * $1.1 > $1.0 ? $0 + Int($1.1) : $0 }
    if 2 * mostly < Rules.clockPairs { return false }
    /// What terms say of one kind, as of the storefront.
    struct Trait: Hashable {
      var kind: Int
      var text: String
    }
    var sums: [Trait: ClockSearch.FilePairs] = [:]
    for (terms, texts) in traits().enumerated() where all[terms] > 0 {
      for (kind, text) in texts.enumerated() where !text.isEmpty {
        sums[Trait(kind: kind, text: text), default: .init()].all += Int(all[terms])
        sums[Trait(kind: kind, text: text)]!.apart += Int(apart[terms])
      }
    }
    return sums.values.contains(where: \.isWholeOff)
  }
}

/// Pairs by file and by what the terms of a row say.
private struct PartCells {
  /// What each terms say, of each kind of trait; empty for nothing.
  private let traits: [[String]]
  /// By file and terms.
  private var pairs: [ClockSearch.FilePairs]
  private var parts: [(name: String, pairs: ClockSearch.FilePairs)] = []
  /// By file and terms, the places in `parts` that it is of.
  private var partsOf: [[Int32]] = []

  /// Counts pairs by file and terms, and finds the parts that may be off.
  ///
  /// - Parameters:
  ///   - files: pairs by file.
  ///   - traits: by terms, the text of each kind of trait, as of the storefront; empty for nothing.
  ///   - forEachRow: calls with each row that is held against another, and whether both are apart.
  init(_ files: [ClockSearch.FilePairs], _ traits: [[String]], _ forEachRow: ClockSearch.Sights) {
    self.traits = traits
    pairs = Array(repeating: ClockSearch.FilePairs(), count: files.count * traits.count)
    forEachRow { moment, file, terms, isApart in
      pairs[cell(file, terms)].all += 1
      if isApart { pairs[cell(file, terms)].add(moment) }
    }
    findParts(files)
    if isEmpty { return }
    forEachRow { moment, file, terms, _ in countBetween(moment, file, terms) }
  }

  var isEmpty: Bool { parts.isEmpty }

  /// Whether parts are worth a search: a file has pairs that are apart and is not off as a whole,
  /// and there is room for what its terms say.
  ///
  /// - Parameter terms: how many there are.
  static func fit(_ files: [ClockSearch.FilePairs], terms: Int) -> Bool {
    files.contains { $0.apart >= Rules.clockPairs && !$0.isOff }
      && files.count * terms <= Rules.clockCells
  }

  /// The index of a file and terms in `pairs` and `partsOf`.
  private func cell(_ file: Int, _ terms: Int32) -> Int { file * traits.count + Int(terms) }

  /// Fills `parts`, those with most pairs apart first, and `partsOf`. A part is the rows of one
  /// file that have a trait in common, as one storefront, with enough pairs apart to be off, where
  /// the file itself is not.
  ///
  /// - Parameter files: pairs by file.
  private mutating func findParts(_ files: [ClockSearch.FilePairs]) {
    /// What the rows of a file say of one kind, as of the storefront.
    struct Key: Hashable {
      var file: Int
      var kind: Int
      var text: String
    }
    var sums: [Key: ClockSearch.FilePairs] = [:]
    partsOf = Array(repeating: [], count: pairs.count)
    let kinds = traits.first?.indices ?? 0..<0
    for file in files.indices where files[file].apart > 0 && !files[file].isOff {
      for (terms, texts) in traits.enumerated() {
        let own = pairs[cell(file, Int32(terms))]
        for kind in kinds where !texts[kind].isEmpty && own.all > 0 {
          sums[Key(file: file, kind: kind, text: texts[kind]), default: .init()].join(own)
        }
      }
    }
    let found = sums.filter { $0.value.apart >= Rules.clockPairs }.sorted {
      ($1.value.apart, $0.key.kind, $0.key.file, $0.key.text)
        < ($0.value.apart, $1.key.kind, $1.key.file, $1.key.text)
    }
    for (place, (key, sum)) in found.enumerated() {
      parts.append((key.text, sum))
      for (terms, texts) in traits.enumerated() where texts[key.kind] == key.text {
        partsOf[cell(key.file, Int32(terms))].append(Int32(place))
      }
    }
  }

  /// Counts a pair in each part of its file and terms where it lies between the first and the last
  /// pair that is apart.
  private mutating func countBetween(_ moment: UInt32, _ file: Int, _ terms: Int32) {
    for part in partsOf[cell(file, terms)] where parts[Int(part)].pairs.spansMoment(moment) {
      parts[Int(part)].pairs.between += 1
    }
  }

  /// The part that explains most; empty for none.
  var name: String { parts.first { $0.pairs.isOff }?.name ?? "" }

  /// Whether a row is of a part whose clock was off at its time.
  ///
  /// - Parameters:
  ///   - moment: seconds since 1970, by the row's own clock.
  ///   - file: index of the row's file.
  ///   - terms: index of the row's terms.
  func isOff(_ moment: UInt32, _ file: Int, _ terms: Int32) -> Bool {
    partsOf[cell(file, terms)].contains { place in
      let pairs = parts[Int(place)].pairs
      return pairs.isOff && (pairs.isWholeOff || pairs.spansMoment(moment))
    }
  }
}

extension ClockSearch.FilePairs {
  /// Whether a moment lies between the first and the last pair that is apart.
  fileprivate func spansMoment(_ moment: UInt32) -> Bool { times?.contains(moment) ?? false }

  /// Adds the pairs of others to these.
  fileprivate mutating func join(_ other: Self) {
    (all, apart) = (all + other.all, apart + other.apart)
    guard let theirs = other.times else { return }
    let ours = times ?? theirs
    times = min(ours.lowerBound, theirs.lowerBound)...max(ours.upperBound, theirs.upperBound)
  }
}
