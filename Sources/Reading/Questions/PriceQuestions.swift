package import Billing

/// What became of a question that was asked.
package enum PriceReply: Hashable, Sendable {
  case answered
  /// Answered, with something odd about it that whoever asked should know.
  case doubtful(PriceDoubt)
  case refused(PriceDoubt)
}

/// What a file of questions came to.
package struct QuestionsReading: Hashable, Sendable {
  /// Questions that were answered.
  package var rows: Int
  package var rejected: Int
  /// The first hundred.
  package var diagnostics: [Diagnostic]
  package var diagnosticCount: Int
  package var warnings: [Diagnostic]
}

/// Reads a table of questions about prices: the columns of ``PriceQuestion/Part``, in any order. A
/// price may be blank or missing where a tier or a SKU names one.
///
/// - Parameters:
///   - name: the path as given; used in places.
///   - source: the raw bytes, packed or not.
///   - storefronts: Apple's storefronts.
///   - ask: answers a question. Equal questions between two calls of `sink` are asked once.
///   - sink: takes the rows that were answered, in file order: each is the number of its question
///     among those answered since the last call, counted from 0.
/// - Throws: a `Diagnostic` for what stops the file, and what `source` and `sink` throw.
package func readPriceQuestions(
  name: String, from source: ByteSource, storefronts: StorefrontLookup,
  ask: (PriceQuestion) -> PriceReply, sink: ([Int32]) throws -> Void
) throws -> QuestionsReading {
  try withoutActuallyEscaping(source) { source in
    try withoutActuallyEscaping(ask) { ask in
      try withoutActuallyEscaping(sink) { sink in
        let log = ReadingLog(file: name)
        let limits = ReadingLimits()
        let bytes = BytePieces(
          ByteInput(file: name, blockSize: limits.blockSize, source: source, tap: { _ in }),
          size: limits.blockSize)
        let stream = try TextStream(file: name, bytes: bytes, limits: limits)
        let (header, delimiting) = try readTableHeader(
          stream, columns: QuestionsReader.columns, log: log)
        let map = try QuestionsReader.map(header)
        map.warnAboutUnknown(log, line: header.line)
        var loop = RecordLoop(
          reader: QuestionsReader(map, storefronts: storefronts, ask: ask), log: log,
          limits: limits, sink: { block in try sink(block.numbers) })
        try loop.run(stream, Divider(delimiting, columns: header.names.count))
        loop.reader.warnOfDoubts(log)
        return QuestionsReading(
          rows: loop.rows, rejected: log.rejectedCount, diagnostics: log.diagnostics,
          diagnosticCount: log.diagnosticCount, warnings: log.warnings)
      }
    }
  }
}

/// Rows that were answered, by the number of their question.
struct QuestionBlock: RecordBlock {
  var numbers: [Int32]
  var rejects: [Reject] = []
  var rowCount: Int { numbers.count }
}

/// Turns rows into questions, asks each new one, and remembers what became of it.
struct QuestionsReader: RowReader {
  static let columns = PriceQuestion.Part.allCases.map(\.rawValue)

  private enum Reply {
    case number(Int32)
    case refused(PriceDoubt)
  }

  private let fields: [Int]
  private let storefront: Int
  private let price: Int
  private let date: Int
  private let currency: Int
  private let commission: Int
  private let sku: Int
  private let tier: Int
  private let storefronts: StorefrontLookup
  private let ask: (PriceQuestion) -> PriceReply
  private var questions: Interner<PriceQuestion>
  /// The code of a question's first spelling.
  private var codes: [PriceQuestion: Int32] = [:]
  /// Per spelling of the interner.
  private var replies: [Reply] = []
  private var answered: Int32 = 0
  private var numbers: [Int32] = []
  private var doubts: [(line: Int, doubt: PriceDoubt)] = []
  private var doubtCount = 0

  /// Finds the columns: a storefront and a date, and a price or what stands in for one.
  static func map(_ header: Header) throws -> ColumnMap {
    let mayLackPrice = header.has("tier") || header.has("sku")
    return try ColumnMap(
      header, names: columns,
      required: mayLackPrice ? ["storefront", "date"] : ["storefront", "price", "date"])
  }

