import Billing
import Foundation
import Ledger
import Support
import Testing
import Workflow

/// Goal: an import that somebody ends leaves whole files and nothing else, and ends soon, whatever
/// it waits for. Method: a stop in the middle of a file, and signals to the program while it reads
/// a pipe that says nothing more.
@Suite struct StoppedImportTests {
  @Test func `the file under way leaves no trace, and the next call goes on`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.csv", Inputs.orders(0..<3))
    try folder.write("b.csv", Inputs.transactions(0..<70_000))
    try folder.write("c.csv", Inputs.orders(100..<103))
    let request = ImportRequest(
      paths: ["a", "b", "c"].map { "\(folder.path)/\($0).csv" }, ledgerPath: folder.ledger,
      importedAt: Instant(seconds: 1_688_000_000))
    var isStopped = false
    let summary = try importFiles(
      request, progress: { isStopped = $0.filesDone == 1 && $0.rows > 3 },
      isStopped: { isStopped })
    #expect(summary.files.map(\.status) == [.imported] && summary.filesLeft == 2)
    #expect(!summary.hasBadInput && summary.json.contains("\"left\": 2"))
    #expect(summary.text.hasSuffix("stopped: 2 files are left for the next call\n"))
    #expect(!folder.names.contains("tieout.sqlite-import"))
    let ledger = try Ledger(path: folder.ledger, mode: .readWrite)
    #expect(try ledger.files().map(\.input.rows) == [3])
    let again = try importFiles(request)
    #expect(again.files.map(\.status) == [.skipped, .imported, .imported])
    #expect(again.filesLeft == 0 && again.files[1].rows == 70_000)
  }

  @Test func `days without sales are not recorded by a call that was stopped`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.csv", Inputs.orders(0..<3))
    var request = ImportRequest(
      paths: [folder.path + "/a.csv"], ledgerPath: folder.ledger,
      importedAt: Instant(seconds: 1_688_000_000))
    request.noSales = [Day("2023-06-18")!]
    let summary = try importFiles(request, isStopped: { true })
    #expect(summary.files.isEmpty && summary.filesLeft == 1 && summary.noSales.isEmpty)
    let ledger = try Ledger(path: folder.ledger, mode: .readWrite)
    #expect(try ledger.noSales().isEmpty)
  }

  /// What became of `tieout import` of a file and a pipe, whose writer sends a signal and says
  /// nothing more: the status, negative for a signal, and what was printed.
  private func interrupted(
    by signal: String, ignoring isIgnored: Bool = false, in folder: TemporaryFolder
  ) throws -> (status: Int, output: String) {
    try folder.write("a.csv", Inputs.orders(0..<3))
    try folder.write("half.txt", Inputs.transactions(0..<10))
    try folder.write(
      "interrupt.py",
      """
      import os, signal, subprocess, sys
      signal.pthread_sigmask(signal.SIG_SETMASK, [])
      name, is_ignored, *command = sys.argv[1:]
      number = getattr(signal, name)
      signal.signal(number, signal.SIG_IGN if is_ignored == "1" else signal.SIG_DFL)
      os.mkfifo("pipe.csv")
      run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
      with open("pipe.csv", "w") as pipe:
          pipe.write(open("half.txt").read())
          pipe.flush()
          run.send_signal(number)
          if is_ignored == "1": pipe.close()
          text = run.communicate(timeout=60)[0]
      print(run.returncode)
      print(text.decode(), end="")
      """)
    let process = Process()
    let output = Pipe()
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "interrupt.py", signal, isIgnored ? "1" : "0", CommandLineRun.executable, "import",
      "a.csv", "pipe.csv",
    ]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let status = text.prefix { $0 != "\n" }
    return (Int(status) ?? 0, String(text.dropFirst(status.count + 1)))
  }

  @Test(arguments: [("SIGINT", -2), ("SIGTERM", -15)])
  func `a signal ends the program in good order, and as signals do`(
    signal: String, status: Int
  ) throws {
    let folder = try TemporaryFolder()
    let ended = try interrupted(by: signal, in: folder)
    #expect(ended.status == status, "a shell that runs it in a loop ends too: \(ended.output)")
    #expect(ended.output.hasSuffix("stopped: 1 file is left for the next call\n"))
    #expect(
      folder.names.filter { $0.hasPrefix("tieout") } == ["tieout.sqlite"],
      "no lock, no journal")
    let ledger = try Ledger(path: folder.ledger, mode: .readWrite)
    #expect(try ledger.files().map(\.input.rows) == [3])
  }

  @Test func `a signal that its caller lets pass by passes by`() throws {
    let folder = try TemporaryFolder()
    let ended = try interrupted(by: "SIGINT", ignoring: true, in: folder)
    #expect(ended.status == 0 && ended.output.contains("imported 2 files"), "\(ended)")
  }
}
