import Billing
import Pricing
import Testing

@testable import Reading

/// Everything that came out of reading one text.
struct Outcome {
  var reading: FileSummary
  var blocks: [FactBlock]
  var tapped: [UInt8]

  var rejects: [Reject] { blocks.flatMap(\.rejects) }

  var sales: [(row: SalesRow, product: SalesProduct, terms: SalesTerms, condition: SalesCondition)]
  {
    let products = blocks.flatMap(\.newSalesProducts)
    let terms = blocks.flatMap(\.newSalesTerms)
    let conditions = blocks.flatMap(\.newSalesConditions)
    return blocks.flatMap { block -> [SalesRow] in
      if case .sales(let rows) = block.rows { rows } else { [] }
    }.map {
      ($0, products[Int($0.product)], terms[Int($0.terms)], conditions[Int($0.condition)])
    }
  }

  var orders: [(row: OrderRow, terms: OrderTerms, text: (TextSlice) -> String)] {
    let terms = blocks.flatMap(\.newOrderTerms)
    return blocks.flatMap { block in
      guard case .orders(let rows) = block.rows else {
        return [] as [(OrderRow, OrderTerms, (TextSlice) -> String)]
      }
      return rows.map { ($0, terms[Int($0.terms)], { slice(block, $0) }) }
    }
  }

  var coinMovements: [(row: CoinMovementRow, terms: CoinMovementTerms, text: (TextSlice) -> String)]
  {
    let terms = blocks.flatMap(\.newCoinTerms)
    return blocks.flatMap { block in
      guard case .coinMovements(let rows) = block.rows else {
        return [] as [(CoinMovementRow, CoinMovementTerms, (TextSlice) -> String)]
      }
      return rows.map { ($0, terms[Int($0.terms)], { slice(block, $0) }) }
    }
  }

  var transactions: [(row: TransactionRow, terms: TransactionTerms, text: (TextSlice) -> String)] {
    let terms = blocks.flatMap(\.newTransactionTerms)
    return blocks.flatMap { block in
      let rows: [TransactionRow] =
        switch block.rows {
        case .transactions(let rows): rows
        case .purchases(_, let rows): rows.transactions
        default: []
        }
      return rows.map { ($0, terms[Int($0.terms)], { slice(block, $0) }) }
    }
  }

  /// The rows of receipts, notifications and history, with the text that they point into.
  var purchases: [(rows: PurchaseRows, text: (TextSlice) -> String)] {
    blocks.compactMap { block in
      guard case .purchases(_, let rows) = block.rows else { return nil }
      return (rows, { slice(block, $0) })
    }
  }

  var messages: [(row: MessageRow, terms: MessageTerms, text: (TextSlice) -> String)] {
    let terms = blocks.flatMap(\.newMessageTerms)
    return purchases.flatMap { part in
      part.rows.messages.map { ($0, terms[Int($0.terms)], part.text) }
    }
  }

  var renewals: [(row: RenewalRow, terms: RenewalTerms, text: (TextSlice) -> String)] {
    let terms = blocks.flatMap(\.newRenewalTerms)
    return purchases.flatMap { part in
      part.rows.renewals.map { ($0, terms[Int($0.terms)], part.text) }
    }
  }

  var finance: [(row: FinanceRow, terms: FinanceTerms)] {
    let terms = blocks.flatMap(\.newFinanceTerms)
    return blocks.flatMap { block -> [FinanceRow] in
      if case .finance(_, let rows) = block.rows { rows } else { [] }
    }.map { ($0, terms[Int($0.terms)]) }
  }

  /// Footers of a financial report.
  var footers: [FinanceFooter] { blocks.flatMap(\.footers).map(\.footer) }

  var payments: PaymentRows {
    blocks.reduce(into: PaymentRows()) { all, block in
      guard case .payments(let rows) = block.rows else { return }
      all.lines += rows.lines
      all.payouts += rows.payouts
    }
  }

  /// What the file's records came to, `transactions 2`.
  var tallies: [String] { reading.tallies.map { "\($0.what.english) \($0.count)" } }

