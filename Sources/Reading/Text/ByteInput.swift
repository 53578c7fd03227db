internal import Billing
internal import CZlib

/// Supplies a file's raw bytes, packed or not: fills the buffer, returns the count, 0 at the end.
package typealias ByteSource = (UnsafeMutableRawBufferPointer) throws -> Int

/// A file's bytes, unpacked where they are gzip: one member or several, with zeros after the last
/// at most. What is truncated or damaged is an error, never fewer bytes.
final class ByteInput {
  private let file: String
  private let source: ByteSource
  private let tap: (UnsafeRawBufferPointer) -> Void
  private let input: UnsafeMutableRawBufferPointer
  private var next = 0
  private var filled = 0
  private var sourceEnded = false
  private var consumed = 0
  private var inflater: UnsafeMutablePointer<z_stream>?
  private var memberEnded = false
  private var begun = false

  /// - Parameters:
  ///   - file: its name in diagnostics.
  ///   - blockSize: bytes that are asked of `source` at a time while they are unpacked.
  ///   - tap: is handed all unpacked bytes, in their order.
  init(
    file: String, blockSize: Int, source: @escaping ByteSource,
    tap: @escaping (UnsafeRawBufferPointer) -> Void
  ) {
    self.file = file
    self.source = source
    self.tap = tap
    input = .allocate(byteCount: max(blockSize, 4), alignment: 16)
  }

  deinit {
    input.deallocate()
    if let inflater {
      inflateEnd(inflater)
      inflater.deallocate()
    }
  }

  /// Whether the bytes are gzip; known once some were read.
  var isPacked: Bool { inflater != nil }

  /// Fills `output` with unpacked bytes, less only at the end of the file. Returns the count, 0 at
  /// the end.
  func read(into output: UnsafeMutableRawBufferPointer) throws -> Int {
    if !begun { try begin() }
    var count = 0
    while count < output.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: output[count...])
      let step = try inflater == nil ? readPlain(into: rest) : readInflated(into: rest)
      if step == 0 { break }
      count += step
    }
    if count > 0 { tap(UnsafeRawBufferPointer(rebasing: output[..<count])) }
    return count
  }

  /// Reads the first bytes, and starts to unpack if they are those of gzip.
  private func begin() throws {
    begun = true
    while filled < 2, try fillInput() {}
    guard filled >= 2, input[0] == 0x1F, input[1] == 0x8B else { return }
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let gzipOnly: Int32 = 15 + 16
    let status = inflateInit2_(
      stream, gzipOnly, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib does not start")
    inflater = stream
  }

  /// Appends packed or first bytes from the source to the input; false at its end.
  private func fillInput() throws -> Bool {
    if sourceEnded { return false }
    if next == filled {
      next = 0
      filled = 0
    }
    let count = try source(UnsafeMutableRawBufferPointer(rebasing: input[filled...]))
    precondition(count >= 0 && filled + count <= input.count, "a byte source overran its buffer")
    if count == 0 { sourceEnded = true }
    filled += count
    consumed += count
    return count > 0
  }

  /// Puts bytes of a file that is not packed into `output`; returns how many, 0 at the end.
  private func readPlain(into output: UnsafeMutableRawBufferPointer) throws -> Int {
    if next == filled {
      if sourceEnded { return 0 }
      // Past the first bytes nothing needs looking at: straight to the reader's buffer.
      let count = try source(output)
      precondition(count >= 0 && count <= output.count, "a byte source overran its buffer")
      if count == 0 { sourceEnded = true }
      return count
    }
    let count = min(output.count, filled - next)
    output.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[next..<next + count]))
    next += count
    return count
  }

  /// Puts unpacked bytes into `output`; returns how many, 0 at the end. Throws a diagnostic of
  /// damaged or truncated gzip.
  private func readInflated(into output: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let stream = inflater else { return 0 }
    while true {
      if memberEnded {
        guard try beginNextMember(stream) else { return 0 }
      }
      if next == filled, !(try fillInput()) {
        throw gzipDiagnostic(
          "@text.gzip-data-ends-early-bytes \(consumed)",
          help: "@text.file-is-truncated-download")
      }
      stream.pointee.next_in = input.baseAddress!.assumingMemoryBound(to: UInt8.self) + next
      stream.pointee.avail_in = UInt32(filled - next)
      stream.pointee.next_out = output.baseAddress!.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(min(output.count, 1 << 30))
      let room = Int(stream.pointee.avail_out)
      let status = inflate(stream, Z_NO_FLUSH)
      next = filled - Int(stream.pointee.avail_in)
      guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
        throw gzipDiagnostic(
          "@text.gzip-data-is-damaged-near \(consumed - (filled - next))",
          help: "@text.file-was-changed")
      }
      if status == Z_STREAM_END { memberEnded = true }
      let count = room - Int(stream.pointee.avail_out)
      if count > 0 { return count }
    }
  }

  /// Looks past the end of a member: true at another one, false after nothing or zeros up to the
  /// end of the file; throws a diagnostic of anything else.
  private func beginNextMember(_ stream: UnsafeMutablePointer<z_stream>) throws -> Bool {
    var padding = false
    while true {
      if next == filled, !(try fillInput()) { return false }
      if input[next] == 0 {
        padding = true
        next += 1
      } else if padding || input[next] != 0x1F {
        throw gzipDiagnostic(
          "@text.there-is-other-data-after \(consumed - (filled - next))",
          help: "@text.file-was-joined-to-something")
      } else {
        memberEnded = false
        let status = inflateReset(stream)
        precondition(status == Z_OK, "zlib does not start again")
        return true
      }
    }
  }

  /// A diagnostic of the file's packing.
  private func gzipDiagnostic(_ message: Wording, help: Wording) -> Diagnostic {
    Diagnostic(topic: "gzip", at: SourceLocation(file: file), message, help: help)
  }
}
