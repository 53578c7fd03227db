import Billing
import Testing

@testable import Reading

/// A file's bytes in pieces, each read when it is asked for or before.
struct BytePiecesTests {
  private struct Broken: Error, Equatable {}

  /// What a source gives, and how often it was asked.
  private final class Given: @unchecked Sendable {
    let bytes: [UInt8]
    let chunk: Int
    /// Of the call that fails.
    let failure: Int?
    private(set) var place = 0
    private(set) var calls = 0

    init(_ count: Int, chunk: Int = .max, failure: Int? = nil) {
      bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 251) }
      (self.chunk, self.failure) = (chunk, failure)
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
      calls += 1
      if calls == failure { throw Broken() }
      let count = min(chunk, buffer.count, bytes.count - place)
      buffer.copyBytes(from: bytes[place..<place + count])
      place += count
      return count
    }
  }

  private func pieces(
    of given: Given, size: Int, readsAhead: Bool,
    tap: @escaping (UnsafeRawBufferPointer) -> Void = { _ in }
  ) -> BytePieces {
    BytePieces(
      ByteInput(file: "a", blockSize: size, source: given.fill, tap: tap), size: size,
      readsAhead: readsAhead)
  }

  @Test(arguments: [0, 1, 63, 64, 65, 127, 128, 129, 1000, 64 * 40], [false, true])
  func eachPieceStandsBehindWhatIsKept(count: Int, readsAhead: Bool) throws {
    for chunk in [1, 5, 64, .max] {
      let given = Given(count, chunk: chunk)
      var tapped: [UInt8] = []
      let pieces = pieces(of: given, size: 64, readsAhead: readsAhead) { tapped += $0 }
      var seen: [UInt8] = []
      try pieces.reading {
        var window = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        var kept = 0
        repeat {
          // None, some or all of a piece, and never more than one.
          kept = min(window.count, [0, 1, 13, 64][seen.count / 64 % 4])
          let before = Array(window.suffix(kept))
          window = try pieces.next(
            keeping: UnsafeRawBufferPointer(rebasing: window[(window.count - kept)...]))
          #expect(Array(window.prefix(kept)) == before)
          seen += window[kept...]
        } while window.count - kept == 64
      }
      #expect(seen == given.bytes && tapped == given.bytes)
    }
  }

  /// What cannot be read is told in its turn: what came before it was there.
  @Test(arguments: [false, true])
  func failureComesBehindWhatWasRead(readsAhead: Bool) {
    let given = Given(640, chunk: 64, failure: 4)
    var seen = 0
    #expect(throws: Broken.self) {
      let pieces = pieces(of: given, size: 64, readsAhead: readsAhead)
      try pieces.reading {
        while true {
          seen += try pieces.next(keeping: UnsafeRawBufferPointer(start: nil, count: 0)).count
        }
      }
    }
    #expect(seen == 3 * 64)
  }

  /// Who has seen enough leaves, and nothing is read any more then.
  @Test func nothingIsReadOnceTheReaderLeft() throws {
    for taken in 0..<4 {
      let given = Given(64 * 1000)
      let pieces = pieces(of: given, size: 64, readsAhead: true)
      #expect(throws: Broken.self) {
        try pieces.reading {
          for _ in 0..<taken {
            _ = try pieces.next(keeping: UnsafeRawBufferPointer(start: nil, count: 0))
          }
          throw Broken()
        }
      }
      // The piece that is used, the one after it, and one that was begun.
      #expect(given.calls <= taken + 3)
    }
  }
}
