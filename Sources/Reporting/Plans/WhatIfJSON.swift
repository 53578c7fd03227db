import Billing
import Languages
package import Pricing

extension WhatIf {
  /// The answer for a script: one JSON document; changes by the size of their effect.
  package var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.string("date", day.description)
      writer.string("base_currency", baseCurrency.code)
      writer.string("period", period?.description)
      writer.key("before")
      write(before, nil, to: &writer)
      writer.key("changes")
      writer.array(of: ranking) { write(alone[$1], changes[$1], to: &$0) }
      writer.key("together")
      write(together, nil, to: &writer)
      writer.key("notes")
      writer.array(of: notes) { $0.string(say($1)) }
    }
    return writer.text() + "\n"
  }

  private func write(_ sum: Sum, _ change: Change?, to writer: inout JSONWriter) {
    let digits = baseCurrency.minorDigits
    func rounded(_ micros: Int64) -> Int64 {
      roundedHalfUp(Int128(micros), dividedBy: 1, toMultipleOf: baseCurrency.minorUnit)
    }
    writer.object { writer in
      if let change {
        writer.string("change", change.name.english)
        writer.string("from", change.from?.description)
      }
      writer.decimal("proceeds", rounded(sum.proceeds), minimumDigits: digits)
      writer.decimal("effect", rounded(effect(sum)), minimumDigits: digits)
      writer.decimal("net_per_thousand_coins", sum.netPerThousand?.micros)
    }
  }
}
