import Billing
import Ledger

extension ImportedFile {
  /// Warns of a report that belongs to none of the company's vendor numbers.
  mutating func checkVendor(among known: [String]) {
    guard kind?.isReport == true, isLoaded, !vendor.isEmpty, !known.isEmpty, !known.contains(vendor)
    else { return }
    diagnostics.append(
      Diagnostic(
        .warning, topic: "vendor", at: SourceLocation(file: file),
        "the report belongs to vendor \(vendor), which vendor_numbers does not list",
        help: "add it to vendor_numbers in tieout.toml, or see whose report this is"))
  }

  /// Warns of payments that another vendor's summary of the month has, too.
  mutating func checkPayments(in ledger: Ledger) throws {
    guard kind == .payments, isLoaded, let sha256 else { return }
    for payout in try ledger.payoutsOfOtherVendors(sha256: sha256).prefix(20) {
      diagnostics.append(
        Diagnostic(
          .warning, topic: "vendor", at: SourceLocation(file: file, line: payout.line),
          """
          the payment of \(payout.amount.text) \(payout.amount.currency) stands in \(payout.file) \
          too, there for vendor \(payout.vendor)
          """,
          help: """
            both count: if it is one payment, take the file of the wrong vendor back with tieout \
            forget
            """))
    }
  }
}
