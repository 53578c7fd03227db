import CZlib

/// One gzip member with these bytes.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
  var stream = z_stream()
  var output = [UInt8](repeating: 0, count: bytes.count + 1024)
  var input = bytes
  let status = deflateInit2_(
    &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
    Int32(MemoryLayout<z_stream>.size))
  precondition(status == Z_OK)
  let count = input.withUnsafeMutableBufferPointer { input in
    output.withUnsafeMutableBufferPointer { output in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(output.count)
      precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END)
      deflateEnd(&stream)
      return output.count - Int(stream.avail_out)
    }
  }
  return Array(output[..<count])
}

func gzip(_ text: String) -> [UInt8] { gzip(Array(text.utf8)) }
