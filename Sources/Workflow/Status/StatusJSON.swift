import Billing
import Matching
import Reporting

extension LedgerStatus {
  /// The state for a script: one JSON document.
  package var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.string("ledger", ledgerPath)
      writer.string("as_of", asOf.description)
      if let period {
        writer.string("period", period.description)
        writer.key("close")
        if let close { writer.object { close.writeFields(to: &$0) } } else { writer.null() }
      }
      writer.integer("files", fileCount)
      writer.key("covers")
      writer.array(of: kinds) { $1.write(to: &$0) }
      writer.key("vendors")
      writer.array(of: vendors) { $1.write(to: &$0) }
      writer.key("missing_financial_reports")
      writer.array(of: missingReports) { $1.write(to: &$0) }
      if let missingCoinDays {
        writer.key("missing_coin_days")
        writer.array(of: missingCoinDays) { $1.write(to: &$0) }
      }
      writer.key("restated")
      writer.array(of: restated) { $1.write(to: &$0) }
      writer.key("partial")
      writer.array(of: partial) { writer, file in
        writer.object { writer in
          writer.string("file", file.file)
          writer.string("kind", file.kind.rawValue)
          writer.integer("rows", file.rows)
          writer.integer("rejected", file.rejected)
        }
      }
      writer.key("rejected_files")
      writer.array(of: rejected) { $0.string($1) }
      writer.key("changed_closes")
      writer.array(of: changedCloses) { $1.write(to: &$0) }
      writer.key("awaiting_second_signature")
      writer.array(of: awaitingCloses) { writer, close in
        writer.object { writer in
          writer.string("period", close.period.description)
          writer.integer("close", Int(close.number))
          writer.string("by", close.by)
          writer.string("as_of", close.asOf.description)
        }
      }
      writer.key("wrong_clocks")
      writer.array(of: wrongClocks) { $0.string($1.description) }
      writer.key("open_items")
      writer.array(of: openItems) { $1.write(to: &$0) }
      writer.key("open_answers")
      writer.array(of: openPages) { $1.write(to: &$0) }
      writer.flow("flow", flow)
      writer.key("answers")
      writer.array(of: answers) { $1.write(to: &$0) }
      writer.key("link")
      writer.array(of: link) { $1.write(to: &$0) }
    }
    return writer.text() + "\n"
  }
}

extension KindCoverage {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.string("kind", kind.rawValue)
      writer.integer("files", files)
      writer.integer("rows", rows)
      writer.days(from, to)
      writer.string("fiscal_months", fiscalMonths(kind, from, to))
    }
  }
}

extension VendorCoverage {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.string("vendor", vendor.isEmpty ? nil : vendor)
      writer.integer("reports", reports)
      writer.integer("no_sales_days", noSalesDays)
      writer.days(first, last)
      writer.integer("days_covered", daysCovered)
      writer.key("missing")
      writer.array(of: missing) { $1.write(to: &$0) }
      writer.key("late")
      if let late { late.write(to: &writer) } else { writer.null() }
    }
  }
}

extension MissingReports {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.string("fiscal_month", month.description)
      writer.key("regions")
      writer.array(of: regions) { writer, region in
        writer.object { writer in
          writer.string("region", region.region)
          writer.string("currency", region.currency.code)
          writer.key("unpaid")
          writer.bool(region.isUnpaid)
        }
      }
    }
  }
}

extension RestatedFile {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.string("old", old)
      writer.string("new", new)
      writer.string("vendor", vendor.isEmpty ? nil : vendor)
      writer.days(from, to)
    }
  }
}

extension ClosedRange<Day> {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.days(lowerBound, upperBound)
      writer.integer("days", count)
    }
  }
}
