import Billing
import Languages
import Reporting

extension ImportSummary {
  /// Files that are listed one by one although nothing is special about them.
  private static let listedFiles = 12
  /// Files whose columns and rows a dry run shows.
  private static let shownFiles = 3

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
      lines.append(
        say(
          day.vendor.isEmpty
            ? "@import.recorded-no-sales \(day.day)"
            : "@import.recorded-no-sales-on-for-vendor \(day.day) \(day.vendor)"))
    }
    lines += LeftOutReason.allCases.compactMap(leftOutLine)
    lines += [InputKind.orders, .transactions].compactMap(untoldStorefronts).map { say($0) }
    if let assumedVendor { lines.append(say(assumedVendor)) }
    lines += assumptions.map { say($0.text) }
    if !files.isEmpty { lines.append(outcome) }
    lines += worstLines
    if filesLeft > 0 {
      lines.append(
        say(
          counted(filesLeft, "@import.stopped-1-file-is-left") {
            "@import.stopped-files-are-left \($0)"
          }))
    } else if let next {
      lines.append(next)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The files that are left out for a reason, in one line; nil for none.
  private func leftOutLine(_ reason: LeftOutReason) -> String? {
    let paths = leftOut.filter { $0.reason == reason }.map(\.path)
    if paths.isEmpty { return nil }
    let names = paths.prefix(5).map {
      oneLine($0.split(separator: "/").last.map(String.init) ?? $0)
    }
    let list = names.joined(separator: ", ") + (paths.count > 5 ? ", …" : "")
    let wording: Wording =
      switch reason {
      case .name:
        counted(paths.count, "@import.left-out-as-its-name \(list)") {
          "@import.left-out-files-whose-names \($0) \(list)"
        }
      case .ownWork:
        counted(paths.count, "@import.left-out-as-tieout-wrote-it \(list)") {
          "@import.left-out-files-that-tieout-wrote \($0) \(list)"
        }
      case .noTable:
        counted(paths.count, "@import.left-out-as-it-is-no-table \(list)") {
          "@import.left-out-files-that-are-no-tables \($0) \(list)"
        }
      }
    return say(wording)
  }

  /// The line that says how many loaded rows of a kind (orders or transactions) name no storefront,
  /// and what is assumed for them; nil where there are none.
  private func untoldStorefronts(_ kind: InputKind) -> Wording? {
    let count = files.reduce(0) { sum, file in
      file.kind == kind && file.isLoaded ? sum + file.rowsWithoutStorefront : sum
    }
    guard count > 0 else { return nil }
    guard kind == .transactions else {
      return counted(count, "@import.1-order-names-no-storefront") {
        "@import.orders-name-no-storefront-their \($0)"
      }
    }
    guard let storefront = defaultStorefront else {
      return counted(
        count, "@import.1-transaction-names-no-storefront"
      ) {
        "@import.transactions-name-no-storefront \($0)"
      }
    }
    return counted(
      count,
      "@import.1-transaction-names-no-storefront-it-is \(storefront)"
    ) {
      "@import.transactions-name-no-storefront-they \($0) \(storefront)"
    }
  }

  /// The line that says of which vendor reports that name none are taken to be; nil without such.
  private var assumedVendor: Wording? {
    let reports = files.filter {
      $0.isVendorAssumed && ($0.isLoaded || !$0.diagnostics.isEmpty)
    }
    guard let first = reports.first else { return nil }
    let (vendor, name) = (first.vendor, oneLine(first.file))
    return counted(reports.count, "@import.1-report-names-no-vendor \(name) \(vendor)") {
      "@import.reports-name-no-vendor \($0) \(name) \(vendor)"
    }
  }

  /// A line for each listed file: its name, padded, and what became of it; below it its counts and,
  /// in a dry run, its columns. Of many files only those that are worth a line are listed.
  private var fileLines: [String] {
    let listsAll = files.count <= Self.listedFiles
    let listed = files.filter { listsAll || $0.isWorthALine }
    let names = listed.map { oneLine($0.file) }
    let width = min(48, names.map(displayWidth).max() ?? 0)
    return zip(listed, names).flatMap { file, name in
      let name = name + String(repeating: " ", count: max(0, width - displayWidth(name)))
      return ["\(name)  \(file.remark)"]
        + (isDryRun ? file.lookLines(isShort: files.count > Self.shownFiles) : [])
        + (file.isLoaded ? lines(of: file.tallies) : [])
    }
  }

  /// A line for each tally: its number, right-aligned, and what it is of.
  private func lines(of tallies: [ImportTally]) -> [String] {
    let counts = tallies.map { grouped($0.count) }
    let width = counts.map(\.count).max() ?? 0
    return zip(counts, tallies).map { count, tally in
      let what = tally.count == 1 ? tally.one ?? tally.what : tally.what
      return "  \(String(repeating: " ", count: width - count.count))\(count)  \(say(what))"
    }
  }

  /// The sentence that sums the call up: files and rows that were imported, and how many files were
  /// known, counted again, left out or rejected.
  private var outcome: String {
    let loaded = files.filter(\.isLoaded)
    let (fileCount, rowCount) = (
      Workflow.files(loaded.count), rows(loaded.reduce(0) { $0 + $1.rows })
    )
    var text: Wording =
      isDryRun
      ? "@import.would-import \(fileCount) \(rowCount)"
      : "@import.imported \(fileCount) \(rowCount)"
    let rejects = loaded.reduce(0) { $0 + $1.rejected }
    if rejects > 0 { text += "@import.kept-aside \(badRows(rejects))" }
    if count(.skipped) > 0 { text += "@import.already-known \(grouped(count(.skipped)))" }
    let again = files.count(where: \.countsAgain)
    if again > 0 {
      text += counted(again, "@import.1-of-them-counts-again") {
        "@import.of-them-count-again \($0)"
      }
    }
    let unwanted = files.count { $0.status == .rejected && $0.errorCount == 0 }
    let bad = count(.rejected) - unwanted
    if unwanted > 0 { text += "@import.some-left-out \(grouped(unwanted))" }
    if bad > 0 { text += "@import.rejected-in-full \(grouped(bad))" }
    return say(text)
  }

  /// The month that most days of the loaded sales reports lie in, the later of two; nil where no
  /// sales report was loaded.
  var loadedMonth: Period? {
    var days: [Substring: Int] = [:]
    for file in files where file.isLoaded && file.kind == .sales {
      guard let from = file.from, let to = file.to, from <= to else { continue }
      for day in from...to { days[day.description.prefix(7), default: 0] += 1 }
    }
    return days.max { ($0.value, $0.key) < ($1.value, $1.key) }.flatMap { Period(String($0.key)) }
  }

  /// The command to run next: correct or map a file that was rejected, correct the configuration,
  /// or reconcile the month whose sales were loaded, or that books them; nil after a dry run, and
  /// where nothing of this applies.
  private var next: String? {
    if isDryRun { return nil }
    let refused = files.filter { $0.status == .rejected && $0.isNeeded }
    if let table = refused.first(where: { $0.unmappedKind != nil }), let kind = table.unmappedKind {
      return say(
        "@import.next-map \(oneLine(table.file)) \(kind.rawValue) \(shellWord(table.file))")
    }
    // Without it the month would be held against half of what there is.
    let month = bookedIn ?? loadedMonth
    if let month, let bad = refused.first(where: \.isPurchases) ?? refused.first {
      let file = oneLine(bad.file)
      return say("@import.next-correct-as-its-first \(file) \(month)")
    }
    return correctFirst ?? month.map { say("@import.next-tieout-reconcile-period \($0)") }
  }

  /// The sentence that names the settings to correct before a month is judged, and the commands
  /// that read their files anew; nil where nothing has to be corrected.
  private var correctFirst: String? {
    let wrong = files.filter { file in file.diagnostics.contains(where: \.comesFirst) }
    if wrong.isEmpty { return nil }
    let commands = wrong.prefix(3).map(\.readAnew).joined(separator: " && ")
    var settings: [String] = []
    for setting in worst.compactMap(\.setting) {
      let line = setting.firstRange(of: "  # ").map { String(setting[..<$0.lowerBound]) } ?? setting
      if !settings.contains(line) { settings.append(line) }
    }
    if settings.isEmpty { return say("@import.next-read-anew \(commands)") }
    return say("@import.next-correct-first \(settings.joined(separator: "; ")) \(commands)")
  }

  /// Diagnostics of what has to be corrected before a month is judged.
  private var worst: [Diagnostic] { files.flatMap(\.diagnostics).filter(\.comesFirst) }

  /// At most three lines that repeat the diagnostics to correct first, and at most three on files
  /// most of whose rows their mapping leaves out: at the end, where everybody looks.
  private var worstLines: [String] {
    let leavingOut = files.filter { $0.isLoaded && $0.isPurchases && $0.selectedOut > $0.rows }
    return worst.prefix(3).map { say("\(oneLine($0.location.file)): \($0.message)") }
      + leavingOut.prefix(3).map { file in
        let all = file.selectedOut + file.rows
        return say(
          """
          @import.rows-left-out-by-where \(oneLine(file.file)) \(grouped(file.selectedOut)) \
          \(grouped(all)) \(file.mapping?.name ?? "")
          """)
      }
  }
}

