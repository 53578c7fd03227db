import Billing
import Foundation
import Languages
import TOMLKit
import Workflow

/// A configuration that cannot be used: everything that is wrong with it.
struct BadConfiguration: Error {
  var diagnostics: [Diagnostic]
}

/// The settings in force and the file that they come from.
struct Configuration {
  /// Nil where there is no file: everything has its default.
  var path: String?
  var settings = Settings()
  var trustRoots = TrustRoots()
  /// How the company's own exports are laid out.
  private(set) var mappings: [TableMapping] = []
  /// By what Apple knows the company.
  private(set) var access = AppleAccess()
  /// The keys that the file sets.
  private(set) var given: Set<String> = []

  /// Reads the file that `--config` names, or `tieout.toml` beside the ledger if there is one, and
  /// tells the terminal what is odd about it. Throws ``BadConfiguration``.
  init(_ options: SharedOptions, _ terminal: Terminal) throws {
    path = options.config ?? Self.pathBeside(ledger: options.ledger)
    if let path {
      terminal.report(try read(path))
    } else {
      if !terminal.isQuiet, FileManager.default.fileExists(atPath: "tieout.toml") {
        terminal.note("@configuration.lies-beside-no-ledger", severity: .warning)
      }
      // The environment alone may say all that is needed.
      var reader = ConfigurationReader(TOMLTable(), ConfigurationPlaces("", ""))
      access = reader.readAccess()
      guard reader.diagnostics.isEmpty else {
        throw BadConfiguration(diagnostics: reader.diagnostics)
      }
    }
    settings.assume(besides: given, ledgerPath: options.ledger)
    terminal.remark(
      path.map { "@configuration.configuration \($0)" }
        ?? "@configuration.configuration-none-defaults-apply")
    for line in effectiveLines { terminal.remark(Wording(verbatim: "  \(line)")) }
  }

  /// The configuration that lies beside a ledger; nil where there is none.
  static func pathBeside(ledger: String) -> String? {
    let path = placeBeside(ledger: ledger)
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// Where the configuration of a ledger lies, if there is one.
  static func placeBeside(ledger: String) -> String {
    let folder = ledger.utf8.lastIndex(of: UInt8(ascii: "/")).map { ledger[...$0] } ?? ""
    return String(folder) + "tieout.toml"
  }

  /// Reads the file at a path and returns its warnings. Throws ``BadConfiguration`` where it has
  /// errors.
  private mutating func read(_ path: String) throws -> [Diagnostic] {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw BadConfiguration(diagnostics: [
        Diagnostic(
          topic: "config", at: SourceLocation(file: path), "@shared.cannot-be-read",
          help: "@configuration.check-that-the-file-exists")
      ])
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw BadConfiguration(diagnostics: [
        Diagnostic(
          topic: "config", at: SourceLocation(file: path), "@configuration.is-not-utf-8-text",
          help: "@configuration.save-it-as-utf-8")
      ])
    }
    let places = ConfigurationPlaces(path, text)
    if let excess = places.excess { throw BadConfiguration(diagnostics: [excess]) }
    var reader = ConfigurationReader(try Self.table(text, path), places)
    settings = reader.settings()
    trustRoots = reader.trustRoots
    mappings = reader.mappings
    access = reader.access
    given = Set(reader.table.keys)
    let errors = reader.diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty else { throw BadConfiguration(diagnostics: reader.diagnostics) }
    return reader.diagnostics
  }

  /// The mappings of lines that could stand in a configuration; none where these are wrong.
  static func mappings(in text: String) -> [TableMapping] {
    guard let table = try? TOMLTable(string: text) else { return [] }
    var reader = ConfigurationReader(table, ConfigurationPlaces("", text))
    _ = reader.settings()
    return reader.mappings
  }

  /// The text as a table of TOML. Throws ``BadConfiguration`` where it is none.
  ///
  /// - Parameter path: where the text is from, for the message.
  private static func table(_ text: String, _ path: String) throws -> TOMLTable {
    do {
      return try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw BadConfiguration(diagnostics: [
        ConfigurationPlaces(path, text).diagnostic(
          line: error.source.begin.line, column: error.source.begin.column,
          "@configuration.is-not-toml \(error.description)",
          help: "@configuration.write-texts-in-double-quotes")
      ])
    }
  }
}

extension Configuration {
  /// Checks where a command is to write, before it does anything.
  ///
  /// - Parameter paths: the files; nil for an option that was not given.
  /// - Returns: the files that may be written, to be noted in the ledger once they are.
  func outputs(
    _ paths: [String?], _ options: SharedOptions, _ kind: Outputs.Kind = .work,
    replaces: ReplaceOption
  ) throws -> Outputs {
    try Outputs(
      paths.compactMap(\.self), ledgerPath: options.ledger,
      read: [path].compactMap(\.self) + trustRoots.paths, kind: kind, replaces: replaces.replace)
  }
}

