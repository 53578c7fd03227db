/// What should a price bring? One row that `tieout price` is asked.
package struct PriceQuestion: Hashable, Sendable {
  /// A part of a question, by the name of its column.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case storefront, price, date, currency, commission, sku, tier
  }

  package var storefront: Storefront
  /// Nil is what customers pay in there on that day.
  package var currency: Currency?
  /// Customer price per unit, micro-units; nil is the tier's.
  package var price: Int64?
  package var day: Day
  /// Nil is the rule's for that storefront and day.
  package var commission: NamedCommission?
  /// Nil where none is named: taken for iOS.
  package var platform: Platform?
  /// Empty where none is named.
  package var sku: String
  /// Empty where none is named: then the rules alone answer.
  package var tier: String
  /// The matrix that the tier is of; nil where that is not known.
  package var table: TierTable?

  package init(
    storefront: Storefront, currency: Currency? = nil, price: Int64? = nil, day: Day,
    commission: NamedCommission? = nil, platform: Platform? = nil, sku: String = "",
    tier: String = "", table: TierTable? = nil
  ) {
    self.storefront = storefront
    self.currency = currency
    self.price = price
    self.day = day
    self.commission = commission
    self.platform = platform
    self.sku = sku
    self.tier = tier
    self.table = table
  }
}

/// Why a question has no answer, or what is odd about the one it has.
package struct PriceDoubt: Error, Hashable, Sendable {
  /// The part of the question that it is about.
  package var part: PriceQuestion.Part
  /// What was expected and what was found, in lower case without a full stop.
  package var message: Wording
  package var help: Wording

  package init(_ part: PriceQuestion.Part, _ message: Wording, help: Wording) {
    self.part = part
    self.message = message
    self.help = help
  }
}

/// A commission that somebody names: a rate, or one of Apple's programmes, whose rate the day and
/// the storefront tell.
package enum NamedCommission: Hashable, Sendable {
  /// Millionths of the net price.
  case rate(Int64)
  case programme(CommissionClass)

  /// Reads a rate as a fraction below 1 (`0.15`) or in per cent (`15%`), or a programme's name; nil
  /// for anything else.
  package init?(_ text: String) {
    let word = text.lowercased()
    let name = String(word.map { $0 == " " || $0 == "_" ? "-" : $0 })
    if let programme = CommissionClass(rawValue: name) {
      self = .programme(programme)
    } else if name == "rate-after-one-year" {
      self = .programme(.afterOneYear)
    } else if let rate = Self.millionths(word) {
      self = .rate(rate)
    } else {
      return nil
    }
  }

  /// A text that says what may be written, for a person who wrote something else.
  package static var spellings: Wording {
    """
    @facts.write-the-fraction-0-15 \
    \(CommissionClass.allCases.map(\.rawValue).joined(separator: ", "))
    """
  }

  /// The rate below 1 that a word writes as a fraction or in per cent, in millionths; nil for any
  /// other word, and for one that is no whole number of millionths.
  private static func millionths(_ word: String) -> Int64? {
    guard let beforeSign = word.split(separator: "%", omittingEmptySubsequences: false).first else {
      return nil
    }
    let isPercent = beforeSign.utf8.count + 1 == word.utf8.count
    let number = isPercent ? String(beforeSign.reversed().drop { $0 == " " }.reversed()) : word
    guard let value = micros(decimal: number), value >= 0 else { return nil }
    let rate = isPercent ? value / 100 : value
    return rate < 1_000_000 && (!isPercent || value % 100 == 0) ? rate : nil
  }
}

/// A price that somebody wants, before it is known which tiers there are.
package struct WantedPrice: Hashable, Sendable {
  package var storefront: Storefront
  package var name: String
  package var price: Money

  package init(storefront: Storefront, name: String = "", price: Money) {
    self.storefront = storefront
    self.name = name
    self.price = price
  }
}
