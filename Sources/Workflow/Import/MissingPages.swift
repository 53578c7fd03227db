import Billing
import Reading

/// What says of lists of App Store Connect that pages of them are missing in a call: the pages of
/// one list together, in whichever of its files they stand.
func missingPages(_ files: [ImportedFile]) -> [Diagnostic] {
  let pages = files.flatMap { file in file.connectPages.map { (page: $0, file: file.file) } }
  return Dictionary(grouping: pages) { $0.page.list }.sorted { $0.key < $1.key }.flatMap {
    _, pages in gaps(in: pages)
  }
}

private func gaps(in pages: [(page: ConnectPage, file: String)]) -> [Diagnostic] {
  var warnings: [Diagnostic] = []
  let rows = pages.reduce(0) { $0 + $1.page.count }
  func warn(_ told: (page: ConnectPage, file: String), _ message: Wording, _ help: Wording) {
    warnings.append(
      Diagnostic(
        .warning, topic: "pages", at: SourceLocation(file: told.file, line: told.page.line),
        message, help: help))
  }
  let totals = Set(pages.compactMap(\.page.total))
  if totals.count > 1, let last = pages.last {
    let sizes = totals.sorted().map(String.init).joined(separator: ", ")
    warn(last, "@import.pages-disagree \(sizes)", "@import.fetch-the-pages-again")
  }
  let here = Set(pages.map(\.page.cursor))
  if !here.contains(""), let first = pages.first {
    warn(first, "@import.page-is-missing \(place(1, of: first.page))", "@import.import-all-pages")
  }
  for told in pages where !told.page.next.isEmpty && !here.contains(told.page.next) {
    let place = place(told.page.nextNumber, of: told.page)
    let count: Wording =
      told.page.total.map { "@import.rows-of \(grouped(rows)) \(grouped($0))" }
      ?? "@import.rows-and-no-total \(grouped(rows))"
    warn(
      told, "@import.page-and-what-follows-is-missing \(place) \(count)",
      "@import.import-all-pages")
  }
  if warnings.isEmpty, let total = totals.first, rows != total, let last = pages.last {
    warn(
      last, "@import.pages-have-other-count \(grouped(rows)) \(grouped(total))",
      "@import.fetch-the-pages-again")
  }
  return warnings
}

/// `page 2 of 5`.
private func place(_ number: Int?, of page: ConnectPage) -> Wording {
  guard let number else { return "@import.next-page" }
  guard let count = page.pageCount else { return "@import.page-number \(number)" }
  return "@import.page-of \(number) \(count)"
}
