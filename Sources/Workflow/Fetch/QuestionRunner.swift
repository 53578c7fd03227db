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
  /// The file of an answer that is the same as before, with its SHA-256 in hex.
  var unchangedFile: (path: String, sha256: String)?
  package var isUnchanged: Bool { unchangedFile != nil }
  /// Receipts that were asked for and have no answer, each with why.
  var unanswered: [(place: SourceLocation, verdict: Verdict)] = []
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

  /// The last reply's status of HTTP or verifyReceipt; nil where no whole answer came.
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

  /// The answer as the ledger remembers it; nil where it was not asked.
  var record: AppleAnswer? {
    outcome.map {
      AppleAnswer(list: list, item: item, $0, status: status, at: at, next: next)
    }
  }
}

/// Asks one question after another and writes what comes into files. Several threads share it.
final class QuestionRunner: Sendable {
  /// Pages, or receipts, of a file: what a process that is killed has to ask for again at most.
  private static let linesPerFile = 500

  let apple: AppleClient
  let folder: String
  private let now: Instant
  /// The version of each list that Apple said is the latest.
  private let versions = Mutex<[String: String]>([:])
  /// Lists whose version is known to be the latest, as a report of it came or Apple said so.
  private let current = Mutex<Set<String>>([])
  /// How many questions in a row ended in an error of Apple's own, by gate; `errorsInARow` where
  /// asking is vain until somebody has done something about it.
  private let errors = Mutex<[String: Int]>([:])
  /// So many questions, or receipts, and the host is down; of one the error may be its own.
  private static let errorsInARow = 10

  /// Asks Apple through a client, and writes files into a folder.
  ///
  /// - Parameter now: the moment that answers are of.
  init(_ apple: AppleClient, folder: String, now: Instant) {
    self.apple = apple
    self.folder = folder
    self.now = now
  }

  /// Asks a question, writes the answer into files, and delivers what came of it: parts of a long
  /// list as they land, and the end. Nothing is asked where earlier answers made it vain.
  func run(_ question: FetchQuestion, _ deliver: (FetchedAnswer) -> Void) throws {
    var answer = FetchedAnswer(question, at: now)
    guard !isAskingVain(at: question.gate) else { return deliver(answer) }
    switch question.form {
    case .report(let version, let day, let call):
      try fetchReport(question, version, call, &answer)
      answer.judgeNone(of: day, now: now)
    case .pages(let member, let next, let call):
      try fetchPages(question, member, from: next, call, &answer, deliver)
    case .lists(let calls): try fetchLists(question, calls, &answer)
    case .single(let call):
      try fetchSingle(question, call, &answer)
    case .receipts(let receipts, let begun, let secret):
      try fetchReceipts(question, receipts, from: begun, secret: secret, &answer, deliver)
    }
    noteErrors(of: answer, at: question.gate)
    deliver(answer)
  }

  /// Whether asking at this gate (a host, or one kind of its reports) is vain after earlier errors.
  private func isAskingVain(at gate: String) -> Bool {
    errors.withLock { $0[gate, default: 0] >= Self.errorsInARow }
  }

  /// Adds an error of Apple's own, or a redirection, to the errors in a row at its gate (a host, or
  /// one kind of its reports); any other answer sets them back to none.
  private func noteErrors(of answer: FetchedAnswer, at gate: String) {
    errors.withLock { errors in
      let count = errors[gate, default: 0]
      // Where asking is vain it stays so, whatever was under way meanwhile.
      guard count < Self.errorsInARow else { return }
      errors[gate] =
        answer.isVain
        ? Self.errorsInARow
        : answer.redirects
          // Of one day a proxy may send elsewhere; of two in a row it does so with all.
          ? count + (Self.errorsInARow + 1) / 2 : answer.mayBeVain ? count + 1 : 0
    }
  }