extension Diagnostic {
  /// The kind that the configuration would have to map a file as, where it is a table that is not
  /// recognised; nil for anything else.
  var unmappedKind: InputKind? {
    guard severity == .error, leftOut == nil, location.line > 0,
      ["kind", "column"].contains(topic) || topic == "encoding" && setting != nil
    else { return nil }
    let parts = setting?.split { $0 == "." || $0 == " " } ?? []
    return parts.count > 1 ? InputKind(rawValue: String(parts[1])) : .orders
  }
}

extension ImportedFile {
  /// The kind that the configuration would have to map this file as; nil where it is recognised, or
  /// is no table.
  fileprivate var unmappedKind: InputKind? { kind == nil ? diagnostics.first?.unmappedKind : nil }

  fileprivate var isPurchases: Bool { kind == .orders || kind == .transactions }

  /// Whether reconciling a month rests on files of this kind; true for a file that is not
  /// recognised, as it may be one.
  fileprivate var isNeeded: Bool {
    guard let kind else { return true }
    return ![
      .events, .bank, .payments, .subscription, .subscriptionEvent, .subscriber, .coinMovements,
      .coinBalances, .items,
    ].contains(kind)
  }

  /// Whether the file is listed among many: something about it is not what everyone expects.
  fileprivate var isWorthALine: Bool {
    switch status {
    case .imported: supersedes != nil || !columns.isEmpty
    case .skipped:
      sameAs != file || countsAgain || supersedes != nil
        || diagnostics.contains(where: \.comesFirst)
    case .partial, .rejected: true
    }
  }

