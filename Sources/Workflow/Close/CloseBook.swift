package import Billing
import Ledger

/// Who has signed a close beside the one who made it.
package enum Signatures: Hashable, Sendable {
  /// Nobody, and nobody has to.
  case one
  /// Nobody yet: the month is locked, and its journal is withheld.
  case awaited
  case two(SecondSignature)

  /// The second signature; nil where there is none.
  var second: SecondSignature? {
    if case .two(let second) = self { second } else { nil }
  }
}

/// Which periods are closed, by the list of closes and reopenings.
struct CloseBook {
  let records: [CloseRecord]
  /// Closes, and the earlier periods whose changes they booked.
  let bookings: [(close: Int64, period: String)]
  /// Numbers of the closes that need two signatures.
  private let needsTwo: Set<Int64>
  private let second: [Int64: SecondSignature]

  /// Reads all closes and reopenings, what they booked, and second signatures.
  init(_ ledger: Ledger) throws {
    records = try ledger.closes()
    bookings = try ledger.bookings()
    needsTwo = try ledger.closesOfTwo()
    second = try ledger.secondSignatures()
  }

  /// Who has signed a close.
  func signatures(of close: CloseRecord) -> Signatures {
    if let second = second[close.number] { return .two(second) }
    return needsTwo.contains(close.number) ? .awaited : .one
  }

  /// Closes in force that await their second signature, the earliest period first.
  var awaiting: [CloseRecord] { closed.filter { signatures(of: $0) == .awaited } }

  /// The period's close that is in force; nil where the period is open.
  func close(of period: Period) -> CloseRecord? {
    records.last { $0.period.description == period.description }
      .flatMap { $0.action == .close ? $0 : nil }
  }

  /// Closes in force, the earliest period first.
  var closed: [CloseRecord] {
    records.filter { close(of: $0.period)?.number == $0.number }
      .sorted { ($0.period.first, $0.number) < ($1.period.first, $1.number) }
  }

  /// Whether the close of this number was not reopened.
  private func isInForce(_ number: Int64) -> Bool { closed.contains { $0.number == number } }

  /// The closes whose later changes `period` books: those of earlier months of its own sort
  /// (calendar or fiscal), where all months in between are closed too. Empty where `period` is
  /// closed itself.
  func booksInto(_ period: Period) -> [CloseRecord] {
    guard close(of: period) == nil, period.isClosable else { return [] }
    return closed.filter { earlier in
      guard earlier.period.isOfSameSort(as: period), earlier.period.last < period.first else {
        return false
      }
      return openMonth(after: earlier.period)?.description == period.description
    }
  }

  /// The earliest open month after a closed one, which books what changes of it; nil where the
  /// calendar ends.
  func openMonth(after closed: Period) -> Period? {
    var next = closed.next
    while let month = next, close(of: month) != nil { next = month.next }
    return next
  }

  /// The close in force that booked changes of `earlier` last, later than its own close.
  func lastBooking(of earlier: CloseRecord) -> CloseRecord? {
    let numbers = bookings.filter {
      $0.period == earlier.period.description && $0.close > earlier.number && isInForce($0.close)
    }
    guard let number = numbers.map(\.close).max() else { return nil }
    return records.first { $0.number == number }
  }

  /// The close `earlier` itself and those in force that booked changes of its period later, the
  /// oldest first.
  func conclusions(of earlier: CloseRecord) -> [CloseRecord] {
    records.filter { record in
      record.number == earlier.number
        || record.number > earlier.number && isInForce(record.number)
          && bookings.contains {
            $0.close == record.number && $0.period == earlier.period.description
          }
    }
  }

  /// Closes in force of the same sort of month, the earliest month first.
  func closed(ofSameSortAs period: Period) -> [CloseRecord] {
    closed.filter { $0.period.isOfSameSort(as: period) }
  }

  /// The months that must be reopened, the last first, and those that must be closed, the first
  /// first, before `period` can be closed: what a close ends with is what the next begins with.
  func obstacles(to period: Period) -> (toReopen: [Period], toClose: [Period]) {
    let others = closed(ofSameSortAs: period)
    let later = others.filter { $0.period.first > period.last }.map(\.period)
    var missing: [Period] = []
    if var month = others.last(where: { $0.period.last < period.first })?.period.next {
      while month.last < period.first, let next = month.next {
        missing.append(month)
        month = next
      }
    }
    return (later.reversed(), missing)
  }
}

extension Period {
  /// Calendar months and fiscal months are closed; ranges of days are not.
  var isClosable: Bool { fiscalMonth != nil || isCalendarMonth }

  /// Whether it is a month of the calendar, neither a fiscal month nor a range of days.
  var isCalendarMonth: Bool {
    fiscalMonth == nil && !description.contains("..") && first.parts.day == 1
      && last.advanced(by: 1).parts.day == 1 && dayCount <= 31
  }

  /// Whether both are fiscal months, or neither is.
  func isOfSameSort(as other: Period) -> Bool {
    (fiscalMonth == nil) == (other.fiscalMonth == nil)
  }

  /// The month after this one: fiscal after a fiscal month, else calendar.
  var next: Period? {
    if let fiscalMonth { return fiscalMonth.next.period }
    let (year, month, _) = last.advanced(by: 1).parts
    return Period("\(padded(year, 4))-\(padded(month, 2))")
  }

  /// The levels that a close of this period freezes: calendar months orders, sales and coins,
  /// fiscal months settlement and payment.
  var closingLevels: Set<Int> { fiscalMonth == nil ? [1, 2, 6] : [3, 4, 5] }
}
