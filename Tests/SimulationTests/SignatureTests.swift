import Billing
import Crypto
import Foundation
import Simulation
import Support
import SwiftASN1
import Testing
import X509

/// Goal: what the test authority signs verifies against the root that is written, and nothing else
/// differs from run to run. Method: the rules of Apple's verification, step by step.
@Suite struct SignatureTests {
  private static func parameters() -> SimulationParameters {
    var parameters = SimulationParameters()
    parameters.orders = 1000
    parameters.appleShare = 0.2
    parameters.appleFaults = SimulationParameters.everyAppleFault()
    return parameters
  }

  @Test func everySignatureVerifies() throws {
    let month = try WrittenMonth(Self.parameters())
    let pem = String(decoding: try month.bytes("apple-test-root.pem"), as: UTF8.self)
    let root = try Certificate(pemEncoded: pem)
    let signed = try month.signed
    #expect(signed.count > 100)
    for text in signed {
      let jws = try SignedText(text)
      #expect(jws.header["alg"] as? String == "ES256")
      let chain = try (jws.header["x5c"] as? [String] ?? []).map { text in
        try Certificate(derEncoded: Array(try #require(Data(base64Encoded: text))))
      }
      try #require(chain.count == 3)
      #expect(chain[2] == root)
      let key = try #require(P256.Signing.PublicKey(chain[0].publicKey))
      let signature = try P256.Signing.ECDSASignature(rawRepresentation: jws.signature)
      #expect(key.isValidSignature(signature, for: jws.message))
    }
  }

  @Test func chainIsAsAppleMakesIt() throws {
    let month = try WrittenMonth(Self.parameters())
    let header = try SignedText(try #require(try month.signed.first)).header
    let chain = try (header["x5c"] as? [String] ?? []).map { text in
      try Certificate(derEncoded: Array(try #require(Data(base64Encoded: text))))
    }
    try #require(chain.count == 3)
    for (certificate, issuer) in zip(chain, chain.dropFirst() + chain.suffix(1)) {
      #expect(certificate.issuer == issuer.subject)
      #expect(issuer.publicKey.isValidSignature(certificate.signature, for: certificate))
      #expect(certificate.notValidBefore == Date(timeIntervalSince1970: 1_577_836_800))
      #expect(certificate.notValidAfter == Date(timeIntervalSince1970: 2_208_988_800))
    }
    let markers: [ASN1ObjectIdentifier] = [
      [1, 2, 840, 113_635, 100, 6, 11, 1], [1, 2, 840, 113_635, 100, 6, 2, 1],
    ]
    for (certificate, marker) in zip(chain, markers) {
      #expect(Array(try #require(certificate.extensions[oid: marker]).value) == [5, 0])
    }
    for (certificate, isAuthority) in zip(chain, [false, true, true]) {
      let constraints = try certificate.extensions.basicConstraints
      switch constraints {
      case .isCertificateAuthority: #expect(isAuthority)
      default: #expect(!isAuthority)
      }
    }
  }

  @Test func onlySignaturesDifferFromRunToRun() throws {
    let (one, other) = (
      try WrittenMonth(Self.parameters()), try WrittenMonth(Self.parameters())
    )
    #expect(one.names == other.names)
    for name in one.names
    where !["history", "notifications-v2", "apple-test", "0-first"].contains(where: name.hasPrefix)
    {
      #expect(try one.bytes(name) == other.bytes(name), "\(name)")
    }
    #expect(try one.payloads == other.payloads)
  }

  @Test func noPrivateKeyIsWritten() throws {
    let month = try WrittenMonth(Self.parameters())
    for name in month.names where !name.hasPrefix("0-first") {
      #expect(try month.bytes(name).range(of: Data("PRIVATE".utf8)) == nil, "\(name)")
    }
  }

  @Test func streamOfPurchases() throws {
    let folder = try TemporaryFolder()
    let stream = PurchaseStream(
      receipts: 200, notifications: 20, seed: 4, period: try #require(Period("2023-06")))
    try stream.write(to: folder.path)
    let receipts = try folder.bytes("receipts.jsonl").split(separator: 0x0A)
    #expect(receipts.count == 200)
    #expect((2000...3600).contains(receipts.map(\.count).reduce(0, +) / 200))
    for line in receipts {
      let response = try #require(try object(line)["response"] as? [String: Any])
      let ids = try WrittenMonth.elements(of: response).map {
        try ReadBackTransaction(receipt: $0).id
      }
      #expect(Set(ids).count == 2)
    }
    let notifications = try folder.bytes("notifications-v2.jsonl").split(separator: 0x0A)
    #expect(notifications.count == 20)
    for line in notifications {
      let payload = try #require(try object(line)["signedPayload"] as? String)
      #expect(try SignedText(payload).object["data"] != nil)
    }
  }
}

extension WrittenMonth {
  /// Payloads without what is signed inside them.
  fileprivate var payloads: [String] {
    get throws {
      try signed.map { text in
        let signed = try SignedText(text)
        guard signed.payload != Data("null".utf8) else { return "null" }
        var object = try signed.object
        if var data = object["data"] as? [String: Any] {
          data["signedTransactionInfo"] = nil
          data["signedRenewalInfo"] = nil
          object["data"] = data
        }
        let bytes = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }
}
