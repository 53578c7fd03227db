import Billing
import Crypto
import Fetching
import Ledger

/// Lists of App Store Connect: all pages of all of them in one file, or none.
extension QuestionRunner {
  /// Asks for all pages of lists and puts them into one file, or none; anew once where a list
  /// changed between two pages. Notes the outcome in `answer`.
  ///
  /// - Parameter calls: of each list, the call for the page of a cursor, nil for the first.
  func fetchLists(
    _ question: FetchQuestion, _ calls: [@Sendable (String?) -> AppleCall],
    _ answer: inout FetchedAnswer
  ) throws {
    // What changed between two pages is asked for anew, once.
    for _ in 1...2 {
      var pages = ConnectPages()
      let file = try LandedFile(question.name, in: folder)
      for call in calls {
        guard try fetchList(call, into: file, &pages, &answer) else { return }
        if pages.isMixed { break }
      }
      if pages.isMixed { continue }
      guard !pages.ids.isEmpty else {
        answer.outcome = .nothing
        return
      }
      answer.outcome = .rows
      let sha256 = Array(pages.digest.finalize())
      if try file.commit(sha256: sha256) {
        answer.files = [file.path]
      } else {
        answer.unchangedFile = (file.path, hexText(sha256))
      }
      return
    }
    (answer.verdict, answer.outcome) = (.broken(.changing), .failed)
  }

  /// Asks for the pages of one list and writes each as a line of the file.
  ///
  /// - Returns: true where the list came to its end, or to a page that does not go with those
  ///   before (`pages.isMixed`); false where Apple gave no page that can be read.
  private func fetchList(
    _ call: (String?) -> AppleCall, into file: LandedFile, _ pages: inout ConnectPages,
    _ answer: inout FetchedAnswer
  ) throws -> Bool {
    var cursor: String?
    var asked: Set<String> = []
    pages.beginList()
    while true {
      let page = call(cursor)
      let reply = try apple.ask(page)
      answer.take(reply)
      guard reply.verdict == .answered else { return false }
      guard let head = ConnectPageHead(reply.body, of: page.path) else {
        (answer.verdict, answer.outcome) = (.broken(.unreadable), .failed)
        return false
      }
      pages.add(head)
      if pages.isMixed { return true }
      let line = onOneLine(reply.body) + [0x0A]
      pages.digest.update(data: line)
      try file.write(line)
      guard !head.cursor.isEmpty else {
        pages.endList()
        return true
      }
      // A page that asks for itself would be asked for without end.
      if !asked.insert(head.cursor).inserted { pages.isMixed = true }
      if pages.isMixed { return true }
      cursor = head.cursor
    }
  }
}

/// What the pages of lists have told.
private struct ConnectPages {
  private(set) var ids: Set<String> = []
  private var total: Int?
  private var count = 0
  var digest = SHA256()
  /// Whether a page does not go with those before: the list changed between them.
  var isMixed = false

  /// Begins with the next list.
  mutating func beginList() { (total, count) = (nil, 0) }

  /// Adds a page, and notes where its total or an id does not go with the pages before.
  mutating func add(_ page: ConnectPageHead) {
    if let total, page.total != total { isMixed = true }
    total = page.total
    count += page.ids.count
    let before = ids.count
    ids.formUnion(page.ids)
    if ids.count != before + page.ids.count { isMixed = true }
  }

  /// Notes at the list's end where it has another number of rows than its total.
  mutating func endList() {
    if let total, total != count { isMixed = true }
  }
}
