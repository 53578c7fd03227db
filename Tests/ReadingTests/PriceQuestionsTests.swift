import Billing
import Testing

@testable import Reading

/// Goal: a file of questions is asked row by row, each question once, and bad rows are named.
/// Method: small files, and what was asked and answered.
struct PriceQuestionsTests {
  struct Outcome {
    var reading: QuestionsReading
    var asked: [PriceQuestion]
    /// The question of each answered row.
    var answered: [PriceQuestion]
  }

  /// Answers every question but those about a price of 13 (refused) and 14 (doubtful).
  func ask(_ text: String) throws -> Outcome {
    let bytes = Array(text.utf8)
    var place = 0
    var asked: [PriceQuestion] = []
    var known: [PriceQuestion] = []
    var answered: [PriceQuestion] = []
    let reading = try readPriceQuestions(
      name: "q.csv",
      from: { buffer in
        let count = min(buffer.count, bytes.count - place)
        buffer.copyBytes(from: bytes[place..<place + count])
        place += count
        return count
      }, storefronts: someStorefronts,
      ask: { question in
        asked.append(question)
        if question.price == 13_000_000 {
          return .refused(PriceDoubt(.price, "unlucky", help: "take another"))
        }
        known.append(question)
        return question.price == 14_000_000
          ? .doubtful(PriceDoubt(.price, "odd", help: "take care")) : .answered
      },
      sink: { numbers in
        answered += numbers.map { known[Int($0)] }
        known = []
      })
    return Outcome(reading: reading, asked: asked, answered: answered)
  }

