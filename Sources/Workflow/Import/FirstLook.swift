import Billing
import Reading

/// What the first rows of a file show, without a ledger.
struct FirstLook {
  /// Nil where it cannot be told.
  private(set) var kind: InputKind?
  /// What is wrong with the file as a whole.
  private(set) var wrong: Diagnostic?

  /// Whether it is nothing to import: Tieout wrote it, or it is a note or a picture.
  var isNoInput: Bool { wrong?.leftOut != nil }

  /// Reads the file until its kind is known or it turns out to be wrong; packed files are not
  /// looked at.
  ///
  /// - Parameter mappings: how the company's own exports are laid out.
  init(_ path: String, mappings: [TableMapping]) {
    // Apple's reports come packed, and nothing that Tieout writes does.
    if [".gz", ".zip"].contains(where: path.lowercased().hasSuffix) { return }
    var request = ImportRequest(paths: [path], ledgerPath: "", importedAt: Instant(seconds: 0))
    request.mappings = mappings
    do {
      let pass = try ReadingPass(FoundFile(path: path), for: request)
      defer { pass.blocks.cancel(waits: true) }
      while true {
        switch pass.blocks.receive(within: 1) {
        case .nothingYet: continue
        case .element(let block): kind = block.kind
        case .end: kind = try pass.result().reading.kind
        }
        return
      }
    } catch { wrong = error as? Diagnostic }
  }

  /// What the configuration would have to map the file as; nil where it is recognised.
  var unmappedKind: InputKind? { wrong?.unmappedKind }
}
