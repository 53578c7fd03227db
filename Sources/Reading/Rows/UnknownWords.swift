internal import Billing

/// Values of closed vocabularies that are not known, each once, in the order of the file. They are
/// kept as they were written.
struct UnknownWords {
  private var words: [String] = []
  private var line = 0
  private static let named = 5
  private static let limit = 1000

  /// Keeps a word, once; an empty one is none.
  ///
  /// - Parameters:
  ///   - word: the field and its value, as ``unknownWord(_:_:)`` puts them.
  ///   - newest: the line on which it stands.
  mutating func add(_ word: String, line newest: Int32) {
    guard !word.isEmpty, words.count < Self.limit, !words.contains(word) else { return }
    if words.isEmpty { line = Int(newest) }
    words.append(word)
  }

  /// Adds one warning for all of them to the log.
  ///
  /// - Parameter counts: rows that have a word, where that is known.
  func warn(_ log: ReadingLog, counts: [String: Int64] = [:], help: Wording) {
    guard !words.isEmpty else { return }
    let told = words.prefix(Self.named).map { word in
      counts[word].flatMap { $0 > 1 ? "\(word) (\(grouped($0)))" : nil } ?? word
    }
    let list = told.joined(separator: ", ") + (words.count > Self.named ? ", …" : "")
    log.warn(
      "word", line: line,
      counted(words.count, "@row.1-value-is-not-known \(list)") {
        "@row.values-are-not-known \($0) \(list)"
      },
      help: help)
  }
}

/// A field with a value that is not known, as it was written: `type "Subscription Bundle"`.
func unknownWord(_ field: String, _ value: UnsafeRawBufferPointer) -> String {
  "\(field) \(shown(value))"
}
