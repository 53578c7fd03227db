import Billing
import Foundation

/// A receipt of the company's, to be verified again, with whom it belongs to.
struct StoredReceipt: Sendable {
  /// Base64, as the app sent it.
  var data: String
  var orderID: String?
  var userID: String?
  /// The line that it stands in.
  private(set) var place: SourceLocation

  /// Bytes of a line at most; receipts of many purchases have some 100 KB.
  private static let limit = 8 << 20

  /// The receipts of a file, one a line: base64 alone; a JSON object with `receipt-data`,
  /// `receipt_data`, `latest_receipt` or `receipt`; or an answer that was stored with what Apple
  /// answered, whose `latest_receipt` counts.
  ///
  /// - Throws: a ``Stop`` for a file that cannot be read, or that has a line without one.
  static func receipts(inFile path: String) throws -> [StoredReceipt] {
    var receipts: [StoredReceipt] = []
    for (index, line) in try textLines(ofFile: path).enumerated() where !line.isEmpty {
      let place = SourceLocation(file: path, line: index + 1)
      guard line.utf8.count <= limit, let receipt = StoredReceipt(line, at: place) else {
        throw Stop(
          .badInput, "@fetch.line-has-no-receipt \(path) \(index + 1)",
          help: "@fetch.write-one-per-line-as-base64")
      }
      receipts.append(receipt)
    }
    guard !receipts.isEmpty else {
      throw Stop(
        .badInput, "@fetch.has-no-receipt \(path)",
        help: "@fetch.write-one-per-line")
    }
    return receipts
  }

  /// A digest in hex that tells a list of receipts from others; no receipt can be made of it.
  static func digest(of receipts: [StoredReceipt]) -> String {
    var digest = ContentDigest()
    for receipt in receipts {
      let parts = [receipt.data, receipt.orderID ?? "", receipt.userID ?? ""]
      var line = parts.joined(separator: "\t") + "\n"
      line.withUTF8 { digest.update(UnsafeRawBufferPointer($0)) }
    }
    return String(digest.sha256.prefix(16))
  }

  /// Reads the receipt of a line: base64, or JSON with one; nil where it has none.
  private init?(_ line: String, at place: SourceLocation) {
    self.place = place
    guard line.hasPrefix("{") else {
      guard Self.isBase64(line) else { return nil }
      data = line
      return
    }
    guard
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    else { return nil }
    let answer = object["response"] as? [String: Any] ?? object
    let found = ["receipt-data", "receipt_data", "latest_receipt", "receipt"].lazy
      .compactMap { answer[$0] as? String ?? object[$0] as? String }.first
    guard let found, Self.isBase64(found) else { return nil }
    data = found
    orderID = object["order_id"] as? String
    userID = object["user_id"] as? String
  }

  /// Whether a text may be a receipt: base64 of at least 16 characters.
  private static func isBase64(_ text: String) -> Bool {
    text.utf8.count >= 16
      && text.utf8.allSatisfy {
        $0 &- 0x30 < 10 || $0 | 0x20 &- 0x61 < 26 || [0x2B, 0x2F, 0x3D, 0x2D, 0x5F].contains($0)
      }
  }

  /// Apple's answer to the receipt as a line of a file of receipts, as an import takes it, with
  /// whom the receipt belongs to.
  func line(answer: [UInt8], at moment: Instant) -> [UInt8] {
    var line = "{"
    for (name, value) in [("order_id", orderID), ("user_id", userID)] {
      if let value { line += "\"\(name)\":\(jsonText(value))," }
    }
    line += "\"received_at\":\"\(moment)\",\"response\":"
    return Array(line.utf8) + onOneLine(answer) + Array("}\n".utf8)
  }
}

/// The JSON with blanks for line breaks: between its parts they mean nothing, and in its texts
/// there are none.
func onOneLine(_ json: [UInt8]) -> [UInt8] {
  json.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
}

/// A text in quotes, as JSON has it.
func jsonText(_ text: String) -> String {
  let bytes = try? JSONEncoder().encode(text)
  return bytes.map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
}

/// The lines of a text file without the blanks around them. Throws a ``Stop`` where it cannot be
/// read.
func textLines(ofFile path: String) throws -> [String] {
  do {
    let file = try RawFile(path: path)
    var text: [UInt8] = []
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { piece.deallocate() }
    while true {
      let count = try file.read(into: piece)
      if count == 0 { break }
      text.append(contentsOf: piece[..<count])
    }
    return String(decoding: text, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).map { $0.trimmingCharacters(in: .whitespaces) }
  } catch let error as SystemError {
    throw Stop(.badInput, "@fetch.cannot-be-read \(path) \(error.message)", help: error.help)
  }
}
