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
      The file is named as it was given to import, or by its SHA-256 or the first eight digits of \
      it. All that was read from it goes; a report that it had superseded counts again. A file \
      that a month in force was closed with stays until that month is reopened.

        tieout forget orders.csv
      """))

  @Argument(help: .words("The file's name as given, or its SHA-256.", value: "file|sha256"))
  var file: String

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  func run(on terminal: Terminal) throws -> Ending {
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
      The copy appears whole or not at all, and has one state of the ledger: an import that runs \
      meanwhile waits with what it would add.

        tieout backup ~/backups/2023-06.sqlite
      """))

  @Argument(help: .words("The path of the copy.", value: "path"))
  var path: String

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  func run(on terminal: Terminal) throws -> Ending {
    try Configuration(shared, terminal).check(path, shared)
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
      Every page is held against its seal, indexes against tables, rows against the files that \
      brought them, documents of closes against their digests. Each imported file that still lies \
      where it was is read again, as the configuration says now, and compared with its rows. Ends \
      with status 3 when something is not what was written.

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