  /// Everything as text, for comparing and for golden cases.
  var dump: String {
    var lines: [String] = []
    let r = reading
    lines.append(
      "\(r.kind.rawValue) vendor=\(r.vendor)\(r.region) \(r.begin.map(\.description) ?? "-")…"
        + "\(r.end.map(\.description) ?? "-") rows=\(r.rows) rejected=\(r.rejected)")
    for total in r.totals {
      lines.append(
        "total \(total.currency?.code ?? "-") units=\(total.units) "
          + "gross=\(decimalText(micros: total.gross)) "
          + "proceeds=\(decimalText(micros: total.proceeds))"
      )
    }
    for sale in sales {
      lines.append("\(sale.row) \(sale.product) \(sale.terms) \(sale.condition)")
    }
    for entry in finance { lines.append("\(entry.row) \(entry.terms)") }
    lines += blocks.flatMap(\.footers).map { "\($0)" }
    lines += payments.lines.map { "\($0)" } + payments.payouts.map { "\($0)" }
    for order in orders {
      let row = order.row
      let ids = [row.orderID, row.userID, row.transactionID, row.appAccountToken].map(order.text)
      lines.append(
        "\(row.line) \(ids) \(row.placedAt) \(row.paidAt.map(\.description) ?? "-") "
          + "\(row.fulfilledAt.map(\.description) ?? "-") \(order.terms)")
    }
    for transaction in transactions {
      let row = transaction.row
      let ids = [
        row.transactionID, row.originalTransactionID, row.webOrderLineItemID, row.orderID,
        row.appAccountToken, row.userID,
      ].map(transaction.text)
      lines.append(
        "\(row.line) \(ids) \(row.purchasedAt) \(row.expiresAt.map(\.description) ?? "-") "
          + "\(row.revokedAt.map(\.description) ?? "-") "
          + "\(row.observedAt.map(\.description) ?? "-") "
          + "\(transaction.terms)")
    }
    for message in messages {
      let ids = [message.row.uuid, message.row.orderID, message.row.userID].map(message.text)
      lines.append(
        "\(message.row.line) \(ids) \(message.row.observedAt.map(\.description) ?? "-") "
          + "\(message.terms)")
    }
    for renewal in renewals {
      let id = renewal.text(renewal.row.originalTransactionID)
      lines.append(
        "\(renewal.row.line) \(id) \(renewal.row.observedAt) "
          + "\(renewal.row.graceExpiresAt.map(\.description) ?? "-") \(renewal.terms)")
    }
    lines += tallies
    for block in blocks {
      switch block.rows {
      case .products(let rows): lines += rows.map { "\($0.line) \($0.1)" }
      case .tiers(let rows): lines += rows.map { "\($0.line) \($0.1)" }
      case .rates(let rows): lines += rows.map { "\($0.line) \($0.1)" }
      case .taxes(let rows): lines += rows.map { "\($0.line) \($0.1)" }
      case .bank(let rows): lines += rows.map { "\($0.line) \($0.1)" }
      default: break
      }
    }
    lines += (r.diagnostics + r.warnings).map(describe)
    lines += rejects.map { "reject \($0.rawText)" }
    return lines.joined(separator: "\n")
  }
}

private func slice(_ block: FactBlock, _ slice: TextSlice) -> String {
  let start = Int(slice.start)
  return String(decoding: block.text[start..<start + Int(slice.count)], as: UTF8.self)
}

extension ReadingHints {
  /// Of a file that came out of an archive, and so is whole: most texts of tests are no more than
  /// they need.
  static let whole = {
    var hints = ReadingHints()
    hints.isUnpacked = true
    return hints
  }()
}

func describe(_ diagnostic: Diagnostic) -> String {
  "\(diagnostic.location): \(diagnostic.severity.rawValue)[\(diagnostic.topic)]: "
    + diagnostic.message.english
}

