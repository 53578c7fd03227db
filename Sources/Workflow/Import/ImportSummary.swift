package import Billing
import Ledger
import Reading

/// What an import came to, file by file.
package struct ImportSummary: Sendable {
  package var files: [ImportedFile] = []
  package var isDryRun: Bool
  /// Files that are nothing to import, in their order.
  package var leftOut: [LeftOutFile] = []
  /// Where transactions that name no storefront count, by the configuration.
  package var defaultStorefront: Storefront?
  /// Values that nobody configured, as the ledger now has them taken.
  package var assumptions: [Settings.Assumption] = []
  /// Days recorded as having no sales, each with its vendor.
  package var noSales: [NoSalesDay] = []
  /// What is wrong with the call beside its files.
  package var diagnostics: [Diagnostic] = []
  /// The open month that books what was loaded, where the month that it is of is closed.
  var bookedIn: Period?
  /// Files that were not looked at to their end, because somebody wanted the call to end.
  package private(set) var filesLeft = 0

  /// Notes that the call ends before so many of its files.
  mutating func stop(before count: Int) { filesLeft = count }

  /// All errors and warnings, in the order of the files, then those of the call itself.
  package var allDiagnostics: [Diagnostic] { files.flatMap(\.diagnostics) + diagnostics }

  /// How many errors there are, also those that were not kept one by one.
  package var errorCount: Int {
    files.reduce(0) { $0 + $1.errorCount } + diagnostics.count { $0.severity == .error }
  }

  package var warningCount: Int { allDiagnostics.count { $0.severity == .warning } }

  /// Whether some input was bad: the call ends with status 2.
  package var hasBadInput: Bool { errorCount > 0 }

  /// How many files of the call ended with this status.
  package func count(_ status: ImportedFile.Status) -> Int { files.count { $0.status == status } }
}

/// A day for which it was recorded that Apple had no sales.
package struct NoSalesDay: Hashable, Sendable {
  package var day: Day
  /// Empty when no vendor is known.
  package var vendor: String
}

/// What became of one file.
package struct ImportedFile: Sendable {
  package enum Status: String, Sendable, CaseIterable {
    /// All its rows are in the ledger.
    case imported
    /// Its good rows are, its bad ones beside them.
    case partial
    /// The same content was there already.
    case skipped
    /// Nothing of it is in the ledger.
    case rejected
  }

  package var file: String
  package var status: Status
  /// Nil when it could not be told.
  package var kind: InputKind?
  /// Empty when unknown.
  package var vendor = ""
  /// Whether nothing tells the vendor: it is the only one of the ledger.
  package var isVendorAssumed = false
  /// Of financial reports, by Apple's code; empty for all other files.
  package var region = ""
  /// The report's period, or the days that a table's times cover.
  package var from: Day?
  package var to: Day?
  package var rows = 0
  package var rejected = 0
  /// Of the inflated bytes, lower-case hex; nil when it was not read to its end.
  package var sha256: String?
  /// The file that this one is another version of.
  package var supersedes: String?
  /// The file whose content this one repeats.
  package var sameAs: String?
  /// Whether that file was superseded and counts again, in place of ``supersedes``.
  package var countsAgain = false
  /// Whether it is a report of Apple's that another program saved again.
  package var isResaved = false
  package var totals: [ImportTotal] = []
  /// What the records of receipts, notifications and history came to.
  package var tallies: [ImportTally] = []
  /// Orders and transactions that name no storefront.
  package var rowsWithoutStorefront = 0
  /// Pages of answers of App Store Connect that it holds.
  var connectPages: [ConnectPage] = []
  /// Columns of the file that are none of a company's table.
  package var unmapped: [String] = []
  /// Rows that `where` and `skip` of its mapping leave out.
  package var selectedOut = 0
  /// The mapping by which it was read; nil for none.
  package var mapping: TableMapping?
  /// By what it was known; told by a dry run.
  package var signs: Wording = ""
  /// Columns that are not read.
  package var leftOutColumns: [String] = []
  /// Its first rows as the ledger would have them; told by a dry run.
  var firstRows = FirstRows()
  /// What each column of a company's table became; told by a dry run.
  package var columns: [ImportedColumn] = []
  /// Errors and warnings; of errors the first hundred, and one that counts the others.
  package var diagnostics: [Diagnostic] = []
  /// All errors, listed or not.
  package var errorCount = 0
}

extension ImportedFile {
  /// A file of which nothing came in, for one reason.
  init(rejected file: String, _ diagnostic: Diagnostic) {
    self.init(file: file, status: .rejected)
    diagnostics = [diagnostic]
    errorCount = 1
  }

  /// Whether its rows count in this call's totals.
  package var isLoaded: Bool { status == .imported || status == .partial }
}

/// What a file's or a kind's rows add up to in one currency.
package struct ImportTotal: Hashable, Sendable {
  /// Nil for rows that name no currency.
  package var currency: Currency?
  package var units: Int64
  /// Of the units, those that cost nothing.
  package var free: Int64
  /// Prices times units, micro-units.
  package var gross: Int64
  /// Apple's proceeds times units, micro-units; of a payments summary what was paid; 0 for company
  /// tables.
  package var proceeds: Int64
}

