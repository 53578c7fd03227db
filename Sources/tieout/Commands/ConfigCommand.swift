import ArgumentParser
import Billing
import Foundation
import Languages
import Workflow

/// `tieout config`
struct ConfigCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "config",
      abstract: say("Print the configuration in force, or draft a first one."),
      subcommands: [PrintConfigCommand.self, InitConfigCommand.self],
      defaultSubcommand: PrintConfigCommand.self)
  }
}

/// `tieout config print`
struct PrintConfigCommand: TieoutCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "print",
      abstract: say("Print the configuration in force and where each value comes from."),
      discussion: """
        \(say("The output can be used as tieout.toml as it is. To start one with all defaults:"))

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

/// `tieout config init`
struct InitConfigCommand: TieoutCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "init",
      abstract: say("Draft a tieout.toml from files or, if none are named, from the ledger."),
      discussion: """
        \(say(about))

          tieout config init ~/apple-reports shop-export.csv
        """)
  }

  private static let about: Wording = """
    Writes tieout.toml beside the ledger, or where --config says, and never overwrites an existing \
    file. It contains the vendor numbers and apps that the files name, a mapping for each file \
    whose columns have other names, and comments on what only you know. The files are read but not \
    imported.
    """

  @Argument(help: .words("Files and folders.", value: "path"), completion: .file())
  var paths: [String] = []

  @Flag(name: .customLong("print"), help: .words("Print it instead of writing a file."))
  var isPrinted = false

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  func run(on terminal: Terminal) throws -> Ending {
    var request = ImportRequest(paths: paths, ledgerPath: shared.ledger, importedAt: now())
    let path = shared.config ?? Configuration.placeBeside(ledger: shared.ledger)
    if FileManager.default.fileExists(atPath: path) {
      request.mappings = try Configuration(shared, terminal).mappings
    }
    let draft = try ConfigurationDraft(request) { Configuration.mappings(in: $0) }
    terminal.report(draft.diagnostics)
    if isPrinted {
      try terminal.print(Array(draft.text.utf8))
    } else {
      try draft.write(to: path)
      try terminal.print(say("written: \(path)") + "\n")
    }
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
      path.map { say("from \($0); marked values are defaults") }
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
