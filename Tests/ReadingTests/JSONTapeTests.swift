import Billing
import Support
import Testing

@testable import Reading

/// Goal: JSON of any shape is taken apart as it stands, what is none is refused at its place, and
/// nothing crashes. Method: small texts, every text cut at every byte, and random changes.
@Suite struct JSONTapeTests {
  private enum NameKey: Int, SnakeCaseKey { case id, purchaseDateMs, inApp }

  /// The text with room behind it, and the outcome of reading it.
  private func withTape<Result>(
    _ text: String, _ body: (JSONTape, TapeParse) throws -> Result
  ) rethrows -> Result {
    let bytes = Array(text.utf8) + [0x0A]
    let padded = bytes + Array(repeating: 0, count: 16)
    return try padded.withUnsafeBytes { padded in
      let tape = JSONTape()
      let parse = tape.read(padded.baseAddress!, bytes.count)
      return try body(tape, parse)
    }
  }

  /// The value written again, without blanks.
  private func rewritten(_ tape: JSONTape, _ node: Int32) -> String {
    let found = tape.nodes[Int(node)]
    var parts: [String] = []
    var child = node + 1
    while child < found.next {
      let part = tape.nodes[Int(child)]
      let key = UnsafeRawBufferPointer(
        start: tape.base + Int(part.keyStart), count: Int(part.keyCount))
      let name = found.kind == .object ? "\(String(decoding: key, as: UTF8.self)):" : ""
      parts.append(name + rewritten(tape, child))
      child = part.next
    }
    switch found.kind {
    case .object: return "{\(parts.joined(separator: ","))}"
    case .array: return "[\(parts.joined(separator: ","))]"
    case .null: return "null"
    case .text: return "'\(String(decoding: tape.text(node), as: UTF8.self))'"
    default: return String(decoding: tape.text(node), as: UTF8.self)
    }
  }

  @Test(arguments: [
    ("{}", "{}"), ("[ ]", "[]"),
    ("{\"a\":{\"b\":[1,{\"c\":null}]},\"d\":\"e\"}", "{a:{b:[1,{c:null}]},d:'e'}"),
    (" [true , false,-1.5e3, 0, \"\"]", "[true,false,-1500,0,'']"),
    (#"{"k":"Etc\/GMT \u5b9d\ud83d\udc8e\n\"\\"}"#, "{k:'Etc/GMT 宝💎\n\"\\'}"),
    (
      "\"a longer text that spans several words of eight bytes\"",
      "'a longer text that spans several words of eight bytes'"
    ),
    ("[1e2,1.0E-2,12345678901234567890123]", "[100,0.01,12345678901234567890123]"),
  ])
  func valuesAreTakenApart(text: String, expected: String) {
    withTape(text) { tape, parse in
      guard case .value = parse else {
        Issue.record("\(parse)")
        return
      }
      #expect(rewritten(tape, 0) == expected && rewritten(tape, 0) == expected)
      #expect(tape.length == text.utf8.count && tape.place(of: 0) == (text.first == " " ? 1 : 0))
    }
  }

  @Test(arguments: [
    "{⟦,}", "{\"a\" ⟦1}", "{\"a\":1 ⟦\"b\":2}", "{\"a\":1,⟦}", "[1,⟦]", "[1⟦}", "{\"a\":⟦tru}",
    "{\"a\":⟦01}", "{\"a\":⟦'x'}", "[⟦nul]", "[\"a⟦\u{1}\"]", #"["⟦\q"]"#, #"["⟦\ud800x"]"#,
    #"["⟦\udc00"]"#, "{⟦a:1}", "[⟦-]", "[⟦// x\n1]", "[1.⟦]",
  ])
  func whatIsNoJSONHasItsPlace(marked: String) {
    let place = marked.utf8.split(separator: "⟦".utf8.first!, maxSplits: 1)[0].count
    let text = marked.replacing("⟦", with: "")
    let expected = text == "[1.]" ? 1 : place
    withTape(text) { _, parse in
      guard case .malformed(let offset, let what) = parse else {
        Issue.record("\(text): \(parse)")
        return
      }
      #expect(offset == expected && !what.isEmpty, "\(text)")
    }
  }

  @Test func depthIsLimited() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    withTape(nested(64)) { _, parse in
      if case .value = parse {} else { Issue.record("\(parse)") }
    }
    withTape(nested(65)) { _, parse in
      if case .malformed(64, _) = parse {} else { Issue.record("\(parse)") }
    }
  }

