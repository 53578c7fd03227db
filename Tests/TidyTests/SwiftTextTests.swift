import Testing

/// Goal: code, strings and comments are told apart. Method: one line of each difficulty; spaces are
/// squeezed so that the parts can be read.
struct SwiftTextTests {
  @Test(arguments: [
    ("let a = 1 // one", "let a = 1", "", "// one"),
    ("f(\"x // y\") /* z */ + 1", "f(\" \") + 1", "x // y", "/* z */"),
    ("\"a\\\"b\" + c", "\" \" + c", "a\\\"b", ""),
    ("\"a\\(b(\"c\"))d\" + e", "\" \\(b(\" \")) \" + e", "a c d", ""),
    ("#\"a\"b\\(c)\"# + d", "#\" \"# + d", "a\"b\\(c)", ""),
    ("#\"a\\#(b)c\"#", "#\" \\#(b) \"#", "a c", ""), ("#if os(Linux)", "#if os(Linux)", "", ""),
    ("/* a /* b */ c */ d", "d", "", "/* a /* b */ c */"),
    ("\"\"\"\n a \"b\" // c\n \"\"\" + d", "\"\"\" \"\"\" + d", "a \"b\" // c", ""),
  ])
  func partsAreToldApart(source: String, code: String, strings: String, comments: String) {
    let text = SwiftText(source)
    #expect(squeezed(text.code) == code)
    #expect(squeezed(text.strings) == strings)
    #expect(squeezed(text.comments) == comments)
  }

  private func squeezed(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  @Test func partsKeepTheirPlaces() {
    let source = "a \"b\" // c\nd"
    let text = SwiftText(source)
    #expect(text.code.count == source.utf8.count)
    #expect(text.strings.firstIndex(of: UInt8(ascii: "b")) == 3)
    #expect(numberedLines(text.code).map(\.number) == [1, 2])
  }
}
