import ArgumentParser
import Billing
import Languages
import Workflow

/// `tieout forget`
struct ForgetCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: say("@command.remove-an-imported-file"),
    discussion: say(
      "@command.name-the-file"))

  @Argument(help: .words("@command.file-name-as-given", value: "@command.file-sha256"))
  var file: String?

  @Option(
    parsing: .singleValue,
    help: .words(
      "@command.day-that-was-recorded", value: "YYYY-MM-DD"),
    transform: readDay)
  var noSales: [Day] = []

  @Option(help: .words("@command.only-that-of-this-vendor", value: "@command.number"))
  var vendor: String?

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws {
    try shared.refuseCSV()
    guard (file == nil) != noSales.isEmpty else {
      throw wrongUsage("@command.name-a-file-to-remove")
    }
    if vendor != nil, noSales.isEmpty { throw wrongUsage("@command.vendor-belongs-to-no-sales") }
  }

  /// Removes an imported file, or days that were recorded as without sales, from the ledger.
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
    abstract: say("@command.copy-the-ledger-even-while"),
    discussion: say(
      "@command.copy-appears-whole-or-not"))

  @Argument(help: .words("@command.path-of-the-copy", value: "@shared.path"))
  var path: String

  @OptionGroup var replacing: ReplaceOption

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  func run(on terminal: Terminal) throws -> Ending {
    _ = try Configuration(shared, terminal).outputs([path], shared, .copy, replaces: replacing)
    try backup(shared.ledger, to: path)
    terminal.remark("@command.copied \(shared.ledger) \(path)")
    return .done
  }
}

/// `tieout upgrade`
struct UpgradeCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade",
    abstract: say("@command.make-a-ledger-of-this-version"),
    discussion: say("@command.old-file-stays-as-it-is"))

  @Argument(help: .words("@command.ledger-of-an-older-version", value: "@command.old"))
  var older: String

  @Argument(help: .words("@command.path-of-the-new-ledger", value: "@command.new"))
  var path: String

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  func run(on terminal: Terminal) throws -> Ending {
    try upgrade(older, to: path)
    terminal.remark("@command.upgraded \(older) \(path)")
    return .done
  }
}

/// `tieout verify`
struct VerifyCommand: TieoutCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: say("@command.check-that-the-ledger-holds"),
    discussion: say(
      "@command.checks-every-page-against"))

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  /// Checks the ledger and prints what is damaged; ends with `ledger` where anything is.
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
