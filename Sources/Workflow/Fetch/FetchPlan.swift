import Billing
import Fetching
import Ledger
import Matching

/// The questions that a wish comes to, in the order in which they are asked.
struct FetchPlan {
  let ledger: Ledger?
  private let files: [LedgerFile]
  private let access: AppleAccess
  let now: Instant

  /// Reads which files the ledger has.
  ///
  /// - Parameter ledger: nil where there is none yet.
  init(_ ledger: Ledger?, _ request: FetchRequest) throws {
    self.ledger = ledger
    files = try ledger?.files() ?? []
    access = request.access
    now = request.now
  }

  /// The questions to ask for a wish, in order; of what is not named one by one, only those whose
  /// answers the ledger lacks. Throws where something that they need is not configured.
  func questions(_ wish: FetchWish) throws -> [FetchQuestion] {
    switch wish {
    case .lacking: return try lacking()
    case .sales(let types, let frequency, let from, let to):
      let vendor = try access.requireVendor()
      let days = days(frequency, from: from, to: to, vendor)
      return try types.flatMap { type -> [FetchQuestion] in
        // One day that is named is asked for whatever is here.
        let asked = days.count > 1 ? try lacking(type, frequency, days, vendor) : days
        return asked.map { FetchQuestion.report(type, frequency, on: $0, vendor: vendor) }
      }
    case .finance(let month?, let regions):
      let vendor = try access.requireVendor()
      return regions.map { .finance($0, of: month, vendor: vendor) }
    case .finance(nil, let regions): return try lackingFinance(regions)
    case .notifications(let from, let to, let types):
      let span = (from ?? notificationBegin, to ?? notificationEnd)
      guard types.isEmpty else {
        return try types.flatMap { try notifications($0, from: span.0, to: span.1) }
      }
      return try notifications(nil, from: span.0, to: span.1)
    case .purchases(let list, let ids, let file, let period):
      return try purchases(list, namedIDs(ids, file, period))
    case .orders(let ids):
      return try unique(ids).map { .order(try plainID($0), at: now) }
    case .prices(let products, let choice): return try prices(products, choice)
    case .receipts(let path):
      let receipts = try StoredReceipt.receipts(inFile: path)
      let question = FetchQuestion.receipts(
        receipts, from: ReceiptPlace(), secret: access.sharedSecret, at: now)
      // Only what broke off is gone on with; a list that came to its end is verified anew.
      let before = try answers(of: question)[question.item]
      guard before?.outcome == .open, let place = before.flatMap({ ReceiptPlace($0.next) }) else {
        return [question]
      }
      return [.receipts(receipts, from: place, secret: access.sharedSecret, at: now)]
    }
  }

  // MARK: - Reports

  /// The days to ask reports of: each day, each week's Sunday, or a day of each month.
  ///
  /// - Parameters:
  ///   - from: nil is `to` alone, or without that where the company's books begin.
  ///   - to: nil is the newest report that may be there.
  private func days(
    _ frequency: ReportFrequency, from: Day?, to: Day?, _ vendor: String
  ) -> [Day] {
    let newest =
      switch frequency {
      case .daily: ReportSchedule.lastDay(at: now)
      case .weekly: ReportSchedule.lastWeek(at: now)
      case .monthly: ReportSchedule.lastMonth(at: now)
      }
    let last = to ?? newest
    let first = from ?? (to.map { min($0, newest) } ?? firstDay(vendor))
    guard first <= last else { return [] }
    switch frequency {
    case .daily: return Array(first...last)
    case .weekly:
      // Weeks end on Sundays.
      let sunday = first.advanced(by: (7 - first.weekday) % 7)
      return stride(from: sunday, through: max(last, sunday), by: 7).filter { $0 <= last }
    case .monthly:
      var days: [Day] = []
      var day = first
      while day <= last {
        days.append(day)
        let (year, month, number) = day.parts
        day = day.advanced(by: Day.length(ofMonth: month, year: year) - number + 1)
      }
      return days
    }
  }

