import Glibc

/// Probabilities of counts, as natural logarithms: they are far below what a number can hold.
enum Chance {
  /// The natural logarithm of an upper bound of the probability that of `trials` independent trials
  /// at least `hits` succeed, where each succeeds with the probability `share` or, on average, with
  /// it: no other division of the same average makes as many hits likelier (Hoeffding 1956).
  ///
  /// The first term of the tail times the geometric series that all later ones stay below; never
  /// far from the tail itself where that is small.
  static func logTail(hits: Int, of trials: Int, share: Double) -> Double {
    precondition(hits >= 0 && trials >= 0)
    if hits > trials { return -.infinity }
    guard hits > 0, share < 1, Double(hits) >= Double(trials) * share + 1 else { return 0 }
    let share = max(share, 1e-15)
    let misses = trials - hits
    let ratio = Double(misses) / Double(hits + 1) * share / (1 - share)
    guard ratio < 1 else { return 0 }
    let ways = logFactorial(trials) - logFactorial(hits) - logFactorial(misses)
    let term = ways + Double(hits) * log(share) + Double(misses) * log(1 - share)
    return min(0, term - log(1 - ratio))
  }

  /// The natural logarithm of n!, by Stirling's series, of which the rest is below 1e-9 from 10 on.
  static func logFactorial(_ number: Int) -> Double {
    if number < 10 { return small[number] }
    let n = Double(number)
    return (n + 0.5) * log(n) - n + 0.918938533204672742 + 1 / (12 * n) - 1 / (360 * n * n * n)
      + 1 / (1260 * n * n * n * n * n)
  }

  private static let small: [Double] = {
    var product = 1
    return (0..<10).map { number in
      product *= max(number, 1)
      return log(Double(product))
    }
  }()

  /// The whole powers of ten that a chance, given as its natural logarithm, is below one: 6 for one
  /// in a million; 0 for none.
  static func rarity(log chance: Double) -> Int { max(0, Int(-chance / log(10.0))) }
}

/// The natural logarithm.
func naturalLog(_ value: Double) -> Double { log(value) }
