import Billing
import Foundation
import Languages
import Ledger
import Reporting

/// What `verify` found: of the ledger itself, and of the files that it was made from.
package struct Verification: Sendable {
  private let ledgerPath: String
  private var check: LedgerCheck
  /// Files of the ledger; those held against their rows, those that are not where they were, those
  /// that have other content now, and those that would be read otherwise today.
  private var fileCount = 0
  private var compared = 0
  private var missing: [String] = []
  private var changed: [String] = []
  private var otherwise: [String] = []

  /// Whether the ledger holds something else than what was written.
  package var isDamaged: Bool { !check.problems.isEmpty }

  /// Reads the whole ledger, then each file of it anew where it still is, and compares what comes
  /// of it with what the ledger has.
  ///
  /// - Parameter request: how files are read; its paths do not matter.
  /// - Throws: a ``Stop`` where the ledger cannot be opened.
  package init(_ request: ImportRequest) throws {
    ledgerPath = request.ledgerPath
    check = LedgerCheck()
    try stopping {
      var filesAt: [String: [KeptFile]] = [:]
      try Ledger.reading(request.ledgerPath, connections: coreCount) { ledger in
        check = try ledger.check()
        // Of a damaged ledger each further line would say the same again.
        guard check.problems.isEmpty else { return }
        check.problems += try changedDocuments(ledger)
        filesAt = try keptFiles(ledger)
      }
      // Files may be large: an import need not wait until they are read.
      try compare(filesAt, request)
    }
  }

  /// A file of the ledger, a digest of what the ledger has of it, and the product that it lists.
  private typealias KeptFile = (file: LedgerFile, digest: UInt64?, product: String?)

  /// Options of the command line that files may have been imported with.
  private struct FileOptions: Hashable {
    var vendor: String
    var region: String
    var product: String?
    var date: Day?
    /// A text to sort them by, so that files are compared in the same order each time.
    var order: String { "\(vendor) \(region) \(product ?? "") \(date?.number ?? 0)" }
  }

  /// The day of a file of one day; nil for any other.
  private static func date(of file: LedgerFile) -> Day? {
    file.input.from == file.input.to ? file.input.from : nil
  }

  /// Documents of closes that are not what their close kept.
  private func changedDocuments(_ ledger: Ledger) throws -> [Wording] {
    var problems: [Wording] = []
    for close in try ledger.closes() {
      let all =
        try ledger.documents(ofClose: close.number)
        + ledger.documents(ofClose: close.number, withheld: true)
      for kept in all {
        let bytes = try ledger.document(kept.name, ofClose: close.number) ?? []
        if CloseDocument(kept.name, bytes).sha256 != kept.sha256 {
          problems.append("@shared.of-close-no-was-changed \(kept.name) \(close.number)")
        }
      }
    }
    return problems
  }

  /// The files of the ledger that are still there, by the path that they lie at; notes those that
  /// are missing.
  private mutating func keptFiles(_ ledger: Ledger) throws -> [String: [KeptFile]] {
    var filesAt: [String: [KeptFile]] = [:]
    let digests = check.digests
    for file in try ledger.files() {
      fileCount += 1
      guard let place = placeNow(of: file.input.file) else {
        missing.append(file.input.file)
        continue
      }
      let digest = digests[file.input.sha256]
      let product =
        file.input.kind == .tiers
        ? try ledger.listedProduct(ofSHA256: file.input.sha256) : nil
      filesAt[place, default: []].append((file, digest, product))
    }
    return filesAt
  }

  /// Imports all files into one scratch ledger and compares their rows with the ledger's. Files
  /// whose rows differ are read once more, with the options (vendor, region, product, date) that
  /// the command line may have given when they were imported.
  ///
  /// - Parameter filesAt: the ledger's files by the path at which each lies now.
  private mutating func compare(
    _ filesAt: [String: [KeptFile]], _ request: ImportRequest
  ) throws {
    // In the order of their import: rows may repeat those of a file before.
    let places = filesAt.sorted {
      ($0.value[0].file.importedAt, $0.key) < ($1.value[0].file.importedAt, $1.key)
    }
    let digests = try Self.digests(
      at: places.map(\.key), request, keepsGoodRows: places.contains { keepsGoodRows($0.value) })
    for (place, files) in places {
      let rest = files.filter { digests[$0.file.input.sha256] != $0.digest }
      compared += files.count - rest.count
      // Files of an archive may have been imported by several calls.
      let calls = Dictionary(grouping: rest) { kept in
        FileOptions(
          vendor: kept.file.vendor, region: kept.file.region, product: kept.product,
          date: Self.date(of: kept.file))
      }
      for (options, files) in calls.sorted(by: { $0.key.order < $1.key.order }) {
        try compare(files, at: place, request, options)
      }
    }
  }

  /// Reads the files at a place once more with these options, and notes which of them have other
  /// content or are read otherwise now.
  private mutating func compare(
    _ files: [KeptFile], at place: String, _ request: ImportRequest, _ options: FileOptions
  ) throws {
    var request = request
    request.vendor = options.vendor.isEmpty ? nil : options.vendor
    request.region = options.region.isEmpty ? nil : options.region
    request.date = options.date
    request.product = options.product
    let digests = try Self.digests(at: [place], request, keepsGoodRows: keepsGoodRows(files))
    for (file, digest, _) in files {
      // An older version may have known the same bytes by another SHA-256: then the rows decide.
      let read = digests[file.input.sha256] ?? digests.values.first { $0 == digest }
      guard let read else {
        // Another file of that name in another folder is not the one that was imported.
        if places(of: file.input.file).known.contains(place) {
          changed.append(file.input.file)
        } else {
          missing.append(file.input.file)
        }
        continue
      }
      compared += 1
      guard read != digest else { continue }
      // Its rows are as they were written: another configuration or version reads it now.
      otherwise.append(file.input.file)
    }
  }

  /// Whether one of the files was imported although some of its rows were rejected.
  private func keepsGoodRows(_ files: [KeptFile]) -> Bool {
    files.contains { $0.file.input.rejected > 0 }
  }

  /// The path on disk where a file of the ledger lies now; nil where it is not found.
  private func placeNow(of path: String) -> String? {
    let (known, moved) = places(of: path)
    return known.first ?? moved
  }

  /// The paths on disk where a file of the ledger may lie.
  ///
  /// - Returns: `known`, where its path leads from this folder, or from the ledger's, as most
  ///   people import beside their ledger; where these are empty, `moved`, where the end of its path
  ///   leads, its folder having been moved or entered. That one is it only if its content is the
  ///   same.
  private func places(of path: String) -> (known: [String], moved: String?) {
    var folders = [""]
    if !path.hasPrefix("/") {
      let folder = URL(filePath: ledgerPath).deletingLastPathComponent()
      folders.append(folder.path(percentEncoded: false))
    }
    let known = folders.compactMap { Self.place(of: $0 + path) }
    guard known.isEmpty else { return (known, nil) }
    var end = path[...]
    while let slash = end.firstIndex(of: "/") {
      end = end[end.index(after: slash)...]
      if end.isEmpty { break }
      for folder in folders {
        if let place = Self.place(of: folder + end) { return ([], place) }
      }
    }
    return ([], nil)
  }

  /// The path on disk where a file lies: its own, or that of the archive that it begins with; nil
  /// where neither is there.
  private static func place(of path: String) -> String? {
    var place = path[...]
    while true {
      if identity(of: String(place)) != nil { return String(place) }
      guard let slash = place.lastIndex(of: "/"), slash > place.startIndex else { return nil }
      place = place[..<slash]
      // A folder that is still there says nothing of the file.
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: String(place), isDirectory: &isFolder)
      if isThere, isFolder.boolValue { return nil }
    }
  }

  /// Imports files into a scratch ledger, and returns digests of their rows by the SHA-256 of the
  /// files.
  ///
  /// - Parameter places: paths of the files.
  private static func digests(
    at places: [String], _ request: ImportRequest, keepsGoodRows: Bool
  ) throws -> [String: UInt64] {
    let folder = try scratchFolder(beside: request.ledgerPath)
    defer { withExtendedLifetime(folder) {} }
    var again = request
    again.paths = places
    again.ledgerPath = folder.path + "/again.sqlite"
    again.acceptsResaved = true
    again.isScratch = true
    again.keepsGoodRows = keepsGoodRows
    _ = try importFiles(again)
    return try Ledger.reading(again.ledgerPath, connections: coreCount) {
      try $0.factsDigests()
    }
  }

  /// What was found, a line each, for a person.
  package var text: String {
    var lines = [Wording]()
    if !isDamaged {
      lines.append(
        counted(check.blocks, "@verify.1-block") { "@verify.blocks-each-with-checksum \($0)" })
    }
    if !isDamaged || compared > 0 {
      lines.append(
        "@verify.of-them-compared \(files(fileCount)) \(grouped(compared))")
    }
    lines += missingLines
    lines += changed.map { "@verify.no-longer-read \($0)" }
    lines += otherwise.map {
      "@verify.would-be-read-differently-today \($0)"
    }
    lines += check.problems.map { "@verify.damaged \($0)" }
    if !isDamaged { lines.append("@verify.ledger-is-sound") }
    return lines.map { say($0) + "\n" }.joined()
  }

  /// A line for each file that is not where it was; several of one folder share a line.
  private var missingLines: [Wording] {
    let folders = Dictionary(grouping: missing) { path in
      path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
    return folders.sorted { $0.key < $1.key }.flatMap { folder, paths -> [Wording] in
      guard paths.count > 1 else { return paths.map { "@verify.no-longer-where \($0)" } }
      return [
        folder.isEmpty
          ? "@verify.are-not-in-this-folder \(files(paths.count))"
          : "@verify.of-are-not-there \(files(paths.count)) \(folder)"
      ]
    }
  }

  /// What was found, for a script: one JSON document.
  package var json: String {
    jsonDocument { writer in
      // Every block of rows has a checksum, as every page of older ledgers.
      for (key, value) in [("damaged", isDamaged), ("seals", true)] {
        writer.bool(key, value)
      }
      writer.integer("pages", check.pages)
      writer.integer("blocks", check.blocks)
      writer.integer("files", fileCount)
      writer.integer("compared", compared)
      for (key, names) in [
        ("missing", missing), ("changed", changed), ("otherwise", otherwise),
      ] {
        writer.strings(key, names)
      }
      writer.array("problems", of: check.problems) { $0.string($1.english) }
    }
  }
}