  /// The first day to ask reports of, where the company's books begin: with the vendor's first
  /// report, else with its first order or transaction, else with the month before; no earlier than
  /// Apple keeps reports.
  private func firstDay(_ vendor: String) -> Day {
    let sales = files.filter { $0.input.kind == .sales && [vendor, ""].contains($0.vendor) }
    let own = files.filter { [.orders, .transactions].contains($0.input.kind) }
    let today = now.day()
    let monthBefore = today.advanced(by: -today.parts.day)
    let begin =
      sales.compactMap(\.input.from).min() ?? own.compactMap(\.input.from).min()
      ?? monthBefore.advanced(by: 1 - monthBefore.parts.day)
    return max(begin, today.advanced(by: 1 - ReportSchedule.horizon))
  }

  /// The questions for all that the ledger lacks, of what the configuration gives access to.
  private func lacking() throws -> [FetchQuestion] {
    var questions: [FetchQuestion] = []
    if access.team != AppleAccess.Key() || !access.vendorNumber.isEmpty {
      let vendor = try access.requireVendor()
      questions += try lackingDays(.sales, vendor, from: firstDay(vendor))
      for (type, kind) in [
        (ReportType.subscription, InputKind.subscription),
        (.subscriptionEvent, .subscriptionEvent), (.subscriber, .subscriber),
      ] {
        // Of these the company has said that it wants them, by having some.
        let first = files.filter { $0.input.kind == kind }.compactMap(\.input.from).min()
        if let first { questions += try lackingDays(type, vendor, from: first) }
      }
      questions += try lackingFinance([FetchQuestion.allRegions, FetchQuestion.detailRegion])
    }
    if access.hasPurchases {
      questions += try notifications(nil, from: notificationBegin, to: notificationEnd)
      questions += try begunPages()
    }
    guard !questions.isEmpty || access != AppleAccess() else {
      throw Stop(
        .badInput, "@fetch.configuration-has-no-app-store",
        help: "@fetch.write-apple-with-issuer-id")
    }
    return questions
  }

  /// The questions for daily reports of a type from a day on that the ledger lacks.
  private func lackingDays(
    _ type: ReportType, _ vendor: String, from begin: Day
  ) throws -> [FetchQuestion] {
    let last = ReportSchedule.lastDay(at: now)
    let first = max(begin, now.day().advanced(by: 1 - ReportSchedule.horizon))
    guard first <= last else { return [] }
    return try lacking(type, .daily, Array(first...last), vendor)
      .map { .report(type, .daily, on: $0, vendor: vendor) }
  }

  /// Those of the days whose report is to be asked for: it is not loaded and Apple may still have
  /// it, or it is so new that Apple may have corrected it since.
  ///
  /// - Parameter days: ascending; of weekly and monthly reports a day for each week or month.
  private func lacking(
    _ type: ReportType, _ frequency: ReportFrequency, _ days: [Day], _ vendor: String
  ) throws -> [Day] {
    guard let last = days.last else { return [] }
    let spans = Set(
      files.filter { file in
        file.input.kind == type.kind && file.input.status != .superseded
          && [vendor, ""].contains(file.vendor)
      }.compactMap(\.input.span))
    guard frequency == .daily else {
      // Of the newest week or month a correction may come.
      return days.filter { $0 == last || !spans.contains(frequency.span(of: $0)) }
    }
    let coverage = try ledger?.salesCoverage().filter { [vendor, ""].contains($0.vendor) } ?? []
    let covered =
      type == .sales ? daysCovered(by: coverage, of: nil) : Set(spans.flatMap { Array($0) })
    let known = try answers(of: .report(type, .daily, on: last, vendor: vendor))
    let newest = ReportSchedule.lastDay(at: now).advanced(by: 1 - ReportSchedule.revisedDays)
    return days.filter { day in
      if day >= newest { return true }
      if covered.contains(day) { return false }
      switch known["\(day)"]?.outcome {
      case .gone: return false
      // A day's sales that were none are recorded as such; subscriptions have no such record.
      case .nothing: return type == .sales
      default: return true
      }
    }
  }

  /// The questions for financial reports of these regions, and all fiscal months since the
  /// company's books begin, that the ledger lacks and that are not asked for in vain.
  private func lackingFinance(_ regions: [String]) throws -> [FetchQuestion] {
    let vendor = try access.requireVendor()
    let last = ReportSchedule.lastFiscalMonth(at: now)
    var month = FiscalMonth(containing: firstDay(vendor))
    var questions: [FetchQuestion] = []
    while month <= last {
      for region in regions where !isLoaded(region, month, vendor) {
        let question = FetchQuestion.finance(region, of: month, vendor: vendor)
        let before = try answers(of: question)[question.item]
        let isInVain =
          switch before?.outcome {
          case .gone: true
          case .notYet: now.seconds - before!.at.seconds < ReportSchedule.financePause
          default: false
          }
        if !isInVain { questions.append(question) }
      }
      month = month.next
    }
    return questions
  }

