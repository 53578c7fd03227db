import ArgumentParser
import Billing
import Workflow

/// Options that every command takes. They stand in the root command too, so that they may come
/// before the command's name as well as after it.
struct SharedOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
    /// For commands whose result is one table; the others refuse it.
    case csv
  }

  private static let defaultLedger = "./tieout.sqlite"

  @Option(help: ArgumentHelp("The ledger, one SQLite file.", valueName: "path"))
  var ledger = defaultLedger

  @Option(
    help: ArgumentHelp(
      "The configuration. (default: tieout.toml beside the ledger, if there is one)",
      valueName: "path"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "How results are printed on standard output; tables of prices also as csv.",
      valueName: "text|json"))
  var format = Format.text

  @Flag(help: "Print errors only, no warnings and no progress.")
  var quiet = false

  @Flag(help: "Say more about what is done, and print the configuration in force.")
  var verbose = false

  @Option(
    help: ArgumentHelp("The language of texts; this version has English (en).", valueName: "en"))
  var lang = "en"

  @Option(
    help: ArgumentHelp(
      "The day that ages count from. (default: today, UTC)", valueName: "YYYY-MM-DD"),
    transform: readDay)
  var asOf: Day?

  @Option(
    help: ArgumentHelp(
      "End with status 1 when there is something of this severity or above.",
      valueName: "info|warning|error"),
    transform: readSeverity)
  var failOn: Severity?

  func validate() throws {
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other.") }
    if lang != "en" {
      throw ValidationError("--lang \(lang) is not in this version; it has: en.")
    }
  }

  /// Whether the caller wants this ledger and no other: it must be there.
  var namesLedger: Bool { ledger != Self.defaultLedger }

  /// Refuses the form that only commands with one table as their result have.
  func refuseCSV() throws {
    if format == .csv {
      throw ValidationError("--format csv is not for this command; it has: text, json.")
    }
  }

  /// Whether `--fail-on` meets one of these.
  func fails(on objections: [Objection]) -> Bool {
    guard let failOn else { return false }
    return objections.contains { ($0.severity == .error ? Severity.error : .warning) >= failOn }
  }

  /// The day that ages count from.
  var effectiveAsOf: Day { asOf ?? today() }
}

/// Reads a date of the command line.
@Sendable func readDay(_ text: String) throws -> Day {
  guard let day = Day(text) else {
    throw ValidationError("expected a date such as 2023-06-30, found \"\(text)\"")
  }
  return day
}

@Sendable private func readSeverity(_ text: String) throws -> Severity {
  guard let severity = Severity(rawValue: text) else {
    throw ValidationError("expected info, warning or error, found \"\(text)\"")
  }
  return severity
}
