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
      abstract: say("@command.print-the-configuration-in-force"),
      subcommands: [PrintConfigCommand.self, InitConfigCommand.self],
      defaultSubcommand: PrintConfigCommand.self)
  }
}

/// `tieout config print`
struct PrintConfigCommand: TieoutCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "print",
      abstract: say("@command.print-the-configuration-in-force-and-where"),
      discussion: """
        \(say("@command.output-can-be-used"))

          tieout config > tieout.toml
        """)
  }

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

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
      abstract: say("@command.draft-a-tieout-toml"),
      discussion: """
        \(say(about))

          tieout config init ~/apple-reports shop-export.csv
        """)
  }

  private static let about: Wording = "@command.writes-tieout-toml-beside"

  @Argument(help: .words("@command.files-and-folders", value: "@shared.path"), completion: .file())
  var paths: [String] = []

  @Option(
    name: .customLong("as"),
    help: .words("@command.what-the-files-contain-anything", value: "@shared.kind"),
    completion: .list(InputKind.allCases.map(\.rawValue)), transform: readInputKind)
  var kind: InputKind?

  @Flag(name: .customLong("print"), help: .words("@command.print-it-instead-of-writing"))
  var isPrinted = false

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func validate() throws { try shared.refuseCSV() }

  /// Drafts a configuration from the files and writes it beside the ledger, or prints it; ends with
  /// `badInput` where the draft is not complete.
  func run(on terminal: Terminal) throws -> Ending {
    var request = ImportRequest(paths: paths, ledgerPath: shared.ledger, importedAt: now())
    request.kind = kind
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
      let written = say("@command.written \(path)")
      let open = say(
        "@command.fill-in-what-begins-with \(draft.openKeys.joined(separator: ", "))")
      try terminal.print("\(written)\n\(open)\n")
    }
    return draft.isIncomplete ? .badInput : .done
  }
}

extension Configuration {
  private typealias Entry = (key: String, value: String, isGiven: Bool)

  /// Every key of the configuration with the value in force, and whether the file sets it.
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
      path.map { say("@command.from-marked-values-are-defaults \($0)") }
      ?? say("@command.no-tieout-toml-every-value")
    let lines = entries.map { entry in
      // A key without a value cannot stand in the file.
      let line = entry.value == "\"\"" ? "# \(entry.key) =" : "\(entry.key) = \(entry.value)"
      return entry.isGiven ? line : "\(line)  # \(say("@command.default"))"
    }
    return (["# \(head)"] + lines).joined(separator: "\n") + "\n"
  }

  /// The same for scripts: values as TOML writes them.
  fileprivate var json: String { configurationJSON(path: path, entries) }
}
