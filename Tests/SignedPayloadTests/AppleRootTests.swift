import Crypto
import Testing

@testable import SignedPayload

/// Goal: the built-in root is Apple's. Method: its size and fingerprint, as Apple publishes them.
@Suite struct AppleRootTests {
  @Test func `the built-in root has the fingerprint that Apple publishes`() throws {
    var text = appleRootCAG3
    let decoded = text.withUTF8 { Base64.standard.decode(UnsafeRawBufferPointer($0)) }
    let root = try #require(decoded)
    #expect(root.count == 583)
    #expect(
      SHA256.hash(data: root).description
        == "SHA256 digest: 63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
  }
}
