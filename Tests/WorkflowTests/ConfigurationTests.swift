import Billing
import Foundation
import Support
import Testing

@Suite struct ConfigurationTests {
  /// Runs a command that reads the configuration and needs nothing else.
  private func run(
    _ text: String, verbose: Bool = false, files: [String: String] = [:]
  ) throws -> CommandLineRun {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(name, text) }
    try folder.write("orders.csv", Inputs.orders(0..<1))
    _ = try folder.importing("orders.csv")
    try folder.write("tieout.toml", text)
    return verbose
      ? try CommandLineRun("status", "--verbose", "--as-of", "2023-06-03", in: folder)
      : try CommandLineRun("status", "--as-of", "2023-06-03", in: folder)
  }

  @Test func `every key is read`() throws {
    let run = try run(
      """
      company = "Orbit 游戏 Ltd"
      base_currency = "USD"
      bundle_ids = ["com.example", "com.other"]
      vendor_numbers = ["85012345", 86000000]
      developer_country = "CHN"
      default_storefront = "CN"
      business_zone = "Asia/Shanghai"
      small_business = [{ from = "2023-01-01", to = "2023-12-31" }, { from = 2025-01-01 }]
      timing_window = "3 h"
      expected_deduction = [0.30, "0.335"]
      tolerance = 2
      late_after = "1 h 30 min"
      sandbox_users = ["u2", "u1"]
      sandbox_windows = [
        { from = 2023-06-01T08:00:00Z, to = "2023-06-03" }, { from = 2023-07-01T00:00:00+08:00 },
      ]
      trust_roots = ["roots/ours.pem"]
      mask_users = true
      require_signed = true
      carry_max = 3
      fx_tolerance = 0.005
      revenue = "net"
      revenue_rate = "day"
      deferral = true
      defer_commission = true
      two_signatures = true
      opening_receivable = { USD = "1234.5", JPY = 1200 }
      material = { CNY = 100, USD = "12.5" }
      payment_regions = { "Übrige Länder" = "ww" }
      payment_days = { FY2023-P09 = 2023-08-02 }
      channels = [{ name = "google", fee = 0.15, tax = "0.1" }, { name = "web" }]
      coins = { presentation = "agent", valuation = "lot", breakage = 0.2, remote_months = 6 }
      [day_boundary]
      US = "+08:00, from 2023-06-16 UTC"
      CN = "Asia/Shanghai"
      [accounts]
      bank = "Assets:Bank:CMB"
      """, verbose: true, files: ["roots/ours.pem": rootPEM])
    #expect(run.status == 0)
    #expect(
      run.errors == """
        configuration: ./tieout.toml
          language = "en"
          company = "Orbit 游戏 Ltd"
          base_currency = "USD"
          bundle_ids = ["com.example", "com.other"]
          vendor_numbers = ["85012345", "86000000"]
          developer_country = "CN"
          default_storefront = "CN"
          business_zone = "Asia/Shanghai"
          small_business = [{ from = "2023-01-01", to = "2023-12-31" }, \
        { from = "2025-01-01", to = "" }]
          agreements = []
          programmes = []
          channels = [{ name = "google", fee = 0.15, tax = 0.1 }, \
        { name = "web", fee = 0, tax = 0 }]
          coins = { presentation = "agent", valuation = "lot", free_coins = "first", \
        breakage = 0.2, remote_months = 6, contract_cost = "expensed" }
          day_boundary = { CN = "Asia/Shanghai", US = "+08:00, from 2023-06-16 UTC" }
          timing_window = 10800
          expected_deduction = [0.30, 0.335]
          tolerance = 2
          late_after = 5400
          sandbox_users = ["u1", "u2"]
          sandbox_windows = [{ from = 2023-06-01T08:00:00Z, to = 2023-06-03T23:59:59Z }, \
        { from = 2023-06-30T16:00:00Z, to = 9999-12-31T23:59:59Z }]
          trust_roots = ["roots/ours.pem"]
          mask_users = true
          require_signed = true
          carry_max = 3
          fx_tolerance = 0.005
          revenue = "agent"
          revenue_rate = "day"
          deferral = true
          defer_commission = true
          two_signatures = true
          accounts = { receivable = "Assets:Receivable:Apple", bank = "Assets:Bank:CMB", \
        \(accounts) }
          opening_receivable = { JPY = "1200", USD = "1234.50" }
          payment_regions = { "Übrige Länder" = "WW" }
          payment_days = { FY2023-P09 = 2023-08-02 }
          material = { CNY = "100.00", USD = "12.50" }
          import = {}
          apple = {}

        """)
  }

  /// As they are named where the configuration names none.
  private let accounts = AccountRole.allCases.dropFirst(2)
    .map { "\($0.rawValue) = \"\($0.defaultName)\"" }.joined(separator: ", ")

  @Test func `an account that beancount would not take is a warning`() throws {
    let run = try run("[accounts]\nreceivable = \"1122 应收账款:Apple\"\nbnak = \"Assets:Bank\"\n")
    #expect(run.status == 0)
    #expect(
      run.errors == """
        ./tieout.toml:2:1: warning[config]: accounts: beancount would not take \
        "1122 应收账款:Apple"
         2 | receivable = "1122 应收账款:Apple"
           | ^
          help: its text output will have "Assets:1122-应收账款:Apple"; use that name to have one \
        name everywhere
        ./tieout.toml:3:1: warning[config]: accounts: unknown key "bnak" is left out
         3 | bnak = "Assets:Bank"
           | ^
          help: did you mean bank?

        """)
  }

  @Test func `without a file the defaults hold`() throws {
    let run = try run("", verbose: true)
    for line in [
      "base_currency = \"CNY\"", "developer_country = \"CN\"", "business_zone = \"UTC\"",
      "timing_window = 10800", "expected_deduction = \"terms\"", "tolerance = 1",
      "late_after = 3600", "mask_users = false", "require_signed = false", "carry_max = 2",
      "fx_tolerance = 0.01", "revenue = \"principal\"", "revenue_rate = \"month\"",
      "coins = { free_coins = \"first\", breakage = \"none\", contract_cost = \"expensed\" }",
      "deferral = false", "defer_commission = false", "two_signatures = false",
      "opening_receivable = {  }", "material = {  }",
    ] { #expect(run.errors.contains("\n  \(line)\n"), "\(line)") }
  }

  @Test func `an unknown key is a warning with a suggestion`() throws {
    let run = try run("# ours\nbase_curency = \"USD\"\n")
    #expect(run.status == 0)
    #expect(
      run.errors == """
        ./tieout.toml:2:1: warning[config]: unknown key "base_curency" is left out
         2 | base_curency = "USD"
           | ^
          help: did you mean base_currency?

        """)
  }

  /// One line each, and what the message says is expected.
  @Test(arguments: [
    ("coins = 3", "a table [coins]"),
    ("coins = { valuation = \"fifo\" }", "\"lot\", \"average\", \"channel-average\""),
    ("coins = { breakage = 1.0 }", "a share above 0 and below 1"),
    ("coins = { remote_months = 0 }", "a number of months from 1 to 120"),
    ("coins = { value = \"lot\" }", "found \"value\""),
    ("company = \"\"", "a company name"),
    ("company = 3", "a company name"),
    ("base_currency = \"RMB\"", "a three-letter currency code"),
    ("base_currency = 5", "text in double quotes, found the number 5"),
    ("bundle_ids = \"com.example\"", "a list of texts in quotes"),
    ("vendor_numbers = [\"8501 2345\"]", "vendor numbers such as"),
    ("developer_country = \"QQ\"", "a two-letter storefront code"),
    ("business_zone = \"Asia/Shangai\"", "did you mean \"Asia/Shanghai\"?"),
    ("small_business = [{ from = \"2023-02-30\" }]", "a date such as"),
    ("small_business = [{ from = 2023-02-02, to = 2023-02-01 }]", "a first and a later day"),
    ("small_business = [{ since = 2023-02-02 }]", "from and to, found \"since\""),
    ("small_business = [{ approved = 2023-02-02, from = 2023-02-02 }]", "either from or approved"),
    ("small_business = [{ approved = 2026-09-14, to = 2026-10-11 }]", "from 2026-10-12 on"),
    ("sandbox_windows = [{ approved = 2023-02-02 }]", "from and to, found \"approved\""),
    ("day_boundary = { QQ = \"Asia/Shanghai\" }", "found \"QQ\""),
    ("day_boundary = { CN = \"PST\" }", "found \"PST\""),
    ("timing_window = \"3 hours\"", "a duration such as"),
    ("timing_window = -1", "a duration such as"),
    ("late_after = \"40 d\"", "up to 30 d"),
    ("expected_deduction = [0.3]", "a lower and an upper share"),
    ("expected_deduction = [30, 33]", "from 0 to 1"),
    ("expected_deduction = [0.33, 0.30]", "the upper one first"),
    ("expected_deduction = [0.30, 0.33000001]", "found the number 0.33000001"),
    ("tolerance = \"1\"", "a whole number"),
    ("trust_roots = \"ours.pem\"", "a list of texts in quotes"),
    ("trust_roots = [\"none.pem\"]", "trust_roots: none.pem: cannot be read: no such file"),
    ("trust_roots = [\".\"]", "trust_roots: .: expected a file"),
    ("trust_roots = [\"orders.csv\"]", "neither a PEM file nor a certificate as DER"),
    ("mask_users = \"yes\"", "true or false, found \"yes\""),
    ("sandbox_windows = [{ from = \"2023-06-01 25:00\" }]", "a time such as"),
    ("carry_max = 13", "a number of fiscal months from 0 to 12"),
    ("fx_tolerance = \"1 %\"", "a share from 0 to 1"),
    ("revenue = \"brutto\"", "\"principal\", \"agent\" or \"gross-of-tax\", found \"brutto\""),
    ("revenue_rate = \"year\"", "\"month\" or \"day\", found \"year\""),
    ("opening_receivable = { USD = \"1,5\" }", "an amount per currency"),
    ("opening_receivable = { RMB = 1 }", "found \"RMB\""),
    ("payment_days = { FY2023-P13 = 2023-08-02 }", "a day by fiscal month"),
    ("payment_days = { FY2023-P09 = \"soon\" }", "a day by fiscal month"),
    ("payment_regions = { \"Rest der Welt\" = \"QQ\" }", "regions by label"),
    ("material = { CNY = -1 }", "amounts from 0"),
    ("accounts = \"Assets:Bank\"", "expected a table"),
    ("accounts.bank = \"Assets:Bank; ours\"", "bank is not a valid account name"),
    ("tolerance = = 1", "is not TOML"),
  ])
  func `a wrong value is bad input with its line`(line: String, expected: String) throws {
    let run = try run("# ours\n\n" + line + "\n")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("./tieout.toml:3:"))
    #expect(run.errors.contains("error[config]: "))
    #expect(run.errors.contains("\n 3 | \(line)\n"))
    #expect(run.errors.contains(expected), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func `a trust root lies beside the configuration, in whatever folder that is`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<1))
    try folder.write("company/tieout.toml", "trust_roots = [\"roots/ours.pem\", \"damaged.pem\"]\n")
    try folder.write("company/roots/ours.pem", "Certificate:\n" + rootPEM)
    let damaged = rootPEM.replacingOccurrences(of: "MII", with: "MI?")
    try folder.write("company/damaged.pem", damaged)
    var run = try CommandLineRun(
      "import", "orders.csv", "--config", "company/tieout.toml", in: folder)
    #expect(run.status == 2)
    #expect(
      run.errors.hasPrefix(
        "company/tieout.toml:1:1: error[config]: trust_roots: damaged.pem: certificate 1 of the"
          + " file is damaged\n"))
    try folder.write("company/damaged.pem", rootPEM)
    run = try CommandLineRun("import", ".", "--config", "company/tieout.toml", in: folder)
    #expect(run.status == 0)
    #expect(run.errors == "")
  }

  @Test func `a configuration that lies beside no ledger is said to be left out`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<1))
    try folder.write("tieout.toml", "base_currency = \"USD\"\n")
    try folder.write("away/none.txt", "")
    let said = "warning: ./tieout.toml is not read, because the ledger lies elsewhere; "
    let away = ["import", "orders.csv", "--ledger", "away/x.sqlite"]
    let run = try CommandLineRun(away, in: folder)
    #expect(run.status == 0 && run.errors.hasPrefix(said), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
    for more in [["--config", "./tieout.toml"], ["--quiet"]] {
      #expect(try CommandLineRun(away + more, in: folder).errors.isEmpty)
    }
    let here = try CommandLineRun("import", "orders.csv", "--ledger", "x.sqlite", in: folder)
    #expect(here.status == 0 && here.errors.isEmpty)
  }

  @Test func `a configuration that is named must be there`() throws {
    let folder = try TemporaryFolder()
    let run = try CommandLineRun("status", "--config", "none.toml", in: folder)
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("none.toml: error[config]: cannot be read\n"))
  }
}

