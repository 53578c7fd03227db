import Billing
import Support
import Testing

@testable import SignedPayload

/// Goal: what was opened ahead is what the reader would have opened itself. Method: sound, forged,
/// broken and nested payloads, asked for in any order, on any number of threads.
@Suite struct PayloadsAheadTests {
  private let authority = Authority()

  /// Payloads as they stand in a file, and those inside of them.
  private func payloads() throws -> (outer: [String], inner: [String]) {
    let chain = try authority.chain()
    func signed(_ payload: String, by number: UInt8? = nil) throws -> String {
      try Compact(
        payload, chain: chain, key: number.map { Authority.key($0) } ?? authority.leafKey
      ).text
    }
    var (outer, inner): ([String], [String]) = ([], [])
    for number in 0..<40 {
      let sound = try signed(#"{"transactionId":"\#(number)"}"#)
      let forged = try signed(#"{"transactionId":"\#(number)"}"#, by: 9)
      inner += [sound, forged]
      outer.append(try signed(#"{"data":{"a":"\#(sound)","b":"\#(forged)"},"n":\#(number)}"#))
      outer.append(try signed(#"{"n":\#(number)}"#, by: 9))
      outer.append(try signed(#"{"m":\#(number)}"#) + "x")
      outer.append("eyJ\(number)")
      outer.append("eyJ\(number).eyJ.eyJ")
    }
    return (outer, inner)
  }

  private func outcome(
    _ opened: OpenedPayload?, _ jws: String, _ verifier: inout PayloadVerifier
  ) -> String {
    do throws(PayloadDiagnostic) {
      let opened = if let opened { opened } else { try verifier.open(jws) }
      try verifier.verify(opened, signedAt: Authority.moment)
      return String(decoding: opened.payload, as: UTF8.self)
    } catch {
      return error.reason.rawValue
    }
  }

  @Test(arguments: [0, 1, 3], [false, true])
  func `nothing comes of it but time`(threads: Int, isReversed: Bool) throws {
    let (outer, inner) = try payloads()
    var verifier = try PayloadVerifier(trusting: [authority.root()])
    let ahead = PayloadsAhead(verifier, threads: threads)
    let lines = outer.map { #"{"signedPayload":"\#($0)","k":"v"}"# } + [#"{"cut":"eyJhbG"#]
    let found = Array(lines.joined(separator: "\n").utf8).withUnsafeBytes {
      ahead.expect(in: $0)
    }
    #expect(found == (threads > 0))
    var ready = 0
    for jws in isReversed ? (outer + inner).reversed() : outer + inner {
      let opened = Array(jws.utf8).withUnsafeBytes { ahead.opened($0) }
      ready += opened == nil ? 0 : 1
      #expect(outcome(opened, jws, &verifier) == outcome(nil, jws, &verifier))
    }
    #expect(threads > 0 || ready == 0)
  }

  /// A text that is JSON inside of JSON, and one that is read again.
  @Test func `payloads are found where they stand`() throws {
    let jws = try Compact(chain: authority.chain(), key: authority.leafKey).text
    var verifier = try PayloadVerifier(trusting: [authority.root()])
    let ahead = PayloadsAhead(verifier, threads: 1)
    for text in [#"{"body":"{\"signedPayload\":\"\#(jws)\"}"}"#, #"["\#(jws)"]"#] {
      for _ in 0..<2 {
        #expect(Array(text.utf8).withUnsafeBytes { ahead.expect(in: $0) })
        let opened = Array(jws.utf8).withUnsafeBytes { ahead.opened($0) }
        #expect(outcome(opened, jws, &verifier) == Compact.payload)
      }
    }
    for text in ["", "\"", #"{"a":"ey"}"#, #"{"a":"eyJ"#, "eyJ"] {
      #expect(!Array(text.utf8).withUnsafeBytes { ahead.expect(in: $0) })
    }
  }

  @Test func `what nobody asked for is forgotten`() throws {
    let (outer, _) = try payloads()
    let ahead = PayloadsAhead(
      try PayloadVerifier(trusting: [authority.root()]), threads: 2)
    for jws in outer {
      _ = Array(#"{"signedPayload":"\#(jws)"}"#.utf8).withUnsafeBytes { ahead.expect(in: $0) }
    }
    for _ in 0..<3 { _ = Array("{}".utf8).withUnsafeBytes { ahead.expect(in: $0) } }
    let left = outer.count { jws in
      Array(jws.utf8).withUnsafeBytes { ahead.opened($0) } != nil
    }
    // What two threads are still at.
    #expect(left <= 2)
  }
}
