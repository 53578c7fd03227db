import Foundation
import Support
import Testing

/// Goal: the stand-in refuses what Apple refuses, so that what passes there would pass with Apple.
/// Method: tokens with one fault each, sent by another client than Tieout's.
@Suite struct StandInTests {
  private static let header = #"{"alg":"ES256","kid":"2X9R4HXF34","typ":"JWT"}"#

  /// A token's claims in seconds from now.
  private static func claims(
    _ begin: Int, _ end: Int, audience: String = "appstoreconnect-v1", more: String = ""
  ) -> String {
    """
    {"iss":"57246542-96fe-1a63-e053-0824d011072a","iat":NOW\(begin),"exp":NOW\(end),\
    "aud":"\(audience)"\(more)}
    """
  }

  /// What the stand-in answers, and why.
  private func answer(
    _ path: String, header: String = header, claims: String, isDER: Bool = false
  ) throws -> (status: Int?, why: String?) {
    let standIn = try AppleStandIn()
    // By the stand-in's clock, which is this machine's: what it thinks of moments is asked here.
    let now = Int(try clock())
    let told = claims.replacing(#/NOW(-?\d+)/#) { "\(now + Int($0.1)!)" }
    let token = try StandInKey.token(header: header, claims: told, isDER: isDER)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import sys, urllib.request
      asked = urllib.request.Request(sys.argv[1], headers={
          "Authorization": "Bearer " + sys.argv[2], "Accept": "application/a-gzip"})
      try: urllib.request.urlopen(asked)
      except urllib.error.HTTPError: pass
      """, "http://127.0.0.1:\(standIn.port)\(path)", token,
    ]
    try process.run()
    process.waitUntilExit()
    let asked = try #require(standIn.asked().first)
    return (asked.status, asked.why)
  }

  /// Unix seconds, as another program tells them.
  private func clock() throws -> Double {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", "import time; print(time.time())"]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  private static let report = """
    /v1/salesReports?filter%5Bfrequency%5D=DAILY&filter%5BreportDate%5D=2023-06-01\
    &filter%5BreportSubType%5D=SUMMARY&filter%5BreportType%5D=SALES\
    &filter%5BvendorNumber%5D=85012345
    """

  @Test func `a token without a fault passes`() throws {
    let answer = try answer(Self.report, claims: Self.claims(-30, 870))
    #expect(answer.status == 404 && answer.why == nil, "no sales, and no refusal")
  }

  @Test func `a signature in DER is refused`() throws {
    let answer = try answer(Self.report, claims: Self.claims(-30, 870), isDER: true)
    #expect(answer.status == 401 && answer.why == "signature")
  }

  @Test(arguments: [
    (claims(-1000, -100), "expired"), (claims(100, 800), "not begun"),
    (claims(-30, 1200), "too long"), (claims(-30, 870, audience: "apple"), "aud"),
    (claims(-30, 870, more: #","bid":"com.example.game""#), "bid"),
  ])
  func `a token with a wrong claim is refused`(claims: String, why: String) throws {
    let answer = try answer(Self.report, claims: claims)
    #expect(answer.status == 401 && answer.why == why)
  }

  @Test(arguments: [
    (#"{"alg":"HS256","kid":"2X9R4HXF34","typ":"JWT"}"#, "alg"),
    (#"{"alg":"ES256","kid":"OTHER","typ":"JWT"}"#, "kid"),
  ])
  func `a token with a wrong header is refused`(header: String, why: String) throws {
    let answer = try answer(Self.report, header: header, claims: Self.claims(-30, 870))
    #expect(answer.status == 401 && answer.why == why)
  }

  @Test func `a token of purchases names its app`() throws {
    let path = "/inApps/v2/history/7001"
    let without = try answer(path, claims: Self.claims(-30, 270))
    #expect(without.status == 401 && without.why == "bid")
    let other = try answer(path, claims: Self.claims(-30, 270, more: #","bid":"com.other""#))
    #expect(other.status == 401 && other.why == "bid")
    let own = try answer(path, claims: Self.claims(-30, 270, more: #","bid":"com.example.game""#))
    #expect(own.status == 404 && own.why == nil)
  }
}
