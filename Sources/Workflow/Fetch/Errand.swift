import Billing
package import Fetching
import Foundation
package import Ledger
import Synchronization

/// What became of one question.
package struct FetchedAnswer: Sendable {
  package var list: String
  package var item: String
  /// Nil where it was not asked, because the run stopped or what came before made it vain.
  package var outcome: AppleAnswer.Outcome?
  /// The last reply, as Apple gave it.
  package var verdict: Verdict?
  package var attempts = 0
  package var milliseconds: Int64 = 0
  /// Files that came of it and are not what stood there before.
  package var files: [String] = []
  /// Whether there was an answer, the same as before.
  package var isUnchanged = false
  /// What the next page, or what is new, is asked for with.
  var next = ""
  var at: Instant
  /// Whether it was given up: somebody wanted to stop, or time was up.
  var isGivenUp = false
  /// Whether more of the same question comes.
  var isPart = false

  init(_ question: FetchQuestion, at: Instant) {
    list = question.list
    item = question.item
    self.at = at
  }

  /// List and item.
  var question: String { "\(list) \(item)" }

  /// Of HTTP or verifyReceipt; nil where no whole answer came.
  package var status: Int? {
    switch verdict {
    case .answered: 200
    case .noSales, .notYet, .inSandbox: 404
    case .gone: 410
    case .otherVersion, .pageExpired: 400
    case .unauthorized(let status, _), .refused(let status, _), .redirected(let status),
      .busy(let status, _):
      status
    case .broken, nil: nil
    }
  }

  /// As the ledger remembers it; nil where it was not asked.
  var record: AppleAnswer? {
    outcome.map {
      AppleAnswer(list: list, item: item, $0, status: status, at: at, next: next)
    }
  }
}

/// Asks one question after another and writes what comes into files. Several threads share it.
final class Errand: Sendable {
  /// Pages of a file: what a process that is killed has to ask for again at most.
  private static let pagesPerFile = 500

  private let courier: Courier
  private let folder: String
  private let now: Instant
  /// The version of each list that Apple said is the latest.
  private let versions = Mutex<[String: String]>([:])
  /// What makes asking vain until somebody has done something about it.
  private let closed = Mutex<Set<String>>([])

  /// - Parameter now: the moment that answers are of.
  init(_ courier: Courier, folder: String, now: Instant) {
    self.courier = courier
    self.folder = folder
    self.now = now
  }

  /// Asks, and tells what came of it: parts of a long list as they land, and the end.
  func run(_ question: FetchQuestion, _ tell: (FetchedAnswer) -> Void) throws {
    var answer = FetchedAnswer(question, at: now)
    guard !closed.withLock({ $0.contains(question.gate) }) else { return tell(answer) }
    switch question.form {
    case .report(let version, let day, let call):
      try fetchReport(question, version, call, &answer)
      answer.judgeNone(of: day, now: now)
    case .pages(let member, let next, let call):
      try fetchPages(question, member, from: next, call, &answer, tell)
    case .single(let call):
      try fetchSingle(question, call, &answer)
    case .receipts(let receipts, let secret):
      try fetchReceipts(question, receipts, secret: secret, &answer)
    }
    if answer.isVain { closed.withLock { _ = $0.insert(question.gate) } }
    tell(answer)
  }

  private func fetchReport(
    _ question: FetchQuestion, _ standard: String?, _ call: (String?) -> AppleCall,
    _ answer: inout FetchedAnswer
  ) throws {
    var version = versions.withLock { $0[question.list] } ?? standard
    for _ in 1...2 {
      let landing = Mutex<LandedFile?>(nil)
      let reply = try courier.ask(call(version)) { [folder] in
        // Each attempt begins a file of its own, and gives up the one before.
        let file = try LandedFile(question.name, in: folder)
        landing.withLock { $0 = file }
        return { try file.write($0) }
      }
      answer.take(reply)
      if case .otherVersion(let latest) = reply.verdict, latest != version {
        version = latest
        versions.withLock { $0[question.list] = latest }
        continue
      }
      guard reply.verdict == .answered, let file = landing.withLock(\.self) else { return }
      answer.outcome = .rows
      if try file.commit(sha256: reply.sha256) {
        answer.files = [file.path]
      } else {
        answer.isUnchanged = true
      }
      return
    }
  }

