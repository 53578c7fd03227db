import Billing
import Reading

/// Warnings of pages that are missing in this call, for lists that App Store Connect answers page
/// by page. The pages of one list are looked at together, in whichever of its files they stand.
func missingPages(_ files: [ImportedFile]) -> [Diagnostic] {
  let pages = files.flatMap { file in file.connectPages.map { (page: $0, file: file.file) } }
  return Dictionary(grouping: pages) { $0.page.list }.sorted { $0.key < $1.key }.flatMap {
    _, pages in gaps(in: pages)
  }
}

/// Warnings about the pages of one list: they state several totals, the first or one that a page
/// names as its next is missing, or their rows are not as many as the total.
///
/// - Parameter pages: each with the file that it stands in.
private func gaps(in pages: [(page: ConnectPage, file: String)]) -> [Diagnostic] {
  var warnings: [Diagnostic] = []
  let rows = pages.reduce(0) { $0 + $1.page.count }
  /// Adds a warning at the place of a page to `warnings`.
  func warn(_ origin: (page: ConnectPage, file: String), _ message: Wording, _ help: Wording) {
    warnings.append(
      Diagnostic(
        .warning, topic: "pages", at: SourceLocation(file: origin.file, line: origin.page.line),
        message, help: help))
  }
  let totals = Set(pages.compactMap(\.page.total))
  if totals.count > 1, let last = pages.last {
    let sizes = totals.sorted().map(String.init).joined(separator: ", ")
    warn(last, "@import.pages-disagree \(sizes)", "@import.fetch-the-pages-again")
  }
  let cursors = Set(pages.map(\.page.cursor))
  if !cursors.contains(""), let first = pages.first {
    warn(
      first, "@import.page-is-missing \(pageName(1, of: first.page))", "@import.import-all-pages")
  }
  for origin in pages where !origin.page.next.isEmpty && !cursors.contains(origin.page.next) {
    let pageName = pageName(origin.page.nextNumber, of: origin.page)
    let count: Wording =
      origin.page.total.map { "@import.rows-of \(grouped(rows)) \(grouped($0))" }
      ?? "@import.rows-and-no-total \(grouped(rows))"
    warn(
      origin, "@import.page-and-what-follows-is-missing \(pageName) \(count)",
      "@import.import-all-pages")
  }
  if warnings.isEmpty, let total = totals.first, rows != total, let last = pages.last {
    warn(
      last, "@import.pages-have-other-count \(grouped(rows)) \(grouped(total))",
      "@import.fetch-the-pages-again")
  }
  return warnings
}

/// The name of a page within its list: `page 2 of 5`, `page 2`, or the next page where its number
/// is not known.
///
/// - Parameter page: any of the list, which tells how many there are.
private func pageName(_ number: Int?, of page: ConnectPage) -> Wording {
  guard let number else { return "@import.next-page" }
  guard let count = page.pageCount else { return "@import.page-number \(number)" }
  return "@import.page-of \(number) \(count)"
}
