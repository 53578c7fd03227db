import CZlib

/// One gzip member that holds `bytes`, without name and time, so that the same content gives the
/// same member.
package func gzipMember(_ bytes: some Collection<UInt8>) -> [UInt8] {
  var input = Array(bytes)
  var stream = z_stream()
  let gzipWindow: Int32 = 15 + 16
  var status = deflateInit2_(
    &stream, 6, Z_DEFLATED, gzipWindow, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
    Int32(MemoryLayout<z_stream>.size))
  precondition(status == Z_OK, "zlib refused to start")
  defer { deflateEnd(&stream) }
  var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))) + 64)
  let written = input.withUnsafeMutableBufferPointer { source in
    output.withUnsafeMutableBufferPointer { target in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(source.count)
      stream.next_out = target.baseAddress
      stream.avail_out = UInt32(target.count)
      status = deflate(&stream, Z_FINISH)
      return target.count - Int(stream.avail_out)
    }
  }
  precondition(status == Z_STREAM_END, "a member larger than its bound")
  output.removeLast(output.count - written)
  return output
}

package func gzipMember(_ text: String) -> [UInt8] { gzipMember(text.utf8) }
