import Foundation
import Support
import Testing

/// Goal: who knows the map finds every room, and no room is a heap. Method: the folders of
/// `Sources` against `Sources/README.md`, both ways, and their files counted.
struct FolderTests {
  /// Folders of our Swift code, to the second level: `Reading`, `Reading/Text`.
  private static let folders: Set<String> = Set(
    SourceFile.swift.filter(\.isSource).flatMap { file in
      let parts = file.path.split(separator: "/").dropFirst().dropLast()
      return [parts.prefix(1), parts.prefix(2)].map { $0.joined(separator: "/") }
    })

  private static let map: String = {
    let file = URL(filePath: checkout).appending(path: "Sources/README.md")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      preconditionFailure("Sources has no map")
    }
    return text
  }()

  /// What the map names as code: `Reading`, `Reading/Text`, and in the row of a room also `Text`
  /// for one of its folders.
  private static let named: Set<String> = {
    var named: Set<String> = []
    for line in map.split(separator: "\n") {
      let words = line.matches(of: #/`([A-Za-z]+(?:/[A-Za-z]+)?)/?`/#).map { String($0.1) }
      named.formUnion(words)
      guard line.hasPrefix("| `"), let room = words.first else { continue }
      named.formUnion(words.dropFirst().map { "\(room)/\($0)" })
    }
    return named
  }()

  @Test func theMapNamesEachFolder() {
    for folder in Self.folders.subtracting(Self.named).sorted() {
      Issue.record("Sources/README.md does not name \(folder)")
    }
  }

  /// A room and a folder with a slash between them, or a room at the beginning of a row.
  @Test func eachFolderOfTheMapIsThere() {
    let rows = Self.map.split(separator: "\n").compactMap { line in
      line.firstMatch(of: #/^\| `([A-Za-z]+)`/#).map { String($0.1) }
    }
    let rooms = Set(Self.folders.map { String($0.split(separator: "/")[0]) })
    let inside = Self.map.matches(of: #/`([A-Za-z]+)/([A-Za-z]+)/?`/#)
      .filter { rooms.contains(String($0.1)) }.map { "\($0.1)/\($0.2)" }
    for folder in Set(rows + inside).sorted() {
      let isThere = FileManager.default.fileExists(atPath: checkout + "/Sources/" + folder)
      #expect(isThere, "Sources/README.md: there is no \(folder)")
    }
  }

  /// Folders that hold more files than a reader takes in at once. This list may only become
  /// shorter.
  private static let large: [String: Int] = [:]

  @Test func foldersStaySmall() {
    let folders = Dictionary(grouping: SourceFile.swift.filter(\.isSource)) {
      $0.path.split(separator: "/").dropLast().joined(separator: "/")
    }
    for (folder, files) in folders {
      let limit = Self.large[folder] ?? 22
      #expect(files.count <= limit, "\(folder): \(files.count) files, more than \(limit)")
    }
    for (folder, limit) in Self.large {
      #expect((folders[folder]?.count ?? 0) > 22, "\(folder): take it off the list of \(limit)")
    }
  }
}
