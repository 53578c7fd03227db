import ArgumentParser
import Billing
import Fetching
import Languages
import Workflow

/// `tieout import`
struct ImportCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: say("Import Apple's reports and your own tables into the ledger."),
    discussion: """
      \(say(about))

        tieout import ~/apple-reports orders.csv transactions.csv products.csv
        tieout import --no-sales 2023-06-18
        tieout import orders.csv --dry-run --format json
        tieout import --columns orders
        psql shop --csv -c 'TABLE orders' | tieout import - --as orders
      """)

  private static let about: Wording = """
    Recognises each file by its content: Apple's sales reports (TSV or JSON), financial reports, \
    payments and subscription reports, receipts and notifications, plain or gzip; orders, \
    transactions, products, tiers, rates, taxes, bank statements and event logs, as CSV, as JSON \
    or as a workbook's first sheet. Folders and zip archives are searched; hidden files, \
    tieout.toml and files whose names show that they are not inputs are left out there. Each file \
    is imported whole or not at all: a bad one leaves no trace, the others are imported and the \
    call ends with status 2. Content that is already there is skipped; another version of the \
    same report supersedes the older one.
    """

  @Argument(
    help: .words("Files and folders; with --columns, kinds of table.", value: "path"),
    completion: .file())
  var paths: [String] = []

  @Flag(help: .words("List the columns of one of the company's own tables; import nothing."))
  var columns = false

  @Flag(help: .words("Show what the import would do; change nothing."))
  var dryRun = false

  @Flag(
    help: .words(
      """
      Import a file's good rows even when it has bad ones; the bad ones are set aside.
      """))
  var keepGoodRows = false

  @Flag(
    help: .words(
      """
      Let a report that a spreadsheet saved again replace the one that was imported before.
      """))
  var acceptResaved = false

  @Option(
    name: .customLong("as"),
    help: .words(
      "What the files contain; anything else is refused. Needed for standard input (-).",
      value: "kind"),
    completion: .list(InputKind.allCases.map(\.rawValue)), transform: readInputKind)
  var kind: InputKind?

  @Option(
    help: .words("The vendor number of files that name none.", value: "number"))
  var vendor: String?

  @Option(
    help: .words(
      "The region of financial reports that name none, by Apple's code: EU, or ZZ for all.",
      value: "code"))
  var region: String?

  @Option(
    help: .words("The day of reports that name none.", value: "YYYY-MM-DD"),
    transform: readDay)
  var date: Day?

  @Option(
    parsing: .singleValue,
    help: .words(
      "Record that there were no sales through Apple on this day; may be repeated.",
      value: "YYYY-MM-DD"),
    transform: readDay)
  var noSales: [Day] = []

  @Flag(help: .words("Take --no-sales although the ledger has purchases of that day."))
  var force = false

  @Option(help: .words("How long to wait for another import to end.", value: "seconds"))
  var wait = 30

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    if columns {
      _ = try tables()
      return
    }
    if paths.isEmpty && noSales.isEmpty {
      throw wrongUsage("Name files or folders to import, or days with --no-sales.")
    }
    if force, noSales.isEmpty { throw wrongUsage("--force belongs to --no-sales.") }
    guard (0...86_400).contains(wait) else {
      throw wrongUsage("expected seconds from 0 to 86400, found \"\(wait)\"")
    }
    if let vendor, vendor.isEmpty || !vendor.utf8.allSatisfy({ $0 &- 0x30 < 10 }) {
      throw wrongUsage("expected a vendor number such as 85012345, found \"\(vendor)\"")
    }
    if let region, knownFinanceRegion(region) == nil {
      throw wrongUsage(
        "expected a region of Apple's financial reports such as EU, found \"\(region)\"")
    }
  }

  /// The kinds of table whose columns are asked for.
  private func tables() throws -> [InputKind] {
    try paths.isEmpty ? InputKind.tablesOfCompanies : paths.map(readCompanyTable)
  }

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
      terminal.note("another import is running; waiting up to \(wait) s …")
    } isStopped: {
      stop.isStopped
    }
    bar?.clear()
    if summary.files.contains(where: \.isLoaded) {
      var settings = configuration.settings
      settings.assume(besides: configuration.given, ledgerPath: shared.ledger)
      summary.assumptions = settings.assumptions
    }
    terminal.report(summary.allDiagnostics)
    try terminal.print(shared.format == .json ? summary.json : summary.text)
    if summary.filesLeft > 0 { Interruption.passOn() }
    return ending(summary)
  }

  private func request(_ configuration: Configuration) -> ImportRequest {
    var request = ImportRequest(configuration, shared)
    request.paths = paths
    request.vendor = vendor
    request.kind = kind
    request.region = region.flatMap(knownFinanceRegion)
    request.date = date
    request.noSales = noSales
    request.isForced = force
    request.isDryRun = dryRun
    request.keepsGoodRows = keepGoodRows
    request.acceptsResaved = acceptResaved
    request.patience = wait
    return request
  }

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
    defaultStorefront = configuration.settings.defaultStorefront
    hidesRows = configuration.settings.maskUsers
    leftOut = [configuration.path].compactMap(\.self) + configuration.trustRoots.paths
  }
}
