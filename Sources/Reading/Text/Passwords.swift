internal import Billing

extension TextStream {
  /// Overwrites the values of all keys `password` in the next `length` bytes with asterisks: the
  /// shared secret of a notification is neither kept nor shown, however broken its record is.
  func maskPasswords(_ length: Int) {
    let bytes = UnsafeMutableRawBufferPointer(start: base + start, count: min(length, end - start))
    var place = 0
    while let found = firstPassword(bytes, from: place) {
      place = maskValue(bytes, from: found)
    }
  }

  /// The place behind the next `password` from `start` on, in any case; nil when there is none.
  private func firstPassword(_ bytes: UnsafeMutableRawBufferPointer, from start: Int) -> Int? {
    let count = 8
    var place = start
    while place + count <= bytes.count {
      if bytes[place] | 0x20 == 0x70,
        isWord(UnsafeRawBufferPointer(rebasing: bytes[place..<place + count]), "password")
      {
        return place + count
      }
      place += 1
    }
    return nil
  }

  /// Masks the value behind a key that ends at `start`, and returns the place behind it; the key
  /// may stand in a JSON text inside another, with escaped quotation marks.
  private func maskValue(_ bytes: UnsafeMutableRawBufferPointer, from start: Int) -> Int {
    var place = start
    /// Moves `place` behind the next bytes, as long as they are to be skipped.
    func skip(_ isSkipped: (UInt8) -> Bool) {
      while place < bytes.count, isSkipped(bytes[place]) { place += 1 }
    }
    let isMark: (UInt8) -> Bool = { $0 == 0x22 || $0 == 0x5C }
    let isBlank: (UInt8) -> Bool = { $0 <= 0x20 }
    skip(isMark)
    skip(isBlank)
    guard place < bytes.count, bytes[place] == 0x3A else { return place }
    place += 1
    skip(isBlank)
    var slashes = 0
    while place < bytes.count, bytes[place] == 0x5C {
      slashes += 1
      place += 1
    }
    guard place < bytes.count, bytes[place] == 0x22 else {
      return mask(bytes, from: place) { _, byte in
        byte <= 0x20 || byte == 0x2C || byte == 0x7D || byte == 0x5D
      }
    }
    // The value ends with a quotation mark that has as many backslashes before it.
    return mask(bytes, from: place + 1) { run, byte in byte == 0x22 && run <= slashes }
  }

  /// Overwrites with asterisks up to the byte that ends the value, or the line, and returns its
  /// place.
  ///
  /// - Parameter isEnd: whether a byte ends the value, by how many backslashes stand right before
  ///   it.
  private func mask(
    _ bytes: UnsafeMutableRawBufferPointer, from start: Int, _ isEnd: (Int, UInt8) -> Bool
  ) -> Int {
    var place = start
    var run = 0
    while place < bytes.count, bytes[place] != 0x0A, !isEnd(run, bytes[place]) {
      run = bytes[place] == 0x5C ? run + 1 : 0
      bytes[place] = 0x2A
      place += 1
    }
    return place
  }
}
