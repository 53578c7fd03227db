package import Billing
import Languages

/// What a book that one of two persons signed has in the places of the second signature, and what
/// stands there once it is given: nothing else of the book changes, whatever was imported since.
package struct SignaturePlaces: Sendable {
  private let record: CloseRecord

  package init(_ record: CloseRecord) { self.record = record }

  /// Of the workbook's first sheet and of the text.
  var headline: Wording {
    "@close.awaiting-close-no-made \(record.period) \(record.number) \(record.at) \(record.by)"
  }

  /// Of the sheet to sign.
  var title: Wording { "@close.awaiting \(record.period) \(record.number)" }
  var name: Wording { "@close.second-signature-awaited \(record.number)" }
  var day: Wording { "@close.day-awaited \(record.number)" }

  private func filled(by second: SecondSignature) -> [(open: Wording, filled: Wording)] {
    let (period, number, at, by) = (record.period, record.number, record.at, record.by)
    return [
      (
        headline,
        "@close.closed-confirmed \(period) \(number) \(at) \(by) \(second.asOf) \(second.by)"
      ),
      (title, "@close.closed \(period)"),
      (name, Wording(verbatim: second.by)), (day, Wording(verbatim: second.asOf.description)),
    ]
  }

  /// The text with both names; nil where the place is not in it, as after a change of texts.
  package func summary(_ kept: [UInt8], signedBy second: SecondSignature) -> [UInt8]? {
    let text = String(decoding: kept, as: UTF8.self)
    for translation in Language.allCases.map(Translation.init) {
      let (open, filled) = filled(by: second)[0]
      let place = translation(open)
      guard text.contains(place) else { continue }
      return Array(text.replacing(place, with: translation(filled), maxReplacements: 1).utf8)
    }
    return nil
  }

  /// The workbook with both names and days; nil where a place is not in it, or it is damaged.
  ///
  /// - Parameter folder: where it is written, to be gone at once.
  package func workbook(
    _ kept: [UInt8], signedBy second: SecondSignature, besides folder: String
  ) throws(OutputError) -> [UInt8]? {
    for translation in Language.allCases.map(Translation.init) {
      let places = filled(by: second).map {
        FilledText(open: translation($0.open), filled: translation($0.filled))
      }
      if let signed = try Reporting.filled(kept, places, besides: folder) { return signed }
    }
    return nil
  }
}
