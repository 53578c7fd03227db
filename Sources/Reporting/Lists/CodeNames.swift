import Billing
import Languages

extension FindingCode {
  /// Whether readers get a name beside each code: codes are English words.
  static var haveNames: Bool { Translation.current.language != .english }

  /// The code as people find it, with its name where they read another language.
  var named: String { Self.haveNames ? "\(say(brief)) \(rawValue)" : rawValue }
}
