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
        "@import.report-belongs-to-vendor \(vendor)",
        help: "@import.add-it-to-vendor-numbers"))
  }

  /// Warns of payments that another vendor's summary of the month has, too.
  mutating func checkPayments(in ledger: Ledger) throws {
    guard kind == .payments, isLoaded, let sha256 else { return }
    for payout in try ledger.payoutsOfOtherVendors(sha256: sha256).prefix(20) {
      diagnostics.append(
        Diagnostic(
          .warning, topic: "vendor", at: SourceLocation(file: file, line: payout.line),
          """
          @import.payment-of-stands-in-too \(payout.amount.text) \(payout.amount.currency) \
          \(payout.file) \(payout.vendor)
          """,
          help: "@import.both-count-if-it-is"))
    }
  }
}
