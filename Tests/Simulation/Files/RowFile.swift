import Billing
import Foundation

/// What went wrong with a file that was to be written.
package struct SimulationError: Error, CustomStringConvertible {
  package let description: String
}

/// Text as bytes, and the few ways in which tables print their values.
struct RowText {
  var bytes: [UInt8] = []
  private var lastDay: Int64 = .min
  private var lastDayText: [UInt8] = []

  mutating func put(_ text: [UInt8]) { bytes.append(contentsOf: text) }
  mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func put(byte: UInt8) { bytes.append(byte) }
  mutating func comma() { bytes.append(0x2C) }
  mutating func tab() { bytes.append(0x09) }
  mutating func endRow() { bytes.append(0x0A) }

  mutating func put(number: UInt64, width: Int = 1) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number
      var index = 20
      while rest > 0 || 20 - index < width {
        index -= 1
        digits[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[index..<20]))
    }
  }

  mutating func put(micros: Int64, digits: Int) {
    if micros < 0 { bytes.append(0x2D) }
    let magnitude = micros.magnitude
    put(number: magnitude / 1_000_000)
    guard digits > 0 else {
      precondition(magnitude % 1_000_000 == 0, "an amount finer than its currency")
      return
    }
    precondition(digits == 2 && magnitude % 10_000 == 0, "an amount finer than its currency")
    bytes.append(0x2E)
    put(number: magnitude % 1_000_000 / 10_000, width: 2)
  }

  /// ISO 8601 in UTC; nothing for 0.
  mutating func put(time seconds: Int64) {
    guard seconds != 0 else { return }
    let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    if day != lastDay {
      lastDay = day
      lastDayText = Array("\(Day(number: Int32(day)))T".utf8)
    }
    bytes.append(contentsOf: lastDayText)
    let second = UInt64(seconds - day * 86_400)
    put(number: second / 3600, width: 2)
    bytes.append(0x3A)
    put(number: second / 60 % 60, width: 2)
    bytes.append(0x3A)
    put(number: second % 60, width: 2)
    bytes.append(0x5A)
  }

  /// A UUID that nothing else has, made from a counter; nothing for 0.
  mutating func put(token: UInt64) {
    guard token != 0 else { return }
    let halves = (mixed(token), mixed(token ^ 0x5DEE_CE66_D1CE_4E5B))
    for place in 0..<32 {
      if place == 8 || place == 12 || place == 16 || place == 20 { bytes.append(0x2D) }
      let half = place < 16 ? halves.0 : halves.1
      let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - place % 16 * 4) & 15)
      bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }
}

/// A file of rows under its header, written as it grows.
final class RowFile {
  var text = RowText()
  private let path: String
  private let header: String
  private var handle: FileHandle?
  /// Where rows end in `text`, kept only where they are to be shuffled.
  private var ends: [Int] = []
  private let shuffles: Bool

  init(path: String, header: String, shuffles: Bool) throws {
    self.path = path
    self.header = header
    self.shuffles = shuffles
    handle = try openForWriting(path)
    try handle?.write(contentsOf: Data(header.utf8))
  }

  func endRow() throws {
    text.endRow()
    if shuffles {
      ends.append(text.bytes.count)
    } else if text.bytes.count > 1 << 20 {
      try flush()
    }
  }

  func close(random: inout RandomNumbers) throws {
    if shuffles { shuffle(random: &random) }
    try flush()
    try handle?.close()
    handle = nil
  }

  private func flush() throws {
    try handle?.write(contentsOf: text.bytes)
    text.bytes.removeAll(keepingCapacity: true)
  }

  private func shuffle(random: inout RandomNumbers) {
    var rows = zip([0] + ends, ends).map { $0..<$1 }
    random.shuffle(&rows)
    var shuffled: [UInt8] = []
    shuffled.reserveCapacity(text.bytes.count)
    for row in rows { shuffled.append(contentsOf: text.bytes[row]) }
    text.bytes = shuffled
  }
}

func openForWriting(_ path: String) throws -> FileHandle {
  guard FileManager.default.createFile(atPath: path, contents: nil),
    let handle = FileHandle(forWritingAtPath: path)
  else { throw SimulationError(description: "\(path) cannot be written") }
  return handle
}

func write(_ bytes: [UInt8], to path: String) throws {
  let handle = try openForWriting(path)
  try handle.write(contentsOf: bytes)
  try handle.close()
}

func makeFolder(_ path: String) throws {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
}
