import Foundation
import Support
import Testing

@testable import Fetching

/// Goal: answers that look alike are told apart, and waits are as long as they should be. Method:
/// Apple's words as they were seen, and the same with a word changed.
@Suite struct AnswerTests {
  private func connect(_ status: Int, _ detail: String) -> Verdict {
    AppleCall.Service.reports.verdict(
      status,
      Array(#"{"errors":[{"id":"1","status":"\#(status)","code":"X","detail":"\#(detail)"}]}"#.utf8)
    )
  }

  private func server(_ status: Int, _ code: Int, _ text: String = "No.") -> Verdict {
    AppleCall.Service.purchases.verdict(
      status, Array(#"{"errorCode":\#(code),"errorMessage":"\#(text)"}"#.utf8))
  }

  private func receipt(_ body: String) -> Verdict {
    AppleCall.Service.receipts.verdict(200, Array(body.utf8))
  }

  @Test func `no sales, not yet, gone and not found are four things`() {
    #expect(connect(404, "There were no sales for the date specified.") == .noSales)
    #expect(connect(404, "Report is not available yet. Daily reports for the …") == .notYet)
    #expect(connect(410, "Report is no longer available. Reports are …") == .gone)
    #expect(connect(404, "The path is wrong.") == .refused(404, "The path is wrong."))
    #expect(AppleCall.Service.reports.verdict(404, Array("<html>".utf8)) == .refused(404, ""))
  }

  @Test func `a refused version names the right one`() {
    let text = "The version is invalid. The latest version for this report is 1_4."
    #expect(connect(400, text) == .otherVersion("1_4"))
    #expect(connect(400, "Invalid vendor number.") == .refused(400, "Invalid vendor number."))
  }

  @Test func `a key that is refused is not what is busy`() {
    #expect(connect(401, "Provide a token.") == .unauthorized(401, "Provide a token."))
    #expect(connect(403, "Forbidden.") == .unauthorized(403, "Forbidden."))
    let plain = AppleCall.Service.purchases.verdict(401, Array("Unauthenticated\n".utf8))
    #expect(plain == .unauthorized(401, ""))
    for status in [429, 500, 502, 503, 504] {
      #expect(connect(status, "Later.").isTemporary)
    }
    #expect(!connect(501, "Never.").isTemporary)
    #expect(connect(302, "") == .redirected(302))
  }

  @Test(arguments: [4_040_002, 4_040_004, 4_040_006, 5_000_000, 5_000_001])
  func `these errors of the server API pass`(code: Int) {
    #expect(server(code / 10_000, code).isTemporary)
  }

  @Test func `other errors of the server API stay, and two send elsewhere`() {
    #expect(server(400, 4_000_017) == .pageExpired)
    #expect(server(404, 4_040_010) == .inSandbox)
    #expect(server(404, 4_040_005) == .refused(404, "4040005 No."))
  }

  @Test func `verifyReceipt says it in the body`() {
    #expect(receipt(#"{"status":0}"#) == .answered)
    #expect(receipt(#"{"status":21010}"#) == .answered)
    #expect(receipt(#"{"status":21007}"#) == .inSandbox)
    #expect(receipt(#"{"status":21005}"#).isTemporary)
    #expect(receipt(#"{"status":21100,"is-retryable":true}"#).isTemporary)
    #expect(receipt(#"{"status":21199,"is_retryable":1}"#).isTemporary)
    #expect(receipt(#"{"status":21150,"is-retryable":false}"#) == .answered)
    #expect(receipt("<html>") == .broken(.unreadable))
  }

  @Test func `Retry-After is a span, a date, or a moment in milliseconds`() {
    let now: Int64 = 1_688_000_000
    #expect(retryAfter("7", now: now) == .seconds(7))
    #expect(retryAfter(" 0 ", now: now) == .seconds(0))
    #expect(retryAfter("1688000005250", now: now) == .milliseconds(5250))
    #expect(retryAfter("1688000012", now: now) == .seconds(12))
    #expect(retryAfter("1687000000000", now: now) == .seconds(0))
    #expect(retryAfter("Thu, 29 Jun 2023 00:53:30 GMT", now: now) == .seconds(10))
    #expect(retryAfter("Thu, 29 Jun 2023 00:00:00 GMT", now: now) == .seconds(0))
    for text in ["", "-3", "soon", "Thu, 31 Feb 2023 00:53:30 GMT", "1e3"] {
      #expect(retryAfter(text, now: now) == nil)
    }
  }

  @Test func `no run of characters that may be a secret is shown`() throws {
    let token = try TokenSource(
      key: SigningKey(pem: StandInKey.pem),
      claims: .init(keyID: "K", issuerID: "I", lifetime: 900)
    ).token(at: 1_000_000)
    #expect(withoutSecrets("bad token Bearer \(token)!") == "bad token Bearer …!")
    #expect(withoutSecrets("two\nlines") == "two lines")
    #expect(withoutSecrets("Invalid vendor number 85127269.") == "Invalid vendor number 85127269.")
    #expect(withoutSecrets(String(repeating: "a b ", count: 400)).count == 300)
  }

  @Test func `pages say what comes next`() throws {
    func head(_ text: String) -> AnswerPageHead? { AnswerPageHead(Array(text.utf8)) }
    let page = try #require(
      head(#"{"revision":"r1","hasMore":true,"signedTransactions":["a.b.c"]}"#))
    #expect(page.hasMore && page.next == "r1" && !page.isEmpty)
    let last = try #require(head(#"{"notificationHistory":[],"hasMore":false}"#))
    #expect(!last.hasMore && last.next.isEmpty && last.isEmpty)
    #expect(try #require(head(#"{"data":[{}]}"#)).isEmpty == false)
    #expect(head("{}") == nil)
    #expect(head("[]") == nil)
    #expect(head(#"{"hasMore":true}"#) == nil)
  }

  @Test(arguments: [
    ("https://api.example.com", "https://api.example.com/v1"),
    ("https://api.example.com:8443/", "https://api.example.com:8443/v1"),
    ("http://127.0.0.1:80", "http://127.0.0.1:80/v1"), ("http://localhost", "http://localhost/v1"),
  ])
  func `an address is https, or http on this machine`(text: String, url: String) throws {
    let address = try #require(HostAddress(text))
    #expect(address.url("/v1", [])?.absoluteString == url)
  }

  @Test(arguments: [
    "http://api.example.com", "http://127.0.0.1.example.com", "ftp://localhost", "https://a/b",
    "https://user@a", "https://a?b", "localhost:80", "", "https://",
  ])
  func `what is no such address is refused`(text: String) {
    #expect(HostAddress(text) == nil)
  }

  @Test func `brackets are percent-encoded, and nothing ends a value early`() throws {
    let call = AppleCall.salesReport(
      type: "SALES", subtype: "SUMMARY", frequency: "DAILY", vendor: "1&2", date: "2023-06-18",
      version: nil)
    let url = try #require(HostAddress(standard: .connect).url(call.path, call.query))
    #expect(
      url.absoluteString == """
        https://api.appstoreconnect.apple.com/v1/salesReports?filter%5Bfrequency%5D=DAILY\
        &filter%5BreportDate%5D=2023-06-18&filter%5BreportSubType%5D=SUMMARY\
        &filter%5BreportType%5D=SALES&filter%5BvendorNumber%5D=1%262
        """)
  }

  @Test func `a gzip file is whole to its last byte, in as many members as it has`() {
    let (head, rows) = (gzipMember("SKU\n"), gzipMember("gems\n"))
    func digest(_ bytes: [UInt8], piece: Int = 7) -> [UInt8]? {
      var rest = bytes[...]
      return packedContentDigest { buffer in
        let next = rest.prefix(piece)
        rest = rest.dropFirst(piece)
        buffer.copyBytes(from: next)
        return next.count
      }
    }
    let whole = digest(gzipMember("SKU\ngems\n"))
    #expect(whole != nil)
    #expect(digest(head + rows) == whole)
    #expect(digest(gzipMember("") + head + rows, piece: 1) == whole)
    for count in 1..<(head + rows).count where count != head.count {
      #expect(digest(Array((head + rows).prefix(count))) == nil, "cut after \(count) bytes")
    }
    #expect(digest(head + rows + [0x1F]) == nil)
    #expect(digest(Array("SKU\n".utf8)) == nil)
    #expect(digest([]) == nil)
  }

  @Test func `nobody asks faster than the rate, and a full quota slows down`() {
    let pace = Pace(Rate(perSecond: 10))
    let turns = (0..<4).map { _ in pace.turn(spacing: nil) }
    #expect(turns[0] <= .zero)
    #expect(turns[3] > .milliseconds(250) && turns[3] <= .milliseconds(300))
    pace.heed(quota: "user-hour-lim:3600;user-hour-rem:500;")
    pace.heed(quota: "nonsense")
    _ = pace.turn(spacing: nil)
    #expect(pace.turn(spacing: nil) < .milliseconds(600))
    pace.heed(quota: "user-hour-lim:3600;user-hour-rem:3;")
    _ = pace.turn(spacing: nil)
    #expect(pace.turn(spacing: nil) > .seconds(1))
  }
}
