import Billing
package import Fetching
import Foundation

/// By what Apple knows the company, and where Apple is, as the configuration and the environment
/// say it. Empty texts stand for what nobody said.
package struct AppleAccess: Hashable, Sendable {
  /// A key of App Store Connect: its numbers, and where its private half lies.
  package struct Key: Hashable, Sendable {
    package var issuerID = ""
    package var keyID = ""
    package var keyFile = ""

    package init() {}
  }

  /// A team key, for reports.
  package var team = Key()
  package var vendorNumber = ""
  /// An in-app purchase key, for the App Store Server API.
  package var purchases = Key()
  package var bundleID = ""
  /// Of verifyReceipt, for subscriptions; by the environment alone, and never shown.
  package var sharedSecret: String?
  /// Where hosts are that are not Apple's, for tests.
  package var addresses: [AppleHost: HostAddress] = [:]

  package init() {}

  /// Whether anything for the App Store Server API is configured.
  package var hasPurchases: Bool { purchases != Key() || !bundleID.isEmpty }
}

extension AppleAccess {
  /// A token source for each host that needs one, of those that will be asked.
  ///
  /// - Throws: a ``Stop`` that says which key is missing or wrong.
  func tokens(for hosts: Set<AppleHost>) throws -> [AppleHost: TokenSource] {
    var tokens: [AppleHost: TokenSource] = [:]
    if hosts.contains(.connect) {
      let claims = try claims(team, in: "apple", bundleID: nil, lifetime: 15 * 60)
      tokens[.connect] = TokenSource(key: try signingKey(team, in: "apple"), claims: claims)
    }
    let server: [AppleHost] = [.purchases, .purchasesSandbox]
    if !hosts.isDisjoint(with: server) {
      let name = "apple.purchases"
      guard !bundleID.isEmpty else { throw missing("bundle_id", in: name) }
      let claims = try claims(purchases, in: name, bundleID: bundleID, lifetime: 5 * 60)
      let source = TokenSource(key: try signingKey(purchases, in: name), claims: claims)
      for host in server { tokens[host] = source }
    }
    return tokens
  }

  /// The vendor number whose reports are asked for. Throws a ``Stop`` where none is configured.
  func requireVendor() throws -> String {
    guard !vendorNumber.isEmpty else { throw missing("vendor_number", in: "apple") }
    return vendorNumber
  }

  /// What a token of this key claims. Throws where the key's numbers are not configured.
  ///
  /// - Parameters:
  ///   - table: of the configuration, for messages.
  ///   - lifetime: of a token, in seconds.
  private func claims(
    _ key: Key, in table: String, bundleID: String?, lifetime: Int64
  ) throws -> TokenSource.Claims {
    if key.keyID.isEmpty { throw missing("key_id", in: table) }
    guard !key.issuerID.isEmpty else {
      throw Stop(
        .badInput, "@fetch.issuer-id-is-missing \(table)",
        help: "@fetch.it-is-shown-above")
    }
    return TokenSource.Claims(
      keyID: key.keyID, issuerID: key.issuerID, bundleID: bundleID, lifetime: lifetime)
  }

  /// The error that a key of a table of the configuration is missing.
  private func missing(_ key: String, in table: String) -> Stop {
    let name = environmentName(of: key, in: table)
    return Stop(
      .badInput, "@fetch.is-missing \(table) \(key)",
      help: "@fetch.write-it-in-tieout-toml \(name)")
  }

  /// Reads the private half of a key from its file. Throws a ``Stop`` where there is none.
  ///
  /// - Parameter table: of the configuration, for messages.
  private func signingKey(_ key: Key, in table: String) throws -> SigningKey {
    guard !key.keyFile.isEmpty else { throw missing("key_file", in: table) }
    let text: String
    do {
      let file = try RawFile(path: key.keyFile)
      guard file.isRegular, file.size <= keyLimit else {
        throw SystemError(code: EFBIG)
      }
      text = String(decoding: try file.read(at: 0, count: file.size), as: UTF8.self)
    } catch let error as SystemError {
      throw Stop(
        .badInput, "@fetch.cannot-be-read \(key.keyFile) \(error.message)",
        help: "@fetch.key-file-names-the-p8 \(table)")
    }
    do throws(SigningKey.Fault) { return try SigningKey(pem: text) } catch {
      throw Stop(.badInput, "\(key.keyFile): \(error.wording)", help: error.help)
    }
  }

  /// Warnings of key files that users other than their owner may read, of those that these hosts
  /// need.
  func keyWarnings(for hosts: Set<AppleHost>) -> [Diagnostic] {
    var files: [String] = []
    if hosts.contains(.connect) { files.append(team.keyFile) }
    if !hosts.isDisjoint(with: [.purchases, .purchasesSandbox]) { files.append(purchases.keyFile) }
    return Set(files).sorted().compactMap { file in
      guard let status = FileStatus(path: file), status.isOpenToOthers else { return nil }
      return Diagnostic(
        .warning, topic: "key", at: SourceLocation(file: file),
        "@fetch.users-other-than-its-owner",
        help: "@fetch.let-only-its-owner-read \(file)")
    }
  }
}

/// Bytes; a key has some 250.
private let keyLimit = 1 << 16

/// The name of the environment variable that goes before a key of the configuration:
/// `TIEOUT_APPLE_KEY_ID`, `TIEOUT_APPLE_PURCHASES_KEY_ID`.
package func environmentName(of key: String, in table: String) -> String {
  "TIEOUT_" + "\(table)_\(key)".replacing(".", with: "_").uppercased()
}

extension SigningKey.Fault {
  /// What is wrong with the key file, in lower case without a full stop.
  var wording: Wording {
    switch self {
    case .noPEM: "@fetch.file-has-no-private-key"
    case .other(let label): "@fetch.file-holds-instead \(label)"
    case .encrypted: "@fetch.private-key-is-encrypted"
    case .notP256: "@fetch.private-key-is-not"
    case .damaged: "@fetch.private-key-is-damaged"
    }
  }

  /// What to do about it.
  var help: Wording {
    switch self {
    case .encrypted: "@fetch.name-the-p8-file"
    case .notP256: "@fetch.name-the-p8-file-of-an-app"
    default: "@fetch.name-the-p8-file-as-it-was-downloaded"
    }
  }
}
