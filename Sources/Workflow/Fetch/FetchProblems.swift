import Billing
import Fetching
import Ledger

extension FetchSummary {
  /// Errors that say what went wrong and what to do, each once for all questions that it happened
  /// to.
  ///
  /// - Parameter clockError: seconds by which this machine's clock is off; 0 where it is right.
  func problems(clockError: Int64) -> [Diagnostic] {
    struct Kind: Hashable {
      var message: Wording
      var help: Wording
    }
    var order: [Kind] = []
    var places: [Kind: [SourceLocation]] = [:]
    /// Notes that something went wrong at a place, beside others with the same message.
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
        : counted(more.count, "@fetch.and-1-more-request \(named)") {
          "@fetch.and-more-requests \($0) \(named)"
        }
      return Diagnostic(
        topic: "apple", at: questions[0], kind.message + suffix,
        help: kind.help)
    }
  }
}

extension FetchedAnswer {
  /// What went wrong with this question, and what to do; nil where nothing did.
  fileprivate func problem(clockError: Int64) -> (Wording, Wording)? {
    if isGivenUp, verdict?.isTrouble != true {
      return (
        "@fetch.was-not-requested",
        "@fetch.run-the-same-command-again-it-resumes"
      )
    }
    switch outcome {
    case nil:
      return (
        "@fetch.was-not-requested-what-went",
        "@fetch.correct-that-first-then-run"
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
  /// Whether Apple refused, redirected or could not answer.
  fileprivate var isTrouble: Bool {
    switch self {
    case .unauthorized, .refused, .redirected, .busy: true
    default: false
    }
  }

  /// The sentence that says what Apple answered, or why nothing came.
  ///
  /// - Parameter isOpen: whether a part came before and is kept.
  fileprivate func wording(isOpen: Bool) -> Wording {
    let text: Wording =
      switch self {
      case .unauthorized(let status, let words):
        "@fetch.apple-refuses-the-key \(status)" + Self.quoting(words)
      case .refused(let status, let words): "@fetch.apple-refuses \(status)" + Self.quoting(words)
      case .redirected(let status):
        "@fetch.host-redirects-elsewhere-which-is \(status)"
      case .busy(let status, let words):
        "@fetch.apple-could-not-answer \(status)" + Self.quoting(words)
      case .broken(let how): how.wording
      case .otherVersion(let version): "@fetch.apple-has-version \(version)"
      case .pageExpired: "@fetch.list-cannot-be-continued"
      case .inSandbox: "@fetch.production-and-the-sandbox-both"
      case .answered, .noSales, .notYet, .gone: "@fetch.only-a-part"
      }
    return isOpen ? text + "@fetch.what-came-before-is-kept" : text
  }

  /// Apple's own words after a colon; empty without any.
  private static func quoting(_ words: String) -> Wording {
    words.isEmpty ? Wording(parts: []) : ": \(words)"
  }

  /// What to do about it.
  fileprivate func help(clockError: Int64) -> Wording {
    switch self {
    case .unauthorized(401, _):
      let seconds = abs(clockError)
      if clockError != 0 {
        return "@fetch.this-machine-clock-is-off \(delay(seconds))"
      }
      return "@fetch.check-issuer-id-key-id"
    case .unauthorized:
      return "@fetch.give-the-key-the-role"
    case .refused(400, _):
      return "@fetch.check-vendor-number"
    case .refused: return "@fetch.check-the-number-or-ask"
    case .redirected: return "@fetch.check-the-address"
    case .busy, .pageExpired: return "@fetch.run-the-same-command-again-later"
    case .broken(let how): return how.help
    case .otherVersion, .inSandbox, .answered, .noSales, .notYet, .gone:
      return "@fetch.run-the-same-command-again"
    }
  }
}

extension Verdict.Break {
  fileprivate var wording: Wording {
    switch self {
    case .unreachable: "@fetch.host-cannot-be-reached"
    case .silent: "@fetch.host-stopped-answering"
    case .cut: "@fetch.connection-broke-off-before"
    case .insecure: "@fetch.encrypted-connection-cannot-be-trusted"
    case .damaged: "@fetch.what-was-received-is-not"
    case .empty: "@fetch.file-that-was-received-is"
    case .tooLarge: "@fetch.answer-is-longer-than-any"
    case .unreadable: "@fetch.what-was-received-is-not-an-answer"
    case .changing: "@fetch.list-changed-between-pages"
    case .other: "@fetch.connection-failed"
    }
  }

  fileprivate var help: Wording {
    switch self {
    case .insecure: "@fetch.check-this-machine-clock"
    case .changing: "@fetch.run-the-same-command-again-later"
    case .tooLarge, .unreadable, .empty:
      "@fetch.nothing-of-it-was-kept"
    case .unreachable, .silent, .cut, .damaged, .other:
      "@fetch.check-the-network-then-run"
    }
  }
}
