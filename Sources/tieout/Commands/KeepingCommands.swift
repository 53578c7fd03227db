import ArgumentParser
import Billing
import Languages
import Workflow

/// `tieout forget`
struct ForgetCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: say("Remove an imported file from the ledger."),
    discussion: say(
      """
      Name the file as it was given to import, or by its SHA-256 or the first eight digits of \
      that. Everything read from it is removed, and a report that it superseded counts again. A \
      file that was used to close a month cannot be removed until that month is reopened. \
      --no-sales takes back that Apple had no sales on a day.

        tieout forget orders.csv
        tieout forget --no-sales 2023-06-18
      """))

  @Argument(help: .words("The file's name as given, or its SHA-256.", value: "file|sha256"))
  var file: String?

  @Option(
    parsing: .singleValue,
    help: .words(
      "A day that was recorded as one without sales; may be repeated.", value: "YYYY-MM-DD"),
    transform: readDay)
  var noSales: [Day] = []

  @Option(help: .words("Only that of this vendor.", value: "number"))
  var vendor: String?

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    guard (file == nil) != noSales.isEmpty else {
      throw wrongUsage("Name a file to remove, or a day with --no-sales.")
    }
    if vendor != nil, noSales.isEmpty { throw wrongUsage("--vendor belongs to --no-sales.") }
  }

  func run(on terminal: Terminal) throws -> Ending {
    guard let file else {
      let days = try ForgottenDays(noSales, vendor: vendor, ledgerPath: shared.ledger)
      try terminal.print(shared.format == .json ? days.json : days.text)
      return .done
    }
    let forgotten = try ForgottenFile(file, ledgerPath: shared.ledger)
    try terminal.print(shared.format == .json ? forgotten.json : forgotten.text)
    return .done
  }
}

/// `tieout backup`
struct BackupCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: say("Copy the ledger, even while others read it."),
    discussion: say(
      """
      The copy appears whole or not at all, and shows the ledger as of one moment: rows from an \
      import running at the same time are added to the ledger afterwards and are not in the copy.

        tieout backup ~/backups/2023-06.sqlite
      """))

  @Argument(help: .words("The path of the copy.", value: "path"))
  var path: String

  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  func run(on terminal: Terminal) throws -> Ending {
    _ = try Configuration(shared, terminal).outputs([path], shared, .copy, replaces: replacing)
    try backup(shared.ledger, to: path)
    terminal.remark("copied \(shared.ledger) to \(path)")
    return .done
  }
}

/// `tieout verify`
struct VerifyCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: say("Check that the ledger holds what was written to it."),
    discussion: say(
      """
      Checks every page against its seal, indexes against tables, rows against the files they came \
      from, and the documents of closes against their digests. Each imported file that is still \
      where it was is read again under the current configuration and compared with its rows. Ends \
      with status 3 when something is not as it was written.

        tieout verify
      """))

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    var request = ImportRequest(paths: [], ledgerPath: shared.ledger, importedAt: now())
    request.vendorNumbers = configuration.settings.vendorNumbers
    request.roots = configuration.trustRoots.certificates
    request.mappings = configuration.mappings
    request.bundleIDs = Set(configuration.settings.bundleIDs)
    let verification = try Verification(request)
    try terminal.print(shared.format == .json ? verification.json : verification.text)
    return verification.isDamaged ? .ledger : .done
  }
}
