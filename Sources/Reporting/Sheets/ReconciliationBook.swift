import Billing
import Languages
package import Conclusions

/// Writes the workbook. The same reconciliation gives the same bytes.
///
/// The file appears whole or not at all, and is read back before it appears.
/// - Throws: `OutputError` where the file or a temporary file cannot be written.
package func writeWorkbook(
  _ reconciliation: Reconciliation, to path: String
) throws(OutputError) {
  let sheets = WorkbookContents(reconciliation).sheets()
  let written = Result { () throws(OutputError) in
    try write(sheets, of: reconciliation, to: path, limits: .excel)
  }
  freeInBackground(consume sheets)
  try written.get()
}

/// The bytes of the workbook that a close keeps.
///
/// - Parameters:
///   - pack: what its close says of itself.
///   - folder: where it is written, to be gone at once.
package func workbookBytes(
  _ reconciliation: Reconciliation, pack: ClosePack, besides folder: String
) throws(OutputError) -> [UInt8] {
  let file = try OutputFile(unkeptIn: folder)
  try write(
    WorkbookContents(reconciliation, pack: pack).sheets(), titled: title(of: reconciliation),
    made: reconciliation.asOf, into: file, besides: folder, limits: .excel)
  var bytes: [UInt8] = []
  try file.readBack { bytes += $0 }
  return bytes
}

/// The title in the document's properties.
private func title(of reconciliation: Reconciliation) -> String {
  "Reconciliation \(reconciliation.period)"
}

/// Writes sheets of a reconciliation to a file that appears whole.
func write(
  _ sheets: [Sheet], of reconciliation: Reconciliation, to path: String, limits: Limits
) throws(OutputError) {
  try write(
    sheets, titled: title(of: reconciliation), made: reconciliation.asOf, to: path, limits: limits)
}

extension WorkbookContents {
  /// The workbook's sheets in their order, those without content left out, with a heading for
  /// print.
  func sheets() -> [Sheet] {
    let pages: [@Sendable () -> [Sheet]] = [
      { pack.map { [CloseSheet($0, in: self).sheet()] } ?? [] },
      { [summarySheet()] },
      { mismatchesSheet().map(mismatches.divide) ?? [] },
      { proceedsSheet().map { [$0] } ?? [] },
      { bridgeSheet().map { [$0] } ?? [] },
      { entitiesSheet().map { [$0] } ?? [] },
      { patternsSheet().map { [$0] } ?? [] },
      { ordersSheet().map(orders.divide) ?? [] },
      { dayBoundariesSheet().map { [$0] } ?? [] },
      { purchaseFlowSheet().map { [$0] } ?? [] },
      { stagesSheet().map { [$0] } ?? [] },
      { coinsSheet().map { [$0] } ?? [] },
      { refundsSheets() },
      { subscriptionsSheets() },
      { settlementSheet().map { [$0] } ?? [] },
      { openItemsSheet().map(openItems.divide) ?? [] },
      { payoutStatementSheet().map { [$0] } ?? [] },
      { paymentsSheet().map { [$0] } ?? [] },
      { priceCheckSheet().map { [$0] } ?? [] },
      { termsSheet().map { [$0] } ?? [] },
      { inputsSheet().map { [$0] } ?? [] },
      { [notesSheet()] },
    ]
    let title = say("@summary.reconciliation \(reconciliation.period)")
    let owner = reconciliation.company
    return inThreads(pages.count) { pages[$0]() }.flatMap(\.self).map { sheet in
      var sheet = sheet
      sheet.heading = owner.isEmpty ? title : "\(owner) · \(title)"
      return sheet
    }
  }
}
