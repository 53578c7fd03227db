import ArgumentParser
import Billing
import Languages
import Workflow

/// Options that every command takes. They stand in the root command too, so that they may come
/// before the command's name as well as after it.
struct SharedOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
    /// For commands whose result is one table; the others refuse it.
    case csv
    /// For exports: one JSON object per line.
    case jsonl
  }

  static let defaultLedger = "./tieout.sqlite"

  @Option(
    name: [.customShort("l"), .long],
    help: .words("@option.ledger-one-sqlite-file", value: "@shared.path"),
    completion: .file(extensions: ["sqlite"]))
  var ledger = defaultLedger

  @Option(
    help: .words(
      "@option.configuration-default-tieout-toml-beside",
      value: "@shared.path"),
    completion: .file(extensions: ["toml"]))
  var config: String?

  @Option(
    help: .words(
      "@option.format-of-results-on-standard",
      value: "text|json"),
    completion: .list(Format.allCases.map(\.rawValue)))
  var format = Format.text

  @Flag(name: [.customShort("q"), .long], help: .words("@option.print-errors-only-no-warnings"))
  var quiet = false

  @Flag(name: [.customShort("v"), .long], help: .words("@option.say-more-about-what-is"))
  var verbose = false

  /// Told in the help of the program alone: with one option more, the parser leaves the synopsis
  /// of a command out.
  @Flag(help: ArgumentHelp(visibility: .hidden))
  var noPager = false

  /// Taken out of the command line before the rest is parsed; here for the help, and to refuse
  /// what is no language.
  @Option(
    help: .words(
      "@option.language-of-all-texts-default",
      value: "@option.language"),
    completion: .list(Language.allCases.map(\.rawValue)))
  var lang: Language?

  @Option(
    help: .words(
      "@option.day-as-of-which-ages", value: "YYYY-MM-DD"),
    transform: readDay)
  var asOf: Day?

  @Option(
    help: .words(
      "@option.exit-with-status-1-if",
      value: "info|warning|error"),
    completion: .severities, transform: readSeverity)
  var failOn: Severity?

  func validate() throws {
    if ledger.isEmpty || ledger == ":memory:" {
      throw wrongUsage("@option.ledger-names-a-file-found \(ledger)")
    }
    for path in [ledger, config].compactMap(\.self) where path.hasRawBytes {
      throw wrongUsage("@shared.expected-text-in-utf-8 \(path)")
    }
    precondition(lang == nil, "a language that the program knows was taken out before")
    if quiet && verbose { throw wrongUsage("@option.quiet-and-verbose-exclude-each") }
  }

  /// Whether the caller wants this ledger and no other: it must be there.
  var namesLedger: Bool { ledger != Self.defaultLedger }

  /// Refuses the form that only commands with one table as their result have.
  func refuseCSV() throws {
    if format == .csv || format == .jsonl {
      throw wrongUsage(
        "@option.this-command-does-not-support \(format.rawValue)")
    }
  }

  /// Whether `--fail-on` meets one of these.
  func fails(on diagnostics: [Diagnostic]) -> Bool {
    guard let failOn else { return false }
    return diagnostics.contains { ($0.severity == .error ? Severity.error : .warning) >= failOn }
  }

  /// The day as of which ages are calculated.
  var effectiveAsOf: Day { asOf ?? today() }
}

/// The option of commands that write files for people: whether one that is there is replaced.
struct ReplaceOption: ParsableArguments {
  @Flag(help: .words("@option.replace-a-file"))
  var replace = false
}

extension ArgumentHelp {
  /// Help in the reader's language.
  ///
  /// - Parameter value: what stands for the option's value.
  static func words(_ text: Wording, value: Wording? = nil) -> ArgumentHelp {
    ArgumentHelp(say(text), valueName: value.map(say))
  }
}

extension CompletionKind {
  /// Completes the names of severities.
  static var severities: CompletionKind { .list(Severity.allCases.map(\.rawValue)) }
  /// Completes names of workbooks.
  static var workbook: CompletionKind { .file(extensions: ["xlsx"]) }
}

/// Refuses a workbook under a name by which no program opens one.
func checkWorkbookName(_ path: String?) throws {
  guard let path, !path.hasPrefix("/dev/"), let name = path.split(separator: "/").last,
    let dot = name.lastIndex(of: "."), name[dot...].lowercased() != ".xlsx"
  else { return }
  throw wrongUsage("@option.out-writes-a-workbook-name \(path)")
}

/// An error that says what is wrong with the command line, in the reader's language.
func wrongUsage(_ wording: Wording) -> ValidationError { ValidationError(say(wording)) }

/// Reads a date of the command line.
@Sendable func readDay(_ text: String) throws -> Day {
  guard let day = Day(text) else {
    throw wrongUsage("@option.expected-a-date-such \(text)")
  }
  return day
}

/// A severity by its name; refuses any other word.
@Sendable func readSeverity(_ text: String) throws -> Severity {
  guard let severity = Severity(rawValue: text) else {
    throw unknownWord(text, among: Severity.allCases.map(\.rawValue))
  }
  return severity
}