  /// Asks for a report and lands its file; once more where Apple names another version as the
  /// latest.
  ///
  /// - Parameters:
  ///   - standard: the version to ask for where Apple has named none; nil leaves it out.
  ///   - call: the request for a version.
  private func fetchReport(
    _ question: FetchQuestion, _ standard: String?, _ call: (String?) -> AppleCall,
    _ answer: inout FetchedAnswer
  ) throws {
    var version = versions.withLock { $0[question.list] } ?? standard
    for _ in 1...2 {
      let landing = Mutex<LandedFile?>(nil)
      let reply = try apple.ask(call(version)) { [folder] in
        // Each attempt begins a file of its own, and gives up the one before.
        let file = try LandedFile(question.name, in: folder)
        landing.withLock { $0 = file }
        return { try file.write($0) }
      }
      answer.take(reply)
      if case .otherVersion(let latest) = reply.verdict, latest != version {
        version = latest
        versions.withLock { $0[question.list] = latest }
        _ = current.withLock { $0.insert(question.list) }
        continue
      }
      if reply.verdict == .noSales, let version {
        answer.outcome = try isCurrent(version, question, call) ? .nothing : .notYet
      }
      guard reply.verdict == .answered, let file = landing.withLock(\.self) else { return }
      _ = current.withLock { $0.insert(question.list) }
      answer.outcome = .rows
      if try file.commit(sha256: reply.sha256) {
        answer.files = [file.path]
      } else {
        answer.unchangedFile = (file.path, hexText(reply.sha256))
      }
      return
    }
  }

  /// Whether Apple still makes reports of this version: of one that it has retired it may say that
  /// there were none. It is found out by asking for a version that never was, which makes Apple
  /// name the latest.
  private func isCurrent(
    _ version: String, _ question: FetchQuestion, _ call: (String?) -> AppleCall
  ) throws -> Bool {
    if current.withLock({ $0.contains(question.list) }) { return true }
    let reply = try apple.ask(call("0_0"))
    guard case .otherVersion(let latest) = reply.verdict else { return false }
    versions.withLock { $0[question.list] = latest }
    guard latest == version else { return false }
    _ = current.withLock { $0.insert(question.list) }
    return true
  }

