import Billing
import Testing

@testable import Reporting
@testable import Conclusions

/// Proceeds by entity, app and product come to the proceeds by country.
struct ProductRowsTests {
  private static let months = [
    SampleMonth.reconciliation, SampleMonth.withoutRates, SampleMonth.booked,
  ]

  @Test(arguments: months.indices) func rowsAddUpToTheLines(index: Int) {
    let month = Self.months[index]
    let rows = month.productRows
    for line in month.proceeds {
      let own = rows.filter {
        $0.storefront == line.storefront && $0.currency == line.currency
          && $0.proceedsCurrency == line.proceedsCurrency
      }
      func sum(_ part: (ProductRow) -> Int64) -> Int64 { own.reduce(0) { $0 + part($1) } }
      #expect(sum(\.unitsSold) == line.unitsSold)
      #expect(sum(\.unitsRefunded) == line.unitsRefunded)
      #expect(own.sum(in: line.currency, \.gross) == line.gross)
      #expect(own.sum(in: line.currency, \.tax) == line.tax)
      #expect(own.sum(in: line.proceedsCurrency, \.proceeds) == line.proceeds)
      #expect(own.allSatisfy { $0.proceedsBase == nil } == (line.proceedsBase == nil))
      #expect(sum { $0.proceedsBase?.micros ?? 0 } == line.proceedsBase?.micros ?? 0)
      if let commission = line.commission {
        #expect(sum { $0.commission?.micros ?? 0 } == commission.micros)
      }
    }
  }

  /// Units that a restatement moved from one closed month to another come to nothing in the month
  /// that books both; of a currency without a rate that is no unknown amount.
  @Test func aLineThatComesToNothingNeedsNoRate() throws {
    var month = SampleMonth.reconciliation
    var line = try #require(month.proceeds.first)
    let currency = Currency("BRL")!
    (line.storefront, line.unitsSold, line.unitsRefunded) = (Storefront("BR")!, 0, 0)
    (line.gross, line.tax, line.proceeds) = (.zero(currency), .zero(currency), .zero(currency))
    (line.commission, line.deduction) = (.zero(currency), nil)
    (line.proceedsBase, line.rate) = (nil, nil)
    month.proceeds.append(line)
    func tables(_ month: Reconciliation) -> [Row] {
      var rows = PlacedRows()
      WorkbookContents(month).addProductTables(to: &rows)
      return rows.rows
    }
    #expect(tables(month) == tables(SampleMonth.reconciliation))
  }

  @Test func tablesStandBelowTheCountries() throws {
    var month = SampleMonth.booked
    month.proceeds.removeAll { !["DE", "TR", "US"].contains($0.storefront.code) }
    let sheets = WorkbookContents(month).sheets().filter { $0.name == "Proceeds by country" }
    try expectGolden(dump(sheets), "products.sheet.txt")
    try expectGolden(proceedsCSV(month), "proceeds.csv")
  }

  @Test func withoutProductsThereIsNoTable() {
    var month = SampleMonth.reconciliation
    month.products = []
    #expect(month.productRows.isEmpty)
    let sheet = WorkbookContents(month).sheets().first { $0.name == "Proceeds by country" }
    #expect(sheet?.totals.contains { $0.style == .section } == false)
  }
}

extension SampleMonth {
  /// The sample month with a German sale of a closed month in its proceeds.
  static var booked: Reconciliation {
    var month = withBookings
    for index in month.proceeds.indices where month.proceeds[index].storefront.code == "DE" {
      month.proceeds[index].unitsSold += 1
      month.proceeds[index].gross.micros += 4_990_000
      month.proceeds[index].tax.micros += 700_000
      month.proceeds[index].commission!.micros += 1_300_000
      month.proceeds[index].proceeds.micros += 2_990_000
      month.proceeds[index].proceedsBase!.micros += 23_550_000
    }
    return month
  }
}