  private func fetchPages(
    _ question: FetchQuestion, _ member: FetchQuestion.PageMember, from begun: String?,
    _ call: (String?, Bool) -> AppleCall, _ answer: inout FetchedAnswer,
    _ tell: (FetchedAnswer) -> Void
  ) throws {
    var token = begun
    var (isSandbox, mayBeginAnew) = (false, true)
    var pages = PageFile(question.name, in: folder, member: member.rawValue)
    answer.next = begun ?? ""
    while true {
      let reply = try courier.ask(call(token, isSandbox))
      answer.take(reply)
      switch reply.verdict {
      case .answered: break
      case .inSandbox where !isSandbox:
        isSandbox = true
        continue
      case .pageExpired where mayBeginAnew && token != nil:
        (token, mayBeginAnew) = (nil, false)
        continue
      default:
        if try pages.land(into: &answer) { answer.outcome = .open }
        return
      }
      guard let head = AnswerPageHead(reply.body) else {
        answer.verdict = .broken(.unreadable)
        answer.outcome = try pages.land(into: &answer) ? .open : .failed
        return
      }
      let isNew = !head.isEmpty || head.hasMore
      if isNew { try pages.add(reply.body, askedWith: token) }
      if !head.next.isEmpty { answer.next = head.next }
      guard head.hasMore else {
        let landed = try pages.land(into: &answer)
        // A token of a page is of no use after the last; a list that goes on had rows before.
        let isGoingOn = member == .paginationToken && begun != nil
        answer.outcome = landed || pages.hasLanded || isGoingOn ? .rows : .nothing
        if member == .paginationToken { answer.next = "" }
        return
      }
      guard !head.next.isEmpty, head.next != token else {
        // A page that asks for itself would be asked for without end.
        answer.verdict = .broken(.unreadable)
        answer.outcome = try pages.land(into: &answer) ? .open : .failed
        return
      }
      token = head.next
      if pages.count == Self.pagesPerFile {
        _ = try pages.land(into: &answer)
        var part = answer
        (part.outcome, part.isPart) = (.open, true)
        tell(part)
        answer.files = []
      }
    }
  }

  private func fetchSingle(
    _ question: FetchQuestion, _ call: (Bool) -> AppleCall, _ answer: inout FetchedAnswer
  ) throws {
    var reply = try courier.ask(call(false))
    answer.take(reply)
    if reply.verdict == .inSandbox {
      reply = try courier.ask(call(true))
      answer.take(reply)
    }
    guard reply.verdict == .answered else { return }
    guard let head = AnswerPageHead(reply.body) else {
      // An order number that is none: status 1, and no list.
      let isNone = question.list == "order" && isOrderAnswer(reply.body)
      answer.outcome = isNone ? .nothing : .failed
      if !isNone { answer.verdict = .broken(.unreadable) }
      return
    }
    guard !head.isEmpty else {
      answer.outcome = .nothing
      return
    }
    let file = try LandedFile(question.name + ".json", in: folder)
    try file.write(reply.body)
    _ = try file.commit(sha256: nil)
    answer.files = [file.path]
    answer.outcome = .rows
  }

