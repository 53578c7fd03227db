import Billing
import Foundation
import Support
import Testing

@testable import SignedPayload

/// Goal: the certificates of the files that tools write are found. Method: such files.
@Suite struct CertificateFileTests {
  private let authority = Authority()

  private func pem(_ der: [UInt8], lineEnd: String = "\n") -> String {
    let lines = Data(der).base64EncodedString(options: [
      .lineLength64Characters, .endLineWithLineFeed,
    ])
    .replacing("\n", with: lineEnd)
    return "-----BEGIN CERTIFICATE-----\(lineEnd)\(lines)\(lineEnd)-----END CERTIFICATE-----"
  }

  @Test func `PEM and DER are read`() throws {
    let root = try authority.root()
    let other = try authority.intermediate()
    #expect(try certificates(inFile: root) == [root])
    for text in [
      pem(root), pem(root) + "\n", pem(root, lineEnd: "\r\n"), "\u{FEFF}" + pem(root),
      "Certificate:\n    Data:\n        Version: 3 (0x2)\n" + pem(root) + "\n\n",
    ] { #expect(try certificates(inFile: Array(text.utf8)) == [root]) }
    let both = pem(root) + "\n" + pem(other) + "\n"
    #expect(try certificates(inFile: Array(both.utf8)) == [root, other])
  }

  @Test func `a file without a certificate is refused`() throws {
    let whole = pem(try authority.root())
    for (text, message) in [
      ("", "neither a PEM file nor"), ("hello", "neither a PEM file nor"),
      (
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        "expected a block BEGIN CERTIFICATE"
      ),
      (whole.replacing("MII", with: "MI?"), "certificate 1 of the file is damaged"),
      (whole + "\n" + whole.replacing("MII", with: "MIA"), "certificate 2 of the file is damaged"),
      (String(whole.prefix(200)), "has no line END CERTIFICATE"),
    ] {
      let error = #expect(throws: UnreadableCertificate.self) {
        try certificates(inFile: Array(text.utf8))
      }
      #expect(error?.message.english.contains(message) == true, "\(text)")
    }
  }
}
