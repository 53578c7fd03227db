import Foundation
import Support
import Testing

/// Goal: what Tieout writes is never read, nor proposed to be. Method: a closed month with all its
/// files, exports and screens in its folder, which is imported once more.
@Suite struct OwnWorkTests {
  private func closedFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let sample = checkout + "/samples/two-months"
    for name in try FileManager.default.contentsOfDirectory(atPath: sample)
    where !name.hasPrefix("tieout.sqlite") {
      try FileManager.default.copyItem(
        atPath: "\(sample)/\(name)", toPath: "\(folder.path)/\(name)")
    }
    #expect(try CommandLineRun("import", ".", "--quiet", in: folder).status == 0)
    let closed = try CommandLineRun(
      "close", "2023-06", "--as-of", "2023-08-10", "--out", "2023-06.xlsx", in: folder)
    #expect(closed.status == 0, "\(closed.errors)")
    return folder
  }

  @Test func `a folder with everything that was written into it goes in as before`() throws {
    let folder = try closedFolder()
    func run(_ line: String, into file: String = "") throws {
      let through = file.isEmpty ? "" : "> '\(file)'"
      let words = line.split(separator: " ").map(String.init)
      let run = try CommandLineRun(words, in: folder, through: through)
      #expect(run.status == 0, "\(line): \(run.errors)")
    }
    for kind in [
      "findings", "proceeds", "entities", "patterns", "flow", "refunds", "subscriptions", "orders",
      "transactions", "journal",
    ] {
      for form in ["csv", "jsonl"] where kind != "patterns" || form == "csv" {
        try run("export \(kind) --period 2023-06 --format \(form) --out e-\(kind).\(form)")
      }
    }
    try run("export journal --period 2023-06 --for quickbooks", into: "quickbooks.csv")
    try run("reconcile 2023-07 --out 七月.xlsx --lang zh-Hans", into: "july.txt")
    try run("reconcile 2023-07", into: "july-english.txt")
    try run(
      "plan rate --channel-rate 100 --current 66 --prices 6 --out plan.xlsx", into: "plan.txt")
    for (name, line) in [
      ("july", "reconcile 2023-07"), ("status", "status"), ("closes", "closes"),
      ("findings", "finding list"), ("doctor", "doctor"), ("code", "explain not-in-report"),
      ("plan", "plan rate --channel-rate 100 --current 66 --prices 6"), ("next", ""),
      ("price", "price --storefront CN --price 6"), ("dry", "import --dry-run orders.csv"),
      ("columns", "import --columns orders"), ("verify", "verify"),
    ] {
      try run(line + " --format json", into: name + ".json")
    }
    try run("backup copy.bak")
    let again = try CommandLineRun("import", ".", in: folder)
    #expect(again.status == 0 && !again.errors.contains("error"), "\(again.errors)")
    #expect(again.output.contains("imported 0 files, 0 rows; 104 already known\n"))
    #expect(again.output.contains(" files that Tieout wrote: "), "\(again.output)")
    let next = try CommandLineRun([], in: folder).output
    #expect(!next.contains("tieout import") && !next.contains("config init"), "\(next)")
    // Named, they are left out as well, with or without a mapping for such columns.
    try folder.write(
      "tieout.toml", "import.bank.columns = { date = \"day\" }\nimport.zone = \"UTC\"\n")
    let named = try CommandLineRun(
      "import", "e-journal.jsonl", "2023-06.settled.csv", "2023-06.xlsx", in: folder)
    #expect(named.status == 0 && named.errors.isEmpty, "\(named.errors)")
    #expect(
      named.output
        == "left out, 3 files that Tieout wrote: "
        + "e-journal.jsonl, 2023-06.settled.csv, 2023-06.xlsx\n"
    )
  }

  @Test func `a note and a picture are left out of a folder, and no report is`() throws {
    let folder = try TemporaryFolder()
    try folder.write("in/orders.csv", Inputs.orders(0..<3))
    try folder.write("in/notes.txt", "call Anna, then Jim\nabout the refunds\n")
    try folder.write("in/pic", "GIF89a\u{1}\u{2}")
    let run = try CommandLineRun("import", "in", in: folder)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output.contains("left out, 2 files that are no tables: notes.txt, pic\n"))
    #expect(try CommandLineRun("import", "in/notes.txt", in: folder).status == 2)
    for (name, text) in [
      ("S_D_85012345_20230601.txt", "too many requests\n"), ("t.txt", "a,b\n1,2\n"),
      ("page.txt", "<html>\n"), ("note.csv", "call Anna\n"), ("empty.txt", ""),
    ] {
      let folder = try TemporaryFolder()
      try folder.write("in/" + name, text)
      #expect(try CommandLineRun("import", "in", in: folder).status == 2, "\(name)")
    }
  }

  @Test func `the next step names the table that nobody recognises`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a-note.txt", "call Anna\n")
    try folder.write("shop.csv", "colour,size,weight\nred,1,2\n")
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    let run = try CommandLineRun("import", ".", in: folder)
    let command = "tieout config init --as orders shop.csv --print"
    #expect(run.status == 2)
    #expect(
      run.output.contains("\nnext: map ./shop.csv: tieout config init --as orders ./shop.csv"))
    #expect(try CommandLineRun([], in: folder).output.contains(command))
  }
}
