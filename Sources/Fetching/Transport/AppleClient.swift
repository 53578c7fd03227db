package import Billing
import Foundation
import FoundationNetworking
import Synchronization

/// One attempt at a request, as the way to Apple is watched by.
package struct Attempt: Hashable, Sendable {
  package var host: AppleHost
  package var at: Instant
  package var milliseconds: Int64
  /// Nil where no whole answer came.
  package var status: Int?
  /// Whether it counts as a failure of the way: nothing whole came, or Apple was too busy.
  package var hasFailed: Bool
}

/// What asking came to, with the body where no sink took it.
package struct Reply: Sendable {
  package var verdict: Verdict
  package var body: [UInt8] = []
  /// Of a report: SHA-256 of what was packed.
  package var sha256: [UInt8] = []
  /// How often it was asked.
  package var attempts = 0
  /// Of all attempts, with what was waited between them.
  package var milliseconds: Int64 = 0
  /// Whether it was given up before its answer was final, because somebody wanted to stop or time
  /// was up.
  package var isGivenUp = false

  package init(_ verdict: Verdict) { self.verdict = verdict }
}

/// Limits of asking; those of Apple unless a test says otherwise.
package struct AppleClientLimits: Sendable {
  /// Undocumented, about 300 to 350 a minute [?]; four a second stays below.
  package var reports = Rate(perSecond: 4)
  /// Of the App Store Server API, by app ("Identifying Rate Limits", read 2026-11-22); Sandbox has
  /// a tenth.
  package var purchases = Rate(perSecond: 50)
  package var slowPurchases = Rate(perSecond: 10)
  /// Not documented.
  package var receipts = Rate(perSecond: 10)
  /// Seconds without a byte.
  package var silence = 60
  /// Before the second attempt; it doubles with each.
  package var firstWait: Duration = .seconds(1)
  package var longestWait: Duration = .seconds(120)
  /// After so many attempts an answer is given up.
  package var attempts = 8

  package init() {}

  /// How fast a service may be asked in Production.
  fileprivate func rate(_ service: AppleCall.Service) -> Rate {
    switch service {
    case .reports, .lists: reports
    case .purchases: purchases
    case .slowPurchases: slowPurchases
    case .receipts: receipts
    }
  }
}

