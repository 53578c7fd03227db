import Foundation

/// What an answer of the App Store Server API says of itself: whether more follows and what asks
/// for it, and whether there is anything in it.
package struct AnswerPageHead: Hashable, Sendable {
  /// Whether it is followed by another page.
  package let hasMore: Bool
  /// What the next page is asked for with, and of transactions the next time too; empty for none.
  package let next: String
  /// Whether a list in it has an element.
  package let isEmpty: Bool

  private struct Fields: Decodable {
    var hasMore: Bool?
    var revision: String?
    var paginationToken: String?
    var signedTransactions: [Ignored]?
    var notificationHistory: [Ignored]?
    var data: [Ignored]?
  }

  private struct Ignored: Decodable {
    /// Accepts any element, and reads nothing of it.
    init(from decoder: any Decoder) throws {}
  }

  /// Reads the body of an answer; nil for what is no JSON object of this kind.
  package init?(_ body: [UInt8]) {
    guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(body)) else { return nil }
    let lists = [fields.signedTransactions, fields.notificationHistory, fields.data]
    guard lists.contains(where: { $0 != nil }) else { return nil }
    hasMore = fields.hasMore ?? false
    next = fields.paginationToken ?? fields.revision ?? ""
    isEmpty = lists.allSatisfy { $0?.isEmpty ?? true }
  }
}