  /// - Parameters:
  ///   - map: where the file has the columns.
  ///   - ask: answers a question, or says why it is odd or refused.
  init(
    _ map: ColumnMap, storefronts: StorefrontLookup, ask: @escaping (PriceQuestion) -> PriceReply
  ) {
    /// The file's field of a part of the question; −1 where it has none.
    func field(_ part: PriceQuestion.Part) -> Int {
      Self.columns.firstIndex(of: part.rawValue).map { map.fields[$0] } ?? -1
    }
    fields = map.fields
    storefront = field(.storefront)
    price = field(.price)
    date = field(.date)
    currency = field(.currency)
    commission = field(.commission)
    sku = field(.sku)
    tier = field(.tier)
    self.storefronts = storefronts
    self.ask = ask
    questions = Interner(fields: fields)
  }

  var pending: Int { numbers.count }

  /// Finds or asks the row's question, and keeps the number of its answer; a refused one rejects
  /// the row.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    var code = questions.find(record)
    if code < 0 { code = try askNew(record) }
    switch replies[Int(code)] {
    case .number(let number): numbers.append(number)
    case .refused(let doubt):
      throw RecordDiagnostic(
        field(doubt.part), doubt.part.rawValue, doubt.message, help: doubt.help)
    }
    return 1
  }

  /// The field of a part of the question; −1 where the file has none.
  private func field(_ part: PriceQuestion.Part) -> Int {
    switch part {
    case .storefront: storefront
    case .price: price
    case .date: date
    case .currency: currency
    case .commission: commission
    case .sku: sku
    case .tier: tier
    }
  }

  /// Gives a question that no row before wrote in these bytes a code, and returns it. It is asked
  /// now, unless a row wrote the same in other bytes: then it has that row's reply.
  private mutating func askNew(_ record: Record) throws(RecordDiagnostic) -> Int32 {
    let question = try question(record)
    let code = questions.insert(question, for: record)
    if let known = codes[question] {
      replies.append(replies[Int(known)])
      return code
    }
    codes[question] = code
    let reply = ask(question)
    if case .refused(let doubt) = reply {
      replies.append(.refused(doubt))
      return code
    }
    if case .doubtful(let doubt) = reply {
      doubtCount += 1
      if doubts.count < ReadingLog.kept { doubts.append((Int(record.line), doubt)) }
    }
    replies.append(.number(answered))
    answered += 1
    return code
  }

  /// The question that a row asks; throws a diagnostic when a value is missing or wrong.
  private func question(_ record: Record) throws(RecordDiagnostic) -> PriceQuestion {
    guard let place = try record.storefront(storefront, "storefront", storefronts) else {
      throw record.blankDiagnostic(storefront, "storefront")
    }
    guard let day = try record.isoDate(date, "date") else {
      throw record.blankDiagnostic(date, "date")
    }
    return PriceQuestion(
      storefront: place, currency: try record.currency(currency, "currency"),
      price: try record.amount(price, "price", mayBeNegative: false), day: day,
      commission: try namedCommission(record), sku: record.text(sku), tier: record.text(tier))
  }

  /// The commission that a row names; nil when blank.
  private func namedCommission(_ record: Record) throws(RecordDiagnostic) -> NamedCommission? {
    let bytes = trimmed(record[commission])
    if bytes.isEmpty { return nil }
    guard let named = NamedCommission(String(decoding: bytes, as: UTF8.self)) else {
      throw RecordDiagnostic(
        commission, "commission",
        "@questions.commission-is-neither-a-rate \(shown(bytes))",
        help: NamedCommission.spellings)
    }
    return named
  }

  /// Hands over the rows since the last block, and forgets their questions.
  mutating func takeBlock() -> QuestionBlock {
    defer {
      questions = Interner(fields: fields)
      (replies, codes) = ([], [:])
      numbers = []
      answered = 0
    }
    return QuestionBlock(numbers: numbers)
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary() }

  /// Adds a warning to the log for each question whose answer is odd, the first hundred by name.
  func warnOfDoubts(_ log: ReadingLog) {
    for (line, doubt) in doubts {
      log.warn(doubt.part.rawValue, line: line, doubt.message, help: doubt.help)
    }
    guard doubtCount > doubts.count else { return }
    let more = doubtCount - doubts.count
    log.warn(
      "more", "@questions.further-questions-whose-answers \(more)",
      help: "@questions.deal-with-those-listed-first")
  }
}
