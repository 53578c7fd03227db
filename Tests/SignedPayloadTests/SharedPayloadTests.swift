import Billing
import Foundation
import Support
import Testing

@testable import SignedPayload

/// Goal: what Apple signed, and what the tests of Apple's libraries hold, gets the verdict that
/// those libraries give. Method: their files, where they lie beside the checkout.
@Suite struct SharedPayloadTests {
  private func bytes(_ name: String) -> [UInt8]? {
    sharedData("purchases/\(name)").flatMap { FileManager.default.contents(atPath: $0) }
      .map { [UInt8]($0) }
  }

  private func testRoot() -> [UInt8]? {
    bytes("certificates/apple__app-store-server-library-swift__testCA.der")
  }

  /// A JWS of the test authority's, without the line's end.
  private func mock(_ name: String) -> String? {
    bytes("signed/apple__app-store-server-library-swift__mock_signed_data_\(name)").map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  private func signedDate(_ payload: [UInt8]) throws -> Instant? {
    let object = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
    return (object?["signedDate"] as? NSNumber).map { Instant(seconds: $0.int64Value / 1000) }
  }

  @Test(arguments: [
    ("testNotification", nil, nil), ("transactionInfo", nil, nil), ("renewalInfo", nil, nil),
    ("wrongBundleId", 1_681_314_324, nil),
    ("missingX5CHeaderClaim", 1_681_314_324, PayloadDiagnostic.Reason.chain),
  ])
  func `payloads of the test authority`(
    name: String, moment: Int64?, expected: PayloadDiagnostic.Reason?
  ) throws {
    guard let jws = mock(name), let root = testRoot() else { return }
    var verifier = try PayloadVerifier(trusting: [root])
    let opened = try verifier.open(jws)
    // Some carry no date; then the moment of another counts.
    let signedAt = try signedDate(opened.payload)
    #expect((signedAt == nil) == (moment != nil))
    let at = try #require(signedAt ?? moment.map { Instant(seconds: $0) })
    #expect(verifier.refusal(jws, at: at)?.reason == expected)
    var strict = try PayloadVerifier(trusting: [])
    #expect(strict.refusal(jws, at: at)?.reason == .chain)
  }

  @Test func `a receipt of old is no signed payload`() throws {
    guard let text = mock("legacyTransaction") else { return }
    var verifier = try PayloadVerifier(trusting: [])
    #expect(verifier.refusal(text)?.reason == .form)
  }

  @Test func `what Apple signed in 2022 is proven at its date`() throws {
    let name =
      "imdhemy__appstore-iap__tests_fixtures_payloads_test-notification-signed-payload.json"
    guard let file = bytes("signed/\(name)") else { return }
    let object = try JSONSerialization.jsonObject(with: Data(file)) as? [String: String]
    let jws = try #require(object?["signedPayload"])
    var verifier = try PayloadVerifier(trusting: [])
    let opened = try verifier.open(jws)
    let signedAt = try #require(try signedDate(opened.payload))
    #expect(signedAt.description == "2022-09-02T12:41:32Z")
    try verifier.verify(opened, signedAt: signedAt)
    // Its leaf was valid until September 2023.
    #expect(verifier.refusal(jws, at: Day.start("2023-09-25"))?.reason == .expired)
    #expect(verifier.refusal(jws, at: Day.start("2021-08-24"))?.reason == .expired)
    var bytes = Array(jws.utf8)
    for index in stride(from: 0, to: bytes.count, by: 23) {
      bytes[index] ^= 1
      #expect(verifier.refusal(String(decoding: bytes, as: UTF8.self), at: signedAt) != nil)
      bytes[index] ^= 1
    }
  }

  /// The chains that the tests of Apple's library for Java are about, and that nobody here can sign
  /// with: all that comes before the signature must hold.
  @Test(arguments: [
    ("testLeaf", "testIntermediate", PayloadDiagnostic.Reason.signature),
    ("testInvalidIntermediateLeaf", "testInvalidOIDIntermediate", .oid),
    ("testInvalidOIDLeaf", "testIntermediate", .oid),
    ("testLeaf", "testInvalidOIDIntermediate", .oid),
    ("testIntermediate", "testLeaf", .chain),
  ])
  func `chains of the test authority`(
    leaf: String, intermediate: String, expected: PayloadDiagnostic.Reason
  ) throws {
    let files = [leaf, intermediate, "testCA"].map {
      bytes("certificates/apple__app-store-server-library-java__\($0).pem")
    }
    guard let root = testRoot(), !files.contains(nil) else { return }
    let chain = try files.flatMap { try certificates(inFile: $0 ?? []) }
    #expect(chain.last == root)
    var verifier = try PayloadVerifier(trusting: [root])
    let jws = try Compact(chain: chain, key: Authority.key(3)).text
    #expect(verifier.refusal(jws)?.reason == expected)
    #expect(
      verifier.refusal(jws, at: Day.start("2034-01-01"))?.reason
        == (expected == .signature ? .expired : expected))
  }
}