  @Test func everyColumnIsRead() throws {
    let outcome = try ask(
      """
      date,price,storefront,tier,sku,commission,currency
      2023-06-19,30,CHN,Tier 5,gems,15 %,CNY
      2023-06-20,,143441,,,small-business,
      """)
    #expect(
      outcome.answered == [
        PriceQuestion(
          storefront: Storefront("CN")!, currency: Currency("CNY"), price: 30_000_000,
          day: Day("2023-06-19")!, commission: .rate(150_000), sku: "gems", tier: "Tier 5"),
        PriceQuestion(
          storefront: Storefront("US")!, day: Day("2023-06-20")!,
          commission: .programme(.smallBusiness)),
      ])
    #expect(outcome.reading.rows == 2 && outcome.reading.diagnosticCount == 0)
  }

  @Test func equalQuestionsAreAskedOnceAndAnsweredInOrder() throws {
    let outcome = try ask(
      """
      storefront,price,date
      CN,30,2023-06-19
      CN,6,2023-06-19
      CHN,30.00,2023-06-19
      CN,30,2023-06-19
      """)
    #expect(outcome.asked.map(\.price) == [30_000_000, 6_000_000])
    #expect(outcome.answered.map(\.price) == [30_000_000, 6_000_000, 30_000_000, 30_000_000])
  }

  @Test func aQuestionThatIsSpelledInTwoWaysIsAskedOnce() throws {
    let outcome = try ask(
      """
      storefront,price,date
      CN,14,2023-06-19
      CHN,14.00,2023-06-19
      US,30,2023-06-19
      143465, 14,2023-06-19
      """)
    #expect(outcome.asked.map(\.price) == [14_000_000, 30_000_000])
    #expect(outcome.answered.map(\.price) == [14, 14, 30, 14].map { $0 * 1_000_000 })
    #expect(outcome.reading.warnings.map(describe) == ["q.csv:2: warning[price]: odd"])
  }

  @Test func unknownColumnsAreWarnedOfOnce() throws {
    let outcome = try ask("note,storefront,price,date,who\nx,CN,30,2023-06-19,me\n")
    #expect(
      outcome.reading.warnings.map(describe) == [
        "q.csv:1: warning[column]: unknown columns left out: note, who"
      ])
    #expect(outcome.reading.rows == 1)
  }

  /// A row, and where and how it is refused.
  @Test(arguments: [
    (",30,2023-06-19,", "q.csv:2:1: error[value]: storefront is blank"),
    ("UK,30,2023-06-19,", "q.csv:2:1: error[storefront]: storefront is not one of Apple's"),
    ("CN,\"1,54\",2023-06-19,", "q.csv:2:4: error[amount]: price is not a decimal number"),
    ("CN,-1,2023-06-19,", "q.csv:2:4: error[amount]: price is negative"),
    ("CN,30,,", "q.csv:2:7: error[value]: date is blank"),
    ("CN,30,2023-02-30,", "q.csv:2:7: error[date]: date is not a date"),
    ("CN,30,06/19/2023,", "q.csv:2:7: error[date]: date is not a date"),
    ("CN,30,2023-06-19,30", "q.csv:2:18: error[commission]: commission is neither a rate below 1"),
    ("CN,13,2023-06-19,", "q.csv:2:4: error[price]: unlucky"),
    ("CN,30,2023-06-19", "q.csv:2:17: error[fields]: the row has 3 fields"),
  ])
  func badRowsAreNamedAndTheOthersAnswered(row: String, diagnostic: String) throws {
    let outcome = try ask(
      "storefront,price,date,commission\n\(row)\nCN,30,2023-06-19,\n\(row)\n")
    #expect(outcome.reading.rows == 1 && outcome.reading.rejected == 2)
    #expect(outcome.answered.map(\.price) == [30_000_000])
    let found = outcome.reading.diagnostics.map(describe)
    #expect(found[0].hasPrefix(diagnostic), "\(found[0])")
    #expect(found[1].hasPrefix(diagnostic.replacing("csv:2", with: "csv:4")), "\(found[1])")
    #expect(!outcome.reading.diagnostics[0].help.isEmpty)
  }

  /// Spreadsheets and programs write a midnight behind a day; of another time nobody knows the day.
  @Test(arguments: [
    ("2023-06-13T00:00:00", nil), ("2023-06-13 00:00:00", nil), ("2023-06-13 00:00", nil),
    ("2023-06-13T00:00:00.000", nil), ("2023-06-13T12:00:00Z", "without a time, as 2023-06-13"),
    ("2023-06-13T00:00:00Z", "without a time, as 2023-06-13"),
    ("2023-06-13x", "without a time, as 2023-06-13"),
    ("2023-02-30 00:00:00", "there is no such day"), ("1899-12-30", "there is no such day"),
  ])
  func daysMayHaveAMidnight(date: String, help: String?) throws {
    let outcome = try ask("storefront,price,date\nDE,9.99,\(date)\n")
    #expect(outcome.answered.map(\.day) == (help == nil ? [Day("2023-06-13")!] : []))
    let told = outcome.reading.diagnostics.first?.help.english
    #expect(help.map { told?.contains($0) ?? false } ?? (told == nil), "\(told ?? "")")
  }

  @Test func doubtsAreSaidOnceWithTheFirstLine() throws {
    let outcome = try ask(
      "storefront,price,date\nCN,1,2023-06-19\nCN,14,2023-06-19\nCN,14,2023-06-19\n")
    #expect(outcome.reading.rows == 3)
    #expect(outcome.reading.warnings.map(describe) == ["q.csv:3: warning[price]: odd"])
  }

  @Test func aPriceMayBeMissingWhereATierIsNamed() throws {
    let outcome = try ask("storefront,tier,date\nCN,5,2023-06-19\n")
    #expect(outcome.answered.map(\.tier) == ["5"] && outcome.answered[0].price == nil)
  }

  @Test(arguments: [
    ("storefront,date\nCN,2023-06-19\n", "the column price is missing"),
    ("price,date,tier\n", "the column storefront is missing"),
    ("storefront,price,date,price\n", "the column price occurs twice"),
    ("", "the file is empty"), ("storefront,price,date\nCN,\"30,2023-06-19\n", "the file ends"),
  ])
  func whatStopsTheFileIsThrown(text: String, message: String) {
    do {
      _ = try ask(text)
      Issue.record("nothing stopped the file")
    } catch {
      #expect((error as? Diagnostic)?.message.english.hasPrefix(message) == true, "\(error)")
    }
  }

  @Test func manyRowsComeInBlocks() throws {
    let rows = (0..<150_000).map { "CN,\($0 / 2),2023-06-19\n" }.joined()
    let outcome = try ask("storefront,price,date\n" + rows)
    // 13 is refused, in both of its rows.
    #expect(outcome.reading.rows == 149_998 && outcome.reading.rejected == 2)
    #expect(outcome.answered.last?.price == 74_999_000_000)
    #expect(outcome.answered.map { $0.price! } == outcome.answered.map { $0.price! }.sorted())
  }
}
