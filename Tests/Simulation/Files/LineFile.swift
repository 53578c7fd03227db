import Foundation

/// What went wrong with a file that was to be written.
package struct SimulationError: Error, CustomStringConvertible {
  package let description: String
}

/// A file of lines under its header, written as it grows.
final class LineFile {
  private var text = RowText()
  private let handle: FileHandle
  /// Where lines end in `text`, kept only where they are to be shuffled.
  private var ends: [Int] = []
  private let shuffles: Bool

  init(path: String, header: String = "", shuffles: Bool = false) throws {
    self.shuffles = shuffles
    handle = try openForWriting(path)
    try handle.write(contentsOf: Data(header.utf8))
  }

  /// A row of comma-separated values.
  func row(_ fields: [Field]) throws {
    text.row(fields, separator: 0x2C)
    try endLine()
  }

  /// A row that `write` puts.
  func line(_ write: (inout RowText) -> Void) throws {
    write(&text)
    text.endRow()
    try endLine()
  }

  func line(_ bytes: [UInt8]) throws {
    text.put(.bytes(bytes))
    text.endRow()
    try endLine()
  }

  /// Below all lines.
  func put(footer: String) { text.put(footer) }

  private func endLine() throws {
    if shuffles {
      ends.append(text.bytes.count)
    } else if text.bytes.count > 1 << 20 {
      try flush()
    }
  }

  func close(random: inout RandomNumbers) throws {
    if shuffles { shuffle(random: &random) }
    try flush()
    try handle.close()
  }

  private func flush() throws {
    try handle.write(contentsOf: text.bytes)
    text.bytes.removeAll(keepingCapacity: true)
  }

  private func shuffle(random: inout RandomNumbers) {
    var lines = zip([0] + ends, ends).map { $0..<$1 }
    random.shuffle(&lines)
    text.bytes = lines.flatMap { text.bytes[$0] }
  }
}

private func openForWriting(_ path: String) throws -> FileHandle {
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

func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

func makeFolder(_ path: String) throws {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
}
