import Foundation

/// Pages of prices as the App Store Connect API answers them, made for tests.
enum PricePages {
  /// A price point of a storefront.
  struct Point {
    var territory: String
    var number: Int
    var price: String
    var proceeds: String
    var second: String?
  }

  static func id(_ point: Point, of product: String) -> String {
    let text = #"{"s":"\#(product)","t":"\#(point.territory)","p":"\#(point.number)"}"#
    return Data(text.utf8).base64EncodedString().replacing("=", with: "")
  }

  static func point(
    _ point: Point, of product: String, isSubscription: Bool, namesTerritory: Bool = true
  ) -> String {
    let type = isSubscription ? "subscriptionPricePoints" : "inAppPurchasePricePoints"
    let second = point.second.map { #","proceedsYear2":"\#($0)""# } ?? ""
    let territory = #"{"territory":{"data":{"type":"territories","id":"\#(point.territory)"}}}"#
    return """
      {"type":"\(type)","id":"\(id(point, of: product))","attributes":{"customerPrice":\
      "\(point.price)","proceeds":"\(point.proceeds)"\(second)}\
      \(namesTerritory ? ",\"relationships\":" + territory : "")}
      """
  }

  static func territories(_ currencies: [(String, String)]) -> String {
    currencies.map {
      #"{"type":"territories","id":"\#($0)","attributes":{"currency":"\#($1)"}}"#
    }.joined(separator: ",")
  }

  /// A page from an offset on; cursors are offsets in base64, as Apple's examples have them.
  static func page(
    _ path: String, _ elements: [String], included: String, from offset: Int = 0,
    total: Int? = nil, limit: Int = 200, isLast: Bool = true
  ) -> String {
    func cursor(_ offset: Int) -> String {
      "cursor=" + Data("\(offset)".utf8).base64EncodedString().replacing("=", with: "") + "&"
    }
    let base = "https://api.appstoreconnect.apple.com\(path)?"
    let rest = "include=territory&limit=\(limit)"
    let own = base + (offset == 0 ? "" : cursor(offset)) + rest
    let next = isLast ? "" : #","next":"\#(base + cursor(offset + elements.count) + rest)""#
    return """
      {"data":[\(elements.joined(separator: ","))],"included":[\(included)],\
      "links":{"self":"\(own)"\(next)},\
      "meta":{"paging":{"total":\(total ?? elements.count),"limit":\(limit)}}}
      """
  }
}
