import ArgumentParser
import Billing
import Languages
import Workflow

private let listedKinds = InputKind.tablesOfCompanies.map(\.rawValue).joined(separator: ", ")

/// `tieout template`
struct TemplateCommand: TieoutCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "template",
      abstract: say("@command.print-a-table-to-fill"),
      discussion: """
        \(say(about))

          tieout template products > products.csv
          tieout template orders --example
        """)
  }

  private static let about: Wording =
    "@command.columns-that-are-not-required"

  @Argument(
    help: .words("@command.kind-of-table \(listedKinds)", value: "@shared.kind"),
    completion: .list(InputKind.tablesOfCompanies.map(\.rawValue)), transform: readCompanyTable)
  var kind: InputKind

  @Flag(help: .words("@command.add-an-example-row-below"))
  var example = false

  @OptionGroup(title: say("@shared.options-of-every-command")) var shared: SharedOptions

  func run(on terminal: Terminal) throws -> Ending {
    try terminal.print(Array(tableTemplate(of: kind, hasExample: example).utf8))
    return .done
  }
}
