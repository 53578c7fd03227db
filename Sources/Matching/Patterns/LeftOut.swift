import Billing
import Conclusions

/// Business that causes found before lie in: what is left of the findings is held against the rest
/// alone, because these causes took their own findings out of both.
struct LeftOut {
  /// By minute of the period; empty where no span of time is left out.
  private(set) var minutes: [Bool] = []
  /// Per terms of the base; empty where none are left out.
  private(set) var terms: [Bool] = []
  private(set) var files: Set<String> = []

  /// Leaves out the minutes from one to another.
  ///
  /// - Parameter count: the minutes of the period.
  mutating func add(minutes span: ClosedRange<Int>, of count: Int) {
    if minutes.isEmpty { minutes = Array(repeating: false, count: count) }
    for minute in span where minutes.indices.contains(minute) { minutes[minute] = true }
  }

  /// Leaves out rows whose terms tell a value.
  ///
  /// - Parameter texts: what each of the terms tells, by their number.
  mutating func add(_ value: String, among texts: [String]) {
    if terms.isEmpty { terms = Array(repeating: false, count: texts.count) }
    for (place, text) in texts.enumerated() where text == value { terms[place] = true }
  }

  /// Leaves out the rows of a file.
  mutating func add(file: String) { files.insert(file) }

  /// Whether a row of a minute, with terms of a number, is left out.
  func has(minute: Int, terms number: Int32) -> Bool {
    (!minutes.isEmpty && minutes[minute]) || (!terms.isEmpty && terms[Int(number)])
  }
}

extension PatternBusiness {
  /// What is left of the business without the rows that lie in a cause: its span of time, its
  /// hours, its value or its file. Nil where these rows are not known, as where Spark counted
  /// purchases. The rows of a few users are not taken out: they are little.
  ///
  /// - Parameters:
  ///   - trait: the cause that was found.
  ///   - base: what its findings are about.
  func without(_ trait: SharedTrait, _ base: Pattern.Base) -> PatternBusiness? {
    var rest = self
    switch trait.dimension {
    case .user, .ring: break
    case .time:
      guard let span = trait.span else { return nil }
      let counts = rest.counts(of: base)
      let (first, last) = (
        counts.minute(of: span.lowerBound.seconds), counts.minute(of: span.upperBound.seconds)
      )
      guard first >= 0, last >= first else { return nil }
      rest.leftOut[base, default: LeftOut()].add(minutes: first...last, of: counts.minutes)
    case .hours:
      let counts = rest.counts(of: base)
      for minutes in counts.minutes(of: trait.hours, context) {
        rest.leftOut[base, default: LeftOut()].add(minutes: minutes, of: counts.minutes)
      }
    case .appVersion, .device, .storefront, .product:
      guard side(trait.dimension, base) == base else { return nil }
      rest.leftOut[base, default: LeftOut()].add(trait.value, among: texts(trait.dimension, base))
    case .file: rest.leftOut[base, default: LeftOut()].add(file: trait.value)
    default: return nil
    }
    guard table.counts.count == 0 else { return nil }
    rest.forgetCounts(of: base)
    return rest
  }
}
