internal import Billing

extension OwnWork {
  /// Throws a diagnostic when the stream is a copy of a ledger.
  func refuseLedger(_ stream: TextStream) throws {
    let bytes = stream.available
    guard !ledgers.isEmpty, bytes.count >= Self.idPlace + 4,
      bytes.starts(with: "SQLite format 3\0".utf8)
    else { return }
    let id = bytes[Self.idPlace..<Self.idPlace + 4].reduce(0) { $0 << 8 | Int32($1) }
    if ledgers.contains(id) { throw refusal(stream.file) }
  }

  /// Where SQLite keeps the number that says whose a file is.
  private static let idPlace = 68

  /// Throws a diagnostic when a file is a list or a text of Tieout's, by its first line.
  func refuse(_ line: String, _ header: Header) throws {
    let isOpening = openings.contains { fits(Array(line.utf8)[...], Array($0.utf8)[...]) }
    if isOpening || isList(header) { throw refusal(header.file) }
  }

  /// Throws a diagnostic when JSON is a document or a list of Tieout's, by its keys.
  ///
  /// - Parameter rows: the keys of rows inside the document, where it has one key alone.
  func refuse(keys: [String], rows: [String] = [], file: String) throws {
    let all = keys + rows
    let inner = rows.isEmpty ? keys : rows
    if documents.contains(where: { all.starts(with: $0) })
      || isList(Header(file: file, line: 0, separator: 0x2C, printed: inner))
    {
      throw refusal(file)
    }
  }

  /// Whether the columns are those of a list that Tieout writes, in any order, or have three of
  /// them that no input has together.
  private func isList(_ header: Header) -> Bool {
    let names = Set(header.names)
    return lists.contains { Set($0.map(Header.normalised)) == names }
      || [["entry", "account", "narration"], ["code", "severity", "explanation"]]
        .contains { names.isSuperset(of: $0) }
  }

  /// The diagnostic of a file that Tieout wrote itself.
  private func refusal(_ file: String) -> Diagnostic {
    var refusal = Diagnostic(
      topic: "kind", at: SourceLocation(file: file), "@file.this-list-was-written-by",
      help: "@file.leave-the-file-out")
    refusal.leftOut = .ownWork
    return refusal
  }
}
