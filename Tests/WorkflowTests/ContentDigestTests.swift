import Testing

@testable import Workflow

@Suite struct ContentDigestTests {
  private func digest(_ bytes: [UInt8], runsOf size: Int) -> ContentDigest {
    var digest = ContentDigest()
    bytes.withUnsafeBytes { buffer in
      for start in stride(from: 0, to: buffer.count, by: size) {
        let end = min(start + size, buffer.count)
        digest.update(UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
      }
    }
    return digest
  }

  @Test func `knows the standard's own example`() {
    #expect(
      digest(Array("abc".utf8), runsOf: 2).sha256
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test(arguments: [1, 7, 65_535, 65_536, 65_537, 200_000])
  func `does not depend on how the bytes come`(size: Int) {
    let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let whole = digest(bytes, runsOf: bytes.count)
    let inRuns = digest(bytes, runsOf: size)
    #expect(inRuns.sha256 == whole.sha256)
    #expect(inRuns.headSHA256 == digest(Array(bytes.prefix(65_536)), runsOf: 9999).sha256)
    #expect(inRuns.byteCount == bytes.count)
  }
}
