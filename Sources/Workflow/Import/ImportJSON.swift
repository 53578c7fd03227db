import Billing
import Languages
import Ledger
import Reporting

extension ImportSummary {
  /// The summary for a script: one JSON document.
  package var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("dry_run")
      writer.bool(isDryRun)
      writer.string("default_storefront", defaultStorefront?.code)
      if !assumptions.isEmpty {
        writer.key("assumed")
        writer.write(assumptions: assumptions)
      }
      writer.key("files")
      writer.array(of: files) { $1.write(to: &$0) }
      writer.key("kinds")
      writer.array(of: kinds) { $1.write(to: &$0) }
      writer.key("left_out")
      writer.array(of: leftOut) { $0.string($1.path) }
      writer.key("left_out_because")
      writer.array(of: leftOut) { writer, file in
        writer.object { writer in
          writer.string("file", file.path)
          writer.string("reason", file.reason.rawValue)
        }
      }
      writer.key("no_sales")
      writer.array(of: noSales) { $1.write(to: &$0) }
      writer.key("objections")
      writer.array(of: allDiagnostics) { $1.write(to: &$0) }
      writer.key("totals")
      writeTotals(to: &writer)
    }
    return writer.text() + "\n"
  }

  private func writeTotals(to writer: inout JSONWriter) {
    writer.object { writer in
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
}

extension ImportedFile {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.string("file", file)
      writer.string("kind", kind?.rawValue)
      writer.string("status", status.rawValue)
      writer.integer("rows", rows)
      writer.integer("rejected", rejected)
      writer.string("vendor", vendor.isEmpty ? nil : vendor)
      writer.string("region", region.isEmpty ? nil : region)
      writer.days(from, to)
      writer.string("fiscal_months", fiscalMonths(kind, from, to))
      writer.string("sha256", sha256)
      writer.string("supersedes", supersedes)
      writer.string("same_as", sameAs)
      writer.key("counts_again")
      writer.bool(countsAgain)
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
      if !leftOutColumns.isEmpty {
        writer.key("left_out_columns")
        writer.array(of: leftOutColumns) { $0.string($1) }
      }
      if !firstRows.columns.isEmpty {
        writer.key("first_rows")
        writer.array(of: Array(firstRows.columns[0].values.indices)) { writer, row in
          writer.object { writer in
            for column in firstRows.columns {
              writer.string(column.name, column.values[row].isEmpty ? nil : column.values[row])
            }
          }
        }
      }
      guard !columns.isEmpty else { return }
      writer.key("columns")
      writer.array(of: columns) { writer, column in
        writer.object { writer in
          writer.string("column", column.name)
          writer.string("source", column.source)
          writer.key("required")
          writer.bool(column.isRequired)
          writer.string("first", column.first.isEmpty ? nil : column.first)
        }
      }
    }
  }
}

extension ImportedKind {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.string("kind", kind.rawValue)
      writer.integer("files", files)
      writer.integer("rows", rows)
      writer.integer("rejected", rejected)
      writer.days(from, to)
      writer.integer("not_in_totals", leftOut)
      writer.key("totals")
      writer.array(of: totals) { writer, total in
        writer.object { writer in
          writer.string("currency", total.currency?.code)
          writer.integer("units", Int(total.units))
          writer.string("gross", total.text(micros: total.gross))
          let proceeds = total.text(micros: total.proceeds)
          writer.string("proceeds", kind.isReport ? proceeds : nil)
        }
      }
      writer.tallies(tallies)
    }
  }
}

extension NoSalesDay {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.string("date", day.description)
      writer.string("vendor", vendor.isEmpty ? nil : vendor)
    }
  }
}

extension JSONWriter {
  /// The member `tallies`.
  mutating func tallies(_ tallies: [ImportTally]) {
    key("tallies")
    array(of: tallies) { writer, tally in
      writer.object { writer in
        writer.string("what", tally.what.english)
        writer.integer("count", tally.count)
      }
    }
  }

  /// The members `from` and `to`.
  mutating func days(_ from: Day?, _ to: Day?) {
    string("from", from?.description)
    string("to", to?.description)
  }
}