extension Outputs {
  /// Notes what was written, and warns where the ledger could not take it.
  func note(on terminal: Terminal) {
    guard let reason = noteWritten() else { return }
    terminal.note(
      "@configuration.what-was-written-is-not \(reason)", severity: .warning)
  }
}

extension Configuration {
  /// Every key with the value in force, as it could stand in the file: `key = value`.
  var effectiveLines: [String] {
    let spans = settings.smallBusiness.map { span in
      "{ from = \"\(span.from?.description ?? "")\", to = \"\(span.to?.description ?? "")\" }"
    }
    let windows = settings.sandboxWindows.map { "{ from = \($0.from), to = \($0.to) }" }
    let boundaries = settings.dayBoundary.sorted { $0.key < $1.key }.map { storefront, zone in
      "\(storefront) = \"\(zone.name)\""
    }
    let deduction =
      settings.expectedDeduction.map { band in
        [band.lowerBound, band.upperBound].map { decimalText(micros: $0, minimumDigits: 2) }
          .joined(separator: ", ")
      }.map { "[\($0)]" } ?? "\"\(followsTerms)\""
    return [
      "language = \"\(Translation.current.language.rawValue)\"",
      "company = \"\(settings.company)\"",
      "base_currency = \"\(settings.baseCurrency)\"",
      "bundle_ids = \(settings.bundleIDs)",
      "vendor_numbers = \(settings.vendorNumbers)",
      "developer_country = \"\(settings.developerCountry)\"",
      "default_storefront = \"\(settings.defaultStorefront?.code ?? "")\"",
      "business_zone = \"\(settings.businessZone.name)\"",
      "small_business = [\(spans.joined(separator: ", "))]",
      "agreements = \(settings.agreementsText)",
      "programmes = \(settings.programmesText)",
      "channels = \(settings.channelsText)",
      "coins = \(settings.coins.text)",
      "day_boundary = { \(boundaries.joined(separator: ", ")) }",
      "timing_window = \(settings.timingWindow)",
      "expected_deduction = \(deduction)",
      "tolerance = \(settings.tolerance)",
      "late_after = \(settings.lateAfter)",
      "sandbox_users = \(settings.sandboxUsers.sorted())",
      "sandbox_windows = [\(windows.joined(separator: ", "))]",
      "trust_roots = \(trustRoots.names)",
      "mask_users = \(settings.maskUsers)",
      "require_signed = \(settings.requireSigned)",
    ] + bookLines + ["import = \(importLine)", "apple = \(access.line)"]
  }

  /// The lines of the keys that the books need.
  private var bookLines: [String] {
    let accounts = AccountRole.allCases.map { "\($0.rawValue) = \"\(settings.accounts[$0])\"" }
    let codes = settings.accountCodes.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.rawValue) = \"\($1)\"" }
    var programs: [String] = []
    if !codes.isEmpty { programs.append("account_codes = { \(codes.joined(separator: ", ")) }") }
    if let rate = settings.xeroTaxRate { programs.append("xero_tax_rate = \"\(rate)\"") }
    if let client = settings.datev {
      programs.append(
        "datev = { consultant = \(client.consultant), client = \(client.client), "
          + "first_month = \(client.firstMonth), account_length = \(client.accountLength) }")
    }
    let opening = amountTexts(settings.openingReceivable)
    let material = amountTexts(settings.material)
    let days = settings.paymentDays.sorted { $0.key < $1.key }.map { "\($0) = \($1)" }
    let regions = settings.paymentRegions.sorted { $0.key < $1.key }.map { label, region in
      "\"\(label)\" = \"\(region)\""
    }
    return [
      "carry_max = \(settings.carryMax)",
      "fx_tolerance = \(decimalText(micros: settings.fxTolerance))",
      "revenue = \"\(settings.revenue.rawValue)\"",
      "revenue_rate = \"\(settings.revenueRate.rawValue)\"",
      "deferral = \(settings.deferral)",
      "defer_commission = \(settings.deferCommission)",
      "two_signatures = \(settings.twoSignatures)",
      "accounts = { \(accounts.joined(separator: ", ")) }",
      "opening_receivable = { \(opening.joined(separator: ", ")) }",
      "payment_regions = { \(regions.joined(separator: ", ")) }",
      "payment_days = { \(days.joined(separator: ", ")) }",
      "material = { \(material.joined(separator: ", ")) }",
    ] + programs
  }
  /// Amounts in micro-units as they stand in a table of the file: `USD = "12.00"`.
  private func amountTexts(_ amounts: [Currency: Int64]) -> [String] {
    amounts.sorted { $0.key < $1.key }.map { currency, amount in
      "\(currency) = \"\(Money(micros: amount, currency).text)\""
    }
  }
}