  /// Whether a financial report of the month is loaded: of the region, or where all in one file are
  /// asked for, of any.
  private func isLoaded(_ region: String, _ month: FiscalMonth, _ vendor: String) -> Bool {
    let kind: InputKind = region == FetchQuestion.detailRegion ? .financeDetail : .finance
    let isAny = region == FetchQuestion.allRegions || kind == .financeDetail
    return files.contains { file in
      guard file.input.kind == kind, file.input.status != .superseded,
        [vendor, ""].contains(file.vendor), isAny || file.region == region,
        let from = file.input.from, let to = file.input.to
      else { return false }
      return from <= month.last && to >= month.first
    }
  }

  /// The recorded answers to all questions of the same list, by item.
  private func answers(of question: FetchQuestion) throws -> [String: AppleAnswer] {
    let known = try ledger?.answers(to: question.list) ?? []
    return Dictionary(uniqueKeysWithValues: known.map { ($0.item, $0) })
  }

  // MARK: - Purchases

  /// The moment before which notifications are asked for.
  private var notificationEnd: Instant {
    Instant(seconds: now.seconds - ReportSchedule.notificationDelay)
  }

  /// The moment from which notifications are asked for: where the company's books begin, or how far
  /// back Apple keeps them.
  private var notificationBegin: Instant {
    let horizon = now.day().advanced(by: 1 - ReportSchedule.notificationHorizon)
    return max(firstDay(access.vendorNumber), horizon).startUTC
  }

  /// The questions for notifications of a span that are not here yet, in days of UTC: a part that
  /// was asked for once is not asked for again, and a list that broke off goes on where it did.
  ///
  /// - Parameter type: of notifications; nil for all.
  private func notifications(
    _ type: String?, from: Instant, to: Instant
  ) throws -> [FetchQuestion] {
    let lists = Set([type, nil]).map {
      FetchQuestion.notificationList($0, access.bundleID)
    }
    var done: [(from: Instant, to: Instant)] = []
    var open: [FetchQuestion] = []
    for answer in try lists.flatMap({ try ledger?.answers(to: $0) ?? [] }) {
      guard let span = Self.span(answer.item) else { continue }
      let isOwn = answer.list == FetchQuestion.notificationList(type, access.bundleID)
      switch answer.outcome {
      case .rows, .nothing: done.append(span)
      case .open where isOwn && span.from >= from && span.to <= to:
        done.append(span)
        var question = FetchQuestion.notifications(
          type, from: span.from, to: span.to, bundleID: access.bundleID, next: answer.next)
        question.isBegun = true
        open.append(question)
      default: break
      }
    }
    done.sort { $0.from < $1.from }
    var questions = open
    var begin = from
    /// Adds questions from `begin` up to a moment, one for each day of UTC, and moves `begin`
    /// there.
    func ask(upTo end: Instant) {
      while begin < end {
        let nextDay = begin.day().advanced(by: 1).startUTC
        let stop = min(end, nextDay)
        questions.append(
          .notifications(type, from: begin, to: stop, bundleID: access.bundleID, next: nil))
        begin = stop
      }
    }
    for span in done where span.to > begin {
      ask(upTo: min(span.from, to))
      begin = max(begin, span.to)
    }
    ask(upTo: to)
    return questions
  }

  /// The moments between which a list of notifications was asked for, read from the answer's item;
  /// nil where it is no such text.
  private static func span(_ item: String) -> (from: Instant, to: Instant)? {
    let moments = item.split(separator: ".", omittingEmptySubsequences: true).compactMap(moment)
    return moments.count == 2 ? (moments[0], moments[1]) : nil
  }

  /// Reads a moment as ``Instant`` writes it; nil for another text.
  private static func moment(_ text: Substring) -> Instant? {
    guard text.count == 20, let day = Day(text.prefix(10)) else { return nil }
    let clock = text.dropFirst(11).dropLast().split(separator: ":").compactMap(plainNumber)
    guard clock.count == 3 else { return nil }
    return Instant(
      seconds: day.startUTC.seconds + Int64(clock[0] * 3600 + clock[1] * 60 + clock[2]))
  }