  /// One line on the file: its kind, what became of it, its rows, its days, and by which mapping it
  /// was read.
  fileprivate var remark: String {
    let begin = kind.map { say($0.wording) + "  " } ?? ""
    var text: Wording =
      switch status {
      case .imported: Workflow.rows(rows)
      case .partial: "@import.aside \(Workflow.rows(rows)) \(badRows(rejected))"
      case .skipped where countsAgain:
        "@import.counts-again-same-content \(sameAs ?? file)"
      case .skipped:
        sameAs.map { "@import.skipped-same-content \($0)" }
          ?? "@import.skipped-same-content-as-before"
      // A report of Apple's without money is no fault.
      case .rejected where errorCount == 0: "@import.left-out"
      case .rejected: "@import.rejected \(errors(errorCount))"
      }
    if isLoaded, let span = Workflow.span(kind, from, to) { text += ", \(span)" }
    if isLoaded, !region.isEmpty { text += " \(region)" }
    if let supersedes {
      text +=
        status == .skipped && !countsAgain
        ? "@import.which-counts-again-and-supersedes \(supersedes)"
        : "@import.supersedes \(supersedes)"
    }
    if let mapping, isLoaded {
      text += "@import.by \(mapping.name)"
      if let zone = mapping.zone, kind.map(TableMapping.timed.contains) == true {
        text += "@import.times \(zone.name)"
      }
    }
    return begin + say(text)
  }
}

