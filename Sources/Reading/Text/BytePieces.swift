internal import Billing

/// A file's unpacked bytes in pieces of one size, of which only the last is shorter. Where it reads
/// ahead, a thread of its own reads, unpacks and hashes the next piece while one is used.
final class BytePieces: @unchecked Sendable {
  let size: Int
  private let bytes: ByteInput
  private let pieces: [Piece]
  /// Between the reader and the thread that reads ahead of it; nil where none does.
  private let turns: DoubleBuffer?
  /// Pieces that were handed to the reader.
  private var taken = 0

  /// The room of a piece, which one thread has at a time.
  private final class Piece {
    /// Where it begins, behind room for as much of the one before it.
    let start: UnsafeMutableRawPointer
    private let room: UnsafeMutableRawPointer
    var count: Result<Int, any Error> = .success(0)
    /// Bytes behind it that may be written, as a line end is, or loaded.
    static let spare = 16 + overrun

    /// - Parameter size: bytes of a piece; there is room for as many before it.
    init(size: Int) {
      room = .allocate(byteCount: 2 * size + Self.spare, alignment: 16)
      start = room + size
    }

    deinit { room.deallocate() }
  }

  /// - Parameters:
  ///   - size: bytes of a piece.
  ///   - readsAhead: whether a thread of its own reads the next piece while one is used. What may
  ///     give no more bytes for a while, as a pipe may, is better not read ahead: an error in its
  ///     first piece would wait for the second.
  init(_ bytes: ByteInput, size: Int, readsAhead: Bool = false) {
    self.bytes = bytes
    let size = max(size, 64)
    self.size = size
    turns = readsAhead ? DoubleBuffer() : nil
    pieces = [Piece(size: size), Piece(size: size)]
  }

  /// Whether the file is gzip; known once its first piece was taken.
  var isPacked: Bool { bytes.isPacked }

  /// Runs `body`, which calls ``next(keeping:)``; where pieces are read ahead, they are only while
  /// it runs.
  func reading<Value>(_ body: () throws -> Value) throws -> Value {
    guard let turns else { return try body() }
    return try turns.using(body) { [self] in fill($0) }
  }

  /// Reads the next piece into one of the two rooms. False at the end of the file, and where it
  /// cannot be read to it.
  private func fill(_ room: Int) -> Bool {
    let piece = pieces[room]
    piece.count = Result {
      try bytes.read(into: UnsafeMutableRawBufferPointer(start: piece.start, count: size))
    }
    let count = (try? piece.count.get()) ?? 0
    (piece.start + count).initializeMemory(as: UInt8.self, repeating: 0, count: Piece.spare)
    return count == size
  }

  /// The next piece, behind a copy of the bytes `kept` of those before it; valid until the next
  /// call. Behind its end there is room for a byte.
  ///
  /// - Parameter kept: of the pieces before, at most as many bytes as a piece has.
  /// - Throws: a `Diagnostic` of damaged gzip data, and what the source throws: in the place of the
  ///   piece that could not be read.
  /// - Precondition: no piece was shorter than `size`.
  func next(keeping kept: UnsafeRawBufferPointer) throws -> UnsafeMutableRawBufferPointer {
    precondition(kept.count <= size)
    let place = taken & 1
    if let turns { turns.waitForNext() } else { _ = fill(place) }
    let piece = pieces[place]
    let count = try piece.count.get()
    let start = piece.start - kept.count
    if let bytes = kept.baseAddress { start.copyMemory(from: bytes, byteCount: kept.count) }
    if taken > 0 { turns?.giveBack() }
    taken += 1
    return UnsafeMutableRawBufferPointer(start: start, count: kept.count + count)
  }
}
