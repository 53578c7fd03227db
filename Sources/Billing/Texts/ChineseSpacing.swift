/// Blanks in Chinese: none between two Chinese words, one between a Chinese word and a Latin one or
/// a number. A template cannot know what its places will hold, so blanks are mended where a value
/// meets it. Ids and names keep the blank that a template gives them.
enum ChineseSpacing {
  /// Mends the blank before a value that was appended at `place`, after a piece of a template that
  /// begins at `start`: removes it between two Chinese words, puts one between a Chinese and a
  /// Latin one.
  ///
  /// - Parameter isWord: whether the value is text of the reader's language, and no id or name.
  static func mend(
    _ bytes: inout [UInt8], beforeValueAt place: Int, since start: Int, _ isWord: Bool
  ) {
    if isWord, place - start > 3, bytes[place - 1] == blank, endsWithHan(bytes, place - 1),
      beginsWithHan(bytes, place)
    {
      bytes.remove(at: place - 1)
    } else {
      divide(&bytes, at: place)
    }
  }

  /// Mends the blank after a value, before a piece of a template that was appended at `place`:
  /// removes it between two Chinese words, puts one between a Chinese and a Latin one.
  ///
  /// - Parameter isWord: whether the value is text of the reader's language, and no id or name.
  static func mend(_ bytes: inout [UInt8], afterValueAt place: Int, _ isWord: Bool) {
    if isWord, place < bytes.count, bytes[place] == blank, endsWithHan(bytes, place),
      beginsWithHan(bytes, place + 1)
    {
      bytes.remove(at: place)
    } else {
      divide(&bytes, at: place)
    }
  }

  /// Puts a blank at `place` where a Chinese word and a Latin one or a number meet there.
  private static func divide(_ bytes: inout [UInt8], at place: Int) {
    guard place > 0, place < bytes.count else { return }
    if endsWithHan(bytes, place) && isLatin(bytes[place])
      || isLatin(bytes[place - 1]) && beginsWithHan(bytes, place)
    {
      bytes.insert(blank, at: place)
    }
  }

  private static let blank = UInt8(ascii: " ")

  /// The characters 4E00 to 9FFF, and few beside them, begin with these bytes.
  private static let han: ClosedRange<UInt8> = 0xE4...0xE9

  /// Whether the last character before the byte at `end` is Chinese.
  private static func endsWithHan(_ bytes: [UInt8], _ end: Int) -> Bool {
    end > 2 && han.contains(bytes[end - 3])
  }

  /// Whether the character that begins at `place` is Chinese.
  private static func beginsWithHan(_ bytes: [UInt8], _ place: Int) -> Bool {
    place < bytes.count && han.contains(bytes[place])
  }

  /// Whether a byte is an ASCII letter or digit.
  private static func isLatin(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }
}
