internal import Billing
internal import SwiftASN1
internal import X509

/// What a header says, as far as a signature's check has use for it.
struct SignedHeader {
  /// A header of Apple's has about 5 KB; this is far more and still little.
  static let longest = 65_536

  private let members: [String: HeaderValue]

  /// Reads the first segment of a JWS.
  init(_ segment: [UInt8]) throws(PayloadDiagnostic) {
    guard segment.count <= Self.longest else {
      throw .form("@payload.expected-a-header \(Self.longest) \(segment.count)")
    }
    guard let bytes = segment.withUnsafeBytes({ Base64.url.decode($0) }) else {
      throw .form("@payload.header-is-not-base64url-without")
    }
    do throws(HeaderReader.HeaderDiagnostic) {
      members = try HeaderReader.members(bytes)
    } catch {
      throw .form(
        "@payload.header-is-not-a-json \(error.expected) \(error.offset)")
    }
    guard members["crit"] == nil else {
      throw .form("@payload.header-demands-extensions-crit")
    }
  }

  /// Throws unless the algorithm is the one that Apple uses; no other place tells an algorithm.
  func checkAlgorithm() throws(PayloadDiagnostic) {
    switch members["alg"] {
    case .text("ES256"): return
    case .text(let name): throw .algorithm(found: Wording(verbatim: shown(name)))
    case .list: throw .algorithm(found: "@shared.list-2")
    case .other(let word): throw .algorithm(found: Wording(verbatim: word))
    case nil: throw .algorithm(found: "@payload.none-named")
    }
  }

  /// The DER of leaf, intermediate and root, in this order; nothing about them is proven.
  func certificates() throws(PayloadDiagnostic) -> [[UInt8]] {
    guard let value = members["x5c"] else {
      throw .chain("@payload.expected-three-certificates-in-x5c-found")
    }
    guard case .list(let entries) = value else {
      throw .chain("@payload.expected-three-certificates-in-x5c-found-no")
    }
    if entries.count == 1, Self.isXcode(entries[0]) { throw .xcode }
    guard entries.count == 3 else {
      throw .chain("@payload.expected-three-certificates-in-x5c \(entries.count)")
    }
    var certificates: [[UInt8]] = []
    for entry in entries {
      guard let bytes = Self.decoded(entry) else {
        throw .chain("@payload.certificate-of-x5c-is-not \(certificates.count + 1)")
      }
      certificates.append(bytes)
    }
    return certificates
  }

  /// The bytes of a certificate in `x5c`; nil where it is no text in base64.
  private static func decoded(_ entry: HeaderValue) -> [UInt8]? {
    guard case .text(var text) = entry else { return nil }
    return text.withUTF8 { Base64.standard.decode(UnsafeRawBufferPointer($0)) }
  }

  /// Whether a certificate is the one that Xcode makes for itself; anybody can make one alone.
  private static func isXcode(_ entry: HeaderValue) -> Bool {
    guard let der = decoded(entry), let certificate = try? Certificate(derEncoded: der) else {
      return false
    }
    return "\(certificate.subject)".contains("StoreKit Testing in Xcode")
  }

  /// A text of unknown origin, short and without what a terminal would obey.
  private func shown(_ text: String) -> String {
    let plain = text.unicodeScalars.prefix(40).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: " "
      default: String(scalar)
      }
    }
    return "\"\(plain.joined())\""
  }
}