/// How many of a file's or a kind's records, or of what they hold, are of one sort.
package struct ImportTally: Hashable, Sendable {
  /// As several are called: `transactions`, `receipts with status 21007: a Sandbox receipt`.
  package var what: Wording
  /// As one is called; nil where it is called the same.
  package var one: Wording?
  package var count: Int
}

extension ImportTotal {
  /// An amount of these rows as decimal text, with the digits of their currency.
  ///
  /// - Parameter micros: the amount in micro-units.
  func text(micros: Int64) -> String {
    currency.map { Money(micros: micros, $0).text } ?? decimalText(micros: micros)
  }
}

/// A column of a company's table, and where a file has it.
package struct ImportedColumn: Hashable, Sendable {
  package var name: String
  /// By the file's name; nil where it has none.
  package var source: String?
  package var isRequired: Bool
  /// The first row's value as it was read; empty for none.
  package var first: String
}

/// What the loaded files of one kind come to.
package struct ImportedKind: Sendable {
  package var kind: InputKind
  package var files = 0
  package var rows = 0
  package var rejected = 0
  package var from: Day?
  package var to: Day?
  /// Ascending by currency, the one without a name first.
  package var totals: [ImportTotal] = []
  /// Files whose rows are not in the totals, as other files of the call report the same days.
  package var leftOut = 0
  /// In the order in which the files name them.
  package var tallies: [ImportTally] = []
}

extension ImportSummary {
  /// The loaded files by kind, in the order of the kinds.
  package var kinds: [ImportedKind] {
    InputKind.allCases.compactMap { kind in
      let loaded = files.indices.filter { files[$0].isLoaded && files[$0].kind == kind }
      guard !loaded.isEmpty else { return nil }
      let reportedTwice = reportedTwice(among: loaded)
      var sum = ImportedKind(kind: kind)
      for index in loaded { sum.add(files[index], isRepeated: reportedTwice.contains(index)) }
      sum.totals.sort { ($0.currency?.code ?? "") < ($1.currency?.code ?? "") }
      return sum
    }
  }
}

extension ImportSummary {
  /// Which of the loaded reports of one kind report days that another one of the call has, too:
  /// versions that the call replaced, sales reports of longer spans, and a region's financial
  /// report beside that of all.
  ///
  /// - Parameter loaded: indices in `files`, as in the result.
  private func reportedTwice(among loaded: [Int]) -> Set<Int> {
    guard let kind = loaded.first.flatMap({ files[$0].kind }), kind.isReport else { return [] }
    var found = Set(
      loaded.filter { old in
        loaded.contains { $0 > old && files[$0].supersedes == files[old].file }
      })
    let rest = loaded.filter { !found.contains($0) }
    switch kind {
    case .sales: found.formUnion(longerSales(among: rest))
    case .finance:
      let whole = rest.filter { files[$0].region == "ZZ" }
      found.formUnion(
        rest.filter { part in
          files[part].region != "ZZ"
            && whole.contains {
              files[$0].vendor == files[part].vendor && files[$0].to == files[part].to
            }
        })
    default: break
    }
    return found
  }

  /// The sales reports with a day that a shorter one of the same vendor has.
  ///
  /// - Parameter reports: indices in `files`, as in the result.
  private func longerSales(among reports: [Int]) -> [Int] {
    var covered: [String: Set<Day>] = [:]
    let spans = reports.compactMap { index -> (index: Int, days: ClosedRange<Day>)? in
      guard let from = files[index].from, let to = files[index].to, from <= to else { return nil }
      return (index, from...to)
    }
    return spans.sorted { ($0.days.count, $0.index) < ($1.days.count, $1.index) }.filter { report in
      let days = Set(report.days)
      let vendor = files[report.index].vendor
      if !covered[vendor, default: []].isDisjoint(with: days) { return true }
      covered[vendor, default: []].formUnion(days)
      return false
    }.map(\.index)
  }
}

extension ImportedKind {
  /// Adds a loaded file to the sums of its kind.
  ///
  /// - Parameter isRepeated: whether another file reports its days, so that its amounts are left
  ///   out.
  fileprivate mutating func add(_ file: ImportedFile, isRepeated: Bool) {
    files += 1
    rows += file.rows
    rejected += file.rejected
    from = earlier(from, file.from)
    to = later(to, file.to)
    if isRepeated { leftOut += 1 }
    for total in isRepeated ? [] : file.totals {
      guard let index = totals.firstIndex(where: { $0.currency == total.currency }) else {
        totals.append(total)
        continue
      }
      totals[index].units += total.units
      totals[index].free += total.free
      totals[index].gross += total.gross
      totals[index].proceeds += total.proceeds
    }
    for tally in file.tallies {
      guard let index = tallies.firstIndex(where: { $0.what == tally.what }) else {
        tallies.append(tally)
        continue
      }
      tallies[index].count += tally.count
    }
  }
}

/// The earlier of two days; of one that is nil, the other.
func earlier(_ left: Day?, _ right: Day?) -> Day? {
  guard let left, let right else { return left ?? right }
  return min(left, right)
}

/// The later of two days; of one that is nil, the other.
func later(_ left: Day?, _ right: Day?) -> Day? {
  guard let left, let right else { return left ?? right }
  return max(left, right)
}
