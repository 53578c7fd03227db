import Billing
import Conclusions
import Matching
import Reporting

extension LedgerStatus {
  /// The state for a script: one JSON document.
  package var json: String {
    jsonDocument { writer in
      writer.string("ledger", ledgerPath)
      writer.string("as_of", asOf.description)
      if let period {
        writer.string("period", period.description)
        writer.object("close", close) { $1.writeFields(to: &$0) }
      }
      writer.integer("files", fileCount)
      writer.objects("covers", of: kinds) { $1.writeFields(to: &$0) }
      writer.objects("vendors", of: vendors) { $1.writeFields(to: &$0) }
      writer.objects("missing_financial_reports", of: missingReports) { $1.writeFields(to: &$0) }
      if let missingCoinDays {
        writer.objects("missing_coin_days", of: missingCoinDays) { $1.writeFields(to: &$0) }
      }
      writer.objects("restated", of: restated) { $1.writeFields(to: &$0) }
      writer.objects("partial", of: partial) { writer, file in
        writer.string("file", file.file)
        writer.string("kind", file.kind.rawValue)
        writer.integer("rows", file.rows)
        writer.integer("rejected", file.rejected)
      }
      writer.strings("rejected_files", rejected)
      writer.objects("changed_closes", of: changedCloses) { $1.writeFields(to: &$0) }
      writer.objects("awaiting_second_signature", of: awaitingCloses) { writer, close in
        writer.string("period", close.period.description)
        writer.integer("close", close.number)
        writer.string("by", close.by)
        writer.string("as_of", close.asOf.description)
      }
      writer.array("wrong_clocks", of: wrongClocks) { $0.string($1.description) }
      writer.objects("open_items", of: openItems) { $1.writeFields(to: &$0) }
      writer.objects("open_answers", of: openPages) { $1.writeFields(to: &$0) }
      writer.flow("flow", flow)
      writer.objects("answers", of: answers) { $1.writeFields(to: &$0) }
      writer.objects("link", of: link) { $1.writeFields(to: &$0) }
    }
  }
}

extension KindCoverage {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.string("kind", kind.rawValue)
    writer.integer("files", files)
    writer.integer("rows", rows)
    writer.days(from, to)
    writer.string("fiscal_months", fiscalMonths(kind, from, to))
  }
}

extension VendorCoverage {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.string("vendor", vendor.isEmpty ? nil : vendor)
    writer.integer("reports", reports)
    writer.integer("no_sales_days", noSalesDays)
    writer.days(first, last)
    writer.integer("days_covered", daysCovered)
    writer.objects("missing", of: missing) { $1.writeFields(to: &$0) }
    writer.object("late", late) { $1.writeFields(to: &$0) }
  }
}

extension MissingReports {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.string("fiscal_month", month.description)
    writer.objects("regions", of: regions) { writer, region in
      writer.string("region", region.region)
      writer.string("currency", region.currency.code)
      writer.bool("unpaid", region.isUnpaid)
    }
  }
}

extension RestatedFile {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.string("old", old)
    writer.string("new", new)
    writer.string("vendor", vendor.isEmpty ? nil : vendor)
    writer.days(from, to)
  }
}

extension ClosedRange<Day> {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.days(lowerBound, upperBound)
    writer.integer("days", count)
  }
}
