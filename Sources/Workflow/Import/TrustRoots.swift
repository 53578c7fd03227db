package import Billing
import Foundation
import SignedPayload

/// Root certificates that the configuration trusts beside Apple's.
package struct TrustRoots: Sendable {
  /// As the configuration names them.
  package var names: [String] = []
  /// Where they lie.
  package private(set) var paths: [String] = []
  /// What lies there, as DER.
  package private(set) var certificates: [[UInt8]] = []

  package init() {}

  /// Trusts the certificates of a PEM or DER file, of which there is at least one.
  package mutating func add(path: String) throws(UnusableTrustRoot) {
    certificates += try rootCertificates(try contents(path))
    paths.append(path)
  }
}

/// A file that is named as a trust root and holds none.
package struct UnusableTrustRoot: Error {
  /// What was expected and what was found, in lower case without a full stop.
  package var message: Wording
  /// What to do about it.
  package var help: Wording
}

/// Certificates have a few KB each; whatever is longer was not meant.
private let sizeLimit = 1 << 20

/// The bytes of the file at `path`; throws where it is no regular file, larger than `sizeLimit`, or
/// cannot be read.
private func contents(_ path: String) throws(UnusableTrustRoot) -> [UInt8] {
  do {
    let file = try RawFile(path: path)
    guard file.isRegular, file.size <= sizeLimit else {
      throw UnusableTrustRoot(
        message: "@import.expected-a-file", help: "@import.name-the-root-certificate-file")
    }
    return try [UInt8](unsafeUninitializedCapacity: file.size) { bytes, count in
      count = try file.read(into: UnsafeMutableRawBufferPointer(bytes))
    }
  } catch let error as UnusableTrustRoot {
    throw error
  } catch let error as SystemError {
    throw UnusableTrustRoot(
      message: "@import.cannot-be-read \(error.message)",
      help: "@import.its-path-is-relative \(error.help)")
  } catch {
    throw UnusableTrustRoot(
      message: "@import.cannot-be-read \(String(describing: error))",
      help: "@import.check-the-disk-that-holds")
  }
}

/// The certificates, each as DER, in the bytes of a PEM or DER file.
private func rootCertificates(_ bytes: [UInt8]) throws(UnusableTrustRoot) -> [[UInt8]] {
  do throws(UnreadableCertificate) {
    return try certificates(inFile: bytes)
  } catch {
    throw UnusableTrustRoot(message: error.message, help: error.help)
  }
}
