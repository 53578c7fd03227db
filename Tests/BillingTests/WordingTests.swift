import Billing
import Testing

/// Goal: a text is its pieces, however these were put together. Method: the same text made in
/// several ways; texts of no, one and several pieces.
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

  /// Templates are kept once: those of two texts that differ in values alone are one string, and
  /// those that differ stay apart.
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
