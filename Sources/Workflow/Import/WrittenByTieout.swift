import Billing
import Ledger
import Reading
import Reporting

extension OwnWork {
  /// The signs by which Tieout's own output is known, so that it is not imported: what the commands
  /// write, in any language, into files or where their output is led to.
  static let ofTieout: OwnWork = {
    var own = OwnWork()
    let rows = [ExportedRows.Table.orders, .transactions, .coinMovements].map(\.columns)
      .map { Set($0.dropLast() + ["file", "line"]) }
    own.lists = Set(writtenLists.map(Set.init) + rows)
    own.documents = printed
    own.openings = writtenOpenings
    own.ledgers = Ledger.applicationIDs
    return own
  }()

  /// The first keys of what `--format json` prints.
  private static let printed = [
    ["closes", "number"], ["closes", "period"], ["code", "severity", "level"],
    ["configuration", "ledger", "open"], ["damaged", "seals"], ["date", "base_currency"],
    ["date", "channel", "target"], ["dry_run", "default_storefront"], ["dry_run", "questions"],
    ["findings", "id", "code"], ["ledger", "as_of", "files"], ["period", "base_currency"],
    ["period", "closed"], ["prices", "storefront", "currency", "price", "date", "tax"],
    ["state", "steps"], ["tables", "kind"], ["views", "name"],
  ]
}
