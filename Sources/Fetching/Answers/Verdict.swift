import Foundation

/// What an answer of Apple's means. The ones that look alike and must not be confused: "no sales"
/// is a fact, "not available yet" is none.
package enum Verdict: Hashable, Sendable {
  /// The body is what was asked for.
  case answered
  /// 404 "There were no sales for the date specified."
  case noSales
  /// 404 "Report is not available yet."
  case notYet
  /// 410 "Report is no longer available."
  case gone
  /// 400 that names the version of the report that there is.
  case otherVersion(String)
  /// 4000017: the page token is of no use any more.
  case pageExpired
  /// 4040010: the transaction is in Sandbox.
  case inSandbox
  /// The key, the clock or the role: Apple refuses whoever asks. The status, and Apple's words.
  case unauthorized(Int, String)
  /// What is asked for does not exist, or the question is wrong. The status, and Apple's words.
  case refused(Int, String)
  /// Asks to go elsewhere, with a token that is for this host.
  case redirected(Int)
  /// May be answered later. The status, and Apple's words.
  case busy(Int, String)
  /// Nothing whole came.
  case broken(Break)

  /// How an answer can be broken.
  package enum Break: String, Hashable, Sendable {
    case unreachable, silent, cut, insecure, damaged, empty, other
    /// More than the call allows.
    case tooLarge = "too-large"
    /// What is no answer of this service's form.
    case unreadable
    /// Pages of a list that do not belong together, also when it was asked for anew.
    case changing
  }

  /// Whether the same question may be answered later.
  var isTemporary: Bool {
    switch self {
    case .busy: true
    case .broken(let how): ![.tooLarge, .insecure].contains(how)
    default: false
    }
  }
}

/// What errors of App Store Connect and of the App Store Server API have.
private struct ErrorBody: Decodable {
  struct Part: Decodable {
    var code: String?
    var title: String?
    var detail: String?
  }
  var errors: [Part]?
  var errorCode: Int?
  var errorMessage: String?
}

/// Apple's words in the body of an error, on one line, without what may be a secret; empty for
/// none.
func wordsOfError(_ body: [UInt8]) -> (code: Int?, text: String) {
  guard let decoded = try? JSONDecoder().decode(ErrorBody.self, from: Data(body)) else {
    return (nil, "")
  }
  let part = decoded.errors?.first
  let text = part?.detail ?? part?.title ?? decoded.errorMessage ?? part?.code ?? ""
  return (decoded.errorCode, withoutSecrets(text))
}

/// A text that came from outside, without runs of characters that tokens, keys and receipts are
/// made of, and cut to what a message has room for.
func withoutSecrets(_ text: String) -> String {
  var shown = ""
  var run = ""
  /// Appends the run of characters that a secret could be made of to what is shown, or `…` in its
  /// place where it has more than 40; the next run begins empty.
  func endRun() {
    shown += run.utf8.count > 40 ? "…" : run
    run = ""
  }
  for character in text.prefix(4000) {
    if character.isASCII, character.isLetter || character.isNumber || "+/=_-.".contains(character) {
      run.append(character)
    } else {
      endRun()
      shown.append(character.isNewline ? " " : character)
    }
  }
  endRun()
  return String(shown.prefix(300))
}

extension AppleCall.Service {
  /// What a whole answer means, by its HTTP status and its body.
  func verdict(_ status: Int, _ body: [UInt8]) -> Verdict {
    if status == 200 { return self == .receipts ? receiptVerdict(body) : .answered }
    let (code, text) = wordsOfError(body)
    switch status {
    case 300..<400: return .redirected(status)
    case 429, 500, 502, 503, 504: return .busy(status, text)
    case 401, 403: return .unauthorized(status, text)
    default: break
    }
    switch self {
    case .reports: return reportVerdict(status, text)
    case .lists: return .refused(status, text)
    default: return purchaseVerdict(status, code, text)
    }
  }

  /// What an answer of App Store Connect to a request for a report means, where it has no report.
  ///
  /// - Parameter text: Apple's words.
  private func reportVerdict(_ status: Int, _ text: String) -> Verdict {
    let lower = text.lowercased()
    switch status {
    case 404 where lower.contains("no sales"): return .noSales
    case 404 where lower.contains("not available yet"): return .notYet
    case 410: return .gone
    case 400:
      let latest = text.firstMatch(of: #/latest version for this report is (\d+_\d+)/#)
      if let latest { return .otherVersion(String(latest.1)) }
      return .refused(status, text)
    default: return .refused(status, text)
    }
  }

  /// What an error of the App Store Server API means, by Apple's code and words ("Error codes",
  /// read 2026-11-22).
  private func purchaseVerdict(_ status: Int, _ code: Int?, _ text: String) -> Verdict {
    switch code {
    case 4_040_002, 4_040_004, 4_040_006, 5_000_000, 5_000_001: return .busy(status, text)
    case 4_000_017: return .pageExpired
    case 4_040_010: return .inSandbox
    default:
      let number = code.map { "\($0) " } ?? ""
      return .refused(status, number + text)
    }
  }

  /// What an answer of verifyReceipt means. It answers all with 200 and a status in the body: 21007
  /// sends Production's question to Sandbox, 21005 and 21009 ask to come again, 21100 to 21199 say
  /// whether to.
  private func receiptVerdict(_ body: [UInt8]) -> Verdict {
    guard let answer = try? JSONDecoder().decode(ReceiptStatus.self, from: Data(body)) else {
      return .broken(.unreadable)
    }
    switch answer.status {
    case 21007: return .inSandbox
    case 21005, 21009: return .busy(answer.status, "")
    case 21100...21199 where answer.isRetryable: return .busy(answer.status, "")
    default: return .answered
    }
  }
}

private struct ReceiptStatus: Decodable {
  var status: Int
  var isRetryable: Bool

  private enum Key: String, CodingKey {
    case status
    case dashed = "is-retryable"
    case underscored = "is_retryable"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    status = try values.decode(Int.self, forKey: .status)
    isRetryable = [Key.dashed, .underscored].contains { key in
      (try? values.decode(Bool.self, forKey: key)) == true
        || (try? values.decode(Int.self, forKey: key)) == 1
    }
  }
}
