import Billing
import Languages
import Support
import Testing

@testable import Reporting

/// Goal: a table fits the terminal whatever stands in it, and says all that it says elsewhere.
/// Method: random tables at every width, and one of which each line is known.
@Suite struct TextLayoutTests {
  private func text(_ table: TextTable, _ columns: Int?) -> String {
    ReaderWidth.$columns.withValue(columns) { table.text }
  }

  private var sample: TextTable {
    var table = TextTable("llrlr")
    table.name(columns: "", "", "proceeds", "", "units")
    table.add("CN", "金币六百枚", "9,223,372,036,854.77", "CNY", "1")
    table.add("", "", "-1.00", "USD", "")
    table.add("all", "", "", "", "1,234,567")
    return table
  }

  @Test func columnsWithoutRoomStandBelow() {
    #expect(text(sample, nil).split(separator: "\n").count == 4)
    #expect(text(sample, 55) == text(sample, nil))
    let blank = { (count: Int) in String(repeating: " ", count: count) }
    let expected = [
      blank(31) + "proceeds", "  CN   金币六百枚  9,223,372,036,854.77  CNY",
      blank(34) + "-1.00  USD", blank(23) + "units", "  CN   金币六百枚" + blank(10) + "1",
      "  all" + blank(14) + "1,234,567",
    ]
    #expect(text(sample, 54) == text(sample, 44))
    #expect(text(sample, 44) == expected.map { $0 + "\n" }.joined())
  }

  @Test func wordsAreBrokenBeforeColumnsMove() {
    var table = TextTable("lrl")
    table.add("sku", "1", "what a long sentence says of it in words")
    #expect(
      text(table, 32) == """
          sku  1  what a long sentence
                  says of it in words

        """)
  }

  /// Numbers of up to 20 digits, names of wide letters, words without a space, empty cells.
  @Test func randomTablesFitAndLoseNothing() {
    var random = SplitMix64(seed: 20)
    let names = [
      "金币礼包限时特惠首充双倍", "com.example.game.pack.of.coins.and.gems", "CNY", "a b", "",
    ]
    for _ in 0..<300 {
      let kinds = (0..<Int.random(in: 1...13, using: &random)).map { _ in
        Bool.random(using: &random)
      }
      var table = TextTable(String(kinds.map { $0 ? "r" : "l" }))
      if Bool.random(using: &random) {
        table.name(columns: kinds.indices.map { $0 % 3 == 0 ? "" : "name\($0)" })
      }
      var numbers: [String: Int] = [:]
      var letters: [Character: Int] = [:]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        table.add(
          cells: kinds.map { isNumber in
            if isNumber {
              let value = Int64.random(in: 0...Int64.max, using: &random)
              let number = "\(value >> Int64.random(in: 0...62, using: &random))"
              numbers[number, default: 0] += 1
              return number
            }
            let name = names.randomElement(using: &random)!
            for letter in name where letter != " " { letters[letter, default: 0] += 1 }
            return name
          })
      }
      for columns in [48, 60, 80, 100, 132] {
        let shown = text(table, columns)
        for line in shown.split(separator: "\n") {
          #expect(displayWidth(String(line)) <= columns, "\(columns): \(line)")
          #expect(line.last != " ")
        }
        let words = shown.split(whereSeparator: \.isWhitespace)
        for (number, count) in numbers {
          #expect(words.count { $0 == number } >= count, "\(number) in\n\(shown)")
        }
        for (letter, count) in letters {
          #expect(shown.count { $0 == letter } >= count, "\(letter) in\n\(shown)")
        }
      }
    }
  }
}