  /// Asks for the pages of a list until its end and lands them in files of at most `linesPerFile`;
  /// what breaks off is noted to go on with.
  ///
  /// - Parameters:
  ///   - member: the JSON member by which a page's line keeps the token that it was asked for with.
  ///   - begun: the token to go on with; nil for the first page.
  ///   - call: the request for a token, in the Sandbox or not.
  private func fetchPages(
    _ question: FetchQuestion, _ member: FetchQuestion.PageMember, from begun: String?,
    _ call: (String?, Bool) -> AppleCall, _ answer: inout FetchedAnswer,
    _ deliver: (FetchedAnswer) -> Void
  ) throws {
    var token = begun
    var (isSandbox, mayBeginAnew) = (false, true)
    var pages = PartFile(question.name, in: folder)
    answer.next = begun ?? ""
    /// Lands the pages that came, and notes that the list is to be gone on with.
    func breakOff() throws {
      let landed = try pages.land(into: &answer)
      // What was begun before stays begun, unless Apple says that there is no such list.
      if landed || question.isBegun && answer.isAskedInVain { answer.outcome = .open }
    }
    while true {
      let reply = try apple.ask(call(token, isSandbox))
      answer.take(reply)
      switch reply.verdict {
      case .answered: break
      case .inSandbox where !isSandbox:
        isSandbox = true
        continue
      case .pageExpired where mayBeginAnew && token != nil:
        (token, mayBeginAnew) = (nil, false)
        continue
      default: return try breakOff()
      }
      guard let head = AnswerPageHead(reply.body) else {
        (answer.verdict, answer.outcome) = (.broken(.unreadable), .failed)
        return try breakOff()
      }
      // An empty page is the end of those before it; by itself it says that there is nothing.
      let isEnd = question.isBegun || pages.count > 0 || pages.hasLanded
      if !head.isEmpty || head.hasMore || isEnd {
        try pages.add(pageLine(reply.body, askedWith: token, member))
      }
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
        (answer.verdict, answer.outcome) = (.broken(.unreadable), .failed)
        return try breakOff()
      }
      token = head.next
      if pages.count == Self.linesPerFile { try pages.land(partOf: &answer, deliver) }
    }
  }

  /// Asks for an object in one piece, in the Sandbox where Production does not know it, and lands
  /// its file.
  ///
  /// - Parameter call: the request, in the Sandbox or not.
  private func fetchSingle(
    _ question: FetchQuestion, _ call: (Bool) -> AppleCall, _ answer: inout FetchedAnswer
  ) throws {
    var reply = try apple.ask(call(false))
    answer.take(reply)
    if reply.verdict == .inSandbox {
      reply = try apple.ask(call(true))
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

  /// Has receipts verified one after another and lands the answers in files of at most
  /// `linesPerFile`; stops where asking is vain.
  ///
  /// - Parameter begun: the place in the list to go on from.
  private func fetchReceipts(
    _ question: FetchQuestion, _ receipts: [StoredReceipt], from begun: ReceiptPlace,
    secret: String?, _ answer: inout FetchedAnswer, _ deliver: (FetchedAnswer) -> Void
  ) throws {
    var answers = PartFile(question.name, in: folder)
    var place = begun
    var errors = 0
    /// Lands the answers that came, and notes from which receipt on to go on.
    func breakOff() throws {
      let landed = try answers.land(into: &answer)
      if landed || place != ReceiptPlace() { (answer.outcome, answer.next) = (.open, place.text) }
    }
    for receipt in receipts.dropFirst(begun.asked) {
      var reply = try apple.ask(.receipt(receipt.data, secret: secret, isSandbox: false))
      answer.take(reply)
      if reply.verdict == .inSandbox {
        // Once: Sandbox itself has answered that it is Sandbox's.
        reply = try apple.ask(.receipt(receipt.data, secret: secret, isSandbox: true))
        answer.take(reply)
      }
      if answer.isVain { return try breakOff() }
      if reply.verdict == .answered {
        try answers.add(receipt.line(answer: reply.body, at: now))
      } else {
        answer.unanswered.append((receipt.place, reply.verdict))
        place.unanswered += 1
      }
      place.asked += 1
      answer.next = place.text
      errors = answer.mayBeVain ? errors + 1 : 0
      if errors == Self.errorsInARow, place.asked < receipts.count { return try breakOff() }
      if answers.count == Self.linesPerFile { try answers.land(partOf: &answer, deliver) }
    }
    _ = try answers.land(into: &answer)
    answer.outcome = place.unanswered == 0 ? .rows : .failed
    answer.next = ""
  }
}

/// How far a list of receipts was asked for.
struct ReceiptPlace: Equatable {
  /// Receipts from the first on.
  var asked = 0
  /// Those of them that have no answer.
  var unanswered = 0

  init() {}

  /// The place as the ledger keeps it: `500/2`.
  var text: String { "\(asked)/\(unanswered)" }

  /// Reads a place as the ledger keeps it; nil for another text.
  init?(_ text: String) {
    let parts = text.split(separator: "/").compactMap(plainNumber)
    guard parts.count == 2, parts[1] <= parts[0] else { return nil }
    (asked, unanswered) = (parts[0], parts[1])
  }
}

/// Whether a body is an answer about an order number, whatever it says.
private func isOrderAnswer(_ body: [UInt8]) -> Bool {
  let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
  return object?["status"] is Int
}

extension FetchedAnswer {
  /// Adds a reply's verdict, attempts and time; sets the outcome where the reply is no answer.
  mutating func take(_ reply: Reply) {
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

  /// Changes the outcome "nothing" to "not yet", unless the report is of a day that is due: then
  /// "no sales" is a fact. Of a day that is not, and of weeks, months and financial reports, Apple
  /// says the same of what it has not made yet: never a zero.
  ///
  /// - Parameter day: of a daily report; nil of any other.
  fileprivate mutating func judgeNone(of day: Day?, now: Instant) {
    guard outcome == .nothing else { return }
    if let day, now >= ReportSchedule.isDue(day) { return }
    outcome = .notYet
  }

  /// Whether Apple was asked, and did not say that there is no such list.
  fileprivate var isAskedInVain: Bool {
    switch verdict {
    case .refused, .inSandbox: false
    default: outcome != nil
    }
  }

  /// Whether Apple had an error of its own, on this question or on all: after some in a row, asking
  /// is vain.
  fileprivate var mayBeVain: Bool {
    guard case .busy(let status, _) = verdict else { return false }
    return [500, 21009].contains(status)
  }

  /// Whether the host sent the request to another address.
  fileprivate var redirects: Bool {
    if case .redirected = verdict { true } else { false }
  }

  /// Whether the next question at the same gate is bound to end like this one.
  fileprivate var isVain: Bool {
    if isGivenUp { return true }
    switch verdict {
    case .unauthorized: return true
    // Of one transaction (4040002 and the like), or receipt (21100 to 21199), it may be its own.
    case .busy(let status, _): return [429, 502, 503, 504, 21005].contains(status)
    case .broken(let how): return ![.damaged, .empty, .tooLarge, .unreadable].contains(how)
    default: return false
    }
  }
}

/// A page as a line of a file, beside the token that it was asked for with.
///
/// - Parameter token: nil for a first page, which stands as Apple sent it.
private func pageLine(
  _ page: [UInt8], askedWith token: String?, _ member: FetchQuestion.PageMember
) -> [UInt8] {
  // A first page stands as Apple sent it: nothing was asked with.
  guard let token else { return onOneLine(page) + [0x0A] }
  let begin = "{\"\(member.rawValue)\":\(jsonText(token)),\"body\":"
  return Array(begin.utf8) + onOneLine(page) + Array("}\n".utf8)
}

/// Lines of one list, on their way into files of at most so many.
private struct PartFile {
  private let name: String
  private let folder: String
  private var file: LandedFile?
  private(set) var count = 0
  /// Files of this list that have landed.
  private var landed = 0

  init(_ name: String, in folder: String) {
    self.name = name
    self.folder = folder
  }

  var hasLanded: Bool { landed > 0 }

  /// Writes a line, into a new file where none is begun.
  mutating func add(_ line: [UInt8]) throws {
    if file == nil { file = try LandedFile(try freeName(), in: folder) }
    try file?.write(line)
    count += 1
  }

  /// Puts the file in its place and adds its path to the answer; false where no file is begun.
  mutating func land(into answer: inout FetchedAnswer) throws -> Bool {
    guard let file else { return false }
    _ = try file.commit(sha256: nil)
    answer.files.append(file.path)
    self.file = nil
    count = 0
    landed += 1
    return true
  }

  /// Puts the file in its place and delivers the answer so far as a part: more of the list follows.
  mutating func land(
    partOf answer: inout FetchedAnswer, _ deliver: (FetchedAnswer) -> Void
  ) throws {
    _ = try land(into: &answer)
    var part = answer
    (part.outcome, part.isPart) = (.open, true)
    deliver(part)
    answer.files = []
  }

  /// The first name for a file of the list that no file has yet: nothing that another call wrote is
  /// replaced.
  private func freeName() throws -> String {
    for number in 1...100_000 {
      let free = number == 1 ? "\(name).jsonl" : "\(name)_\(number).jsonl"
      if identity(of: folder + "/" + free) == nil { return free }
    }
    throw Stop(
      .badInput, "@fetch.has-too-many-files \(folder) \(name)",
      help: "@fetch.name-another-folder-with-into")
  }
}
