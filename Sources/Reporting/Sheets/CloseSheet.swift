import Billing
import Languages
import Conclusions

/// The sheet that is signed: what was closed and by whom, from what Apple owed to what it owes,
/// room for names, what other sheets have otherwise, what was accepted, what is owed by currency,
/// and the journal's totals.
struct CloseSheet {
  let pack: ClosePack
  let base: Currency
  /// The workbook that it stands in; nil where it stands alone.
  private let contents: WorkbookContents?
  var rows: [Row] = []
  /// Numbers of the rows whose figures others add up or point at.
  private(set) var places: [CloseFigure: Int] = [:]
  /// The row of the journal's titles, which is the last table and longer than a page.
  var journalTitles: Int?

  /// The widest but the first two has room for a place on another sheet: `Payout statement 24`.
  private static let columns: [ColumnHead] = [4, 36, 17, 17, 17, 17, 20, 17, 17, 17, 12].map {
    ColumnHead(title: "", width: $0...$0)
  }
  /// Where the day of a rate stands, from 0.
  private static let rateDayColumn = 10

  /// Makes all rows of the sheet, in their order.
  init(_ pack: ClosePack, in contents: WorkbookContents? = nil) {
    self.pack = pack
    self.contents = contents
    base = pack.statement.currency
    addHead()
    addFigures()
    addSignatures()
    addOtherFigures()
    addAccepted()
    addReceivable()
    addCoins()
    addBooked()
    addJournal()
  }

  /// The sheet with the rows that were made.
  func sheet() -> Sheet {
    Sheet(
      name: say("@close.close"), columns: Self.columns, rows: Rows(rows), hasHeader: false,
      frozenRows: 2,
      repeatedRow: journalTitles)
  }

  /// The number, as the reader sees it, of the row that is added next.
  var next: Int { rows.count + 1 }

  /// Adds the title, by whom the month was closed, and from which inputs.
  private mutating func addHead() {
    let record = pack.record
    let title: Wording =
      pack.awaitsSecond ? SignaturePlaces(record).title : "@close.closed \(record.period)"
    rows += [
      Row(
        cells: [.words(pack.company.isEmpty ? title : "\(pack.company) · " + title)],
        style: .title),
      Row(
        cells: [
          .words(
            """
            @close.close-no-made-at-by \(record.number) \(record.at) \(record.by) \
            \(record.asOf) \(record.version)
            """)
        ], style: .subtitle),
      Row(cells: [.words(pack.inputsLine)], style: .subtitle),
    ]
  }

  /// Adds an empty row, a title, and the titles of a table's columns with a box to tick before
  /// them: those over words, then those over numbers.
  mutating func addSection(_ title: Wording, _ words: [Wording], numbers: [Wording]) {
    rows.append(Row(cells: []))
    rows.append(Row(cells: [.words(title)], style: .section))
    rows.append(.tableHeader(["✓"] + words, numbers: numbers))
  }

  /// Adds a line with a box to tick before its cells.
  mutating func add(_ cells: [Cell], _ style: Row.Style = .body) {
    rows.append(Row(cells: [.text("☐")] + cells, style: style))
  }

  /// Adds a remark; an urgent one is coloured.
  mutating func addRemark(_ text: Wording, isUrgent: Bool = false) {
    var row = Row(cells: [.blank, .words(text)], style: .subtitle)
    if isUrgent { row.tint(1..<Self.besideColumn, .error) }
    rows.append(row)
  }

  // MARK: - Figures