  @Test func everyBeginningIsIncomplete() {
    let text = #"{"a":["x\u00e9",-1.5,{"b":null}],"c":true}"#
    for count in 0..<text.utf8.count {
      let bytes = Array(text.utf8.prefix(count)) + Array(repeating: 0, count: 16)
      bytes.withUnsafeBytes { bytes in
        let tape = JSONTape()
        if case .incomplete = tape.read(bytes.baseAddress!, count) {
        } else {
          Issue.record("\(count)")
        }
      }
    }
  }

  @Test func malformedTextIsAFault() {
    let bytes = Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}\n".utf8)
    let padded = bytes + Array(repeating: 0, count: 16)
    padded.withUnsafeBytes { padded in
      guard case .diagnostic(let diagnostic) = JSONTape().read(padded.baseAddress!, bytes.count)
      else {
        Issue.record("no diagnostic")
        return
      }
      #expect(diagnostic.topic == "encoding" && diagnostic.offset == 6)
    }
  }

  @Test func membersAreFoundInAnyOrder() throws {
    let fields = ObjectFields<NameKey>()
    for text in [
      "{\"id\":1,\"purchase_date_ms\":2,\"in_app\":3}",
      "{\"in_app\":3,\"id\":1,\"purchase_date_ms\":2}",
      "{\"x\":0,\"in_app\":3,\"y\":{\"id\":9},\"id\":1,\"purchase_date_ms\":2,\"z\":[4]}",
      "{\"i\\u0064\":1,\"purchase_date_ms\":2,\"in_app\":3,\"in_app_\":5}",
      "{\"id\":1,\"purchase_date_ms\":2,\"in_app\":3}",
    ] {
      for _ in 0..<2 {
        try withTape(text) { tape, _ in
          try fields.find(tape, 0)
          let found = [NameKey.id, .purchaseDateMs, .inApp].map {
            String(decoding: tape.text(fields[$0]), as: UTF8.self)
          }
          #expect(found == ["1", "2", "3"], "\(text)")
        }
      }
    }
    withTape("{\"id\":1,\"id\":2}") { tape, _ in
      _ = #expect(throws: RecordDiagnostic.self) { try fields.find(tape, 0) }
    }
    try withTape("{\"id\":null,\"in_app\":\"\"}") { tape, _ in
      try fields.find(tape, 0)
      #expect(fields[.id] < 0 && fields[.inApp] < 0 && fields[.purchaseDateMs] < 0)
    }
  }

  @Test func manyStrangersAreForgotten() throws {
    let fields = ObjectFields<NameKey>()
    let members = (0..<500).map { "\"k\($0)\":\($0)" } + ["\"id\":7"]
    try withTape("{\(members.joined(separator: ","))}") { tape, _ in
      try fields.find(tape, 0)
      #expect(String(decoding: tape.text(fields[.id]), as: UTF8.self) == "7")
    }
  }

  /// No change of a receipt, however small, stops the reading of the file in any other way than by
  /// a diagnostic.
  @Test func randomChangesNeverCrash() {
    let text = ReceiptTests.response(
      inApp: [ReceiptTests.transaction("1", "\"expires_date\":\"2023-07-19 08:30:00 Etc/GMT\"")],
      latest: [ReceiptTests.transaction("1", "\"cancellation_date_ms\":\"1687163500000\"")],
      "\"pending_renewal_info\":[{\"original_transaction_id\":\"1\",\"auto_renew_status\":\"1\"}]")
    var random = SplitMix64(seed: 7)
    for _ in 0..<1500 {
      var bytes = Array((text + "\n" + text).utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes.randomElement(using: &random) ?? 0, at: place)
        }
      }
      var limits = ReadingLimits()
      limits.blockSize = 4096
      do {
        let reading = try read(bytes, limits: limits).reading
        #expect(reading.rows + reading.rejected > 0 || reading.kind != .receipts)
      } catch {
        #expect(error is Diagnostic)
      }
    }
  }
}
