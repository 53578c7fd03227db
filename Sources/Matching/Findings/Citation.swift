package import Billing

/// The strongest source of what a finding about settlement, payment or the bank says.
package struct Citation: Hashable, Sendable {
  /// Who tells of money after a sale.
  package enum Document: Hashable, Sendable {
    /// Apple's sales reports: what was sold, at proceeds that Apple may still change.
    case salesReport
    case financialDetail
    case financialReport
    case paymentsSummary
    case bankStatement

    package var wording: Wording {
      switch self {
      case .salesReport: "@shared.apple-sales-report"
      case .financialDetail: "@finding.apple-detail-of-the-financial"
      case .financialReport: "@shared.apple-financial-report"
      case .paymentsSummary: "@shared.apple-payments-summary"
      case .bankStatement: "@finding.bank-statement"
      }
    }
  }

  package var document: Document
  /// Rows of a financial report, or of its detail, that tell it.
  package var finance: [FinanceRow.ID] = []
  /// Lines of other documents that tell it; a line of 0 names the file alone.
  package var places: [Source] = []
  /// Why what is said is estimated; nil where the document reports it.
  package var estimate: Wording?

  /// - Parameters:
  ///   - finance: rows of a financial report, or of its detail, that tell it.
  ///   - places: lines of other documents that tell it.
  ///   - estimate: why what is said is estimated; nil where the document reports it.
  package init(
    _ document: Document, finance: [FinanceRow.ID] = [], places: [Source] = [],
    estimate: Wording? = nil
  ) {
    self.document = document
    self.finance = finance
    self.places = places
    self.estimate = estimate
  }
}

extension Wording {
  /// This text followed by its source, and by whether that reports or only estimates it.
  ///
  /// - Parameter places: where the document tells it, ascending; empty where it names no line.
  package func citing(_ citation: Citation, at places: [Source]) -> Wording {
    var source = citation.document.wording
    if let first = places.first {
      // The finding's sources have the whole path.
      let file = first.file.split(separator: "/").last.map(String.init) ?? first.file
      source =
        first.line == 0 ? "\(source), \(file)" : "@finding.line \(source) \(file) \(first.line)"
      let more = places.count - 1
      if more > 0 {
        source = counted(more, "@finding.and-1-more-line \(source)") {
          "@finding.and-more-lines \(source) \($0)"
        }
      }
    }
    return citation.estimate.map { "@finding.source-estimated \(self) \(source) \($0)" }
      ?? "@finding.source-reported \(self) \(source)"
  }
}
