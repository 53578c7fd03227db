import Billing

/// Tells a recorded finding that was changed from what a run found: of all that is kept of it.
struct FindingDigest {
  private var bytes: [UInt8] = []

  /// Takes in all that is kept of a finding.
  ///
  /// - Parameters:
  ///   - explanation: as it is stored.
  ///   - action: as it is stored, with no names in it.
  init(of finding: Finding, explanation: String, action: String) {
    for text in [
      finding.id, finding.code.rawValue, finding.severity.rawValue,
      finding.storefront?.code ?? "", finding.currency?.code ?? "", finding.sku ?? "-",
      explanation, action, finding.customer, finding.formerID ?? "-",
    ] { add(text) }
    add(finding.date.map { Int64($0.number) })
    add(finding.units)
    add(finding.amount)
    add(finding.isMaterial.map { $0 ? 1 : 0 })
    for ids in [finding.orderIDs, finding.transactionIDs] {
      add(Int64(ids.count))
      for id in ids.sorted() { add(id) }
    }
    for source in finding.sources {
      add(source.file)
      add(Int64(source.line))
    }
    for part in finding.parts {
      add(part.storefront?.code ?? "-")
      add(part.amount.currency.code)
      add(part.amount.micros)
    }
  }

  /// The digest, by which a finding that was changed is noticed.
  var value: Int64 { bytes.withUnsafeBytes { Int64(bitPattern: hash64($0)) } }

  /// Adds a text, its length first.
  private mutating func add(_ text: String) {
    add(Int64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Adds a number, or that there is none.
  private mutating func add(_ number: Int64?) {
    bytes.append(number == nil ? 0 : 1)
    withUnsafeBytes(of: (number ?? 0).littleEndian) { bytes.append(contentsOf: $0) }
  }
}
