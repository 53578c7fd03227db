import Billing

/// What a report says below its rows and what does not fit them.
enum FooterFault: CaseIterable { case amount, units, rows }

/// The financial report of one region, or of all.
struct RegionReport {
  /// Nil where one file holds all regions.
  var region: FinanceRegion?
  var rows: [(key: FinanceKey, quantity: Int)]
  var stray: FooterFault?
}

/// Apple's financial reports and their detail, as text.
struct FinanceFiles {
  let store: Store

  private static let header = [
    "Start Date", "End Date", "UPC", "ISRC/ISBN", "Vendor Identifier", "Quantity", "Partner Share",
    "Extended Partner Share", "Partner Share Currency", "Sales or Return", "Apple Identifier",
    "Artist/Show/Developer/Author", "Title", "Label/Studio/Network/Developer/Publisher", "Grid",
    "Product Type Identifier", "ISAN/Other Identifier", "Country Of Sale", "Pre-order Flag",
    "Promo Code", "Customer Price", "Customer Currency",
  ].joined(separator: "\t")

  private static let detailHeader = [
    "Transaction Date", "Settlement Date", "Apple Identifier", "SKU", "Title", "Developer Name",
    "Product Type Identifier", "Country of Sale", "Quantity", "Partner Share",
    "Extended Partner Share", "Partner Share Currency", "Customer Price", "Customer Currency",
    "Sale or Return", "Promo Code", "Order Type", "Region",
  ].joined(separator: "\t")

  func report(_ report: RegionReport, of month: FiscalMonth) -> [UInt8] {
    var text = RowText()
    text.put(Self.header)
    text.endRow()
    for (key, quantity) in report.rows {
      let item = store.stock.items[key.item]
      let row: [Field] =
        [
          .text(month.first.slashed), .text(month.last.slashed), "", "", .text(item.sku),
        ] + money(key, quantity) + [
          key.isReturn ? "R" : "S", .number(Stock.appleIdentifier(key.item)), developer(item),
          .text(item.title), "", "", .text(item.type), "", country(key), "", "",
          .micros(key.isReturn ? -key.price : key.price, digits: 2), .text(key.currency.code),
        ]
      text.row(row, separator: 0x09)
    }
    if report.region == nil {
      putTable(report, into: &text)
    } else {
      putTotals(report, into: &text)
    }
    return text.bytes
  }

  /// Every row ends with a tab, as Apple's do: 19 fields under 18 headers. Prices have three
  /// places.
  func detail(_ settled: SettledMonth) -> [UInt8] {
    var text = RowText()
    text.put("Vendor Name\tLumen\n")
    text.put("Start Date\t\(settled.month.first.slashed)\n")
    text.put("End Date\t\(settled.month.last.slashed)\n")
    text.put(Self.detailHeader)
    text.endRow()
    for (key, quantity) in settled.detail.sorted(by: { $0.key < $1.key }) {
      let row = key.row
      let item = store.stock.items[row.item]
      let price = Field.micros(row.isReturn ? -row.price : row.price, digits: 2).string + "0"
      let fields: [Field] =
        [
          .text(key.sold.slashed), .text(key.settled.slashed),
          .number(Stock.appleIdentifier(row.item)), .text(item.sku), .text(item.title),
          developer(item), .text(item.type), country(row),
        ] + money(row, quantity) + [
          .text(price), .text(row.currency.code), row.isReturn ? "R" : "S", "", "", "", "",
        ]
      text.row(fields, separator: 0x09)
    }
    var month = settled
    month.summary = [:]
    month.summarise()
    putTable(RegionReport(rows: month.summary.rows), counted: false, into: &text)
    return text.bytes
  }

  private func developer(_ item: Item) -> Field { item.isApp ? "Lumen" : "" }

  private func country(_ key: FinanceKey) -> Field {
    .text(store.markets[key.market].storefront.code)
  }

  /// Quantity, share, extended share and currency.
  private func money(_ key: FinanceKey, _ quantity: Int) -> [Field] {
    [
      .text("\(quantity)"), .micros(key.share, digits: 2),
      .micros(key.share * Int64(quantity), digits: 2), .text(key.currency.code),
    ]
  }

  private func putTotals(_ report: RegionReport, into text: inout RowText) {
    var amount = report.rows.reduce(0) { $0 + $1.key.share * Int64($1.quantity) }
    var units = report.rows.reduce(0) { $0 + $1.quantity }
    var rows = report.rows.count
    switch report.stray {
    case .amount: amount += 12_340_000
    case .units: units += 1
    case .rows: rows += 1
    case nil: break
    }
    // Apple drops trailing zeros here: 77, 1.4.
    text.put("Total_Rows\t\(rows)\nTotal_Amount\t\(decimalText(micros: amount))\n")
    text.put("Total_Units\t\(units)\n")
  }

  /// The second table: quantity and amount of each country and currency.
  private func putTable(_ report: RegionReport, counted: Bool = true, into text: inout RowText) {
    if counted {
      text.put("Total_Rows\t\(report.rows.count + (report.stray == .rows ? 1 : 0))\n")
    }
    text.put("Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share\n")
    var sums: [ProceedsPlace: (quantity: Int, amount: Int64)] = [:]
    for (key, quantity) in report.rows {
      let place = ProceedsPlace(market: key.market, currency: key.currency)
      sums[place, default: (0, 0)].quantity += quantity
      sums[place, default: (0, 0)].amount += key.share * Int64(quantity)
    }
    for (index, place) in sums.keys.sorted().enumerated() {
      var (quantity, amount) = sums[place] ?? (0, 0)
      if index == 0, report.stray == .units { quantity += 1 }
      if index == 0, report.stray == .amount { amount += 12_340_000 }
      text.put("\(store.markets[place.market].storefront.code)\t\(place.currency)\t\(quantity)\t")
      text.put(micros: amount, digits: 2)
      text.endRow()
    }
  }
}
