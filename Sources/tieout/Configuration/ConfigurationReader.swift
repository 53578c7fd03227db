import Billing
import TOMLKit
import Workflow

/// Turns the file's keys into settings and collects all that is wrong with them.
struct ConfigurationReader {
  static let keys = [
    "language",
    "company", "base_currency", "bundle_ids", "vendor_numbers", "developer_country",
    "default_storefront",
    "business_zone", "small_business", "agreements", "programmes", "channels", "coins",
    "day_boundary", "timing_window",
    "expected_deduction",
    "tolerance", "late_after", "sandbox_users", "sandbox_windows", "trust_roots", "mask_users",
    "require_signed",
    "carry_max", "fx_tolerance", "revenue", "revenue_rate", "deferral", "defer_commission",
    "two_signatures",
    "accounts", "account_codes", "xero_tax_rate", "datev",
    "opening_receivable", "material", "payment_regions", "payment_days",
    "import", "apple",
  ]

  /// Unknown keys that are told one by one.
  private static let unknownTold = 100

  let table: TOMLTable
  private let places: ConfigurationPlaces
  private(set) var diagnostics: [Diagnostic] = []
  /// Known once the settings have been read.
  private(set) var trustRoots = TrustRoots()
  private(set) var mappings: [TableMapping] = []
  private(set) var access = AppleAccess()

  init(_ table: TOMLTable, _ places: ConfigurationPlaces) {
    self.table = table
    self.places = places
  }

  /// The settings, with the default wherever a key is absent or was objected to.
  mutating func settings() -> Settings {
    var settings = Settings()
    warnOfUnknownKeys()
    // Which one it is was found out before the command line was parsed.
    var language: Language?
    read("language", into: &language, spokenLanguage)
    read("company", into: &settings.company, companyName)
    read("base_currency", into: &settings.baseCurrency, currency)
    read("bundle_ids", into: &settings.bundleIDs, texts)
    read("vendor_numbers", into: &settings.vendorNumbers, vendorNumbers)
    read("developer_country", into: &settings.developerCountry, storefront)
    read("default_storefront", into: &settings.defaultStorefront, storefront)
    read("business_zone", into: &settings.businessZone, zone)
    read("small_business", into: &settings.smallBusiness, smallBusinessSpans)
    read("agreements", into: &settings.agreements, agreements)
    read("programmes", into: &settings.programmes, programmes)
    read("channels", into: &settings.channels, channels)
    read("coins", into: &settings.coins, coinPolicy)
    read("day_boundary", into: &settings.dayBoundary, boundaries)
    read("timing_window", into: &settings.timingWindow, duration)
    read("expected_deduction", into: &settings.expectedDeduction, band)
    read("tolerance", into: &settings.tolerance, count)
    read("late_after", into: &settings.lateAfter, duration)
    read("sandbox_users", into: &settings.sandboxUsers, textSet)
    read("sandbox_windows", into: &settings.sandboxWindows, timeSpans)
    read("mask_users", into: &settings.maskUsers, flag)
    read("require_signed", into: &settings.requireSigned, flag)
    read("carry_max", into: &settings.carryMax, fiscalMonths)
    read("fx_tolerance", into: &settings.fxTolerance, share)
    read("revenue", into: &settings.revenue, revenue)
    read("revenue_rate", into: &settings.revenueRate, revenueRate)
    read("deferral", into: &settings.deferral, flag)
    read("defer_commission", into: &settings.deferCommission, flag)
    read("two_signatures", into: &settings.twoSignatures, flag)
    read("opening_receivable", into: &settings.openingReceivable, amounts)
    read("payment_days", into: &settings.paymentDays, paymentDays)
    read("payment_regions", into: &settings.paymentRegions, regions)
    read("material", into: &settings.material, thresholds)
    readAccounts(into: &settings.accounts)
    readAccountCodes(into: &settings.accountCodes)
    read("xero_tax_rate", into: &settings.xeroTaxRate, taxRateName)
    read("datev", into: &settings.datev, datevClient)
    readTrustRoots()
    let businessZone = settings.businessZone
    var mappings: [TableMapping] = []
    read("import", into: &mappings) { value throws(ValueDiagnostic) in
      try MappingsReader(businessZone: businessZone).mappings(value)
    }
    self.mappings = mappings
    access = readAccess()
    diagnostics.sort { $0.location.line < $1.location.line }
    return settings
  }

  /// Puts a key's value into a setting, where the file has the key and `interpret` understands the
  /// value; else the setting stays, and what is wrong is noted.
  private mutating func read<Value>(
    _ key: String, into setting: inout Value,
    _ interpret: (any TOMLValueConvertible) throws(ValueDiagnostic) -> Value
  ) {
    guard let value = table[key] else { return }
    do throws(ValueDiagnostic) {
      setting = try interpret(value)
    } catch {
      diagnostics.append(
        places.diagnostic(
          at: key, "@configuration.expected-found \(key) \(error.expected) \(error.found)",
          help: error.help))
    }
  }

  /// Notes what is wrong with a key.
  ///
  /// - Parameter parent: where to point when no line begins with the key.
  mutating func object(
    _ severity: Severity, at key: String, in parent: String, _ message: Wording,
    help: Wording
  ) {
    let place = places.contains(key) ? key : parent
    diagnostics.append(places.diagnostic(severity, at: place, message, help: help))
  }

  /// A path that the file gives, as it stands for the process.
  func path(relative path: String) -> String { places.path(relative: path) }

  /// Notes the keys that the configuration does not have, with what was likely meant.
  private mutating func warnOfUnknownKeys() {
    let unknown = table.keys.filter { !Self.keys.contains($0) }
    if unknown.count > Self.unknownTold {
      diagnostics.append(
        places.diagnostic(
          .warning, line: 0, column: 0,
          "@configuration.further-unknown-keys-are-left \(unknown.count - Self.unknownTold)",
          help: "@configuration.known-keys \(Self.keys.joined(separator: ", "))"))
    }
    for key in unknown.prefix(Self.unknownTold) {
      let help: Wording =
        nearest(to: key, among: Self.keys).map { "@shared.did-you-mean \($0)" }
        ?? "@configuration.known-keys \(Self.keys.joined(separator: ", "))"
      diagnostics.append(
        places.diagnostic(
          .warning, at: key, "@configuration.unknown-key-is-left-out \(key)", help: help))
    }
  }

  /// Reads the certificates that `trust_roots` names; paths are relative to the file that names
  /// them.
  private mutating func readTrustRoots() {
    var roots = TrustRoots()
    read("trust_roots", into: &roots.names, texts)
    for name in roots.names {
      do throws(UnusableTrustRoot) {
        try roots.add(path: places.path(relative: name))
      } catch {
        diagnostics.append(
          places.diagnostic(
            at: "trust_roots", "@configuration.trust-roots \(name) \(error.message)",
            help: error.help))
      }
    }
    trustRoots = roots
  }
}
