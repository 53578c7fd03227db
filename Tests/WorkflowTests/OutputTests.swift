import Foundation
import Support
import Testing

/// Where results go, and what they never replace.
@Suite struct OutputTests {
  private let company: Company
  private var folder: TemporaryFolder { company.folder }

  init() throws {
    company = try Company()
    try company.importJune()
    try folder.write("tieout.toml", "tolerance = 1\n")
    // A copy somewhere else, and another name, of what was imported.
    try folder.write("kept/copy.csv", Array(folder.bytes("orders-600.csv")))
    try FileManager.default.linkItem(atPath: folder.ledger, toPath: folder.path + "/same.sqlite")
    try folder.link("link.sqlite", to: "tieout.sqlite")
  }

  private func run(_ arguments: String) throws -> CommandLineRun {
    try CommandLineRun(in: folder, through: arguments)
  }

  @Test(arguments: [
    "tieout.sqlite", "./kept/../tieout.sqlite", "same.sqlite", "link.sqlite",
    "tieout.sqlite-journal", "tieout.sqlite-wal", "tieout.sqlite-import", "tieout.toml",
    "orders-600.csv", "kept/copy.csv",
  ])
  func `ledger, configuration and inputs are never replaced`(name: String) throws {
    let before = try contents()
    for command in [
      "export orders", "export journal --period 2023-06", "reconcile --period 2023-06",
      "close 2023-06", "plan what-if --commission 0.2",
    ] {
      let refused = try run("\(command) --out \(name)")
      #expect(refused.status == 2)
      #expect(refused.errors.hasPrefix("tieout: error: \(name) is not replaced: "))
      #expect(refused.output.isEmpty)
    }
    #expect(try contents() == before)
  }

  @Test func `what a close writes beside its workbook replaces no ledger`() throws {
    try FileManager.default.copyItem(
      atPath: folder.ledger, toPath: folder.path + "/2023-06.journal.csv")
    let before = try contents()
    for out in ["", " --out 2023-06.xlsx"] {
      let refused = try run("close 2023-06 --ledger 2023-06.journal.csv" + out)
      #expect(refused.status == 2)
      #expect(refused.errors.contains("2023-06.journal.csv is not replaced: it is the ledger"))
    }
    #expect(try contents() == before)
  }

