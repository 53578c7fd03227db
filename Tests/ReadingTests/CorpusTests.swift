import Foundation
import Rereading
import Support
import Testing

/// Goal: what fuzzing found stays mended. Method: each file of `Tests/Torture/corpus` is read as
/// the fuzzer reads it.
@Suite struct CorpusTests {
  @Test func filesOfTheCorpusAreReadOrRefused() throws {
    let folder = URL(filePath: checkout + "/Tests/Torture/corpus")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(files.count > 100)
    for file in files {
      let faults = faults(ofReading: [UInt8](try Data(contentsOf: file)))
      #expect(faults == [], "\(file.lastPathComponent)")
    }
  }
}
