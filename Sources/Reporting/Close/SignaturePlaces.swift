package import Billing
import Languages

/// What a book that one of two persons signed has in the places of the second signature, and what
/// stands there once it is given: nothing else of the book changes, whatever was imported since.
package struct SignaturePlaces: Sendable {
  private let record: CloseRecord

  package init(_ record: CloseRecord) { self.record = record }

  /// The text that awaits the second signature in the workbook's first sheet and in the text.
  var headline: Wording {
    "@close.awaiting-close-no-made \(record.period) \(record.number) \(record.at) \(record.by)"
  }

  /// The title of the sheet to sign, until it is signed.
  var title: Wording { "@close.awaiting \(record.period) \(record.number)" }
  /// What stands in the place of the second person's name.
  var name: Wording { "@close.second-signature-awaited \(record.number)" }
  /// What stands in the place of the day of the second signature.
  var day: Wording { "@close.day-awaited \(record.number)" }

  /// The texts that await the second signature, the headline first, each with what takes its place
  /// once it is given.
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

  /// The text with both names; nil where the headline to replace is not in it, as after a change of
  /// texts.
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
  /// - Parameters:
  ///   - kept: the bytes of the workbook that one person signed.
  ///   - folder: where it is written, to be gone at once.
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