  private func fetchReceipts(
    _ question: FetchQuestion, _ receipts: [StoredReceipt], secret: String?,
    _ answer: inout FetchedAnswer
  ) throws {
    let file = try LandedFile(question.name + ".jsonl", in: folder)
    var count = 0
    for receipt in receipts {
      var reply = try courier.ask(.receipt(receipt.data, secret: secret, isSandbox: false))
      answer.take(reply)
      if reply.verdict == .inSandbox {
        // Once: Sandbox itself has answered that it is Sandbox's.
        reply = try courier.ask(.receipt(receipt.data, secret: secret, isSandbox: true))
        answer.take(reply)
      }
      guard reply.verdict == .answered || reply.verdict == .inSandbox, !reply.body.isEmpty else {
        continue
      }
      try file.write(receipt.line(answer: reply.body, at: now))
      count += 1
    }
    guard count > 0 else { return }
    _ = try file.commit(sha256: nil)
    answer.files = [file.path]
    answer.outcome = count == receipts.count ? .rows : .failed
  }
}

/// Whether a body is an answer about an order number, whatever it says.
private func isOrderAnswer(_ body: [UInt8]) -> Bool {
  let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
  return object?["status"] is Int
}

extension FetchedAnswer {
  /// Adds what a reply says; the outcome is that of what is no answer.
  fileprivate mutating func take(_ reply: Reply) {
    verdict = reply.verdict
    attempts += reply.attempts
    milliseconds += reply.milliseconds
    isGivenUp = reply.isGivenUp
    if reply.attempts == 0 { return }
    switch reply.verdict {
    case .answered: break
    case .noSales: outcome = .nothing
    case .notYet: outcome = .notYet
    case .gone: outcome = .gone
    case .unauthorized, .refused, .redirected, .otherVersion, .pageExpired, .inSandbox:
      outcome = .refused
    case .busy, .broken: outcome = .failed
    }
  }

  /// Of a day that is due, "no sales" is a fact. Of one that is not, and of weeks, months and
  /// financial reports, Apple says the same of what it has not made yet: never a zero.
  fileprivate mutating func judgeNone(of day: Day?, now: Instant) {
    guard outcome == .nothing else { return }
    if let day, now >= ReportSchedule.isDue(day) { return }
    outcome = .notYet
  }

  /// Whether the next question at the same gate is bound to end like this one.
  fileprivate var isVain: Bool {
    if isGivenUp { return true }
    switch verdict {
    case .unauthorized, .redirected: return true
    case .busy: return true
    case .broken(let how): return ![.damaged, .empty, .tooLarge, .unreadable].contains(how)
    default: return false
    }
  }
}

/// Pages of one list, on their way into a file of at most so many.
private struct PageFile {
  private let name: String
  private let folder: String
  private let member: String
  private var file: LandedFile?
  private(set) var count = 0
  /// Files of this list that have landed.
  private var landed = 0

  init(_ name: String, in folder: String, member: String) {
    self.name = name
    self.folder = folder
    self.member = member
  }

  var hasLanded: Bool { landed > 0 }

  mutating func add(_ page: [UInt8], askedWith token: String?) throws {
    if file == nil { file = try LandedFile(try freeName(), in: folder) }
    guard let token else {
      // A first page stands as Apple sent it: nothing was asked with.
      try file?.write(onOneLine(page) + [0x0A])
      count += 1
      return
    }
    let begin = "{\"\(member)\":\(jsonText(token)),\"body\":"
    try file?.write(Array(begin.utf8) + onOneLine(page) + Array("}\n".utf8))
    count += 1
  }

  /// Puts the file in its place; false where there is none.
  mutating func land(into answer: inout FetchedAnswer) throws -> Bool {
    guard let file else { return false }
    _ = try file.commit(sha256: nil)
    answer.files.append(file.path)
    self.file = nil
    count = 0
    landed += 1
    return true
  }

  /// Parts that landed before, of this process or another, stay.
  private func freeName() throws -> String {
    for number in 1...100_000 {
      let free = number == 1 ? "\(name).jsonl" : "\(name)_\(number).jsonl"
      if identity(of: folder + "/" + free) == nil { return free }
    }
    throw Stop(
      .badInput, "\(folder) has too many files of \(name)", help: "name another folder with --into")
  }
}
