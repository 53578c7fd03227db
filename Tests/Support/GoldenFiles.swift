import Foundation

/// Where `text` differs first from what the golden file holds, which is `Golden/<name>` beside the
/// calling test; nil where they are equal.
///
/// With `TIEOUT_RECORD_GOLDEN` in the environment the file is written anew instead.
package func differenceFromGolden(
  _ text: String, named name: String, beside test: String = #filePath
) throws -> String? {
  let folder = URL(filePath: test).deletingLastPathComponent().appending(path: "Golden")
  let file = folder.appending(path: name)
  if ProcessInfo.processInfo.environment["TIEOUT_RECORD_GOLDEN"] != nil {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return nil
  }
  guard let golden = try? String(contentsOf: file, encoding: .utf8) else {
    return "no golden file \(name): record it with TIEOUT_RECORD_GOLDEN=1"
  }
  return firstDifference(golden, text).map { "\(name) \($0)" }
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
