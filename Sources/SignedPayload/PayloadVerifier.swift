package import Billing
internal import Crypto
internal import Foundation

/// Checks the signatures of App Store payloads as Apple's own libraries do, without network.
///
/// A payload's certificates come with it, in its header. They are judged once for each header, the
/// rest for each payload. The verdict on a payload never depends on those seen before it.
package struct PayloadVerifier: Sendable {
  /// How many headers are remembered; beyond it the memory starts anew. Apple has about one a year.
  static let rememberedHeaders = 256

  /// What is known of a header. Handed on once per payload, so that it is an object.
  private final class Verdict: Sendable {
    enum Finding {
      case refused(PayloadDiagnostic)
      case chain(CertificateChain, Links)
    }

    let header: [UInt8]
    let finding: Finding

    init(_ header: [UInt8], _ finding: Finding) {
      self.header = header
      self.finding = finding
    }
  }

  /// Whether a chain's links hold, which is looked at when its first payload needs it.
  private enum Links: Sendable {
    case unknown, sound
    case broken(PayloadDiagnostic)
  }

  private let roots: [TrustedRoot]
  private var verdicts: [[UInt8]: Verdict] = [:]
  private var last: Verdict?

  /// A verifier that trusts Apple Root CA - G3 and further roots.
  ///
  /// - Parameter roots: the further ones, as DER. Throws when one is no certificate.
  package init(trusting roots: [[UInt8]]) throws {
    var text = appleRootCAG3
    let apple = text.withUTF8 { Base64.standard.decode(UnsafeRawBufferPointer($0)) }
    self.roots = try ([apple ?? []] + roots).map { try TrustedRoot($0) }
  }

  /// Splits and decodes a JWS in its compact form, without proving anything.
  ///
  /// - Parameter isCovered: the JWS stands in a payload that is proven: the signature around it is
  ///   of its bytes too, and its own need not be looked at. Its certificates are.
  /// - Throws: a ``PayloadDiagnostic`` for its ``PayloadDiagnostic/Reason/form``.
  package mutating func open(
    _ jws: UnsafeRawBufferPointer, isCovered: Bool = false
  ) throws(PayloadDiagnostic) -> OpenedPayload {
    let segments = try Segments(jws)
    let header = shared(segments.header)
    if case .refused(let refusal) = verdict(on: header).finding, refusal.reason == .form {
      throw refusal
    }
    return OpenedPayload(
      payload: try decodeSegment("@payload.payload", segments.payload), header: header,
      digest: isCovered ? nil : segments.digest,
      signature: try decodeSegment("@shared.signature", segments.signature),
      isSigned: isCovered ? true : nil)
  }

  /// Proves that Apple, or the owner of another trusted root, signed the payload: the whole proof.
  ///
  /// - Parameter signedAt: the payload's own `signedDate`, at which its certificates must be valid;
  ///   nil where it does not say: all else is proven, and that they were valid together once.
  /// - Throws: a ``PayloadDiagnostic`` for the first thing that is wrong, by the order of reasons.
  package mutating func verify(
    _ opened: OpenedPayload, signedAt: Instant?
  ) throws(PayloadDiagnostic) {
    let chain: CertificateChain
    let links: Links
    switch verdict(on: opened.header).finding {
    case .refused(let refusal): throw refusal
    case .chain(let known, let state): (chain, links) = (known, state)
    }
    let moment: Instant
    if let signedAt { moment = signedAt } else { moment = try chain.commonMoment() }
    try chain.checkValidity(at: moment)
    switch links {
    case .sound: break
    case .broken(let refusal): throw refusal
    case .unknown:
      let refusal = chain.brokenLink(at: moment)
      let known = Verdict(
        opened.header, .chain(chain, refusal.map { .broken($0) } ?? .sound))
      verdicts[opened.header] = known
      last = known
      if let refusal { throw refusal }
    }
    guard opened.isSigned ?? Self.isSigned(opened, by: chain) else { throw .signature }
  }

  /// Sets `isSigned` of a payload: whether its signature is by the key that its header brings.
  /// Where the header is refused, it stays as it is.
  mutating func prove(_ opened: inout OpenedPayload) {
    guard case .chain(let chain, _) = verdict(on: opened.header).finding else { return }
    opened.isSigned = Self.isSigned(opened, by: chain)
  }

  /// Whether the signature is of the payload and by the key of the chain's leaf.
  private static func isSigned(_ opened: OpenedPayload, by chain: CertificateChain) -> Bool {
    guard let digest = opened.digest,
      let signature = try? P256.Signing.ECDSASignature(rawRepresentation: opened.signature)
    else { return false }
    return chain.key.isValidSignature(signature, for: digest)
  }

  /// A header's bytes: the array that the last payload has where the bytes are the same, as they
  /// mostly are, else a copy. Two payloads with one array are seen at once to have one header.
  private func shared(_ header: UnsafeRawBufferPointer) -> [UInt8] {
    if let last, Self.isSame(last.header, header) { return last.header }
    return [UInt8](header)
  }

  /// Whether two headers have the same bytes, or are one.
  private static func isSame(_ known: [UInt8], _ header: UnsafeRawBufferPointer) -> Bool {
    known.withUnsafeBytes { known in
      guard known.count == header.count, let left = known.baseAddress,
        let right = header.baseAddress
      else { return false }
      return left == right || memcmp(left, right, header.count) == 0
    }
  }

  /// What is known of a header, from memory where it was met before.
  private mutating func verdict(on header: [UInt8]) -> Verdict {
    // Headers are long, and one payload has that of the last.
    if let last, header.withUnsafeBytes({ Self.isSame(last.header, $0) }) { return last }
    let verdict = verdicts[header] ?? judged(header)
    last = verdict
    return verdict
  }

  /// Judges a header, and remembers the verdict unless the header is too long to be one.
  private mutating func judged(_ header: [UInt8]) -> Verdict {
    let verdict = Verdict(header, judge(header))
    if verdicts.count == Self.rememberedHeaders { verdicts.removeAll(keepingCapacity: true) }
    // What is longer than any header is refused at a glance, and not worth its room.
    if header.count <= SignedHeader.longest { verdicts[header] = verdict }
    return verdict
  }

  /// Reads a header and its certificates: a chain whose links are not looked at yet, or why it is
  /// refused.
  private func judge(_ segment: [UInt8]) -> Verdict.Finding {
    do throws(PayloadDiagnostic) {
      let header = try SignedHeader(segment)
      try header.checkAlgorithm()
      return .chain(
        try CertificateChain(try header.certificates(), trusting: roots), .unknown)
    } catch {
      return .refused(error)
    }
  }
}
