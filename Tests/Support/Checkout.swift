import Foundation

/// The folder of the checkout, found from where this file was compiled.
package let checkout = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)

/// The path of a file or folder of the shared data, which stand beside the checkout or where
/// `TIEOUT_SHARED_DATA` says. Nil, and a line that says so, where they are absent.
package func sharedData(_ path: String) -> String? {
  let root =
    ProcessInfo.processInfo.environment["TIEOUT_SHARED_DATA"] ?? checkout + "/../shared/data"
  let full = root + "/" + path
  if FileManager.default.fileExists(atPath: full) { return full }
  FileHandle.standardError.write(Data("skipped: shared data absent (\(path))\n".utf8))
  return nil
}
