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

  /// A Chinese template cannot know whether words, ids or numbers will stand at its places.
  @Test(arguments: [
    ("确认{1}已退款", "交易 {1}", "7", "确认交易 7 已退款"), ("可解释 {1} 的差额", "这 {1} 件", "1", "可解释这 1 件的差额"),
    ("{1}，售出", "{1}件", "3", "3 件，售出"), ("自 {1} 起", "{1}", "2023-06-01", "自 2023-06-01 起"),
    ("“{1}”的{2}", "{1}", "gems", "“gems”的 gems"),
  ])
  func chineseWordsMeetValuesWithTheirBlanks(
    template: String, inner: String, id: String, text: String
  ) {
    let value = Wording(key: inner, [Wording(verbatim: id)])
    #expect(Wording(key: template, [value, value]).text(in: .simplifiedChinese) == text)
  }

  @Test func namesKeepTheirBlanks() {
    let text = Wording(key: "用户 {1} 的订单", [Wording(verbatim: "王芳")])
    #expect(text.text(in: .simplifiedChinese) == "用户 王芳 的订单")
    let sold = Wording(key: "售{1}件", [Wording(verbatim: "3")])
    #expect(sold.english == "售3件" && sold.text(in: .simplifiedChinese) == "售 3 件")
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
