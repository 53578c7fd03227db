package import Billing
import Foundation
import Languages
import Ledger
import Reporting

/// What to do next in a folder: a few commands, each with the reason for it.
package struct NextSteps: Sendable {
  /// A command to type, and what it is for.
  private struct Step {
    var command: String
    var reason: Wording
  }

  /// Where things stand.
  private var state: [Wording] = []
  private var steps: [Step] = []
  /// How the company's own exports are laid out.
  private let mappings: [TableMapping]

  /// Looks at a ledger, or at the files of a folder that has none. What cannot be read is told as
  /// the state: this never fails.
  ///
  /// - Parameter mappings: how the company's own exports are laid out.
  package init(ledgerPath: String, isDefault: Bool, asOf: Day, mappings: [TableMapping]) {
    self.mappings = mappings
    guard identity(of: ledgerPath) != nil else {
      withoutLedger(ledgerPath)
      return
    }
    let option = isDefault ? "" : " --ledger " + oneLine(ledgerPath)
    do {
      try stopping {
        try Ledger.reading(ledgerPath) { ledger in
          let status = try LedgerStatus(ledger, asOf: asOf)
          if status.fileCount == 0 { return withoutLedger(ledgerPath) }
          try look(at: ledger, status)
        }
      }
    } catch {
      let stop = Stop(error)
      state = [stop?.message ?? "@next.ledger-cannot-be-read \(ledgerPath)"]
      if let help = stop?.help { state.append(help) }
    }
    for index in steps.indices { steps[index].command += option }
  }

  // MARK: Without a ledger

  /// Sets state and steps where there is no ledger, or an empty one: by the files of the current
  /// folder.
  private mutating func withoutLedger(_ path: String) {
    let looks = looked(at: Self.inputs(in: "."))
    let files = looks.map(\.path)
    let count = grouped(files.count) + (files.count == Self.mostFiles ? "+" : "")
    state = [
      files.isEmpty
        ? "@next.no-ledger-and-no-files \(path)"
        : "@next.no-ledger-but-files \(path) \(count) \(Self.named(files))"
    ]
    if files.isEmpty {
      add("tieout import FOLDER", "@next.read-what-you-downloaded")
      add("tieout template orders", "@next.see-what-your-table-needs")
      add("tieout fetch", "@next.get-reports-with-a-key")
    } else {
      add("tieout import --dry-run .", "@next.see-what-each-file-is")
      add("tieout import .", "@next.read-them")
      add("tieout config init .", "@next.draft-a-configuration")
    }
  }

  private static let mostFiles = 500

  /// Files of a folder and of those in it that may be inputs, by their names alone.
  private static func inputs(in folder: String) -> [String] {
    let manager = FileManager.default
    /// The names in a folder, ascending, without hidden files; empty where it cannot be read.
    func names(_ path: String) -> [String] {
      ((try? manager.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }
        .sorted()
    }
    var found: [String] = []
    for name in names(folder).prefix(mostFiles) {
      var isFolder: ObjCBool = false
      guard manager.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder) else {
        continue
      }
      let inner = isFolder.boolValue ? names(folder + "/" + name).map { name + "/" + $0 } : [name]
      found += inner.filter(mayBeInput)
      if found.count >= mostFiles { break }
    }
    return Array(found.prefix(mostFiles))
  }

  private static let endings: Set<Substring> = [
    "csv", "tsv", "txt", "gz", "zip", "json", "jsonl", "ndjson",
  ]

  /// Whether the ending of a file's name is one of those that inputs have.
  private static func mayBeInput(_ name: String) -> Bool {
    name.lowercased().split(separator: ".").last.map(endings.contains) == true
  }

  /// What these files are by their first rows, without those that are nothing to import.
  private func looked(at paths: [String]) -> [(path: String, look: FirstLook)] {
    paths.map { ($0, FirstLook($0, mappings: mappings)) }.filter { !$0.1.isNoInput }
  }

  /// The first three names, and dots for more.
  private static func named(_ files: [String]) -> String {
    files.prefix(3).map(oneLine).joined(separator: ", ") + (files.count > 3 ? ", …" : "")
  }

  // MARK: With a ledger

  /// Sets state and steps by what the ledger has: files that are not in it, missing days, rows left
  /// out, and months to reconcile or close.
  private mutating func look(at ledger: Ledger, _ status: LedgerStatus) throws {
    let files = try ledger.files()
    let known = Set(files.compactMap { $0.input.file.split(separator: "/").last.map(String.init) })
    let names = Self.inputs(in: ".").filter { path in
      path.split(separator: "/").last.map { known.contains(String($0)) } == false
    }
    let reports = files.filter { $0.input.kind == .sales && $0.input.status != .superseded }
    let first = reports.compactMap(\.input.from).min()
    let last = reports.compactMap(\.input.to).max()
    let days = first.flatMap { first in last.flatMap { span(first, $0) } }
    state = [
      days.map {
        "@next.ledger-has-reports \(status.ledgerPath) \(Workflow.files(files.count)) \($0)"
      }
        ?? "@next.ledger-has-no-reports \(status.ledgerPath) \(Workflow.files(files.count))"
    ]
    let looks = looked(at: names.filter { !$0.contains("/") })
    for (path, look) in looks {
      guard let kind = look.unmappedKind else { continue }
      let file = shellWord(path)
      add(
        "tieout config init --as \(kind.rawValue) \(file) --print",
        "@next.table-is-not-recognised \(oneLine(path))")
      break
    }
    let refused = looks.filter { $0.look.unmappedKind == nil }.map(\.path)
    if !refused.isEmpty {
      add(
        "tieout import " + refused.prefix(3).map(shellWord).joined(separator: " "),
        "@next.files-are-not-in \(grouped(refused.count))")
    }
    let rejected = status.partial.reduce(0) { $0 + $1.rejected }
    let missing = status.vendors.reduce(0) { sum, vendor in
      vendor.missing.reduce(sum) { $0 + $1.count }
    }
    if missing > 0 { add("tieout status", "@next.days-missing \(grouped(missing))") }
    if rejected > 0 { add("tieout status", "@next.rows-left-out \(grouped(rejected))") }
    if let first, let last { try addStepsOfMonths(ledger, status, first...last) }
  }

  /// Adds the steps of the first calendar month that is not closed, and of the first fiscal month
  /// that Apple paid for.
  ///
  /// - Parameter days: from the first to the last that sales reports cover.
  private mutating func addStepsOfMonths(
    _ ledger: Ledger, _ status: LedgerStatus, _ days: ClosedRange<Day>
  ) throws {
    let book = try CloseBook(ledger)
    let closed = book.closed.map(\.period)
    if let month = closed.last(where: \.isCalendarMonth)?.next ?? Self.firstMonth(of: days) {
      let isBegun =
        month.first.distance(to: days.upperBound) >= (closed.isEmpty ? 0 : Self.edgeDays)
      if !isBegun {
        add("tieout fetch", "@next.import-the-next-month \(month)")
      } else {
        try addSteps(month, ledger, isOver: month.last < status.asOf)
      }
    }
    let paid = status.kinds.first { $0.kind == .payments }
    guard let from = paid?.from, let to = paid?.to else { return }
    let next =
      closed.last { $0.fiscalMonth != nil }?.next
      ?? Period("\(FiscalMonth(containing: from))")
    if let month = next, month.last <= to {
      try addSteps(month, ledger, isOver: true)
    }
  }

  /// The calendar month of the first day; the one after it where only its last days are loaded, as
  /// they are for purchases near the month's edge.
  private static func firstMonth(of days: ClosedRange<Day>) -> Period? {
    let month = Period(String("\(days.lowerBound)".prefix(7)))
    guard let month, let next = month.next, next.first < days.upperBound else { return month }
    return days.lowerBound.distance(to: next.first) <= edgeDays ? next : month
  }

  private static let edgeDays = 3

  /// Adds what a month needs next: to be reconciled, its errors cleared, or, where it is over, to
  /// be closed.
  private mutating func addSteps(_ month: Period, _ ledger: Ledger, isOver: Bool) throws {
    guard try ledger.recordedRun(month) != nil else {
      return add("tieout reconcile \(month)", "@next.not-reconciled-yet \(month)")
    }
    let open = try ledger.openFindings().filter { $0.period.description == month.description }
    let errors = open.filter { $0.severity == .error }.count
    if errors > 0 {
      add("tieout reconcile \(month)", "@next.errors-are-open \(month) \(grouped(errors))")
      add("tieout explain ID", "@next.what-is-behind-one")
    } else if isOver {
      add("tieout close \(month) --out \(month).xlsx", "@next.close-is-due \(month)")
    }
  }

  /// Adds a command to type, and what it is for.
  private mutating func add(_ command: String, _ reason: Wording) {
    steps.append(Step(command: command, reason: reason))
  }
}

extension NextSteps {
  /// State and steps for a person, in at most ten lines.
  package var text: String {
    let shown = steps.prefix(5)
    let width = shown.map { displayWidth($0.command) }.max() ?? 0
    var lines = state.map { say($0) }
    if !shown.isEmpty { lines.append("") }
    for step in shown {
      let gap = String(repeating: " ", count: width - displayWidth(step.command) + 3)
      lines.append("  " + step.command + gap + say(step.reason))
    }
    return (lines + ["", say("@next.all-commands")]).map { $0 + "\n" }.joined()
  }

  /// State and steps for a script: one JSON document.
  package var json: String {
    jsonDocument { writer in
      writer.string("state", say(state.joined(separator: "; ")))
      writer.objects("steps", of: steps) { writer, step in
        writer.string("command", step.command)
        writer.string("reason", say(step.reason))
      }
    }
  }
}
