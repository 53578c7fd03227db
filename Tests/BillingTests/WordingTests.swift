import Billing
import Testing

/// Goal: a text is its pieces, however these were put together. Method: the same text made in
/// several ways; texts of no, one and several pieces; where templates lie in memory.
@Suite struct WordingTests {
  @Test func aTextIsTheSameHoweverItWasPutTogether() {
    let one: Wording = "paid"
    let nothing = Wording(parts: [])
    #expect(one == Wording(parts: [.phrase("paid", [])]))
    #expect(one + nothing == one && nothing + one == one && nothing + nothing == nothing)
    #expect(nothing.isEmpty && nothing == Wording(verbatim: "") && nothing == "")
    #expect(Set([one, one + nothing, Wording(fact: "paid")]).count == 1)
    #expect((one + " late") == Wording(parts: [.phrase("paid", []), .phrase(" late", [])]))
    #expect((one + " late") != "paid late", "two templates are not one")
  }

  @Test func itsPiecesAreInTheirOrder() {
    let pieces: [Wording.Part] = [
      .verbatim("1"), .phrase("{1} of {2}", ["a", "b"]), .verbatim(""),
    ]
    for count in 0...pieces.count {
      let text = Wording(parts: Array(pieces[..<count]))
      #expect(Array(text.parts) == Array(pieces[..<count]))
      #expect(text.isEmpty == (count == 0))
    }
    var text = Wording(parts: [])
    for piece in pieces { text += Wording(parts: [piece]) }
    #expect(Array(text.parts) == pieces)
    #expect(text.english == "1a of b")
  }

  @Test func manyPiecesAreAddedInTheirOrder() {
    let pieces = (0..<1000).map { Wording(verbatim: "\($0)") }
    let joined = pieces.joined(separator: ", ")
    #expect(joined.parts.count == 1999)
    #expect(joined.english == (0..<1000).map(String.init).joined(separator: ", "))
  }

  /// What is added to a copy is not added to the text that was copied.
  @Test func copiesStandAlone() {
    let text: Wording = "a" + "b"
    var copy = text
    copy += "c"
    #expect(text.english == "ab" && copy.english == "abc")
  }

  @Test func templatesAreKeptOnce() throws {
    func place(_ text: Wording) throws -> UnsafePointer<UInt8>? {
      guard case .phrase(let template, _) = try #require(text.parts.first) else { return nil }
      // Longer than what a string holds in itself.
      try #require(template.utf8.count > 15)
      return template.utf8.withContiguousStorageIfAvailable { $0.baseAddress! }
    }
    func paid(_ number: Int) -> Wording { "order \(number) is paid" }
    func lost(_ number: Int) -> Wording { "order \(number) is lost" }
    let texts = [paid(1), paid(2), lost(1)]
    let places = try texts.map { try #require(try place($0)) }
    #expect(places[0] == places[1])
    #expect(places[0] != places[2])
  }

  @Test func templatesAreTheOnesThatWereWritten() {
    let texts = (0..<100).map { number -> Wording in
      number % 2 == 0 ? "order \(number) is paid" : "order \(number) is lost"
    }
    for (number, text) in texts.enumerated() {
      let verb = number % 2 == 0 ? "paid" : "lost"
      #expect(
        Array(text.parts)
          == [.phrase("order {1} is \(verb)", [Wording(verbatim: "\(number)")])])
      #expect(text.english == "order \(number) is \(verb)")
    }
  }
}
