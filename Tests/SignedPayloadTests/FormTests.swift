import Billing
import Support
import Testing

@testable import SignedPayload

/// Goal: what is no JWS is told apart from what is badly signed. Method: texts.
@Suite struct FormTests {
  private func form(header: String) throws -> String? {
    var verifier = try PayloadVerifier(trusting: [])
    let refusal = verifier.refusal("\(base64url(header.utf8)).e30.AAAA")
    return refusal?.reason == .form ? refusal?.message.english : nil
  }

  @Test(arguments: ["", "e30", "e30.e30", "e30.e30.e30.e30", "e30.e30.e30.", "....", "{}"])
  func `a payload has three segments`(text: String) throws {
    var verifier = try PayloadVerifier(trusting: [])
    let refusal = verifier.refusal(text)
    #expect(refusal?.reason == .form)
    #expect(refusal?.message.english.contains("three segments") == true)
  }

  @Test(arguments: [
    "e30=.e30.AAAA", "e30.e30=.AAAA", "e30.e30.AA==", " e30.e30.AAAA", "e30.e30.AAAA\n",
    "e30.e3 0.AAAA", "e30.e30.AAA+", "e30.e30.AAA/", "e30.e30.A", "e30.e30.AB", "e30.e31.AAAA",
    "e30.e30.AAB", "e30.é.AAAA",
  ])
  func `segments are base64url without padding`(text: String) throws {
    var verifier = try PayloadVerifier(trusting: [])
    #expect(throws: PayloadDiagnostic.self) { try verifier.open(text) }
    #expect(verifier.refusal(text)?.reason == .form)
  }

  @Test(arguments: [
    "", "null", "[]", "\"ES256\"", "{", "{}{}", "{} x", "\u{FEFF}{}", "{\"alg\"}", "{\"alg\":}",
    "{\"alg\":\"ES256\",}", "{'alg':'ES256'}", "{\"alg\":ES256}", "{\"n\":01}", "{\"n\":+1}",
    "{\"n\":.5}", "{\"n\":NaN}", "{\"n\":[1,]}", "{\"n\":[1 2]}", "{\"n\":{]}", "{\"n\":\"\u{1}\"}",
    "{\"n\":\"\\x\"}", "{\"n\":\"\\u12\"}", "{\"n\":\"\\u+123\"}", "{\"n\":\"\\ud800\"}",
    "{\"n\":\"\\udc00\"}", "{\"n\":\"\\ud800\\u0041\"}", "{\"n\":\"", "{\"n\":\"\\", "{\"n\":tru}",
  ])
  func `a header is one JSON object`(text: String) throws {
    #expect(try form(header: text) != nil)
  }

  @Test func `a key occurs once, however it is written`() throws {
    for text in [
      "{\"alg\":\"ES256\",\"alg\":\"ES256\"}", "{\"alg\":\"none\",\"\\u0061lg\":\"ES256\"}",
      "{\"alg\":\"ES256\",\"jwk\":{\"a\":1,\"a\":2}}",
    ] { #expect(try form(header: text)?.contains("each key once") == true) }
  }

  @Test func `a header demands nothing and stays short`() throws {
    #expect(try form(header: "{\"alg\":\"ES256\",\"crit\":[\"exp\"]}")?.contains("crit") == true)
    let long = "{\"n\":\"\(String(repeating: "a", count: 50_000))\"}"
    #expect(try form(header: long)?.contains("at most 65536 bytes") == true)
    let deep = "{\"n\":\(String(repeating: "[", count: 20_000))"
    #expect(try form(header: deep)?.contains("no deeper") == true)
  }

  @Test func `a header that is no UTF-8 is refused`() throws {
    var verifier = try PayloadVerifier(trusting: [])
    let header = base64url(Array("{\"n\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8))
    #expect(verifier.refusal("\(header).e30.AAAA")?.reason == .form)
  }
}
