package import Billing
import Foundation
import Reading
import Reporting

/// A file to import: one on disk, or one in an archive there.
struct FoundFile: Hashable {
  /// Of a file in an archive, the archive's path and its own in it.
  var path: String
  var member: ZipMember?
  /// Of a workbook of which several sheets are read, one of them; its path ends with the name.
  var sheet: String?
  /// Of a warehouse's table of which each report is read by itself, the table and which of them.
  var copy: ReportCopy?
  /// Whether somebody named it, and not only a folder that it lies in.
  var isNamed = false

  /// The path of the file on disk.
  var container: String {
    if let copy { return copy.container }
    guard let sheet else { return member?.archive ?? path }
    return String(path.dropLast(sheet.count + 1))
  }

  /// In bytes; nil for a pipe, which has no size, and 0 where there is no file.
  var byteCount: Int? {
    if let member { return member.size }
    if let copy { return copy.slice.byteCount }
    guard path != RawFile.standardInput else { return nil }
    guard case .success(let status) = status(of: container) else { return 0 }
    return status.kind == .regular ? status.size : nil
  }
}

/// A report of Apple's in a warehouse's table.
struct ReportCopy: Hashable {
  let table: WarehouseTable
  let index: Int
  /// The path on disk of the table, or of the archive that it is in.
  let container: String
  var slice: WarehouseTable.Slice { table.slices[index] }
}

/// A file to import, or why there is none at a place where one was asked for.
enum FoundInput {
  case file(FoundFile)
  /// In a folder, and by its name nothing that is imported: a picture, a key, a page to read; or a
  /// workbook that Tieout wrote.
  case leftOut(LeftOutFile)
  case diagnostic(Diagnostic)

  var file: FoundFile? {
    if case .file(let file) = self { file } else { nil }
  }

  /// The file's bytes on disk; 0 where there is no file, nil for a pipe, whose size is not known.
  var byteCount: Int? { file.map(\.byteCount) ?? 0 }
}

/// A file that is none to import, and why.
package struct LeftOutFile: Hashable, Sendable {
  package var path: String
  package var reason: LeftOutReason
}

extension [FoundInput] {
  /// The bytes of all files on disk together; 0 when one of them is a pipe, whose size is not
  /// known.
  var byteCount: Int {
    let sizes = map(\.byteCount)
    return sizes.contains(nil) ? 0 : sizes.reduce(0) { $0 + ($1 ?? 0) }
  }
}

/// The files under `paths`, in the order that they are imported in: paths as given, and inside a
/// folder by the bytes of their names, folders among them in place.
///
/// Hidden files inside folders are left out, and so are the program's own: a configuration, and
/// what `excluded` names, for the ledger may lie in a folder that is imported. Links are followed,
/// but no folder is entered again from within itself.
///
/// - Parameter mappings: each sheet of a workbook that one of them names is a file of its own,
///   where there are several.
func inputFiles(
  under paths: [String], excluding excluded: Set<FileIdentity> = [],
  mappings: [TableMapping] = []
) -> [FoundInput] {
  let walk = Walk(excluded: excluded, mappings: mappings)
  var found: [FoundInput] = []
  for path in paths { walk.walk(path, isNamed: true, above: [], into: &found) }
  return found
}

/// Goes through folders, archives and workbooks.
private struct Walk {
  let excluded: Set<FileIdentity>
  let mappings: [TableMapping]

  /// Appends what is to be imported at a path, going down into folders and archives, or a
  /// diagnostic where there is nothing.
  ///
  /// - Parameters:
  ///   - isNamed: whether the user named the path itself, and not a folder that it lies in.
  ///   - above: the folders that were entered on the way to it.
  func walk(
    _ path: String, isNamed: Bool, above: [FileIdentity], into found: inout [FoundInput]
  ) {
    if path == RawFile.standardInput, isNamed {
      found.append(.file(FoundFile(path: path, isNamed: true)))
      return
    }
    let status: FileStatus
    switch Workflow.status(of: path) {
    case .failure(let code):
      found.append(.diagnostic(unreadableFile(path, code)))
      return
    case .success(let value): status = value
    }
    let identity = status.identity
    guard !excluded.contains(identity) else { return }
    switch status.kind {
    case .folder:
      guard !above.contains(identity) else { return }
      walkFolder(path, above: above + [identity], into: &found)
    case .regular where !isNamed && isNoInput(path):
      found.append(.leftOut(LeftOutFile(path: path, reason: .name)))
    case .regular: found += files(at: path, isNamed: isNamed)
    case .pipe where isNamed, .characters where isNamed:
      found.append(.file(FoundFile(path: path, isNamed: true)))
    default:
      found.append(
        .diagnostic(
          Diagnostic(
            topic: "path", at: SourceLocation(file: path), "@import.neither-a-file-nor",
            help: "@import.name-files-and-folders-only")))
    }
  }

