import Billing
import Languages
import Ledger
import Reporting

extension ImportSummary {
  /// The summary for a script: one JSON document.
  package var json: String {
    jsonDocument { writer in
      writer.bool("dry_run", isDryRun)
      writer.string("default_storefront", defaultStorefront?.code)
      writer.assumed(assumptions)
      writer.objects("files", of: files) { $1.writeFields(to: &$0) }
      writer.objects("kinds", of: kinds) { $1.writeFields(to: &$0) }
      writer.strings("left_out", leftOut.map(\.path))
      writer.objects("left_out_because", of: leftOut) { writer, file in
        writer.string("file", file.path)
        writer.string("reason", file.reason.rawValue)
      }
      writer.objects("no_sales", of: noSales) { $1.writeFields(to: &$0) }
      writer.objects("objections", of: allDiagnostics) { $1.writeFields(to: &$0) }
      writer.object("totals") { writeTotals(to: &$0) }
    }
  }

  private func writeTotals(to writer: inout JSONWriter) {
    writer.integer("imported", count(.imported))
    writer.integer("partial", count(.partial))
    writer.integer("skipped", count(.skipped))
    writer.integer("rejected", count(.rejected))
    writer.integer("left", filesLeft)
    writer.integer("rows", files.reduce(0) { $0 + ($1.isLoaded ? $1.rows : 0) })
    writer.integer("errors", errorCount)
    writer.integer("warnings", warningCount)
  }
}

extension ImportedFile {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.string("file", file)
    writer.string("kind", kind?.rawValue)
    writer.string("status", status.rawValue)
    writer.integer("rows", rows)
    writer.integer("rejected", rejected)
    writer.string("vendor", vendor.isEmpty ? nil : vendor)
    if isVendorAssumed { writer.bool("vendor_assumed", true) }
    writer.string("region", region.isEmpty ? nil : region)
    writer.days(from, to)
    writer.string("fiscal_months", fiscalMonths(kind, from, to))
    writer.string("sha256", sha256)
    writer.string("supersedes", supersedes)
    writer.string("same_as", sameAs)
    writer.bool("counts_again", countsAgain)
    writer.integer("errors", errorCount)
    writer.tallies(tallies)
    if kind == .orders || kind == .transactions {
      writer.integer("rows_without_storefront", rowsWithoutStorefront)
    }
    if let mapping {
      writer.string("mapping", mapping.name)
      writer.string("zone", mapping.zone?.name)
    }
    let known = signs.english
    if !known.isEmpty { writer.string("known_by", known) }
    if !leftOutColumns.isEmpty { writer.strings("left_out_columns", leftOutColumns) }
    if !firstRows.columns.isEmpty {
      writer.objects("first_rows", of: firstRows.columns[0].values.indices) { writer, row in
        for column in firstRows.columns {
          writer.string(column.name, column.values[row].isEmpty ? nil : column.values[row])
        }
      }
    }
    guard !columns.isEmpty else { return }
    writer.objects("columns", of: columns) { writer, column in
      writer.string("column", column.name)
      writer.string("source", column.source)
      writer.bool("required", column.isRequired)
      writer.string("first", column.first.isEmpty ? nil : column.first)
    }
  }
}

extension ImportedKind {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.string("kind", kind.rawValue)
    writer.integer("files", files)
    writer.integer("rows", rows)
    writer.integer("rejected", rejected)
    writer.days(from, to)
    writer.integer("not_in_totals", leftOut)
    writer.objects("totals", of: totals) { writer, total in
      writer.string("currency", total.currency?.code)
      writer.integer("units", total.units)
      writer.string("gross", total.text(micros: total.gross))
      let proceeds = total.text(micros: total.proceeds)
      writer.string("proceeds", kind.isReport ? proceeds : nil)
    }
    writer.tallies(tallies)
  }
}

extension NoSalesDay {
  func writeFields(to writer: inout JSONWriter) {
    writer.string("date", day.description)
    writer.string("vendor", vendor.isEmpty ? nil : vendor)
  }
}

extension JSONWriter {
  /// Writes the member `tallies`: an object per tally, with its text and count.
  mutating func tallies(_ tallies: [ImportTally]) {
    objects("tallies", of: tallies) { writer, tally in
      writer.string("what", tally.what.english)
      writer.integer("count", tally.count)
    }
  }

  /// Writes the members `from` and `to`, the first and the last day; null where one is not known.
  mutating func days(_ from: Day?, _ to: Day?) {
    string("from", from?.description)
    string("to", to?.description)
  }
}
