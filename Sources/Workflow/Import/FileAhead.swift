/// The files of a call, of which the next ones are read before their turn comes: the first while
/// the ledger is opened, those that follow a file while that is loaded.
final class FileAhead {
  /// A daily report is one block, and whole before its turn comes. With a second one behind it all
  /// cores have work while the ledger commits.
  private static let mostFiles = 2

  private let request: ImportRequest
  private var waiting: ArraySlice<FoundInput>
  /// In the order of their turns.
  private var begun: [(file: FoundFile, pass: Result<ReadingPass, any Error>)] = []

  /// Begins to read the first of the call's files.
  init(_ inputs: [FoundInput], for request: ImportRequest) {
    self.request = request
    waiting = inputs[...]
    readAhead()
  }

  /// Returns the reading of the file whose turn has come, whether it was begun ahead or begins now,
  /// and begins those of the next files. Throws what says that the file cannot be opened.
  func take(_ file: FoundFile) throws -> ReadingPass {
    defer { readAhead() }
    if begun.first?.file == file { return try begun.removeFirst().pass.get() }
    waiting = waiting.drop { $0.file != file }.dropFirst()
    return try ReadingPass(file, for: request)
  }

  /// Begins to read the next files until `mostFiles` are being read.
  ///
  /// What cannot be opened is told when its turn comes. A pipe is left until then, because opening
  /// it would wait for its writer, and so is a file that is not there yet.
  private func readAhead() {
    while begun.count < Self.mostFiles, let file = waiting.first?.file, file.byteCount != nil,
      identity(of: file.container) != nil
    {
      waiting.removeFirst()
      begun.append((file, Result { try ReadingPass(file, for: request) }))
    }
  }

  /// Ends the reading of files that will not be loaded.
  ///
  /// - Parameter waits: false where their threads may never come to it; they end with the process.
  func cancel(waits: Bool) {
    for (_, pass) in begun {
      if case .success(let pass) = pass { pass.blocks.cancel(waits: waits) }
    }
    begun = []
  }
}
