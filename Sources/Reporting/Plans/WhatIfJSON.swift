import Billing
import Languages
package import Pricing

extension WhatIf {
  /// The answer for a script: one JSON document; changes by the size of their effect.
  package var json: String {
    jsonDocument { writer in
      writer.string("date", day.description)
      writer.string("base_currency", baseCurrency.code)
      writer.string("period", period?.description)
      writer.object("before") { writeFields(of: before, to: &$0) }
      writer.objects("changes", of: ranking) { writer, index in
        writer.string("change", changes[index].name.english)
        writer.string("from", changes[index].from?.description)
        writeFields(of: alone[index], to: &writer)
      }
      writer.object("together") { writeFields(of: together, to: &$0) }
      writer.array("notes", of: notes) { $0.string(say($1)) }
    }
  }

  /// The members of an outcome: proceeds, effect, and what 1,000 coins net.
  private func writeFields(of sum: Sum, to writer: inout JSONWriter) {
    let digits = baseCurrency.minorDigits
    /// Micro-units of base currency, rounded half up to its minor unit.
    func rounded(_ micros: Int64) -> Int64 {
      roundedHalfUp(Int128(micros), dividedBy: 1, toMultipleOf: baseCurrency.minorUnit)
    }
    writer.decimal("proceeds", rounded(sum.proceeds), minimumDigits: digits)
    writer.decimal("effect", rounded(effect(sum)), minimumDigits: digits)
    writer.decimal("net_per_thousand_coins", sum.netPerThousand?.micros)
  }
}
