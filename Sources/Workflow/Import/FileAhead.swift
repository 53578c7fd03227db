/// The files of a call, of which the next is read before its turn comes: the first one while the
/// ledger is opened, one that follows a file while that is loaded.
final class FileAhead {
  private let request: ImportRequest
  private var waiting: ArraySlice<FoundInput>
  private var begun: (file: FoundFile, pass: Result<ReadingPass, any Error>)?

  /// Begins to read the first.
  init(_ inputs: [FoundInput], for request: ImportRequest) {
    self.request = request
    waiting = inputs[...]
    begin()
  }

  /// The reading of the file whose turn has come; that of the next one begins. Throws what says
  /// that the file cannot be opened.
  func take(_ file: FoundFile) throws -> ReadingPass {
    defer { begin() }
    if let (ahead, pass) = begun, ahead == file {
      begun = nil
      return try pass.get()
    }
    waiting = waiting.drop { $0.file != file }.dropFirst()
    return try ReadingPass(file, for: request)
  }

  /// What cannot be opened is told when its turn comes. A pipe is left until then, because opening
  /// it would wait for its writer, and so is a file that is not there yet.
  private func begin() {
    guard begun == nil, let file = waiting.first?.file, file.byteCount != nil,
      identity(of: file.container) != nil
    else { return }
    waiting.removeFirst()
    begun = (file, Result { try ReadingPass(file, for: request) })
  }

  /// Ends the reading of a file that will not be loaded.
  ///
  /// - Parameter waits: false where its thread may never come to it; that ends with the process.
  func cancel(waits: Bool) {
    if case .success(let pass)? = begun?.pass { pass.blocks.cancel(waits: waits) }
    begun = nil
  }
}
