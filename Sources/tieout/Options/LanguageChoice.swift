import ArgumentParser
import Billing
import Foundation

extension Language: ExpressibleByArgument {
  /// A language by what people and systems call it.
  init?(argument: String) { self.init(tag: argument) }

  /// `zh-Hans`, `zh`, `zh-CN`, `zh_CN.UTF-8`, `C`: a tag of BCP 47 or a locale of POSIX. Nil for a
  /// language that there are no texts in, traditional Chinese among them.
  init?(tag: String) {
    let tag = tag.prefix { $0 != "." && $0 != "@" }.lowercased().replacing("_", with: "-")
    let chinese: Set = ["zh", "zh-hans", "zh-cn", "zh-sg", "zh-my"]
    if ["en", "c", "posix"].contains(tag) || tag.hasPrefix("en-") {
      self = .english
    } else if chinese.contains(tag) || tag.hasPrefix("zh-hans-") {
      self = .simplifiedChinese
    } else {
      return nil
    }
  }

  /// Removes `--lang` from a command line and returns the language of all texts: the one that it
  /// names, else the configuration's, else the environment's. The help of the commands is put
  /// together before their options are read.
  ///
  /// What is no language that the program knows is left to the parser to refuse.
  static func take(from arguments: inout [String]) -> Language {
    var language: Language?
    var index = arguments.startIndex
    while index < arguments.endIndex, arguments[index] != "--" {
      let isPair = arguments[index] == "--lang" && index + 1 < arguments.endIndex
      let name =
        isPair
        ? arguments[index + 1]
        : arguments[index].hasPrefix("--lang=") ? String(arguments[index].dropFirst(7)) : ""
      if let named = Language(tag: name) {
        language = named
        arguments.removeSubrange(index..<(index + (isPair ? 2 : 1)))
      } else {
        index += 1
      }
    }
    return language ?? configured(arguments) ?? ofEnvironment
  }

  /// What the environment asks for: of the variables that POSIX names, the first that says
  /// anything.
  private static var ofEnvironment: Language {
    let environment = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
      .compactMap { environment[$0] }.first { !$0.isEmpty }
    return locale.flatMap { Language(tag: $0) } ?? .english
  }

  /// The language that the configuration of a call names; nil where it names none. The file is read
  /// whole and checked later: here only the lines before its first table are looked at. A pipe can
  /// be read once, and is left alone.
  private static func configured(_ arguments: [String]) -> Language? {
    let named = value(of: "--config", in: arguments)
    let ledger =
      value(of: "--ledger", in: arguments) ?? value(of: "-l", in: arguments)
      ?? SharedOptions.defaultLedger
    guard let path = named ?? Configuration.pathBeside(ledger: ledger) else { return nil }
    guard let status = FileStatus(path: path), status.kind == .regular,
      status.size <= ConfigurationPlaces.mostBytes,
      let bytes = FileManager.default.contents(atPath: path)
    else { return nil }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let text = line.drop { $0 == " " || $0 == "\t" }
      if text.hasPrefix("[") { return nil }
      if let set = text.firstMatch(of: #/^language\s*=\s*(["'])(.*?)\1/#) {
        return Language(tag: String(set.2))
      }
    }
    return nil
  }

  /// The value of an option, from the word behind it or behind its `=`; nil where it is not given.
  private static func value(of option: String, in arguments: [String]) -> String? {
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { return nil }
      if argument == option, index + 1 < arguments.count { return arguments[index + 1] }
      if argument.hasPrefix(option + "=") { return String(argument.dropFirst(option.count + 1)) }
    }
    return nil
  }
}
