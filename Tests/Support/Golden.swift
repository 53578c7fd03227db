import Foundation
package import Testing

/// Expects `text` to be what the golden file holds: `Golden/<name>` beside the calling test.
///
/// With `RECORD_GOLDEN=1` in the environment the file is written anew instead.
package func expectGolden(
  _ text: String, named name: String, beside test: String = #filePath,
  at location: Testing.SourceLocation = #_sourceLocation
) throws {
  let folder = URL(filePath: test).deletingLastPathComponent().appending(path: "Golden")
  let file = folder.appending(path: name)
  if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return
  }
  guard let golden = try? String(contentsOf: file, encoding: .utf8) else {
    Issue.record("no golden file \(name): record it with RECORD_GOLDEN=1", sourceLocation: location)
    return
  }
  if let difference = firstDifference(golden, text) {
    Issue.record("\(name) \(difference)", sourceLocation: location)
  }
}

/// Where two texts differ first, as line, expected and found; nil when they are equal.
package func firstDifference(_ expected: String, _ found: String) -> String? {
  if expected == found { return nil }
  let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
  let foundLines = found.split(separator: "\n", omittingEmptySubsequences: false)
  var line = 0
  while line < expectedLines.count, line < foundLines.count,
    expectedLines[line] == foundLines[line]
  { line += 1 }
  let expectedLine = line < expectedLines.count ? String(expectedLines[line]) : "(end)"
  let foundLine = line < foundLines.count ? String(foundLines[line]) : "(end)"
  return "differs in line \(line + 1)\n  expected: \(expectedLine)\n  found:    \(foundLine)"
}