  /// The file at a path, or the files of the archive that it is. What an archive has beside files
  /// is left out like hidden files of a folder.
  private func files(at path: String, isNamed: Bool) -> [FoundInput] {
    do {
      let whole = FoundInput.file(FoundFile(path: path, isNamed: isNamed))
      let file = try RawFile(path: path)
      guard let archive = try file.archive(path: path) else {
        return try copies(at: path, file, in: path) ?? [whole]
      }
      if Spreadsheet.isOne(archive) {
        let book = Spreadsheet(file: path, archive, source: file.read(at:count:))
        if book.author == workbookAuthor {
          return [.leftOut(LeftOutFile(path: path, reason: .ownWork))]
        }
        let several = try sheets(of: path, book)
        return several.isEmpty ? [whole] : several
      }
      let files = archive.members.filter { !$0.isFolder && !isHidden($0.name) }
      return try files.flatMap { member -> [FoundInput] in
        let inside = path + "/" + member.name
        if isNoInput(member.name) { return [.leftOut(LeftOutFile(path: inside, reason: .name))] }
        return try copies(at: inside, file, in: path, member)
          ?? [.file(FoundFile(path: inside, member: member))]
      }
    } catch let error as SystemError {
      return [.diagnostic(unreadableFile(path, error))]
    } catch {
      return [
        .diagnostic(
          error as? Diagnostic
            ?? Diagnostic(
              topic: "zip", at: SourceLocation(file: path), "@shared.cannot-be-read",
              help: "@shared.unpack-it-and-import"))
      ]
    }
  }

  /// The reports that a table of a warehouse has, each a file of its own; nil for any other file.
  ///
  /// - Parameters:
  ///   - container: the file on disk.
  ///   - member: the table in it, where that is an archive.
  private func copies(
    at path: String, _ file: RawFile, in container: String, _ member: ZipMember? = nil
  ) throws -> [FoundInput]? {
    let isMapped = mappings.contains { !$0.files.isEmpty && $0.isFor(file: path) }
    guard !isMapped, let table = try table(at: path, file, member) else { return nil }
    return table.slices.indices.map { index in
      let copy = ReportCopy(table: table, index: index, container: container)
      return .file(FoundFile(path: "\(path)/\(copy.slice.name)", copy: copy))
    }
  }

  /// The warehouse's table that a file is: read directly, or written out as plain text to a scratch
  /// file first where it is packed or JSON; nil for any other file.
  private func table(
    at path: String, _ file: RawFile, _ member: ZipMember?
  ) throws -> WarehouseTable? {
    if member == nil,
      let table = try WarehouseTable(file: path, size: file.size, source: file.read(at:count:))
    {
      return table.slices.isEmpty ? nil : table
    }
    let text = try WarehouseText(file: path, isInArchive: member != nil) {
      try member?.bytes(file.read(at:count:)) ?? file.bytes
    }
    guard let text else { return nil }
    let scratch = try RawFile.unnamed()
    try text.write(to: scratch.append)
    guard let table = try WarehouseTable(file: path, source: scratch.read(at:count:)),
      text.isCopy(table)
    else { return nil }
    return table
  }

  /// The sheets of a workbook that mappings name, each a file of its own where there are several;
  /// else empty: of the workbook itself one sheet is read.
  private func sheets(of path: String, _ book: Spreadsheet) throws -> [FoundInput] {
    let wanted = mappings.filter { $0.isFor(file: path) }.compactMap(\.sheet)
    guard Set(wanted).count > 1 else { return [] }
    let there = try book.sheets().filter(wanted.contains)
    guard there.count > 1 else { return [] }
    return there.map { .file(FoundFile(path: "\(path)/\($0)", sheet: $0)) }
  }

  /// Walks what lies in a folder, by the bytes of the names, without hidden files and
  /// configurations.
  private func walkFolder(
    _ path: String, above: [FileIdentity], into found: inout [FoundInput]
  ) {
    guard let folder = opendir(systemPath(path)) else {
      found.append(.diagnostic(unreadableFile(path, SystemError(code: errno))))
      return
    }
    defer { closedir(folder) }
    var names: [[UInt8]] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name.first != UInt8(ascii: "."), name != configurationName { names.append(name) }
    }
    names.sort { $0.lexicographicallyPrecedes($1) }
    let prefix = path.hasSuffix("/") ? path : path + "/"
    for name in names {
      walk(prefix + fileName(name), isNamed: false, above: above, into: &found)
    }
  }
}

/// Whether a part of a member's path in an archive begins with a dot, or is macOS's `__MACOSX`.
private func isHidden(_ name: String) -> Bool {
  name.split(separator: "/").contains {
    $0.hasPrefix(".") && $0 != "." && $0 != ".." || $0 == "__MACOSX"
  }
}

/// Whether a file's name says that it is nothing to import: a readme, a picture, a key, a script.
private func isNoInput(_ path: String) -> Bool {
  let name = (path.split(separator: "/").last ?? "").lowercased()
  if ["readme", "license", "thumbs.db", "desktop.ini"].contains(name) { return true }
  guard let dot = name.lastIndex(of: ".") else { return false }
  return foreignEndings.contains(String(name[name.index(after: dot)...]))
}

private let foreignEndings: Set<String> = [
  "md", "html", "htm", "pdf", "doc", "docx", "rtf", "png", "jpg", "jpeg", "gif", "heic", "svg",
  "pem", "p8", "p12", "cer", "crt", "der", "key", "sh", "py", "sql", "toml", "sqlite", "db",
]

private let configurationName = Array("tieout.toml".utf8)

/// The path from the root on, whatever folder the process works in; links and `..` stay.
func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let text = getcwd(nil, 0) else { return path }
  defer { free(text) }
  let here = fileName(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  let parts = path.split(separator: "/").drop { $0 == "." }
  return parts.reduce(here) { ($0 == "/" ? "" : $0) + "/" + $1 }
}

/// What the system says of the file at a path, or its error.
private func status(of path: String) -> Result<FileStatus, SystemError> {
  guard let status = FileStatus(path: systemPath(path)) else {
    return .failure(SystemError(code: errno))
  }
  return .success(status)
}