extension ImportedKind {
  /// The lines on all files of a kind: how many files and rows, their days, what they add up to,
  /// and how many reports are not added.
  fileprivate var lines: [String] {
    var first: Wording = "\(kind.wording): \(Workflow.files(files)), \(Workflow.rows(rows))"
    if rejected > 0 { first += "@import.rejected-2 \(grouped(rejected))" }
    if let span = Workflow.span(kind, from, to) { first += ", \(span)" }
    return [say(first)] + totalLines + (leftOut == 0 ? [] : ["  " + say(notAdded)])
  }

  /// The totals of units, gross and proceeds by currency: a line for one, a table for several.
  private var totalLines: [String] {
    guard totals.count > 1, kind != .payments else {
      return totals.map { "  \(name(of: $0))  \(say(sums($0)))" }
    }
    let hasFree = totals.contains { $0.free != 0 }
    var table = TextTable("lr" + (hasFree ? "r" : "") + (hasProceeds ? "rr" : "r"))
    table.name(
      columns: ["", say("@shared.units")] + (hasFree ? [say("@import.free")] : [])
        + (hasProceeds ? [say("@shared.gross"), say("@shared.proceeds")] : [say("@shared.amount")]))
    for total in totals {
      table.add(
        cells: [name(of: total), grouped(total.units)] + (hasFree ? [grouped(total.free)] : [])
          + [grouped(decimal: total.text(micros: total.gross))]
          + (hasProceeds ? [grouped(decimal: total.text(micros: total.proceeds))] : []))
    }
    return table.textLines
  }

  /// The code of the total's currency, or words for rows that name none.
  private func name(of total: ImportTotal) -> String {
    total.currency?.code ?? say("@import.no-currency")
  }

  /// Whether files of this kind tell proceeds beside prices.
  private var hasProceeds: Bool {
    [.sales, .finance, .financeDetail, .subscriber].contains(kind)
  }

  /// How many reports are left out of the totals, as other files report the same days.
  private var notAdded: Wording {
    counted(leftOut, "@import.1-report-is-not") {
      "@import.reports-are-not \($0)"
    }
  }

  /// One currency's total in words: units, those of them that are free, and gross with proceeds, or
  /// what is owed and paid for payments.
  private func sums(_ total: ImportTotal) -> Wording {
    var units = counted(total.units, "@shared.1-unit") { "@shared.units-2 \($0)" }
    if total.free != 0 { units += "@import.of-them-free \(grouped(total.free))" }
    let gross = grouped(decimal: total.text(micros: total.gross))
    let proceeds = grouped(decimal: total.text(micros: total.proceeds))
    if hasProceeds { return "@import.paid-by-customers-proceeds \(units) \(gross) \(proceeds)" }
    guard kind == .payments else { return "\(units), \(gross)" }
    if total.proceeds == 0 { return "@import.owed \(units) \(gross)" }
    // The bank's currency, of which no region is.
    if total.units == 0, total.gross == 0 { return "@import.paid \(proceeds)" }
    return "@import.owed-paid \(units) \(gross) \(proceeds)"
  }
}

/// The fiscal months of a settlement or payment report as text: `FY2014-P12`, or the first and the
/// last of them; nil for all other kinds.
func fiscalMonths(_ kind: InputKind?, _ from: Day?, _ to: Day?) -> String? {
  guard kind?.isSettlement == true, let from, let to else { return nil }
  let (first, last) = (FiscalMonth(containing: from), FiscalMonth(containing: to))
  return first == last ? "\(first)" : "\(first)..\(last)"
}

/// The time that files of a kind cover as text: fiscal months, with their days where these are not
/// whole months, or days alone; nil where none is known.
func span(_ kind: InputKind?, _ from: Day?, _ to: Day?) -> String? {
  guard let months = fiscalMonths(kind, from, to), let from, let to else { return span(from, to) }
  let isWhole =
    FiscalMonth(containing: from).first == from && FiscalMonth(containing: to).last == to
  return isWhole ? months : "\(months) (\(from)..\(to))"
}

/// Days as text: `2023-06-01`, or the first and the last, `2023-06-01..2023-06-30`; the one that is
/// known of the two; nil where none is.
func span(_ from: Day?, _ to: Day?) -> String? {
  guard let from, let to else { return (from ?? to)?.description }
  return from == to ? from.description : "\(from)..\(to)"
}
