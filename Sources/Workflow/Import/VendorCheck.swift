import Billing
import Ledger

extension ImportedFile {
  /// Adds a warning to a report of Apple's whose vendor number is none of the company's.
  ///
  /// - Parameter known: the company's vendor numbers; empty does not warn.
  mutating func checkVendor(among vendorNumbers: [String]) {
    guard kind?.isReport == true, isLoaded, !vendor.isEmpty, !vendorNumbers.isEmpty,
      !vendorNumbers.contains(vendor)
    else { return }
    diagnostics.append(
      Diagnostic(
        .warning, topic: "vendor", at: SourceLocation(file: file),
        "@import.report-belongs-to-vendor \(vendor)",
        help: "@import.add-it-to-vendor-numbers"))
  }

  /// Adds a warning for each payment, of the first twenty, that another vendor's summary of the
  /// same month has, too.
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
