import Billing
import Languages

extension FindingCode {
  /// Whether readers get a name beside each code, because codes are English words and their
  /// language is another.
  static var haveNames: Bool { Translation.current.language != .english }

  /// The code as readers search for it, after its name where they read another language than
  /// English.
  var named: String { Self.haveNames ? "\(say(brief)) \(rawValue)" : rawValue }
}
