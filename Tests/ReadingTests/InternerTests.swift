import Testing

@testable import Reading

/// Goal: what a rejected record brought is forgotten, and nothing else. Method: many values, in
/// part forgotten, looked for again.
@Suite struct InternerTests {
  /// The code of a value, taken in when it is new.
  private func code(_ number: Int, _ interner: inout Interner<Int>) -> Int32 {
    var piece = PieceRecord<OneField>()
    piece.begin()
    Array("value \(number)".utf8).withUnsafeBytes { piece.put(.only, $0, at: 0) }
    let record = piece.record(line: 1)
    let found = interner.find(record)
    return found >= 0 ? found : interner.insert(number, for: record)
  }

  private enum OneField: Int, CaseIterable { case only }

  @Test func forgottenValuesAreNewAgain() {
    var interner = Interner<Int>(fields: [0])
    for number in 0..<500 { #expect(code(number, &interner) == number) }
    let mark = interner.mark
    // Enough to make the table grow.
    for number in 500..<3000 { #expect(code(number, &interner) == number) }
    interner.forget(since: mark)
    #expect(interner.count == 500 && interner.fresh == Array(0..<500))
    for number in 0..<500 { #expect(code(number, &interner) == number) }
    #expect(code(2999, &interner) == 500 && code(500, &interner) == 501)
    #expect(interner.takeFresh() == Array(0..<500) + [2999, 500])
    let second = interner.mark
    _ = code(7777, &interner)
    interner.forget(since: second)
    interner.forget(since: second)
    #expect(interner.takeFresh().isEmpty && code(8888, &interner) == 502)
  }

  /// Where nearly every row has values of its own, what is forgotten comes again under new codes.
  @Test func whatIsForgottenIsNewAgain() {
    var interner = Interner<Int>(fields: [0])
    for number in 0..<100 { #expect(code(number, &interner) == number) }
    #expect(interner.takeFresh().count == 100)
    interner.forgetAll()
    #expect(interner.count == 100 && interner.forgotten == 100)
    #expect(code(7, &interner) == 100 && code(200, &interner) == 101 && code(7, &interner) == 100)
    #expect(interner.takeFresh() == [7, 200])
  }
}
