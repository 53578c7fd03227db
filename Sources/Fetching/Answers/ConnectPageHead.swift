import Foundation

/// What a page of a list of App Store Connect says of itself and of the next one.
package struct ConnectPageHead: Hashable, Sendable {
  /// Of the page's elements, in order.
  package let ids: [String]
  /// What the next page is asked for with; empty after the last.
  package let cursor: String
  /// Elements of all pages; nil where it is not said.
  package let total: Int?

  private struct Fields: Decodable {
    struct Element: Decodable { var id: String }
    struct Links: Decodable { var next: String? }
    struct Meta: Decodable {
      struct Paging: Decodable { var total: Int? }
      var paging: Paging?
    }
    var data: [Element]
    var links: Links?
    var meta: Meta?
  }

  /// Reads the body of a page; nil for what is no page, or names a next one that is elsewhere: the
  /// token is for this list's place alone.
  ///
  /// - Parameter path: that of the list.
  package init?(_ body: [UInt8], of path: String) {
    guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(body)) else { return nil }
    ids = fields.data.map(\.id)
    total = fields.meta?.paging?.total
    guard let next = fields.links?.next, !next.isEmpty else {
      cursor = ""
      return
    }
    let parts = URLComponents(string: next)
    let found = parts?.queryItems?.first { $0.name == "cursor" }?.value ?? ""
    guard parts?.path == path, !found.isEmpty else { return nil }
    cursor = found
  }
}
