import Billing
import Fetching
import Foundation
import TOMLKit
import Workflow

extension ConfigurationReader {
  private static let oneEach: Wording = "@configuration.configuration-has-one-vendor"
  private static let teamKeys = ["issuer_id", "key_id", "key_file", "vendor_number"]
  private static let purchaseKeys = ["issuer_id", "key_id", "key_file", "bundle_id"]

  /// What `[apple]` and `[apple.purchases]` say, and the environment in their place. Secrets stand
  /// in neither: keys are files, and the shared secret is in the environment alone.
  mutating func readAccess(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> AppleAccess {
    var access = AppleAccess()
    let team = table["apple"]
    if let team, team.table == nil {
      object(
        .error, at: "apple", in: "apple", "@configuration.apple-expected-a-table-found",
        help: "@configuration.write-apple-and-below")
      return access
    }
    let hostKeys = AppleHost.allCases.map { $0.rawValue + "_url" }
    let purchases = team?.table?["purchases"]?.table
    if let several = team?.table?["purchases"], purchases == nil {
      object(
        .error, at: "purchases", in: "apple",
        several.array == nil
          ? "@configuration.apple-purchases-expected-a-table"
          : "@configuration.apple-purchases-expected-one-app",
        help: Self.oneEach)
      return access
    }
    var texts = self.texts(
      in: team?.table, named: "apple", keys: Self.teamKeys + hostKeys, beside: "purchases",
      environment)
    access.team = key(texts)
    access.vendorNumber = texts["vendor_number"] ?? ""
    for host in AppleHost.allCases {
      guard let text = texts[host.rawValue + "_url"] else { continue }
      guard let address = HostAddress(text) else {
        object(
          .error, at: host.rawValue + "_url", in: "apple",
          "@configuration.apple-url-is-not \(host.rawValue)",
          help: "@configuration.write-https-and-a-host")
        continue
      }
      access.addresses[host] = address
    }
    texts = self.texts(
      in: purchases, named: "apple.purchases", keys: Self.purchaseKeys, environment)
    access.purchases = key(texts)
    access.bundleID = texts["bundle_id"] ?? ""
    let secret = environment["TIEOUT_APPLE_SHARED_SECRET"] ?? ""
    access.sharedSecret = secret.isEmpty ? nil : secret
    return access
  }

  /// The key for one of Apple's services, from its texts by their names in the configuration.
  private func key(_ texts: [String: String]) -> AppleAccess.Key {
    var key = AppleAccess.Key()
    key.issuerID = texts["issuer_id"] ?? ""
    key.keyID = texts["key_id"] ?? ""
    key.keyFile = texts["key_file"] ?? ""
    return key
  }

  /// Reads a table's texts by key; a variable of the environment replaces the text in the file.
  /// Notes unknown keys and values that are no text. Paths in the file are relative to it, those in
  /// the environment are as they stand.
  ///
  /// - Parameters:
  ///   - name: the table's in the configuration, such as `apple.purchases`.
  ///   - keys: those that the table may have.
  ///   - inner: a key that holds a table of its own and is left out.
  ///   - environment: the variables of the process.
  private mutating func texts(
    in table: TOMLTable?, named name: String, keys: [String], beside inner: String = "",
    _ environment: [String: String]
  ) -> [String: String] {
    var texts: [String: String] = [:]
    for key in table?.keys ?? [] where key != inner {
      guard keys.contains(key) else {
        object(
          .warning, at: key, in: name, "@configuration.unknown-key-is-left-out-2 \(name) \(key)",
          help: nearest(to: key, among: keys).map { "@shared.did-you-mean \($0)" }
            ?? "@configuration.known-keys \(keys.joined(separator: ", "))")
        continue
      }
      let value = table?[key]
      guard value?.array == nil else {
        object(
          .error, at: key, in: name, "@configuration.is-a-list \(name) \(key)", help: Self.oneEach)
        continue
      }
      guard let text = value?.string ?? value?.int.map(String.init), !text.isEmpty,
        text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) || key == "key_file"
      else {
        object(
          .error, at: key, in: name, "@configuration.is-not-a-text-without \(name) \(key)",
          help: "@configuration.write-it-in-double-quotes")
        continue
      }
      texts[key] = key == "key_file" ? path(relative: text) : text
    }
    for key in keys {
      guard let text = environment[environmentName(of: key, in: name)], !text.isEmpty else {
        continue
      }
      texts[key] = text
    }
    return texts
  }
}

extension AppleAccess {
  /// The keys as they could stand in the configuration: a path and names, no secret.
  var line: String {
    /// Lines `name = "value"` for a key's parts and for further pairs of name and value; none for
    /// empty values.
    func entries(_ key: Key, _ others: [(String, String)]) -> [String] {
      let all = [
        ("issuer_id", key.issuerID), ("key_id", key.keyID), ("key_file", key.keyFile),
      ]
      return (all + others).filter { !$0.1.isEmpty }.map { "\($0.0) = \"\($0.1)\"" }
    }
    let inner = entries(purchases, [("bundle_id", bundleID)])
    var outer = entries(team, [("vendor_number", vendorNumber)])
    if !inner.isEmpty { outer.append("purchases = { \(inner.joined(separator: ", ")) }") }
    return outer.isEmpty ? "{}" : "{ \(outer.joined(separator: ", ")) }"
  }
}
