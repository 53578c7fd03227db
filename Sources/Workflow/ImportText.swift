import Billing

extension ImportSummary {
  /// Files that are listed one by one although nothing is special about them.
  private static let listedFiles = 12

  /// The summary for a person: a line per file worth one, what the kinds add up to, and what to do
  /// next.
  package var text: String {
    var lines = fileLines
    for kind in kinds {
      lines += kind.lines
      // Of a single file that is listed, its own lines have said it.
      if kind.files > 1 || files.count > Self.listedFiles { lines += self.lines(of: kind.tallies) }
    }
    for day in noSales {
      let vendor = day.vendor.isEmpty ? "" : " for vendor \(day.vendor)"
      lines.append("recorded: no sales on \(day.day)\(vendor)")
    }
    if !files.isEmpty { lines.append(outcome) }
    if let next { lines.append(next) }
    return lines.map { $0 + "\n" }.joined()
  }

  private var fileLines: [String] {
    let listsAll = files.count <= Self.listedFiles
    let listed = files.filter { listsAll || $0.isWorthALine }
    let width = min(48, listed.map(\.file.count).max() ?? 0)
    return listed.flatMap { file in
      let name = file.file + String(repeating: " ", count: max(0, width - file.file.count))
      return ["\(name)  \(file.remark)"] + (file.isLoaded ? lines(of: file.tallies) : [])
    }
  }

  /// Counts right-aligned, and what is counted.
  private func lines(of tallies: [ImportTally]) -> [String] {
    let counts = tallies.map { grouped($0.count) }
    let width = counts.map(\.count).max() ?? 0
    return zip(counts, tallies).map { count, tally in
      "  \(String(repeating: " ", count: width - count.count))\(count)  \(tally.what)"
    }
  }

  private var outcome: String {
    let loaded = files.filter(\.isLoaded)
    let verb = isDryRun ? "would import" : "imported"
    var text = "\(verb) \(counted(loaded.count, "file"))"
    text += ", \(counted(loaded.reduce(0) { $0 + $1.rows }, "row"))"
    let rejects = loaded.reduce(0) { $0 + $1.rejected }
    if rejects > 0 { text += " (\(counted(rejects, "bad row")) kept aside)" }
    if count(.skipped) > 0 { text += "; \(grouped(count(.skipped))) already known" }
    if count(.rejected) > 0 { text += "; \(grouped(count(.rejected))) rejected, no trace left" }
    return text
  }

  /// The command that most likely comes next, where sales were loaded: the month that most of
  /// their days lie in, the later of two.
  private var next: String? {
    var days: [Substring: Int] = [:]
    for file in files where file.isLoaded && file.kind == .sales {
      guard let from = file.from, let to = file.to, from <= to else { continue }
      for day in from...to { days[day.description.prefix(7), default: 0] += 1 }
    }
    let best = days.max { ($0.value, $0.key) < ($1.value, $1.key) }
    guard !isDryRun, let month = best?.key else { return nil }
    return "next: tieout reconcile --period \(month)"
  }
}

extension ImportedFile {
  /// Whether something about it is not what everyone expects.
  fileprivate var isWorthALine: Bool {
    switch status {
    case .imported: supersedes != nil
    case .skipped: sameAs != file
    case .partial, .rejected: true
    }
  }

  /// What the file was and what became of it.
  fileprivate var remark: String {
    var text = kind.map { "\($0.rawValue)  " } ?? ""
    switch status {
    case .imported: text += "\(counted(rows, "row"))\(span)"
    case .partial: text += "\(counted(rows, "row")), \(grouped(rejected)) bad ones aside\(span)"
    case .skipped: text += "skipped: the same content as \(sameAs ?? "before")"
    case .rejected: text += "rejected: \(counted(errorCount, "error"))"
    }
    if isLoaded, !region.isEmpty { text += " \(region)" }
    if let supersedes { text += ", supersedes \(supersedes)" }
    return text
  }

  private var span: String {
    Workflow.span(kind, from, to).map { ", \($0)" } ?? ""
  }
}

extension ImportedKind {
  fileprivate var lines: [String] {
    var first = "\(kind.rawValue): \(counted(files, "file")), \(counted(rows, "row"))"
    if rejected > 0 { first += ", \(grouped(rejected)) rejected" }
    if let span = Workflow.span(kind, from, to) { first += ", \(span)" }
    return [first]
      + totals.map { total in
        let currency = total.currency?.code ?? "no currency"
        let gross = groupedDecimal(total.text(micros: total.gross))
        let proceeds = groupedDecimal(total.text(micros: total.proceeds))
        let line = "  \(currency)  \(counted(Int(total.units), "unit")), \(gross)"
        return switch kind {
        case .sales, .finance, .financeDetail, .subscriber:
          line + " paid by customers, \(proceeds) proceeds"
        case .payments: line + " owed" + (total.proceeds == 0 ? "" : ", \(proceeds) paid")
        default: line
        }
      }
  }
}

/// The fiscal months that reports on settlement or payment are of: `FY2014-P12`, or the first and
/// the last of them; nil for all other kinds.
func fiscalMonths(_ kind: InputKind?, _ from: Day?, _ to: Day?) -> String? {
  guard kind?.isSettlement == true, let from, let to else { return nil }
  let (first, last) = (FiscalMonth(containing: from), FiscalMonth(containing: to))
  return first == last ? "\(first)" : "\(first)..\(last)"
}

/// What files of a kind cover as text: fiscal months, with their days where these are not whole
/// months, or days alone; nil where none is known.
func span(_ kind: InputKind?, _ from: Day?, _ to: Day?) -> String? {
  guard let months = fiscalMonths(kind, from, to), let from, let to else { return span(from, to) }
  let isWhole =
    FiscalMonth(containing: from).first == from && FiscalMonth(containing: to).last == to
  return isWhole ? months : "\(months) (\(from)..\(to))"
}

/// Days as text: one day, or the first and the last; nil where none is known.
func span(_ from: Day?, _ to: Day?) -> String? {
  guard let from, let to else { return (from ?? to)?.description }
  return from == to ? from.description : "\(from)..\(to)"
}
