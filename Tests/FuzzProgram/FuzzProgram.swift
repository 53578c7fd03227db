import Rereading

/// Feeds the readers what libFuzzer makes of files, guided by the code that it reaches. Built by
/// `Tests/fuzz.sh`, with libFuzzer's own `main`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReaders(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let faults = faults(ofReading: bytes)
  precondition(faults.isEmpty, faults.joined(separator: "\n"))
  return 0
}
