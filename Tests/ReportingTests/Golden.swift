import Foundation
import Testing

/// Compares `text` with the file `name` beside the tests; where TIEOUT_RECORD_GOLDEN is set, writes
/// the file instead.
func expectGolden(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(name)")
  if ProcessInfo.processInfo.environment["TIEOUT_RECORD_GOLDEN"] != nil {
    try Data(text.utf8).write(to: file)
    return
  }
  let golden = try String(contentsOf: file, encoding: .utf8)
  guard golden != text else { return }
  let was = golden.split(separator: "\n", omittingEmptySubsequences: false)
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  let first = zip(was, lines).prefix { $0 == $1 }.count
  Issue.record(
    """
    \(name):\(first + 1) differs
    was \(first < was.count ? was[first] : "(end)")
    is  \(first < lines.count ? lines[first] : "(end)")
    """, sourceLocation: sourceLocation)
}
