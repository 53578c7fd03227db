import Crypto
import Ledger

/// Hides users: the same id has the same digest everywhere in one ledger. The digest is keyed by a
/// secret of the ledger's own, so that nobody finds an id by trying all there could be.
struct UserMask: Sendable {
  private let key: SymmetricKey

  /// Reads the ledger's secret, the key of its digests.
  init(_ ledger: Ledger) throws { key = SymmetricKey(data: try ledger.secret()) }

  /// What stands in place of a user's id, or of a token that stands for a user.
  func callAsFunction(_ id: String) -> String {
    guard !id.isEmpty else { return id }
    return "user-"
      + HMAC<SHA256>.authenticationCode(for: Array(id.utf8), using: key).prefix(6).map { byte in
        let hex = String(byte, radix: 16)
        return hex.count == 1 ? "0" + hex : hex
      }.joined()
  }
}
