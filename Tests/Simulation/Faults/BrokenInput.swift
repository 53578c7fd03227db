package import Billing
import Foundation

/// What is wrong with a table or an answer as a whole, not with a row of it. It is done to files of
/// a month that is written: what a reconciliation has to find stays what it was.
package struct BrokenInput: Hashable, Sendable {
  package enum Fault: Hashable, Sendable {
    /// Every time is so many seconds later: a clock or a zone that is off.
    case clock(Int64)
    /// A column is left out; of some rows only, its cells are blank.
    case column(String)
    /// The last page of Apple's answers says that more follows.
    case pages
  }

  package var fault: Fault
  /// How the names of its files begin: `orders`, `transactions`, `orders-20230612`.
  package var files: String
  /// One row of so many, as where one server of several is at fault.
  package var every = 1
  /// Of a clock: the first day, by its own clock, of rows that it told.
  package var since: Day?

  package init(_ fault: Fault, in files: String, every: Int = 1, since: Day? = nil) {
    self.fault = fault
    self.files = files
    self.every = every
    self.since = since
  }

  /// As the command line names it: `clock:orders:28800`, `clock:transactions:-3600:2` for every
  /// second row, `column:orders.storefront`, `pages`.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let isCounted = parts.count > (parts[0] == "clock" ? 3 : 2)
    guard let every = isCounted ? Int(parts[parts.count - 1]) : 1, every > 0 else { return nil }
    switch (parts[0], parts.count - (isCounted ? 1 : 0)) {
    case ("pages", 1): self.init(.pages, in: "history")
    case ("clock", 3):
      guard let seconds = Int64(parts[2]) else { return nil }
      self.init(.clock(seconds), in: parts[1], every: every)
    case ("column", 2):
      let names = parts[1].split(separator: ".").map(String.init)
      guard names.count == 2 else { return nil }
      self.init(.column(names[1]), in: names[0], every: every)
    default: return nil
    }
  }

  /// Breaks the files of a folder. Returns how many there were.
  @discardableResult
  package func apply(in folder: String) throws -> Int {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0.hasPrefix(files) && (fault == .pages || $0.hasSuffix(".csv"))
    }
    for name in names { try apply(to: folder + "/" + name) }
    return names.count
  }

  private func apply(to path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let broken: String
    switch fault {
    case .clock(let seconds): broken = try table(text) { try move($0, $1, by: seconds) }
    case .column(let name): broken = table(text) { blank($0, $1, name) }
    case .pages:
      guard let last = text.range(of: "\"hasMore\":false", options: .backwards) else { return }
      broken = text.replacingCharacters(in: last, with: "\"hasMore\":true")
    }
    try broken.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// The table with other cells, row by row; a column that is left out of all rows goes with its
  /// name.
  private func table(
    _ text: String, _ change: (_ columns: [String], _ cells: [String]) throws -> [String]
  ) rethrows -> String {
    var lines = text.split(separator: "\n").map(String.init)
    let columns = lines[0].split(separator: ",").map(String.init)
    for number in lines.indices.dropFirst() where number % every == 0 {
      let cells = lines[number].split(separator: ",", omittingEmptySubsequences: false)
      lines[number] = try change(columns, cells.map(String.init)).joined(separator: ",")
    }
    if case .column(let name) = fault, every == 1 {
      lines[0] = columns.filter { $0 != name }.joined(separator: ",")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func blank(_ columns: [String], _ cells: [String], _ name: String) -> [String] {
    guard let place = columns.firstIndex(of: name) else { return cells }
    var cells = cells
    if every == 1 {
      cells.remove(at: place)
    } else {
      cells[place] = ""
    }
    return cells
  }

  private func move(_ columns: [String], _ cells: [String], by seconds: Int64) throws -> [String] {
    let style = Date.ISO8601FormatStyle()
    let first = columns.firstIndex { $0 == "placed_at" || $0 == "purchased_at" }
    if let since, let first, cells[first] < since.description { return cells }
    return try cells.indices.map { index in
      guard columns[index].hasSuffix("_at"), !cells[index].isEmpty else { return cells[index] }
      return try style.parse(cells[index]).addingTimeInterval(TimeInterval(seconds))
        .formatted(style)
    }
  }
}
