import Crypto

/// What stands in place of a user's id, or of a token that stands for a user, where `mask_users`
/// hides them: the same for the same id everywhere, and nothing from which it can be read.
package func maskedUser(_ id: String) -> String {
  guard !id.isEmpty else { return id }
  return "user-"
    + SHA256.hash(data: Array("tieout user \(id)".utf8)).prefix(6).map { byte in
      let hex = String(byte, radix: 16)
      return hex.count == 1 ? "0" + hex : hex
    }.joined()
}