let someStorefronts = StorefrontLookup(
  alpha3: ["CHN": Storefront("CN")!, "USA": Storefront("US")!],
  appleID: ["143465": Storefront("CN")!, "143441": Storefront("US")!],
  known: Set(
    """
    AE AM AO AR AT AU AZ BE BY CA CH CN CZ DE EE EG ES FR GB GE GR HK IL IN IT JP KE KG KR KZ LT \
    LU LV MD MN MX NL NO PL PT RO RS RU SE SG SK TH TJ TM TR TW UA US UZ VN ZA SA CY BG FI HU IE \
    DK DZ BR NG NZ KW PH
    """.split(separator: " ").map { Storefront($0)! }),
  later: ["AW": Storefront("AW")!, "ABW": Storefront("AW")!])

let someRegions = FinanceRegionLookup(
  known: Set(FinanceRegionTable.builtIn.codes + ["ZZ", "Z1"]),
  labelled: { FinanceRegionTable.builtIn.region(label: $0, currency: $1) },
  holding: { FinanceRegionTable.builtIn.regions(of: $0, currency: $1) })

/// Reads bytes that come `chunk` at a time, before their turn and not: the same comes of both.
func read(
  _ bytes: [UInt8], name: String = "file.txt", hints: ReadingHints = .whole,
  chunk: Int = .max, limits: ReadingLimits = ReadingLimits()
) throws -> Outcome {
  let outcomes = [false, true].map { readsAhead in
    var hints = hints
    hints.readsAhead = readsAhead
    return Result { try readOnce(bytes, name: name, hints: hints, chunk: chunk, limits: limits) }
  }
  func told(_ outcome: Result<Outcome, any Error>) -> String {
    switch outcome {
    case .success(let read): read.dump
    case .failure(let error): (error as? Diagnostic).map(describe) ?? "\(error)"
    }
  }
  #expect(told(outcomes[0]) == told(outcomes[1]))
  let ahead = try? outcomes[1].get()
  let outcome = try outcomes[0].get()
  #expect(outcome.tapped == ahead?.tapped)
  return outcome
}

private func readOnce(
  _ bytes: [UInt8], name: String, hints: ReadingHints, chunk: Int, limits: ReadingLimits
) throws -> Outcome {
  var place = 0
  var tapped: [UInt8] = []
  var blocks: [FactBlock] = []
  let reading = try readFile(
    name: name, hints: hints,
    from: { buffer in
      let count = min(chunk, buffer.count, bytes.count - place)
      buffer.copyBytes(from: bytes[place..<place + count])
      place += count
      return count
    },
    tap: { tapped += $0 }, sink: { blocks.append($0) }, storefronts: someStorefronts,
    regions: someRegions, limits: limits)
  return Outcome(reading: reading, blocks: blocks, tapped: tapped)
}

func read(
  _ text: String, name: String = "file.txt", hints: ReadingHints = .whole
) throws -> Outcome {
  try read(Array(text.utf8), name: name, hints: hints)
}

/// The diagnostic that stops the reading of a text; nil when nothing does.
func stop(_ text: String, name: String = "file.txt") -> Diagnostic? {
  stop(Array(text.utf8), name: name)
}

func stop(_ bytes: [UInt8], name: String = "file.txt", chunk: Int = .max) -> Diagnostic? {
  do {
    _ = try read(bytes, name: name, chunk: chunk)
    return nil
  } catch {
    return error as? Diagnostic
  }
}

/// A report with ⟦marks⟧ around the field where a diagnostic is expected.
struct MarkedText {
  var text: String
  /// 1-based line and byte column of each mark.
  var places: [Billing.SourceLocation] = []

  init(_ marked: String, file: String = "file.txt") {
    text = ""
    var line = 1
    var column = 1
    for character in marked {
      switch character {
      case "⟦": places.append(Billing.SourceLocation(file: file, line: line, column: column))
      case "⟧": break
      default:
        text.append(character)
        column = character == "\n" ? 1 : column + character.utf8.count
        if character == "\n" { line += 1 }
      }
    }
  }
}
