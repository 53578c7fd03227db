import ArgumentParser
import Billing
import Languages
import Workflow

/// `tieout config`
struct ConfigCommand: TieoutCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "config",
      abstract: say("Print the configuration in force, with where each value comes from."),
      discussion: """
        \(say("The text can stand in tieout.toml as it is. Start one with all defaults:"))

          tieout config > tieout.toml
        """)
  }

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  func run(on terminal: Terminal) throws -> Ending {
    let configuration = try Configuration(shared, terminal)
    try terminal.print(
      shared.format == .json ? configuration.json : configuration.annotatedText)
    return .done
  }
}

extension Configuration {
  private typealias Entry = (key: String, value: String, isGiven: Bool)

  private var entries: [Entry] {
    effectiveLines.map { line in
      guard let sign = line.firstRange(of: " = ") else { preconditionFailure("a line has a key") }
      let key = String(line[..<sign.lowerBound])
      return (key, String(line[sign.upperBound...]), given.contains(key))
    }
  }

  /// One line per key, as it could stand in the file; what the file does not say is marked.
  fileprivate var annotatedText: String {
    let head =
      path.map { say("from \($0); what is marked has its default") }
      ?? say("no tieout.toml: every value is the default")
    let lines = entries.map { entry in
      // A key without a value cannot stand in the file.
      let line = entry.value == "\"\"" ? "# \(entry.key) =" : "\(entry.key) = \(entry.value)"
      return entry.isGiven ? line : "\(line)  # \(say("default"))"
    }
    return (["# \(head)"] + lines).joined(separator: "\n") + "\n"
  }

  /// The same for scripts: values as TOML writes them.
  fileprivate var json: String { configurationJSON(path: path, entries) }
}