/// Asks Apple: with a token that holds, no faster than allowed, again where that may help. Several
/// threads may ask at the same time.
package final class AppleClient: Sendable {
  private let addresses: [AppleHost: HostAddress]
  private let tokens: [AppleHost: TokenSource]
  private let limits: AppleClientLimits
  private let stop: StopSignal
  private let client: HTTPClient
  private let paces: [AppleHost: Pace]
  private let record: @Sendable (Attempt) -> Void
  /// Seconds by which Apple's clock is ahead of this machine's, once that mattered.
  private let clockOffset = Mutex<Int64>(0)

  /// A client for all hosts of Apple's.
  ///
  /// - Parameters:
  ///   - addresses: where hosts are; those that are absent are at their standard places.
  ///   - tokens: of the hosts that want one.
  ///   - record: is called with each attempt, on any thread.
  package init(
    addresses: [AppleHost: HostAddress], tokens: [AppleHost: TokenSource],
    limits: AppleClientLimits,
    stop: StopSignal, record: @escaping @Sendable (Attempt) -> Void
  ) {
    self.addresses = addresses
    self.tokens = tokens
    self.limits = limits
    self.stop = stop
    self.record = record
    client = HTTPClient(silence: limits.silence)
    paces = Dictionary(
      uniqueKeysWithValues: AppleHost.allCases.map { host in
        let rate = limits.rate(
          host == .connect
            ? .reports
            : [.receipts, .receiptsSandbox].contains(host)
              ? .receipts : .purchases)
        return (host, Pace(host.isSandbox ? rate.tenth : rate))
      })
  }

  deinit { client.close() }

  /// Seconds by which this machine's clock is behind Apple's; 0 unless Apple refused a token for
  /// it.
  package var clockError: Int64 { clockOffset.withLock { $0 } }

  /// Makes a call, again after failures that may pass, until the answer is final, attempts or time
  /// are used up, or somebody wants to stop.
  ///
  /// - Parameter open: makes what takes the bytes of a report, a gzip file; anew for each attempt.
  /// - Throws: what `open` and its sink throw.
  package func ask(
    _ call: AppleCall, into open: (@Sendable () throws -> BodySink)? = nil
  ) throws -> Reply {
    let began = ContinuousClock.now
    var reply = Reply(.broken(.unreachable))
    var renewals = 0
    var isOnceMore = true
    while true {
      guard waitTurn(call) else {
        reply.isGivenUp = true
        break
      }
      let token = try tokens[call.host]?.token(at: serverNow)
      let (verdict, answer) = try attempt(call, token: token, open, &reply)
      reply.verdict = verdict
      reply.attempts += 1
      if case .unauthorized(401, _) = verdict, let token, renewals == 0 {
        renewals += 1
        tokens[call.host]?.discard(token)
        learnClock(answer)
        continue
      }
      guard verdict.isTemporary, reply.attempts < limits.attempts else { break }
      // 5000000 is worth one more attempt, not many.
      if case .busy(500, let words) = verdict, call.service != .reports,
        wordsOfError(answer?.body ?? []).code == 5_000_000 || words.isEmpty
      {
        guard isOnceMore else { break }
        isOnceMore = false
      }
      let asked = retryAfter(answer?["Retry-After"], now: serverNow)
      if let asked, case .busy(429, _) = verdict { paces[call.host]!.hold(asked) }
      guard stop.wait(asked ?? wait(after: reply.attempts)) else {
        reply.isGivenUp = true
        break
      }
    }
    reply.milliseconds = Int64((ContinuousClock.now - began) / .milliseconds(1))
    return reply
  }

  /// Waits until the call's host may be asked again; false where somebody wants to stop, or time is
  /// up first.
  private func waitTurn(_ call: AppleCall) -> Bool {
    let rate = limits.rate(call.service)
    let spacing = call.host.isSandbox ? rate.tenth.spacing : rate.spacing
    return stop.wait(paces[call.host]!.turn(spacing: spacing))
  }

  /// How long to wait after so many attempts without an answer: it doubles from attempt to attempt;
  /// half of it is by chance, so that many that wait do not come back together.
  private func wait(after attempts: Int) -> Duration {
    let full = min(limits.firstWait * (1 << min(attempts - 1, 20)), limits.longestWait)
    return full / 2 + full / 2 * Double.random(in: 0...1)
  }

  /// Unix seconds by Apple's clock, as far as it is known to differ from this machine's.
  private var serverNow: Int64 { Int64(time(nil)) + clockOffset.withLock { $0 } }

  /// Notes how far Apple's clock is ahead, where that is more than a minute: where Apple refused a
  /// token, its own clock tells whether ours is the reason.
  private func learnClock(_ answer: HTTPAnswer?) {
    guard let date = answer?["Date"].flatMap(httpDate) else { return }
    let offset = date - Int64(time(nil))
    let tolerated: Int64 = 60
    clockOffset.withLock { $0 = abs(offset) > tolerated ? offset : 0 }
  }

  /// Makes a call once, and passes the attempt to `record`, unless it was stopped; body and digest
  /// go into `reply`.
  ///
  /// - Parameter open: makes what takes the bytes of a report; nil where the body is to come back.
  /// - Returns: what the answer means, and the answer; nil where no whole one came.
  private func attempt(
    _ call: AppleCall, token: String?, _ open: (@Sendable () throws -> BodySink)?,
    _ reply: inout Reply
  ) throws -> (Verdict, HTTPAnswer?) {
    let check = open.map { _ in CheckedBody() }
    let at = Instant(seconds: Int64(time(nil)))
    let began = ContinuousClock.now
    var answer: HTTPAnswer?
    var verdict: Verdict
    do {
      let request = try request(call, token: token)
      let got = try client.answer(
        to: request, limit: call.sizeLimit, stop: stop, open: check?.opening(open))
      answer = got
      verdict = call.service.verdict(got.status, got.body)
      if verdict == .answered, let fault = check?.fault { verdict = .broken(fault) }
      paces[call.host]!.heed(quota: got["X-Rate-Limit"])
    } catch HTTPAnswer.Fault.stopped {
      reply.isGivenUp = true
      return (.broken(.other), nil)
    } catch let fault as HTTPAnswer.Fault {
      verdict = .broken(Verdict.Break(fault))
    }
    reply.body = verdict == .answered ? answer?.body ?? [] : []
    reply.sha256 = check?.sha256 ?? []
    record(
      Attempt(
        host: call.host, at: at,
        milliseconds: Int64((ContinuousClock.now - began) / .milliseconds(1)),
        status: answer?.status, hasFailed: verdict.isFailureOfWay))
    return (verdict, answer)
  }

  /// The HTTP request of a call, with the token that proves who asks.
  private func request(_ call: AppleCall, token: String?) throws -> URLRequest {
    let address = addresses[call.host] ?? HostAddress(standard: call.host)
    guard let url = address.url(call.path, call.query) else {
      preconditionFailure("an address that is none: \(call.path)")
    }
    var request = URLRequest(url: url)
    // Of a report the file itself is asked for: JSON is answered with 406.
    request.setValue(
      call.service == .reports ? "application/a-gzip" : "application/json",
      forHTTPHeaderField: "Accept")
    request.setValue("tieout", forHTTPHeaderField: "User-Agent")
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    if let body = call.body {
      request.httpMethod = "POST"
      request.httpBody = Data(body)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    return request
  }
}

extension Rate {
  /// A tenth of the rate, as Sandbox has it.
  fileprivate var tenth: Rate {
    var slow = self
    slow.spacing = spacing * 10
    return slow
  }
}

extension Verdict {
  /// Whether nothing whole came, or Apple was too busy.
  fileprivate var isFailureOfWay: Bool {
    switch self {
    case .busy, .broken: true
    default: false
    }
  }
}

extension Verdict.Break {
  /// The break that an answer's fault is.
  fileprivate init(_ fault: HTTPAnswer.Fault) {
    switch fault {
    case .unreachable: self = .unreachable
    case .silent: self = .silent
    case .cut: self = .cut
    case .insecure: self = .insecure
    case .tooLarge: self = .tooLarge
    case .stopped, .other: self = .other
    }
  }
}

/// A report's bytes on their way into a file, looked at as they pass by. The session's queue alone
/// touches it until the answer is there.
private final class CheckedBody: @unchecked Sendable {
  private var check = GzipCheck()

  /// Wraps `open` so that this check sees the bytes for each sink that it makes before the sink
  /// gets them; nil for nil.
  func opening(
    _ open: (@Sendable () throws -> BodySink)?
  ) -> (@Sendable () throws -> BodySink)? {
    guard let open else { return nil }
    return { [self] in
      let sink = try open()
      return { bytes in
        self.check.take(bytes)
        try sink(bytes)
      }
    }
  }

  /// What is wrong with what has passed.
  var fault: Verdict.Break? {
    !check.isWhole ? .damaged : check.byteCount == 0 ? .empty : nil
  }

  /// SHA-256 of what was packed.
  var sha256: [UInt8] { check.sha256 }
}
