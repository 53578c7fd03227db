import Foundation

/// One of the services that are asked. Scripts and the ledger rely on the raw values.
package enum AppleHost: String, Hashable, Sendable, CaseIterable {
  /// App Store Connect: sales and financial reports.
  case connect
  /// The App Store Server API; the hosts hold since 2026-05-05, those with `itunes` in them go on.
  case purchases
  case purchasesSandbox = "purchases_sandbox"
  /// verifyReceipt.
  case receipts
  case receiptsSandbox = "receipts_sandbox"

  /// Where the service is, unless the configuration has another address.
  var standard: String {
    switch self {
    case .connect: "https://api.appstoreconnect.apple.com"
    case .purchases: "https://api.storekit.apple.com"
    case .purchasesSandbox: "https://api.storekit-sandbox.apple.com"
    case .receipts: "https://buy.itunes.apple.com"
    case .receiptsSandbox: "https://sandbox.itunes.apple.com"
    }
  }

  /// Whether it is Sandbox, where rates are a tenth.
  package var isSandbox: Bool { self == .purchasesSandbox || self == .receiptsSandbox }
}

/// Where a service is: https, or http on this machine, so that no token goes over a wire in clear.
package struct HostAddress: Hashable, Sendable {
  /// Scheme, host and port, without a slash at the end.
  let base: String

  /// Reads an address; nil for what is no such address, or has a path, a query or a user.
  package init?(_ text: String) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
      parts.query == nil, parts.fragment == nil, parts.path.isEmpty || parts.path == "/"
    else { return nil }
    let isLoopback = ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host.lowercased())
    guard scheme == "https" || scheme == "http" && isLoopback else { return nil }
    base = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
  }

  package init(standard host: AppleHost) { base = host.standard }

  /// The address of a path with its query; nil where the system takes it for none. Brackets and all
  /// else that is no letter, digit, `-`, `.`, `_` or `~` are percent-encoded.
  func url(_ path: String, _ query: [(name: String, value: String)]) -> URL? {
    /// A text in which all but unreserved characters are percent-encoded.
    func encoded(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
    let list = query.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
    return URL(string: base + path + (list.isEmpty ? "" : "?" + list))
  }
}

private let unreserved = CharacterSet(
  charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
