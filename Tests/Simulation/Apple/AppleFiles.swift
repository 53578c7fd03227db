import Billing
import Foundation

/// What the company kept of Apple's messages: receipts, notifications and answers of the server,
/// in the order in which they came, in one file of each kind or one per day.
final class AppleFiles {
  /// What the names of these files begin with.
  static let names = ["receipts", "notifications-v1", "notifications-v2", "history"]

  private let directory: String?
  private let parameters: SimulationParameters
  private let signer: PayloadSigner
  private let receipts: ReceiptForm
  private let notificationsV1: NotificationV1Form
  private let notificationsV2: NotificationV2Form
  private var random: RandomNumbers
  private var waiting: [SimulatedMessage] = []
  private var open: [String: LineFile] = [:]
  private var answers: [HistoryAnswer] = []
  /// Full pages so far; an answer goes on in the same file, and ends there.
  private var answerPages = 0
  /// Whether the history file that is open has answers already.
  private var hasAnswers = false
  private var day: Day
  private var notifications: UInt64 = 0
  /// Apple once signed a renewal that was `null`.
  private var hasSentNull = false
  private(set) var counts = TrueAppleCounts()

  /// - Parameter directory: nil counts and writes nothing.
  /// - Throws: an error where files cannot be written.
  init(directory: String?, store: Store) throws {
    self.directory = directory
    parameters = store.parameters
    signer = try PayloadSigner(seed: store.parameters.seed)
    let words = AppleWords(store: store)
    receipts = ReceiptForm(words: words)
    notificationsV1 = NotificationV1Form(words: words)
    notificationsV2 = NotificationV2Form(words: words)
    random = RandomNumbers(seed: store.parameters.seed ^ 0xF11E_5000)
    day = Instant(seconds: store.opens).day()
    if let directory { try signer.writeRoot(to: directory) }
  }

  func take(_ messages: [SimulatedMessage]) { waiting += messages }

  /// Writes what came before `day`; what comes from then on goes to its files.
  func begin(_ day: Day) throws {
    guard day > self.day else { return }
    try write(before: day.startUTC.seconds)
    if parameters.split { try closeFiles() }
    self.day = day
  }

  func close() throws {
    try write(before: .max)
    try closeFiles()
  }

  private func write(before moment: Int64) throws {
    let due = waiting.enumerated().filter { $0.element.at < moment }
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
    waiting.removeAll { $0.at < moment }
    for (_, message) in due { try write(message) }
  }

  private func closeFiles() throws {
    for answer in answers { try write(answer) }
    answers = []
    answerPages = 0
    open["history"]?.put(footer: "]\n")
    for (_, file) in open.sorted(by: { $0.key < $1.key }) { try file.close(random: &random) }
    open = [:]
    hasAnswers = false
  }
}

extension AppleFiles {
  private func write(_ message: SimulatedMessage) throws {
    switch message.form {
    case .oldReceipt, .receipt:
      counts.receipts += 1
      let isWrapped = message.needsWrapper || message.order != 0 || random.chance(900)
      let text = receipts.response(message, isWrapped: isWrapped, random: &random)
      try write(text.bytes, to: "receipts")
    case .notificationV1:
      counts.notificationsV1 += 1
      let isWrapped = random.chance(800)
      let text = notificationsV1.notification(message, isWrapped: isWrapped, random: &random)
      try write(text.bytes, to: "notifications-v1")
    case .notificationV2: try writeNotificationV2(message)
    case .history: try addToHistory(message)
    }
  }

  private func write(_ line: [UInt8], to name: String) throws {
    guard let directory else { return }
    let isArray = name == "history"
    let suffix = (parameters.split ? "-\(day)" : "") + (isArray ? ".json" : ".jsonl")
    let file =
      try open[name]
      ?? LineFile(
        path: "\(directory)/\(name)\(suffix)", header: isArray ? "[\n" : "",
        shuffles: parameters.shuffle && !isArray)
    open[name] = file
    try file.line(line)
  }

  private func writeNotificationV2(_ message: SimulatedMessage) throws {
    notifications += 1
    let isSubscription = notificationsV2.words.isSubscription(message.subject)
    let body = try notificationsV2.body(
      message, number: notifications, lacksRenewal: isSubscription && !hasSentNull, sign: sign)
    if isSubscription { hasSentNull = true }
    let isWrapped = random.chance(500)
    for delivery in 0..<message.deliveries {
      counts.notificationsV2 += 1
      let line =
        !isWrapped
        ? body
        : SimulatedJSON {
          $0.put("received_at", number: (message.at + Int64(delivery) * 3600) * 1000 + 125)
          $0.put("body", json: body.bytes)
        }
      try write(line.bytes, to: "notifications-v2")
    }
  }

  /// Without a directory nothing is kept, and nothing needs a signature.
  private func sign(_ payload: [UInt8]) throws -> [UInt8] {
    directory == nil ? [] : try signer.signed(payload)
  }

  private func addToHistory(_ message: SimulatedMessage) throws {
    counts.historyTransactions += 1
    let record = message.known
    let signed = try sign(notificationsV2.payloads.transaction(record, at: message.at).bytes)
    if !answers.contains(where: { $0.isSandbox == record.isSandbox }) {
      answers.append(HistoryAnswer(isSandbox: record.isSandbox))
    }
    let index = answers.firstIndex { $0.isSandbox == record.isSandbox }!
    answers[index].transactions.append(signed)
    guard answers[index].transactions.count == HistoryAnswer.limit else { return }
    try write(answers[index])
    answerPages += 1
    answers[index] = HistoryAnswer(isSandbox: record.isSandbox, page: answerPages)
  }

  private func write(_ answer: HistoryAnswer) throws {
    try write((hasAnswers ? [0x2C] : []) + answer.json.bytes, to: "history")
    hasAnswers = true
  }
}

/// A page of transactions, as the App Store Server API answers.
private struct HistoryAnswer {
  static let limit = 20
  let isSandbox: Bool
  /// 0 for the first one.
  var page = 0
  var transactions: [[UInt8]] = []

  var json: SimulatedJSON {
    SimulatedJSON { json in
      json.put("revision", "1686000000000_\(page == 0 ? "" : "\(page)_")\(transactions.count)")
      json.put("hasMore", transactions.count == Self.limit)
      json.put("bundleId", Stock.bundle)
      if !isSandbox { json.put("appAppleId", number: AppleWords.appID) }
      json.put("environment", isSandbox ? "Sandbox" : "Production")
      json.array("signedTransactions") { json in
        for transaction in transactions { json.element(.bytes(transaction)) }
      }
    }
  }
}
