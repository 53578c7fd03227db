internal import Billing
internal import SignedPayload

/// A page of a list that the App Store Connect API answers in pages, and how it says where it
/// stands among them.
///
/// A page names its own address and the next one's (`links.self`, `links.next`), how many elements
/// all pages have (`meta.paging.total`) and at most how many one has (`limit`). By Apple's
/// documentation of the API, stored on 2026-11-22.
package struct ConnectPage: Hashable, Sendable {
  /// The list's address, without what asks for one of its pages.
  package let list: String
  /// What it was asked for with; empty for the first page.
  package let cursor: String
  /// What the next one is asked for with; empty after the last.
  package let next: String
  package let count: Int
  package let total: Int?
  package let limit: Int?
  package let line: Int

  /// From a page's own address and that of the next one, which is empty after the last.
  ///
  /// - Parameters:
  ///   - count: elements of this page.
  ///   - total: elements of all pages.
  ///   - limit: the most elements that a page has.
  ///   - line: where in the file it begins.
  init(own: String, next: String, count: Int, total: Int?, limit: Int?, line: Int) {
    let address = ConnectAddress(own)
    (list, cursor) = (address.list, address.cursor)
    self.next = ConnectAddress(next).cursor
    (self.count, self.total, self.limit, self.line) = (count, total, limit, line)
  }

  /// How many pages the list has; nil where the page does not tell.
  package var pageCount: Int? {
    guard let total, let limit, limit > 0 else { return nil }
    return max(1, (total + limit - 1) / limit)
  }

  /// Which page of the list it is, from 1 on; nil where it does not tell.
  package var number: Int? { cursor.isEmpty ? 1 : Self.number(of: cursor, limit) }

  /// Which page the next one is, from 1 on; nil where neither address shows it.
  package var nextNumber: Int? { number.map { $0 + 1 } ?? Self.number(of: next, limit) }

  /// The page that a cursor leads to, from 1 on, where it is an offset in base64, as Apple's
  /// examples have them: `Mg` for 2; nil for any other.
  ///
  /// - Parameter limit: the most elements that a page has; without it the page is not known.
  private static func number(of cursor: String, _ limit: Int?) -> Int? {
    guard let limit, limit > 0, let bytes = cursor.utf8.base64URL else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return plainNumber(text.filter { $0.isASCII && $0.isNumber }).flatMap {
      text.count > 40 ? nil : $0 / limit + 1
    }
  }
}

/// An address of the API in parts.
private struct ConnectAddress {
  private(set) var list = ""
  private(set) var cursor = ""

  /// Takes an address of the API apart into the list that it names and the cursor of a page. The
  /// parts of its query may stand in any order: it is the same list.
  init(_ address: String) {
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = (parts.count > 1 ? parts[1] : "").split(separator: "&")
    let path = parts.first.map(String.init) ?? ""
    let others = query.filter { !$0.hasPrefix("cursor=") }.sorted()
    list = others.isEmpty ? path : path + "?" + others.joined(separator: "&")
    cursor = query.first { $0.hasPrefix("cursor=") }.map { String($0.dropFirst(7)) } ?? ""
  }
}

extension Sequence<UInt8> {
  /// The bytes that these stand for in base64 of addresses, with or without padding; nil for no
  /// such text.
  var base64URL: [UInt8]? {
    filter { $0 != UInt8(ascii: "=") }.withUnsafeBytes { Base64.url.decode($0) }
  }
}
