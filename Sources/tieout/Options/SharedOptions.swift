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
    help: .words("The ledger, one SQLite file.", value: "path"),
    completion: .file(extensions: ["sqlite"]))
  var ledger = defaultLedger

  @Option(
    help: .words(
      "The configuration. (default: tieout.toml beside the ledger, if there is one)",
      value: "path"),
    completion: .file(extensions: ["toml"]))
  var config: String?

  @Option(
    help: .words(
      "The format of results on standard output; csv and jsonl only where a command offers them.",
      value: "text|json"),
    completion: .list(Format.allCases.map(\.rawValue)))
  var format = Format.text

  @Flag(help: .words("Print errors only, no warnings and no progress."))
  var quiet = false

  @Flag(help: .words("Say more about what is done, and print the configuration in force."))
  var verbose = false

  /// Told in the help of the program alone: with one option more, the parser leaves the synopsis
  /// of a command out.
  @Flag(help: ArgumentHelp(visibility: .hidden))
  var noPager = false

  /// Taken out of the command line before the rest is parsed; here for the help, and to refuse
  /// what is no language.
  @Option(
    help: .words(
      "The language of all texts. (default: language in tieout.toml, else LANG)",
      value: "language"),
    completion: .list(Language.allCases.map(\.rawValue)))
  var lang: Language?

  @Option(
    help: .words(
      "The day as of which ages are calculated. (default: today, UTC)", value: "YYYY-MM-DD"),
    transform: readDay)
  var asOf: Day?

  @Option(
    help: .words(
      "Exit with status 1 if there is a finding of this severity or above.",
      value: "info|warning|error"),
    completion: .severities, transform: readSeverity)
  var failOn: Severity?

  func validate() throws {
    if ledger.isEmpty || ledger == ":memory:" {
      throw wrongUsage("--ledger names a file, found \"\(ledger)\"")
    }
    for path in [ledger, config].compactMap(\.self) where path.hasRawBytes {
      throw wrongUsage("expected text in UTF-8, found \"\(path)\"")
    }
    if quiet && verbose { throw wrongUsage("--quiet and --verbose exclude each other.") }
  }

  /// Whether the caller wants this ledger and no other: it must be there.
  var namesLedger: Bool { ledger != Self.defaultLedger }

  /// Refuses the form that only commands with one table as their result have.
  func refuseCSV() throws {
    if format == .csv || format == .jsonl {
      throw wrongUsage(
        """
        this command does not support --format \(format.rawValue); it supports: text, json.
        """)
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

/// Of commands that write files for people.
struct ReplaceOption: ParsableArguments {
  @Flag(help: .words("Replace a file that this ledger did not write, or that was changed since."))
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
  static var severities: CompletionKind { .list(Severity.allCases.map(\.rawValue)) }
  static var workbook: CompletionKind { .file(extensions: ["xlsx"]) }
}

/// Refuses a workbook under a name by which no program opens one.
func checkWorkbookName(_ path: String?) throws {
  guard let path, !path.hasPrefix("/dev/"), let name = path.split(separator: "/").last,
    let dot = name.lastIndex(of: "."), name[dot...].lowercased() != ".xlsx"
  else { return }
  throw wrongUsage("--out writes a workbook: name a file that ends with .xlsx, found \"\(path)\"")
}

/// What is wrong with the command line, in the reader's language.
func wrongUsage(_ wording: Wording) -> ValidationError { ValidationError(say(wording)) }

/// Reads a date of the command line.
@Sendable func readDay(_ text: String) throws -> Day {
  guard let day = Day(text) else {
    throw wrongUsage("expected a date such as 2023-06-30, found \"\(text)\"")
  }
  return day
}

@Sendable func readSeverity(_ text: String) throws -> Severity {
  guard let severity = Severity(rawValue: text) else {
    throw unknownWord(text, among: Severity.allCases.map(\.rawValue))
  }
  return severity
}
