internal import Billing

/// Takes a stream's records to a reader and its blocks to the sink, and keeps count.
struct RecordLoop<Reader: BlockSource> {
  var reader: Reader
  let log: ReadingLog
  let limits: ReadingLimits
  let sink: (consuming Reader.Block) throws -> Void
  fileprivate(set) var records = 0
  private(set) var rows = 0
  /// Of a table: the lines of its last record, and of the last one with fewer fields than the
  /// header.
  private(set) var lastLine = 0
  private(set) var lastShortLine = 0
  private var rejectsSent = 0

  /// - Parameters:
  ///   - log: what is wrong with the file.
  ///   - sink: takes the blocks of rows.
  init(
    reader: Reader, log: ReadingLog, limits: ReadingLimits,
    sink: @escaping (consuming Reader.Block) throws -> Void
  ) {
    self.reader = reader
    self.log = log
    self.limits = limits
    self.sink = sink
  }

  /// Rejects the line in which JSON breaks off at `offset`: a broken line of JSON lines is one bad
  /// row. Inside an array nothing after it can be trusted, and a diagnostic is thrown.
  ///
  /// - Parameters:
  ///   - expected: what should stand there.
  ///   - limit: the most bytes that a record may have.
  fileprivate mutating func rejectMalformed(
    _ stream: TextStream, offset: Int, expected: Wording, state: JSONState, limit: Int
  ) throws {
    while !(try stream.containsLineEnd(after: offset, limit: limit)) {}
    let bytes = stream.available
    let end = bytes[offset...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    let diagnostic = RecordDiagnostic(
      nil, "json", "@row.this-is-not-json \(expected)", offset: offset,
      help: "@row.export-the-file-again-comments")
    let raw = UnsafeRawBufferPointer(rebasing: bytes[..<end])
    stream.maskPasswords(end)
    guard !state.isArray else {
      throw log.diagnostic(
        diagnostic, raw: raw, offset: offset, line: stream.line, lineOffset: stream.lineOffset)
    }
    log.reject(
      diagnostic, raw: raw, offset: offset, line: stream.line, lineOffset: stream.lineOffset)
    records += 1
    let lines = raw.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    stream.start += end
    stream.line += lines
    stream.lineOffset = 0
  }

  /// Rejects the record of `length` bytes at `base`, without passwords.
  ///
  /// - Parameter offset: the place in it that is wrong; nil for the whole record.
  @inline(never)
  fileprivate mutating func reject(
    _ diagnostic: RecordDiagnostic, base: UnsafeRawPointer, length: Int, offset: Int?,
    _ stream: TextStream
  ) {
    stream.maskPasswords(length)
    log.reject(
      diagnostic, raw: UnsafeRawBufferPointer(start: base, count: length), offset: offset,
      line: stream.line, lineOffset: stream.lineOffset)
    records += 1
  }

  /// Hands the rows to the sink as a block when they, or the rejects, are as many as one may have.
  @inline(__always)
  fileprivate mutating func sendFullBlock() throws {
    if reader.pending >= limits.rowsPerBlock || log.rejects.count >= limits.rejectsPerBlock {
      try send()
    }
  }

  /// Hands the last rows and rejects to the sink, and checks that no record was lost.
  fileprivate mutating func sendRest() throws {
    if reader.pending > 0 || !log.rejects.isEmpty { try send() }
    precondition(
      rows + rejectsSent + reader.footerCount == records && rejectsSent == log.rejectedCount,
      "records of the file are its rows, its rejects and its footers")
  }

  /// Hands the rows and rejects since the last block to the sink.
  @inline(never)
  private mutating func send() throws {
    var block = reader.takeBlock()
    block.rejects = log.takeRejects()
    rows += block.rowCount
    rejectsSent += block.rejects.count
    try sink(block)
  }
}

extension RecordLoop where Reader: RowReader {
  /// Reads the delimited records from where the stream stands to the end of the file.
  mutating func run(_ stream: TextStream, _ divider: Divider) throws {
    while true {
      let bytes = stream.available
      guard let base = bytes.baseAddress, !bytes.isEmpty else {
        if try stream.refill() { continue }
        break
      }
      let start = stream.line
      switch divider.divide(base, bytes.count, line: start) {
      case .record(let record, let length, let lines, let isCopy):
        if length > limits.recordLength { throw stream.overlong() }
        lastLine = start
        do throws(RecordDiagnostic) {
          records &+= try reader.read(record)
        } catch {
          let offset =
            error.offset
            ?? error.field.map {
              $0 < 0 ? 0 : isCopy ? Int(divider.buffer.rawStarts[$0]) : record.start(of: $0)
            }
          reject(error, base: base, length: length, offset: offset, stream)
        }
        stream.start &+= length
        stream.line = start &+ lines
      case .blank(let length):
        stream.start += length
        stream.line += 1
      case .diagnostic(let diagnostic, let length, let lines):
        if length > limits.recordLength { throw stream.overlong() }
        if reader.isBehindTable(UnsafeRawBufferPointer(start: base, count: length)) {
          records += 1
        } else {
          reject(diagnostic, base: base, length: length, offset: diagnostic.offset, stream)
        }
        stream.start += length
        stream.line += lines
      case .incomplete:
        if bytes.count > limits.recordLength { throw stream.overlong() }
        if try stream.refill() { continue }
        throw Diagnostic(
          topic: "quotes", at: SourceLocation(file: stream.file, line: stream.line),
          "@row.file-ends-inside-a-quoted",
          help: "@row.file-is-truncated")
      }
      try sendFullBlock()
    }
    lastShortLine = divider.buffer.shortLine
    try sendRest()
  }
}

extension RecordLoop where Reader: PieceReader {
  /// Reads the pieces from where the stream stands to the end of the file.
  mutating func run(_ stream: TextStream) throws {
    let limit = limits.purchaseLength
    while true {
      let bytes = stream.available
      guard let base = bytes.baseAddress, !bytes.isEmpty else {
        if try stream.refill() { continue }
        break
      }
      let whole = reader.length(ofPieceIn: bytes)
      if whole == nil, bytes.count <= limit, try stream.refill() { continue }
      let length = whole ?? bytes.count
      if length > limit { throw stream.overlong(limit) }
      let piece = UnsafeRawBufferPointer(start: base, count: length)
      do throws(RecordDiagnostic) {
        records &+= try reader.read(piece, line: Int32(clamping: stream.line))
      } catch {
        reject(error, base: base, length: length, offset: error.offset, stream)
      }
      stream.line += piece.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
      stream.start += length
      try sendFullBlock()
    }
    try sendRest()
  }
}

extension RecordLoop where Reader: TapeReader {
  /// Reads the JSON records from where the stream stands to the end of the file, of any depth: in
  /// an array, or one after the other.
  ///
  /// - Parameters:
  ///   - forms: what a record may be.
  ///   - depth: objects that the array lies inside.
  mutating func run(
    _ stream: TextStream, _ forms: JSONState.Forms, depth: Int = 0
  ) throws {
    let tape = JSONTape()
    let limit = forms == .objects ? limits.recordLength : limits.purchaseLength
    func tooLong() -> Diagnostic {
      stream.overlong(limit, help: "@text.record-ends-nowhere-or-is-large")
    }
    var state = JSONState(forms, depth: depth)
    var expected = 0
    while let first = try state.next(stream) {
      let bytes = stream.available
      if stream.readings > expected {
        reader.expect(bytes)
        expected = stream.readings
      }
      let base = bytes.baseAddress!
      let isBare = first != 0x7B && first != 0x22
      switch isBare ? tape.readBare(base, bytes.count) : tape.read(base, bytes.count) {
      case .value:
        if tape.length > limit { throw tooLong() }
        do throws(RecordDiagnostic) {
          records &+= try reader.read(tape, line: stream.line)
        } catch {
          reject(error, base: base, length: tape.length, offset: error.offset, stream)
        }
        state.take(stream, length: tape.length, lines: tape.lines)
      case .diagnostic(let diagnostic):
        if tape.length > limit { throw tooLong() }
        reject(diagnostic, base: base, length: tape.length, offset: diagnostic.offset, stream)
        state.take(stream, length: tape.length, lines: tape.lines)
      case .malformed(let offset, let expected):
        try rejectMalformed(
          stream, offset: offset, expected: expected, state: state, limit: limit)
      case .incomplete:
        if bytes.count > limit { throw tooLong() }
        if try stream.refill() { continue }
        throw Diagnostic(
          topic: "json", at: SourceLocation(file: stream.file, line: stream.line),
          forms == .objects
            ? "@row.file-ends-inside-the-object"
            : "@row.file-ends-inside-the-record",
          help: "@shared.file-is-truncated-export")
      }
      try sendFullBlock()
    }
    try sendRest()
  }
}

extension TextStream {
  /// Whether a line end lies behind `offset`, or none is to be expected: at the end of the file,
  /// and past `limit` bytes. Where neither holds, reads more and returns false.
  fileprivate func containsLineEnd(after offset: Int, limit: Int) throws -> Bool {
    if available[offset...].contains(0x0A) { return true }
    if end - start > limit { return true }
    return !(try refill())
  }
}
