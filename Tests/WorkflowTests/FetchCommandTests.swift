import Billing
import Foundation
import Support
import Testing

/// Goal: the command does what cron needs, and no secret leaves it. Method: the built program
/// against the stand-in.
@Suite struct FetchCommandTests {
  private func reports(_ days: ClosedRange<Int>) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for day in days {
      files[Inputs.salesName(day: day)] = Array(Inputs.sales(day: day, units: day).utf8)
    }
    return files
  }

  private let june = ["--from", "2023-06-01", "--to", "2023-06-08"]

  @Test func `fetches, imports, and tells a script what became of each question`() throws {
    let standIn = try AppleStandIn(data: reports(1...8))
    let run = try CommandLineRun(
      ["fetch", "sales", "--format", "json"] + june, in: standIn.folder)
    #expect(run.status == 0 && run.errors.isEmpty)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let totals = try #require(object["totals"] as? [String: Any])
    #expect(totals["requests"] as? Int == 8 && totals["imported"] as? Int == 8)
    let questions = try #require(object["questions"] as? [[String: Any]])
    #expect(questions.allSatisfy { $0["outcome"] as? String == "rows" })
    #expect(questions.allSatisfy { $0["milliseconds"] is Int })
    let status = try CommandLineRun(
      "status", "--as-of", "2023-06-10", in: standIn.folder)
    #expect(status.output.contains("SALES SUMMARY DAILY 85012345: 8 with rows\n"))
    #expect(status.output.contains("connection to Apple in recent days\n"))
  }

  /// Killed at six moments of a month: whole files only, and the next call ends it.
  @Test func `goes on after it was killed`() throws {
    let standIn = try AppleStandIn(data: reports(1...8))
    let whole = try AppleStandIn(data: reports(1...8))
    _ = try CommandLineRun(["fetch", "sales"] + june, in: whole.folder)
    for tenths in [1, 2, 3, 5, 8, 13] {
      let killed = try killedStatus(
        after: "\(tenths / 10).\(tenths % 10)", ["fetch", "sales"] + june,
        in: standIn.folder)
      #expect(killed == 137 || killed == 0)
      for name in standIn.fetched where !name.hasPrefix(".") {
        #expect(
          try standIn.folder.bytes("apple/" + name) == whole.folder.bytes("apple/" + name))
      }
    }
    let run = try CommandLineRun(["fetch", "sales"] + june, in: standIn.folder)
    #expect(run.status == 0)
    #expect(standIn.fetched.filter { !$0.hasPrefix(".") } == whole.fetched)
    func rows(_ folder: TemporaryFolder) throws -> String {
      try CommandLineRun(
        "sql", "SELECT begin, sku, units FROM v_report_row ORDER BY 1, 2, 3", in: folder
      ).output
    }
    #expect(try rows(standIn.folder) == rows(whole.folder))
    #expect(try rows(whole.folder).contains("2023-06-08"))
  }

  @Test func `no secret is in the output, the ledger or the files, whatever Apple says`() throws {
    let standIn = try AppleStandIn(
      data: reports(1...8),
      faults: #"[{"match": "06-02", "do": "403", "echo": true, "times": 9}]"#)
    let run = try CommandLineRun(
      ["fetch", "sales", "--verbose", "--format", "json"] + june, in: standIn.folder)
    #expect(run.status == 4)
    let plain = try CommandLineRun(["fetch", "sales"] + june, in: standIn.folder)
    #expect(plain.status == 4 && plain.errors.contains("Apple refuses the key (403)"))
    let config = try CommandLineRun("config", in: standIn.folder)
    #expect(config.output.contains("key_file = "))
    var said = run.output + run.errors + plain.output + plain.errors + config.output
    said += String(decoding: standIn.folder.ledgerBytes, as: UTF8.self)
    #expect(!said.contains("eyJ"), "a token begins so")
    let key = StandInKey.pem.split(separator: "\n")[1]
    #expect(!said.contains(key) && !said.contains("BEGIN PRIVATE"))
  }

  @Test func `a key that others can read is warned of, and one that is none refused`() throws {
    let standIn = try AppleStandIn(data: reports(1...8))
    let path = standIn.folder.path + "/key.p8"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let run = try CommandLineRun(["fetch", "sales"] + june, in: standIn.folder)
    #expect(run.status == 0)
    #expect(run.errors.contains("users other than its owner can read or change the key"))
    try standIn.folder.write("key.p8", StandInKey.publicPEM)
    let again = ["fetch", "sales", "--from", "2023-06-03", "--to", "2023-06-03"]
    let wrong = try CommandLineRun(again, in: standIn.folder)
    #expect(wrong.status == 2 && wrong.errors.contains("holds PUBLIC KEY instead of a private key"))
  }

  @Test func `the configuration says what is wrong with it`() throws {
    let folder = try TemporaryFolder()
    let none = try CommandLineRun("fetch", in: folder)
    #expect(none.status == 2)
    #expect(none.errors.contains("the configuration has no App Store Connect key"))
    try folder.write("tieout.toml", "[apple]\nkey_id = \"K\"\nvendor_number = 85012345\n")
    let individual = try CommandLineRun(["fetch", "sales"] + june, in: folder)
    #expect(individual.status == 2 && individual.errors.contains("[apple] issuer_id is missing"))
    #expect(individual.errors.contains("an individual key has none"))
    try folder.write("tieout.toml", "[apple]\nconnect_url = \"http://example.com\"\nkeyid = 1\n")
    let address = try CommandLineRun("fetch", in: folder)
    #expect(address.status == 2)
    #expect(address.errors.contains("connect_url is not an address that a token may be sent to"))
    #expect(address.errors.contains("unknown key \"keyid\""))
  }

  /// One configuration each, into one ledger.
  @Test func `two vendors and two apps are two configurations`() throws {
    let folder = try TemporaryFolder()
    for (text, message) in [
      ("[apple]\nvendor_number = [\"1\", \"2\"]\n", "apple: vendor_number is a list"),
      (
        "[apple.purchases]\nbundle_id = [\"a\", \"b\"]\n",
        "apple.purchases: bundle_id is a list"
      ),
      (
        "[[apple.purchases]]\nbundle_id = \"a\"\n[[apple.purchases]]\nbundle_id = \"b\"\n",
        "apple.purchases: expected one app, found a list"
      ),
      ("[apple]\npurchases = \"a\"\n", "apple.purchases: expected a table"),
    ] {
      try folder.write("tieout.toml", text)
      let run = try CommandLineRun("fetch", in: folder)
      #expect(run.status == 2 && run.errors.contains(message), "\(run.errors)")
      #expect(run.errors.contains("--config other.toml"))
    }
    let first = try AppleStandIn(data: reports(1...2))
    var other: [String: [UInt8]] = [:]
    for day in 1...2 {
      let name = Inputs.salesName(day: day).replacing("85012345", with: "85099999")
      other[name] = Array(Inputs.sales(day: day, units: 70 + day).utf8)
    }
    let second = try AppleStandIn(data: other, "--vendor", "85099999")
    try second.folder.write(
      "other.toml", second.configuration.replacing("85012345", with: "85099999"))
    let days = ["--from", "2023-06-01", "--to", "2023-06-02"]
    #expect(try CommandLineRun(["fetch", "sales"] + days, in: first.folder).status == 0)
    let run = try CommandLineRun(
      ["fetch", "sales", "--config", second.folder.path + "/other.toml"] + days, in: first.folder)
    #expect(run.status == 0, "\(run.errors)")
    let vendors = try CommandLineRun("status", "--as-of", "2023-06-10", in: first.folder).output
    #expect(vendors.contains("SALES SUMMARY DAILY 85012345: 2 with rows\n"))
    #expect(vendors.contains("SALES SUMMARY DAILY 85099999: 2 with rows\n"))
  }

  @Test func `wrong usage is refused before anything is asked`() throws {
    let standIn = try AppleStandIn()
    for arguments in [
      ["--retry-for", "2d"], ["--frequency", "yearly"], ["--type", "SALE"],
      ["--from", "2023-06-02", "--to", "2023-06-01"], ["--into", ""],
      ["--type", "SUBSCRIBER", "--frequency", "weekly"],
    ] {
      let run = try CommandLineRun(["fetch", "sales"] + arguments, in: standIn.folder)
      #expect(run.status == 64, "\(arguments)")
    }
    #expect(!standIn.folder.names.contains("tieout.sqlite"))
  }

  @Test func `Ctrl-C ends it cleanly`() throws {
    let standIn = try AppleStandIn(data: reports(1...8))
    let status = try interruptedStatus(
      once: "apple/S_D_", ["fetch", "sales"] + june, in: standIn.folder)
    #expect(status == 4)
    let run = try CommandLineRun(["fetch", "sales"] + june, in: standIn.folder)
    #expect(run.status == 0 && standIn.fetched.count == 8)
  }
}