  /// Adds the figures beside those of the month before, and the remarks below them; notes in which
  /// rows they stand.
  private mutating func addFigures() {
    let statement = pack.statement
    let isCompared = statement.comparison == .compared
    addSection(
      "@close.receivable-from-apple \(base)", ["@close.figure"],
      numbers: ["\(statement.period)"]
        + (isCompared ? ["\(statement.period.previous)", "@shared.change", "@shared.in"] : []))
    for line in statement.shownLines {
      places[line.figure] = next
      var cells = cells(of: line)
      while cells.count < Self.besideColumn - 1 { cells.append(.blank) }
      let beside = line.now == nil || line.now == 0 ? nil : pack.remarksBeside[line.figure]
      if let beside { cells.append(.words(beside.text)) }
      add(cells, line.figure.isTotal ? .total : .body)
      if let beside { rows[rows.count - 1].addBeside(beside, at: Self.besideColumn) }
    }
    for remark in pack.urgentRemarks { addRemark(remark, isUrgent: true) }
    for remark in pack.remarks { addRemark(remark) }
  }

  /// Beside figures, from 0.
  private static let besideColumn = 6

  /// The cells of a figure: its name, what it is now and, where it is compared, what it was, the
  /// change, and its share.
  private func cells(of line: CloseLine) -> [Cell] {
    let row = next
    /// The cell of a value of the line's figure: a number, or money in base currency; blank for
    /// none.
    func cell(_ value: Int64?) -> Cell {
      value.map { line.figure.isCount ? .integer($0) : .money($0, base) } ?? .blank
    }
    var now = line.now == nil ? Cell.words("@shared.not-known") : cell(line.now)
    if line.now != nil, let formula = formula(of: line.figure) { now = .formula(formula, now) }
    guard pack.statement.comparison == .compared else { return [.words(line.figure.label), now] }
    guard let change = line.change, let before = line.before else {
      return [.words(line.figure.label), now, cell(line.before), .blank, .blank]
    }
    // Beyond ten times what was, and of what is no business of its own, a share says nothing.
    let says = line.figure.hasShare && change.magnitude / 10 < before.magnitude
    let share = says ? Cell.share(change, of: before) : nil
    return [
      .words(line.figure.label), now, cell(before), .formula("C\(row)-D\(row)", cell(change)),
      share.map { .formula("IF(D\(row)=0,0,E\(row)/D\(row))", $0) } ?? .blank,
    ]
  }

  /// The formula of a total over the rows above it; nil for a figure that is none, or of which a
  /// part is not known.
  private func formula(of figure: CloseFigure) -> String? {
    let last = next - 1
    switch figure {
    case .proceeds:
      // Where a rate is missing for one of its parts, it is a figure of its own.
      let parts = CloseFigure.ofSales.compactMap { places[$0] }
      guard let first = parts.first,
        pack.statement.lines.allSatisfy({
          !CloseFigure.ofSales.contains($0.figure) || $0.now != nil
        })
      else { return nil }
      return "SUM(C\(first):C\(last))"
    case .closing:
      guard let opening = places[.opening], let proceeds = places[.proceeds] else { return nil }
      return "C\(opening)+SUM(C\(proceeds):C\(last))"
    default: return nil
    }
  }

  // MARK: - By currency

  /// Adds what Apple owes by currency, with rates and the sum in base currency.
  private mutating func addReceivable() {
    guard !pack.receivable.isEmpty else { return }
    addSection(
      "@shared.what-apple-owes", ["@shared.currency"],
      numbers: [
        "@shared.opening", "@shared.proceeds", "@close.differences", "@close.adjustments-taxes",
        "@shared.paid", "@shared.closing", "@shared.rate",
        "@shared.in-2 \(base)", "@close.rate-of",
      ])
    let first = next
    for line in pack.receivable {
      let (row, own) = (next, line.own)
      add([
        .text(line.currency.code), .money(own.opening), .money(own.proceeds),
        .money(own.settlementDifference + own.paymentDifference),
        .money(own.adjustment + own.inputTax + own.withholding), .money(-own.paid),
        .formula("C\(row)+D\(row)+E\(row)+F\(row)+G\(row)", .money(own.closing)),
        line.rate.map { .quoted($0) } ?? .words("@shared.no-rate"),
        line.base.map { .money($0.closing) } ?? .words("@shared.no-rate"),
        .day(ifAny: pack.rateDays[line.currency]),
      ])
      if pack.staleCurrencies.contains(line.currency) {
        rows[rows.count - 1].tint(Self.rateDayColumn, .error)
      }
    }
    let closings = pack.receivable.compactMap { $0.base?.closing }
    let isWhole = closings.count == pack.receivable.count
    add(
      [.words("@shared.all")] + [Cell](repeating: .blank, count: 7) + [
        isWhole
          ? .formula("SUM(J\(first):J\(next - 1))", .money(closings.sum(in: base, \.self)))
          : .words("@shared.no-rate")
      ], .total)
  }