/// A certificate that a test authority issued to itself.
private let rootPEM = """
  -----BEGIN CERTIFICATE-----
  MIIBfDCCASOgAwIBAgIUA155wLr0zV4hX3c/hfQ6/iVCFmQwCgYIKoZIzj0EAwIw
  FDESMBAGA1UEAwwJVGVzdCBSb290MB4XDTI2MTEyMTIyNDQyMFoXDTQ2MTExNjIy
  NDQyMFowFDESMBAGA1UEAwwJVGVzdCBSb290MFkwEwYHKoZIzj0CAQYIKoZIzj0D
  AQcDQgAE9a+Fii4WsovIDoySoten80OHnK3WTHSPMrhykozjbPaXfgitORyVXLKR
  ZNoFiADOjsa86iYnBpvwFzpla7FzYqNTMFEwHQYDVR0OBBYEFP/c77jItI3EhX79
  Xl6jPm1YwffkMB8GA1UdIwQYMBaAFP/c77jItI3EhX79Xl6jPm1YwffkMA8GA1Ud
  EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgLBEnr+Q7ZEFHQ3uRZax0EPZK
  NbuPrKutRHUBoWCpd38CIF1AcmlOmAG5KSUAaCNEE3NJ4ofOg67kti5Kb6WPmy9P
  -----END CERTIFICATE-----
  """
