import ArgumentParser
import Billing
import Fetching
import Languages
import Workflow

/// `tieout import`
struct ImportCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: say("@command.import-apple-reports-and-your"),
    discussion: """
      \(say(about))

        tieout import ~/apple-reports orders.csv transactions.csv products.csv
        tieout import --no-sales 2023-06-18
        tieout import orders.csv --dry-run --format json
        tieout import --columns orders
        psql shop --csv -c 'TABLE orders' | tieout import - --as orders
      """)

  private static let about: Wording = "@command.recognises-each-file-by"

  @Argument(
    help: .words("@command.files-and-folders-with-columns", value: "@shared.path"),
    completion: .file())
  var paths: [String] = []

  @Flag(help: .words("@command.list-the-columns-of-one"))
  var columns = false

  @Flag(help: .words("@command.show-what-the-import-would"))
  var dryRun = false

  @Flag(
    help: .words(
      "@command.import-a-file-good-rows"))
  var keepGoodRows = false

  @Flag(
    help: .words(
      "@command.let-a-report"))
  var acceptResaved = false

  @Option(
    name: .customLong("as"),
    help: .words(
      "@command.what-the-files-contain-anything",
      value: "@shared.kind"),
    completion: .list(InputKind.allCases.map(\.rawValue)), transform: readInputKind)
  var kind: InputKind?

  @Option(
    help: .words("@command.vendor-number-of-files", value: "@command.number"))
  var vendor: String?

  @Option(
    help: .words(
      "@command.region-of-financial-reports",
      value: "@shared.code"))
  var region: String?

  @Option(
    help: .words("@command.day-of-reports-that-name", value: "YYYY-MM-DD"),
    transform: readDay)
  var date: Day?

  @Option(
    help: .words(
      "@command.product-of-a-price-list", value: "@command.product-id"))
  var product: String?

  @Option(
    parsing: .singleValue,
    help: .words(
      "@command.record-that-there-were-no",
      value: "YYYY-MM-DD"),
    transform: readDay)
  var noSales: [Day] = []

  @Flag(help: .words("@command.take-no-sales-although"))
  var force = false

  @Option(help: .words("@command.how-long-to-wait", value: "@command.seconds"))
  var wait = 30

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if columns {
      _ = try tables()
      return
    }
    if paths.isEmpty && noSales.isEmpty {
      throw wrongUsage("@command.name-files-or-folders")
    }
    if force, noSales.isEmpty { throw wrongUsage("@command.force-belongs-to-no-sales") }
    guard (0...86_400).contains(wait) else {
      throw wrongUsage("@command.expected-seconds-from-0 \(wait)")
    }
    if let vendor, vendor.isEmpty || !vendor.utf8.allSatisfy({ $0 &- 0x30 < 10 }) {
      throw wrongUsage("@command.expected-a-vendor-number-such \(vendor)")
    }
    if let region, knownFinanceRegion(region) == nil {
      throw wrongUsage(
        "@command.expected-a-region-of-apple \(region)")
    }
  }

  /// The kinds of table whose columns are asked for.
  private func tables() throws -> [InputKind] {
    try paths.isEmpty ? InputKind.tablesOfCompanies : paths.map(readCompanyTable)
  }

  /// Imports the files with a line of progress, or prints a guide to the columns of tables; prints
  /// what came of each file.
  func run(on terminal: Terminal) throws -> Ending {
    if columns {
      let guide = ColumnGuide(try tables())
      try terminal.print(shared.format == .json ? guide.json : guide.text)
      return .done
    }
    let configuration = try Configuration(shared, terminal)
    let bar = terminal.isInteractive && !shared.quiet ? ProgressBar(on: terminal) : nil
    defer { bar?.clear() }
    let stop = StopSignal()
    Interruption.raises(stop)
    var summary = try importFiles(request(configuration)) {
      bar?.show($0)
    } waiting: {
      bar?.clear()
      terminal.note("@command.another-import-is-running-waiting \(wait)")
    } isStopped: {
      stop.isStopped
    }
    bar?.clear()
    if !dryRun, summary.files.contains(where: \.isLoaded) {
      var settings = configuration.settings
      settings.assume(besides: configuration.given, ledgerPath: shared.ledger)
      summary.assumptions = settings.assumptions
    }
    terminal.report(summary.allDiagnostics)
    try terminal.print(shared.format == .json ? summary.json : summary.text)
    if summary.filesLeft > 0 { Interruption.passOn() }
    return ending(summary)
  }

  /// What the options and the configuration ask an import to do.
  private func request(_ configuration: Configuration) -> ImportRequest {
    var request = ImportRequest(configuration, shared)
    request.paths = paths
    request.vendor = vendor
    request.kind = kind
    request.region = region.flatMap(knownFinanceRegion)
    request.date = date
    request.product = product
    request.noSales = noSales
    request.isForced = force
    request.isDryRun = dryRun
    request.keepsGoodRows = keepGoodRows
    request.acceptsResaved = acceptResaved
    request.patience = wait
    return request
  }

  /// How the call ends: `badInput` where a file was refused, `failOn` where warnings are to fail
  /// it.
  private func ending(_ summary: ImportSummary) -> Ending {
    if summary.hasBadInput { return .badInput }
    if let failOn = shared.failOn, failOn <= .warning, summary.warningCount > 0 { return .failOn }
    return .done
  }
}

extension ImportRequest {
  /// What the configuration says of imports; nothing is named yet.
  init(_ configuration: Configuration, _ shared: SharedOptions) {
    self.init(paths: [], ledgerPath: shared.ledger, importedAt: now())
    vendorNumbers = configuration.settings.vendorNumbers
    roots = configuration.trustRoots.certificates
    mappings = configuration.mappings
    bundleIDs = Set(configuration.settings.bundleIDs)
    developerCountry = configuration.settings.developerCountry
    defaultStorefront = configuration.settings.defaultStorefront
    hidesRows = configuration.settings.maskUsers
    leftOut = [configuration.path].compactMap(\.self) + configuration.trustRoots.paths
  }
}
