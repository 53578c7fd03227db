import ArgumentParser
import Billing
import Fetching
import Languages
import Workflow

/// Where what comes from Apple goes, and for how long it is asked.
struct FetchOptions: ParsableArguments {
  @Option(help: .words("@option.folder-for-the-files", value: "@option.folder"))
  var into = "./apple"

  @Flag(help: .words("@option.get-the-files-only"))
  var noImport = false

  @Flag(help: .words("@option.show-what-would-be-requested"))
  var dryRun = false

  @Option(
    help: .words(
      "@option.how-long-to-keep-trying", value: "@option.duration"),
    transform: readSpan)
  var retryFor = 7200

  /// Refuses options that do not go together.
  func validate(_ shared: SharedOptions) throws {
    try shared.refuseCSV()
    if into.isEmpty { throw wrongUsage("@option.into-names-a-folder-found \(into)") }
  }

  /// Fetches what a command wishes, until it is done or somebody interrupts it, imports it unless
  /// told not to, and prints what came.
  func run(
    _ wish: FetchWish, _ shared: SharedOptions, _ terminal: Terminal
  ) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    var request = FetchRequest(
      wish, access: configuration.access, importing: ImportRequest(configuration, shared),
      now: now())
    request.folder = into
    request.imports = !noImport
    request.isDryRun = dryRun
    request.importing.patience = 30
    let stop = StopSignal(after: .seconds(retryFor))
    Interruption.raises(stop)
    let bar = terminal.isInteractive && !shared.quiet ? ProgressBar(on: terminal) : nil
    defer { bar?.clear() }
    let summary = try fetch(request, stop: stop) {
      bar?.show($0)
    } importing: {
      bar?.show($0)
    }
    bar?.clear()
    terminal.report(summary.diagnostics + (summary.imported?.allDiagnostics ?? []))
    try terminal.print(shared.format == .json ? summary.json : summary.text)
    if summary.imported?.hasBadInput == true { return .badInput }
    if summary.lacksAnswers || stop.isStopped { return .apple }
    return shared.fails(on: summary.diagnostics) ? .failOn : .done
  }
}

/// A duration in seconds, from `90s`, `20m` or `2h`.
@Sendable private func readSpan(_ text: String) throws -> Int {
  let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
  guard let unit = text.last.flatMap({ units[$0] }), let number = plainNumber(text.dropLast()),
    number > 0, number <= 100_000
  else { throw wrongUsage("@option.expected-a-duration-such \(text)") }
  return number * unit
}
