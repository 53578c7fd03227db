import Billing
import Crypto
import Support

/// Signs payloads in Apple's stead, under certificates made on the spot.
///
/// Keys grow from the seed and are never written; serials and validity are fixed. ECDSA signatures
/// are random by nature, so certificates and signed payloads differ from run to run in those.
struct PayloadSigner {
  /// What `trust_roots` has to name.
  static let rootFile = "apple-test-root.pem"

  private let rootPEM: String
  private let leafKey: P256.Signing.PrivateKey
  /// The first segment of every signed payload, with its dot.
  private let header: [UInt8]

  /// - Throws: errors of the certificate library; none are known to happen.
  init(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed ^ 0xCE47)
    var authority = Authority(
      rootKey: Self.key(&random), intermediateKey: Self.key(&random), leafKey: Self.key(&random))
    authority.owner = "Tieout Test"
    let span = Day.span("2020-01-01", "2040-01-01")
    (authority.rootSpan, authority.intermediateSpan, authority.leafSpan) = (span, span, span)
    // Each signature is made once: the chain's root is the one that is written.
    let chain = try authority.chain()
    rootPEM = try Authority.pem(chain[2])
    leafKey = authority.leafKey
    header = base64urlBytes(Compact.headerText(chain).utf8) + [0x2E]
  }

  /// The payload as a compact JWS: ES256, r and s raw.
  ///
  /// - Throws: errors of the cryptography library; none are known to happen.
  func signed(_ payload: [UInt8]) throws -> [UInt8] {
    var jws = header + base64urlBytes(payload)
    let signature = try leafKey.signature(for: jws).rawRepresentation
    jws.append(0x2E)
    jws += base64urlBytes(signature)
    return jws
  }

  func writeRoot(to directory: String) throws {
    try write(rootPEM, to: "\(directory)/\(Self.rootFile)")
  }

  private static func key(_ random: inout RandomNumbers) -> P256.Signing.PrivateKey {
    while true {
      let bytes = (0..<4).flatMap { _ in
        let word = random.next()
        return (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
      }
      // Hardly any number is no key: those from the curve's order on.
      if let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) { return key }
    }
  }
}
