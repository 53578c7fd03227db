/// A page of an answer of the App Store Server API that comes in pages: what it is a page of, and
/// how the next one is asked for. Empty or nil is "not said".
///
/// Apple answers twenty rows at a time with `hasMore`; the next page is asked for with the page's
/// `revision` (transaction and refund history) or `paginationToken` (notification history). By
/// Apple's documentation of the App Store Server API, stored on 2026-11-22.
package struct AnswerPage: Hashable, Sendable {
  /// What the pages are of.
  package enum Listing: String, Hashable, Sendable, CaseIterable {
    /// Transactions of one customer.
    case history
    /// Refunded transactions of one customer, in the order of their refunds.
    case refunds
    /// Notifications of one app.
    case notifications
  }

  package var line: Int32
  package var list: Listing
  package var bundleID: String
  package var environment: StoreEnvironment?
  /// Apple's id of the customer in this app, where all of the page is of one.
  package var appTransactionID: String
  /// The company's user for whom the page was asked, where the record around it names one.
  package var userID: String
  /// The last transaction or notification of the page.
  package var lastID: String
  /// The token that it was asked for with, where the record around it tells.
  package var asked: String
  /// The token that the next page is asked for with.
  package var next: String
  package var hasMore: Bool
  package var answeredAt: Instant?
  /// What of the list is not on the page is of no earlier and no later moment, as far as the page
  /// tells.
  package var restFrom: Instant?
  package var restTo: Instant?

  package init(_ list: Listing, line: Int32, hasMore: Bool) {
    self.list = list
    self.line = line
    self.hasMore = hasMore
    (bundleID, appTransactionID, userID, lastID, asked, next) = ("", "", "", "", "", "")
  }
}

/// A page with the file that it came in.
package struct ImportedPage: Hashable, Sendable {
  package var page: AnswerPage
  package var file: String

  package init(_ page: AnswerPage, file: String) {
    self.page = page
    self.file = file
  }

  /// File and line, as `file:line`.
  package var place: String { "\(file):\(page.line)" }
}
