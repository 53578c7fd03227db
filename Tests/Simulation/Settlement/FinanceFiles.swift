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
    let days = "\(slashed(month.first))\t\(slashed(month.last))\t\t\t"
    for (key, quantity) in report.rows {
      let item = store.shelf.items[key.item]
      text.put(days + item.sku)
      text.put("\t\(quantity)\t")
      put(key, quantity, into: &text)
      text.put("\t\(key.currency)\t\(key.isReturn ? "R" : "S")\t\(appleIdentifier(key.item))\t")
      text.put("\(item.isApp ? "Lumen" : "")\t\(item.title)\t\t\t\(item.type)\t\t")
      text.put("\(store.markets[key.market].storefront.code)\t\t\t")
      text.put(micros: key.isReturn ? -key.price : key.price, digits: 2)
      text.put("\t\(key.currency)")
      text.endRow()
    }
    if report.region == nil {
      putTable(report, into: &text)
    } else {
      putTotals(report, into: &text)
    }
    return text.bytes
  }

  /// Every row ends with a tab, as Apple's do: 19 fields under 18 headers.
  func detail(_ settled: SettledMonth) -> [UInt8] {
    var text = RowText()
    text.put("Vendor Name\tLumen\n")
    text.put("Start Date\t\(slashed(settled.month.first))\n")
    text.put("End Date\t\(slashed(settled.month.last))\n")
    text.put(Self.detailHeader)
    text.endRow()
    for (key, quantity) in settled.detail.sorted(by: { $0.key < $1.key }) {
      let row = key.row
      let item = store.shelf.items[row.item]
      text.put("\(slashed(key.sold))\t\(slashed(key.settled))\t\(appleIdentifier(row.item))\t")
      text.put("\(item.sku)\t\(item.title)\t\(item.isApp ? "Lumen" : "")\t\(item.type)\t")
      text.put("\(store.markets[row.market].storefront.code)\t\(quantity)\t")
      put(row, quantity, into: &text)
      text.put("\t\(row.currency)\t")
      text.put(micros: row.isReturn ? -row.price : row.price, digits: 2)
      text.put("0\t\(row.currency)\t\(row.isReturn ? "R" : "S")\t\t\t\t")
      text.endRow()
    }
    var rows: [FinanceKey: Int] = [:]
    for (key, quantity) in settled.detail { rows[key.row, default: 0] += quantity }
    putTable(RegionReport(region: nil, rows: rows.rows, stray: nil), counted: false, into: &text)
    return text.bytes
  }

  /// Share and extended share.
  private func put(_ key: FinanceKey, _ quantity: Int, into text: inout RowText) {
    text.put(micros: key.share, digits: 2)
    text.tab()
    text.put(micros: key.share * Int64(quantity), digits: 2)
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

  private func appleIdentifier(_ item: Int) -> Int { 1_234_567_000 + item }
}

/// `MM/DD/YYYY`, as Apple's reports write days.
func slashed(_ day: Day) -> String {
  let (year, month, number) = day.parts
  return "\(padded(month, 2))/\(padded(number, 2))/\(padded(year, 4))"
}