  private func contents() throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in folder.names where name != "kept" { found[name] = try folder.bytes(name) }
    found["kept"] = try folder.bytes("kept/copy.csv")
    return found
  }

  @Test func `pipes and devices are written to, never replaced`() throws {
    let direct = try run("export orders")
    #expect(direct.output.split(separator: "\n").count == 6)
    #expect(try run("export orders --out /dev/stdout").output == direct.output)
    #expect(try run("export orders --out /dev/stdout | cat").output == direct.output)
    let file = try run("export orders --out /dev/fd/1 > in.csv; cat in.csv")
    #expect(file.output == direct.output)
    #expect(try run("export orders --out /dev/null").status == 0)
    #expect(try run("export orders --out /dev/full").status == 2)
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    let fifo = try run(
      "--version > /dev/null; mkfifo f; cat f & \"$0\" export orders --out f; wait")
    #expect(fifo.output == direct.output)
    let book = try run("reconcile --period 2023-06 --quiet --out /dev/stderr 2> book.xlsx")
    #expect(book.status == 0)
    let saved = try run("reconcile --period 2023-06 --quiet --out saved.xlsx")
    #expect(saved.status == 0)
    #expect(try folder.bytes("book.xlsx").starts(with: Array("PK".utf8)))
    #expect(try folder.bytes("book.xlsx").count == folder.bytes("saved.xlsx").count)
  }

  /// What was concluded holds without its workbook.
  @Test func `findings are recorded though the workbook cannot be written`() throws {
    let failed = try run("reconcile --period 2023-06 --out /dev/full")
    #expect(failed.status == 2 && failed.output.isEmpty)
    let recorded = try run("finding list --format json").output
    let again = try run("reconcile --period 2023-06 --quiet")
    #expect(again.status == 0)
    #expect(try run("finding list --format json").output == recorded)
  }

  @Test func `a link is kept, what it leads to is replaced`() throws {
    try folder.write("kept/old.csv", "old\n")
    try folder.link("new.csv", to: "kept/old.csv")
    try folder.link("none.csv", to: "kept/none.csv")
    for name in ["new.csv", "none.csv"] {
      #expect(try run("export orders --replace --out \(name)").status == 0)
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/" + name)
          .hasPrefix("kept/"))
    }
    #expect(try folder.bytes("kept/old.csv") == folder.bytes("kept/none.csv"))
    #expect(try folder.bytes("kept/old.csv").starts(with: Array("order_id,".utf8)))
  }

  @Test func `only the ledger's own work is replaced, and a person's on request`() throws {
    let commands = [
      ("export orders", "orders.out.csv"), ("export findings --period 2023-06", "findings.csv"),
      ("reconcile 2023-06 --quiet", "book.xlsx"),
    ]
    for (command, name) in commands {
      #expect(try run("\(command) --out \(name)").status == 0)
      let written = try folder.bytes(name)
      #expect(try run("\(command) --out \(name)").status == 0, "its own work")
      try folder.write(name, Array(written + [0]))
      let refused = try run("\(command) --out \(name)")
      #expect(refused.status == 2 && refused.output.isEmpty)
      #expect(refused.errors.contains("\(name) is not replaced"))
      #expect(refused.errors.contains("--replace"))
      #expect(try folder.bytes(name) == written + [0])
      #expect(try run("\(command) --replace --out \(name)").status == 0)
      #expect(try folder.bytes(name) == written)
      #expect(try run("\(command) --out \(name)").status == 0)
    }
  }

  @Test func `a backup replaces backups of its own ledger alone`() throws {
    try folder.write("notes.sqlite", "a person's\n")
    #expect(try run("import orders-600.csv --ledger other.sqlite").status == 0)
    for name in ["notes.sqlite", "other.sqlite"] {
      let before = try folder.bytes(name)
      #expect(try run("backup \(name)").status == 2)
      #expect(try folder.bytes(name) == before)
    }
    #expect(try run("backup copy.sqlite").status == 0)
    let first = try folder.bytes("copy.sqlite")
    #expect(try run("import products.csv --ledger copy.sqlite").status == 0)
    #expect(try run("backup copy.sqlite").status == 0, "a copy of an earlier or later day")
    #expect(try folder.bytes("copy.sqlite") == first)
    #expect(try run("backup notes.sqlite --replace").status == 0)
    #expect(try folder.bytes("notes.sqlite") == first)
  }

  /// What cron does each night, over input that did not change.
  @Test func `a second night changes no row and no byte`() throws {
    let night =
      "import orders-600.csv products.csv && \"$0\" reconcile 2023-06 --as-of 2023-07-05 --quiet "
      + "--out book.xlsx --replace && \"$0\" backup kept/night.sqlite"
    var nights: [[Data]] = []
    for _ in 1...3 {
      #expect(try run(night).status == 0)
      nights.append(
        try ["tieout.sqlite", "book.xlsx", "kept/night.sqlite"].map { try folder.bytes($0) })
    }
    #expect(nights[1] == nights[0] && nights[2] == nights[0])
  }

  @Test func `what a killed run left is cleaned, what another holds is not`() throws {
    try folder.write(".tieout-1a2b.partial", "left\n")
    try folder.write("held/.tieout-held.partial", "held\n")
    try folder.link("held/.tieout-link.partial", to: "../orders-600.csv")
    #expect(try run("export orders --out a.csv").status == 0)
    let held = try run(
      "export orders > /dev/null; cd held; flock .tieout-held.partial \"$0\" --ledger "
        + "../tieout.sqlite export orders --out b.csv")
    #expect(held.status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/held")
    #expect(names.sorted() == [".tieout-held.partial", ".tieout-link.partial", "b.csv"])
    #expect(!folder.names.contains { $0.hasSuffix(".partial") })
  }

  @Test(arguments: [
    "reconcile --period 2023-06 --out", "export orders --out", "close 2023-06 --out",
  ])
  func `a disk without room is an error and leaves nothing`(command: String) throws {
    let ending = command.hasPrefix("export") ? "csv" : "xlsx"
    // No file may grow.
    let full = try run("--version > /dev/null; ulimit -f 0; \"$0\" \(command) no.\(ending)")
    #expect(full.status == 2 || full.status == 3, "\(full.errors)")
    #expect(!folder.names.contains { $0.contains("no.") || $0.hasSuffix(".partial") })
    // The rows of a workbook lie beside it while it is written, nowhere else.
    let elsewhere = try run("--version; TMPDIR=/nowhere \"$0\" \(command) yes.\(ending)")
    #expect(elsewhere.status == (command.hasPrefix("close") ? 1 : 0), "\(elsewhere.errors)")
  }

  @Test func `names of one character are names`() throws {
    #expect(try run("status --ledger q").errors.contains("no ledger: \"q\""))
    #expect(try run("import orders-600.csv --ledger q").status == 0)
    #expect(try run("reconcile --period 2023-06 --out w").status == 0)
    #expect(try run("export orders --out e").status == 0)
    #expect(folder.names.filter { $0.count == 1 } == ["e", "q", "w"])
    for none in ["", ":memory:"] {
      #expect(try CommandLineRun("status", "--ledger", none, in: folder).status == 64)
    }
  }
}
