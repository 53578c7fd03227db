import Billing

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
}