  /// The questions for histories and refunds of which pages are missing: those that broke off, and
  /// those that were imported without their end.
  private func begunPages() throws -> [FetchQuestion] {
    guard let ledger else { return [] }
    let open = try OpenPages(ledger.answerPages()).pages.map(\.page)
    return try [(PurchaseList.history, AnswerPage.Listing.history), (.refunds, .refunds)].flatMap {
      (list, pages) -> [FetchQuestion] in
      let known = try ledger.answers(to: list.rawValue)
      let begun = known.filter { $0.outcome == .open }.map { ($0.item, $0.next) }
      // What was fetched has its answer here as well.
      let tokens = Set(known.map(\.next))
      let imported = open.filter { page in
        page.list == pages && page.environment != .sandbox && !page.lastID.isEmpty
          && !page.next.isEmpty && !tokens.contains(page.next)
      }.map { ($0.lastID, $0.next) }
      return try (begun + imported).map { id, next in
        var question = FetchQuestion.purchases(list, of: try plainID(id), at: now, next: next)
        question.isBegun = true
        return question
      }
    }
  }

  /// The questions about these transactions, each from where the last answer ended.
  private func purchases(_ list: PurchaseList, _ ids: [String]) throws -> [FetchQuestion] {
    let known = try ledger?.answers(to: list.rawValue) ?? []
    let before = Dictionary(uniqueKeysWithValues: known.map { ($0.item, $0) })
    return try unique(ids).map { id in
      let next = before[id].map(\.next).flatMap { $0.isEmpty ? nil : $0 }
      var question = FetchQuestion.purchases(list, of: try plainID(id), at: now, next: next)
      question.isBegun = before[id]?.outcome == .open
      return question
    }
  }

  /// The transaction ids that are named, those in a file, and those that a period's recorded
  /// findings name. Throws where there are none.
  private func namedIDs(_ ids: [String], _ file: String?, _ period: Period?) throws -> [String] {
    var ids = ids
    if let file {
      // The first column of a table, or a list.
      for line in try textLines(ofFile: file) {
        let id = line.prefix { $0 != "," && $0 != "\t" }
        if id.utf8.allSatisfy({ $0 &- 0x30 < 10 }), !id.isEmpty { ids.append(String(id)) }
      }
    }
    if let period {
      guard let findings = try ledger?.recordedFindings(period) else {
        throw Stop(
          .badInput, "@fetch.no-reconciliation-of-is-recorded \(period)",
          help: "@fetch.reconcile-it-first-tieout-reconcile \(period)")
      }
      ids += findings.flatMap(\.transactionIDs)
    }
    guard !ids.isEmpty else {
      throw Stop(
        .badInput, "@fetch.no-transaction-is-named",
        help: "@fetch.name-transactions-or-a-file")
    }
    return ids
  }

  /// The ids in their order, each once.
  private func unique(_ ids: [String]) -> [String] {
    var seen: Set<String> = []
    return ids.filter { seen.insert($0).inserted }
  }

  /// The id, where it can stand in an address, else throws; Apple's ids are digits, and its order
  /// numbers letters and digits.
  private func plainID(_ id: String) throws -> String {
    guard (1...64).contains(id.utf8.count),
      id.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 | 0x20 &- 0x61 < 26 })
    else {
      throw Stop(
        .badInput,
        "@fetch.is-not-an-id \(id)", help: "@fetch.they-have-only-digits")
    }
    return id
  }
}

extension ReportType {
  /// The kind that a file of the report is imported as.
  fileprivate var kind: InputKind {
    switch self {
    case .sales: .sales
    case .subscription: .subscription
    case .subscriptionEvent: .subscriptionEvent
    case .subscriber: .subscriber
    }
  }
}

extension ReportFrequency {
  /// The days of the report that is asked for with a day: itself, the week that a Sunday ends, or
  /// its month.
  fileprivate func span(of day: Day) -> ClosedRange<Day> {
    switch self {
    case .daily: return day...day
    case .weekly: return day.advanced(by: -6)...day
    case .monthly:
      let (year, month, number) = day.parts
      let first = day.advanced(by: 1 - number)
      return first...first.advanced(by: Day.length(ofMonth: month, year: year) - 1)
    }
  }
}
