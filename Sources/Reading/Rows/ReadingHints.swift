package import Billing

/// What the caller says where neither a file's content nor its name tells.
package struct ReadingHints: Hashable, Sendable {
  package var vendor: String?
  /// Of financial reports, by Apple's code: `EU`, `ZZ`.
  package var region: String?
  package var date: Day?
  /// Root certificates (DER) that are trusted beside Apple's.
  package var roots: [[UInt8]]
  /// The company's apps; a signed payload of any other is refused. Empty: any app's is taken.
  package var bundleIDs: Set<String>

  package init(
    vendor: String? = nil, region: String? = nil, date: Day? = nil, roots: [[UInt8]] = [],
    bundleIDs: Set<String> = []
  ) {
    self.vendor = vendor
    self.region = region
    self.date = date
    self.roots = roots
    self.bundleIDs = bundleIDs
  }
}