  // MARK: - What other sheets have otherwise

  /// Adds the figures that other sheets have otherwise, each with its reason.
  private mutating func addOtherFigures() {
    let all = contents?.otherFigures(than: pack, at: places) ?? []
    if all.isEmpty { return }
    addSection(
      "@close.to-the-other-sheets", ["@close.figure"],
      numbers: ["@close.here", "@close.differs-by", "@close.there"])
    rows[rows.count - 1].cells += ["", "@close.sheet", "@shared.reason"].map { .words($0) }
    for other in all {
      let row = next
      add([
        .words(other.label), .formula(other.here.formula, .money(other.here.amount)),
        .formula("E\(row)-C\(row)", .money(other.there.amount - other.here.amount)),
        .formula(other.there.formula, .money(other.there.amount)), .blank,
        .link(ifAny: other.place),
        .words(other.reason),
      ])
    }
  }

  // MARK: - What people decided

  /// Adds the findings that the close let stand, with who accepted them and why.
  private mutating func addAccepted() {
    addSection(
      "@close.accepted-findings", ["@shared.id", "@shared.code"],
      numbers: ["@shared.amount", "@shared.in-2 \(base)"])
    let titles = rows.count - 1
    // Apart from the number's title before it.
    rows[titles].cells.append(.text("  " + say("@shared.date")))
    rows[titles].cells += ["@close.by", "@shared.reason"].map { .words($0) }
    if pack.accepted.isEmpty {
      rows.append(Row(cells: [.blank, .words("@close.no-finding-was-accepted")]))
    }
    for accepted in pack.accepted {
      let finding = accepted.finding
      let lines = wrapped(accepted.reason, columns: 46)
      add([
        .text(finding.id), .text(finding.code.rawValue),
        .money(ifAny: finding.amount, finding.currency), .money(ifAny: accepted.worth),
        .day(accepted.on), .text(accepted.by), .text(ifAny: lines.first),
      ])
      for line in lines.dropFirst() {
        rows.append(Row(cells: [Cell](repeating: .blank, count: 7) + [.text(line)]))
      }
    }
  }

  /// Adds room for the names and signatures of two persons; those that are known are filled in.
  private mutating func addSignatures() {
    addSection(
      "@close.sign-off", ["", "@shared.name", "", "@shared.signature", "", "@shared.date"],
      numbers: [])
    var signers: [(role: Wording, name: Cell, day: Cell)] = [
      ("@close.prepared", .blank, .blank), ("@close.reviewed", .blank, .blank),
    ]
    if pack.awaitsSecond {
      let (record, places) = (pack.record, SignaturePlaces(pack.record))
      (signers[0].name, signers[0].day) = (.text(record.by), .text(record.asOf.description))
      (signers[1].name, signers[1].day) = (.words(places.name), .words(places.day))
    }
    for signer in signers {
      add([.words(signer.role), signer.name, .blank, .blank, .blank, signer.day], .signature)
    }
  }
}

extension CloseFigure {
  /// Whether the figure is business of the month, so that its change as a share of the month before
  /// says something.
  fileprivate var hasShare: Bool {
    switch self {
    case .conversion, .exchange, .unexplained, .bookedChanges: false
    default: !isCount
    }
  }
}

extension Row {
  /// Puts the style of a remark on the cell at a column, which has the words beside a figure, and
  /// colours urgent ones.
  fileprivate mutating func addBeside(_ beside: BesideFigure, at column: Int) {
    accents.append(Accent(column: column, style: .aside))
    if beside.isUrgent { tint(column..<column + 2, .error) }
  }
}
