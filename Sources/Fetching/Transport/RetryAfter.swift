import Billing
import Foundation

/// How long `Retry-After` asks to wait; nil where it says nothing that can be understood.
///
/// RFC 9110, 10.2.3: seconds or a date. The App Store Server API sends a moment in Unix
/// milliseconds (read 2026-11-22), which as seconds would be 56,000 years.
///
/// - Parameter now: Unix seconds by the server's clock.
func retryAfter(_ text: String?, now: Int64) -> Duration? {
  guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
  guard let number = Int64(text) else {
    return httpDate(text).map { .seconds(max(0, $0 - now)) }
  }
  if number < 0 { return nil }
  switch number {
  case ..<1_000_000_000: return .seconds(number)
  case ..<100_000_000_000: return .seconds(max(0, number - now))
  default: return .milliseconds(max(0, number - now * 1000))
  }
}

/// The Unix seconds of a date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
func httpDate(_ text: String) -> Int64? {
  let parts = text.split(whereSeparator: { $0 == " " || $0 == "," })
  guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]),
    let month = monthNames.firstIndex(of: parts[2]),
    let date = Day(year: year, month: month + 1, day: day)
  else { return nil }
  let clock = parts[4].split(separator: ":").compactMap { Int($0) }
  guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]),
    (0...60).contains(clock[2])
  else { return nil }
  return date.startUTC.seconds + Int64(clock[0] * 3600 + clock[1] * 60 + clock[2])
}

private let monthNames: [Substring] = [
  "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
]
