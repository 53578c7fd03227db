import ArgumentParser
import Billing
import Languages
import Workflow

/// `tieout template`
struct TemplateCommand: TieoutCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "template",
      abstract: say("Print a table to fill in, as CSV."),
      discussion: """
        \(say(about))

          tieout template products > products.csv
          tieout template orders --example
        """)
  }

  private static let about: Wording =
    "Columns that are not required may be left out; import --columns explains them:"

  @Argument(
    help: .words("The kind of table.", value: "kind"),
    completion: .list(InputKind.tablesOfCompanies.map(\.rawValue)), transform: readCompanyTable)
  var kind: InputKind

  @Flag(help: .words("Add an example row below the column names."))
  var example = false

  @OptionGroup(title: say("Options of every command")) var shared: SharedOptions

  func run(on terminal: Terminal) throws -> Ending {
    try terminal.print(Array(template(of: kind, hasExample: example).utf8))
    return .done
  }
}
