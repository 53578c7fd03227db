import Billing
import Fetching
import Ledger

extension FetchSummary {
  /// What went wrong, once for all questions that it happened to, with what to do.
  func problems(clockError: Int64) -> [Diagnostic] {
    struct Kind: Hashable {
      var message: Wording
      var help: Wording
    }
    var order: [Kind] = []
    var places: [Kind: [SourceLocation]] = [:]
    func add(_ message: Wording, _ help: Wording, at place: SourceLocation) {
      let kind = Kind(message: message, help: help)
      if places[kind] == nil { order.append(kind) }
      places[kind, default: []].append(place)
    }
    for answer in answers {
      for (place, verdict) in answer.unanswered {
        add(verdict.wording(isOpen: false), verdict.help(clockError: clockError), at: place)
      }
      guard let (message, help) = answer.problem(clockError: clockError) else { continue }
      add(message, help, at: SourceLocation(file: answer.question))
    }
    return order.map { kind in
      let questions = places[kind]!
      let more = questions.dropFirst().map { $0.file.split(separator: " ").last ?? "" }
      let named = more.prefix(5).joined(separator: ", ") + (more.count > 5 ? ", …" : "")
      let suffix: Wording =
        more.isEmpty
        ? Wording(parts: [])
        : counted(more.count, " (and 1 more request: \(named))") {
          " (and \($0) more requests: \(named))"
        }
      return Diagnostic(
        topic: "apple", at: questions[0], kind.message + suffix,
        help: kind.help)
    }
  }
}

extension FetchedAnswer {
  fileprivate func problem(clockError: Int64) -> (Wording, Wording)? {
    if isGivenUp, verdict?.isTrouble != true {
      return (
        "was not requested to its end",
        "run the same command again: it resumes from here"
      )
    }
    switch outcome {
    case nil:
      return (
        "was not requested: what went wrong before would go wrong again",
        "correct that first, then run the same command again"
      )
    // Each receipt without an answer is told of by itself.
    case .failed where !unanswered.isEmpty: return nil
    case .open, .failed, .refused: break
    case .rows, .nothing, .notYet, .gone: return nil
    }
    return verdict.map { ($0.wording(isOpen: outcome == .open), $0.help(clockError: clockError)) }
  }
}

extension Verdict {
  fileprivate var isTrouble: Bool {
    switch self {
    case .unauthorized, .refused, .redirected, .busy: true
    default: false
    }
  }

  fileprivate func wording(isOpen: Bool) -> Wording {
    let text: Wording =
      switch self {
      case .unauthorized(let status, let words):
        "Apple refuses the key (\(status))" + Self.quoting(words)
      case .refused(let status, let words): "Apple refuses it (\(status))" + Self.quoting(words)
      case .redirected(let status):
        "the host redirects elsewhere (\(status)), which is not followed"
      case .busy(let status, let words):
        "Apple could not answer in time (\(status))" + Self.quoting(words)
      case .broken(let how): how.wording
      case .otherVersion(let version): "Apple has version \(version) of the report, and refuses it"
      case .pageExpired: "the list cannot be continued"
      case .inSandbox: "Production and the Sandbox both refer it to the Sandbox"
      case .answered, .noSales, .notYet, .gone: "only a part of it arrived"
      }
    return isOpen ? text + "; what came before is kept" : text
  }

  private static func quoting(_ words: String) -> Wording {
    words.isEmpty ? Wording(parts: []) : ": \(words)"
  }

  fileprivate func help(clockError: Int64) -> Wording {
    switch self {
    case .unauthorized(401, _):
      let seconds = abs(clockError)
      if clockError != 0 {
        return """
          this machine's clock is off by \(delay(seconds)); that was allowed for, but set it \
          right, and check issuer_id, key_id and key_file
          """
      }
      return """
        check issuer_id, key_id and key_file: the key may belong to another account, or be revoked
        """
    case .unauthorized:
      return """
        give the key the role it needs in App Store Connect: Sales and Reports for sales reports, \
        Finance or Admin for financial reports
        """
    case .refused(400, _):
      return "check vendor_number, and that the account has such reports"
    case .refused: return "check the number, or ask for one that exists"
    case .redirected: return "check the address in the configuration, and what proxy is in between"
    case .busy, .pageExpired: return "run the same command again later: it resumes from here"
    case .broken(let how): return how.help
    case .otherVersion, .inSandbox, .answered, .noSales, .notYet, .gone:
      return "run the same command again later"
    }
  }
}

extension Verdict.Break {
  fileprivate var wording: Wording {
    switch self {
    case .unreachable: "the host cannot be reached"
    case .silent: "the host stopped answering"
    case .cut: "the connection broke off before the answer was whole"
    case .insecure: "the encrypted connection cannot be trusted"
    case .damaged: "what was received is not a complete gzip file"
    case .empty: "the file that was received is empty"
    case .tooLarge: "the answer is longer than any report"
    case .unreadable: "what was received is not an answer of this kind"
    case .other: "the connection failed"
    }
  }

  fileprivate var help: Wording {
    switch self {
    case .insecure: "check this machine's clock and certificates, and what proxy is in between"
    case .tooLarge, .unreadable, .empty:
      "nothing of it was kept; see whether the address is Apple's, and try again later"
    case .unreachable, .silent, .cut, .damaged, .other:
      "check the network; then run the same command again: it resumes from here"
    }
  }
}
