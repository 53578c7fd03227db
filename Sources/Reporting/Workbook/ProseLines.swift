import Languages

/// How many lines text takes up in a column, broken as a spreadsheet breaks it: between words, and
/// anywhere in East Asian text and in words that are longer than the line.
///
/// - Parameter width: of the column, in digits.
func proseLines(_ text: String, width: Int) -> Int {
  // A column is seven dots a digit, and a digit of the cells' font is wider; what stands in from
  // the edges is no room, in the readers that take most of it.
  let room = width * 944 / 100 - 11
  var lines = 1
  /// Tenths of a digit that the line holds up to its last break, and the word since.
  var (line, word) = (0, 0)
  let ascii = asciiTenths
  for scalar in text.unicodeScalars {
    let size = scalar.isASCII ? ascii[Int(scalar.value)] : tenths(of: scalar)
    if scalar == "\n" {
      lines += 1
      (line, word) = (0, 0)
    } else if scalar == " " || size > 16 {
      line += word + size
      word = 0
      if line > room, scalar != " " {
        lines += 1
        line = size
      }
    } else {
      word += size
      guard line + word > room else { continue }
      lines += 1
      // The word moves to the next line, or what is too long for any line is cut.
      if line == 0 { word = size }
      line = 0
    }
  }
  return lines
}

/// The widths of ASCII letters in tenths of a digit, by their codes.
private let asciiTenths = (0..<UInt8(128)).map { tenths(of: Unicode.Scalar($0)) }

/// How wide a letter of the cells' font is, in tenths of a digit, by classes of its letters; a
/// tenth more than it says where a class is mixed.
private func tenths(of scalar: Unicode.Scalar) -> Int {
  switch scalar {
  case "i", "j", "l", "'", "|": 4
  case " ", "f", "t", "I", ".", ",", ":", ";", "!", "/", "\\", "[", "]": 5
  case "r", "-", "(", ")", "\"", "`": 6
  case "m", "M", "%", "@": 16
  case "w", "W", "O", "Q", "G": 15
  case "A"..."Z", "&", "<", ">", "=", "+", "·", "×", "÷": 13
  default: displayWidth(String(scalar)) == 2 ? 19 : 10
  }
}
