package import Billing

/// Pages of answers that say that more follows, and whose next page is not there.
///
/// A page is the next one of another where the record around it says that it was asked for with the
/// other's token. Where it says nothing, it is taken for the next one of the page of the same list,
/// app, environment and customer that stands before it in its file; and an answer about one
/// customer is whole where a later answer about the same customer has an end, because each list
/// begins anew.
/// A page that ends with the same row as another stands for it: a list that was asked for twice has
/// other tokens.
package struct OpenPages: Sendable {
  /// In the order of the files and their records, one for each last row.
  package private(set) var pages: [ImportedPage] = []

  /// Finds the pages that say that more follows, and whose next page is in none of the files.
  ///
  /// - Parameter files: the pages of each file in their order.
  package init(_ files: [[ImportedPage]]) {
    let all = files.joined()
    let asked = Set(all.map(\.page).filter { !$0.asked.isEmpty }.map(PageToken.init(asked:)))
    let ends = Self.ends(all)
    var continued: Set<PageEnd> = []
    for file in files {
      var following = FollowingPages()
      for page in file.lazy.map(\.page).reversed() {
        defer { following.add(page) }
        guard page.hasMore else { continue }
        let end = PageCustomer(page).flatMap { ends[$0] }
        let isWhole = end.map { end in page.answeredAt.map { $0 <= end } ?? false } ?? false
        if isWhole || asked.contains(PageToken(next: page)) || following.next(after: page) {
          continued.insert(PageEnd(page))
        }
      }
    }
    for page in all where page.page.hasMore && continued.insert(PageEnd(page.page)).inserted {
      pages.append(page)
    }
  }

  /// For each list about one customer, when the last answer was given that is the list's only page:
  /// asked for without a token, with nothing to follow.
  private static func ends(_ pages: some Sequence<ImportedPage>) -> [PageCustomer: Instant] {
    var ends: [PageCustomer: Instant] = [:]
    for page in pages.lazy.map(\.page) where !page.hasMore && page.asked.isEmpty {
      guard let customer = PageCustomer(page), let moment = page.answeredAt else { continue }
      ends[customer] = max(ends[customer] ?? moment, moment)
    }
    return ends
  }
}

extension AnswerPage {
  /// Whether two pages may be about the same customer: neither id contradicts.
  fileprivate func isMaybeOfSameCustomer(_ other: AnswerPage) -> Bool {
    /// Whether two ids are the same, or one is not told.
    func agree(_ left: String, _ right: String) -> Bool {
      left.isEmpty || right.isEmpty || left == right
    }
    return agree(appTransactionID, other.appTransactionID) && agree(userID, other.userID)
  }

  /// Whether the rows that a page leaves out may be of the days; a day more on either side, because
  /// days begin elsewhere than in UTC.
  package func mayTouch(_ days: ClosedRange<Day>) -> Bool {
    let from = restFrom.map { $0.day().advanced(by: -1) }
    let to = restTo.map { $0.day().advanced(by: 1) }
    return (from ?? days.upperBound) <= days.upperBound
      && (to ?? days.lowerBound) >= days.lowerBound
  }
}

/// The pages of a file behind the one that is looked at, by list and app. A page without rows may
/// not name its app: it is of any.
private struct FollowingPages {
  /// Which list of which app a page is of.
  private struct App: Hashable {
    let list: AnswerPage.Listing
    let bundleID: String
    let environment: StoreEnvironment?
  }

  private var next: [App: (place: Int, page: AnswerPage)] = [:]
  private var count = 0

  /// Adds a page of the file. Pages come from the last to the first: this one stands before all
  /// that were added.
  mutating func add(_ page: AnswerPage) {
    let app = App(list: page.list, bundleID: page.bundleID, environment: page.environment)
    next[app] = (count, page)
    count += 1
  }

  /// Whether the page that follows this one of the same list, and does not say what it was asked
  /// for with, is the next one.
  func next(after page: AnswerPage) -> Bool {
    let own = App(list: page.list, bundleID: page.bundleID, environment: page.environment)
    let unnamed = App(list: page.list, bundleID: "", environment: nil)
    let found = [next[own], next[unnamed]].compactMap(\.self).max { $0.place < $1.place }
    guard let found else { return false }
    return found.page.asked.isEmpty && page.isMaybeOfSameCustomer(found.page)
  }
}

/// What a next page is asked for with. An empty page does not say which app it is of, so the token
/// alone names it.
private struct PageToken: Hashable {
  let list: AnswerPage.Listing
  let token: String

  /// What a page was asked for with.
  init(asked page: AnswerPage) { (list, token) = (page.list, page.asked) }

  /// What the next page after this one is to be asked for with.
  init(next page: AnswerPage) { (list, token) = (page.list, page.next) }
}

/// The row that a page ends with; of one without rows, what follows it.
private struct PageEnd: Hashable {
  let list: AnswerPage.Listing
  let environment: StoreEnvironment?
  let lastID: String
  let next: String

  /// Where a page ends: its list, environment and last row's id; without rows, what the next page
  /// is asked for with.
  init(_ page: AnswerPage) {
    (list, environment, lastID) = (page.list, page.environment, page.lastID)
    next = page.lastID.isEmpty ? page.next : ""
  }
}

/// A list about one customer.
private struct PageCustomer: Hashable {
  let list: AnswerPage.Listing
  let environment: StoreEnvironment?
  let id: String

  /// The list and the customer of a page; nil where it is of notifications, or names no customer.
  init?(_ page: AnswerPage) {
    if page.list == .notifications || page.appTransactionID.isEmpty { return nil }
    (list, environment, id) = (page.list, page.environment, page.appTransactionID)
  }
}
