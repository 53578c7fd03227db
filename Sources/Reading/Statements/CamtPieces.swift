internal import Billing

/// The balances and entries of `camt.052`, `camt.053` and `camt.054` (ISO 20022, Bank-to-Customer
/// Cash Management): versions differ in what lies around a name, a day or a status, not
/// in their names. No entities are read but XML's own five.
struct CamtPieces: StatementPieces {
  private static let ends = ["Bal", "Ntry", "GrpHdr", "TtlNtries", "TxsSummry"].map {
    Array(($0 + ">").utf8)
  }

  private(set) var isWhole = false
  /// Of the statement's last balance, for entries that name no day of their own.
  private var balanceDay: Day?

  /// The bytes up to the end of a balance, an entry, or what stands above them; nil where none ends
  /// yet.
  func length(ofPieceIn text: UnsafeRawBufferPointer) -> Int? {
    var at = 0
    while let open = text[at...].firstIndex(of: UInt8(ascii: "<")) {
      guard let close = Self.end(ofMarkupAt: open, text) else { return nil }
      at = close + 1
      guard text[open + 1] == UInt8(ascii: "/") else { continue }
      let name = text[(open + 2)...close]
      let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
      if Self.ends.contains(where: local.elementsEqual) { return at }
    }
    return nil
  }

  /// The place of the `>` with which the tag or remark ends that begins at `open`; a tag inside a
  /// remark ends nothing. Nil where it is not there yet.
  private static func end(ofMarkupAt open: Int, _ text: UnsafeRawBufferPointer) -> Int? {
    let isRemark = text[open...].starts(with: "<!--".utf8)
    var at = open + (isRemark ? 6 : 1)
    while at < text.count, let close = text[at...].firstIndex(of: UInt8(ascii: ">")) {
      if !isRemark || text[(close - 2)..<close].elementsEqual("--".utf8) { return close }
      at = close + 1
    }
    return nil
  }

  /// What a piece says: whose account it is, a balance, an entry, or nothing.
  mutating func part(
    _ piece: UnsafeRawBufferPointer
  ) throws(RecordDiagnostic) -> [StatementPart] {
    if let offset = firstMalformedUTF8(piece) { throw Divider.malformedText(offset) }
    var scan = MarkupScan(piece)
    var parts: [StatementPart] = []
    while let token = scan.next() {
      if token == .end, scan.isNamed("Document") { isWhole = true }
      guard token == .start, !scan.isEmpty else { continue }
      if scan.isNamed("Acct") {
        let account = Self.text(try Self.elements(&scan, "Acct"), "Id/IBAN", "Id/Othr/Id")
        parts.append(.account(account ?? ""))
      }
      if scan.isNamed("Bal") { return parts + [try balance(Self.elements(&scan, "Bal"))] }
      if scan.isNamed("Ntry") { return parts + [try entry(Self.elements(&scan, "Ntry"))] }
    }
    return parts
  }

  // MARK: - Elements

  /// A text in an element, by the names of the elements around it.
  fileprivate struct Leaf {
    var path: String
    var text: String
    var currency: String?
    /// Which single transaction of the entry it is of, −1 for the entry itself.
    var detail: Int
  }

  /// The texts in the element that was just begun, up to its end; throws a diagnostic where the
  /// piece ends before.
  ///
  /// - Parameter outer: the element's name.
  private static func elements(
    _ scan: inout MarkupScan, _ outer: StaticString
  ) throws(RecordDiagnostic) -> [Leaf] {
    var leaves: [Leaf] = []
    var path: [String] = []
    var currency: String?
    var text: [UInt8] = []
    var details = -1
    while let token = scan.next() {
      switch token {
      case .start:
        if scan.isEmpty { continue }
        text = []
        guard path.count < 64 else { throw lacking("…") }
        path.append(scan.localName)
        currency = scan.textAttribute("Ccy")
        if path.last == "TxDtls" { details += 1 }
      case .text: scan.appendText(to: &text)
      case .end:
        if scan.isNamed(outer), path.isEmpty { return leaves }
        let value = String(decoding: trimmedBytes(text), as: UTF8.self)
        if !value.isEmpty {
          leaves.append(
            Leaf(
              path: path.joined(separator: "/"), text: value, currency: currency,
              detail: path.contains("TxDtls") ? details : -1))
        }
        text = []
        if !path.isEmpty { path.removeLast() }
      }
    }
    throw lacking("</\(outer)>")
  }

  /// The bytes without blanks at either end.
  private static func trimmedBytes(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let tail = bytes[...].drop { $0 <= 0x20 }
    return tail.prefix(upTo: tail.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? tail.startIndex)
  }

  /// What is wrong with a balance or an entry that lacks an element.
  private static func lacking(_ what: String) -> RecordDiagnostic {
    RecordDiagnostic(
      nil, "value", "@statement.entry-lacks \(what)", help: "@statement.download-from-the-bank")
  }

  /// The amount (micro-units, below zero for a debit) and currency of an element.
  private static func money(
    _ leaf: Leaf?, isCredit: Bool
  ) throws(RecordDiagnostic) -> (amount: Int64, currency: Currency) {
    guard let leaf, let currency = leaf.currency.flatMap({ Currency($0) }) else {
      throw lacking("Amt")
    }
    return (try statementAmount(leaf.text, isCredit: isCredit), currency)
  }

  // MARK: - What they say

  /// The opening or closing balance that an element has; nothing for any other balance, of which
  /// the day is kept.
  private mutating func balance(_ leaves: [Leaf]) throws(RecordDiagnostic) -> StatementPart {
    let day = Self.day(leaves, "Dt/Dt", "Dt/DtTm")
    balanceDay = day ?? balanceDay
    let code = leaves.first { $0.path == "Tp/CdOrPrtry/Cd" }?.text
    guard ["OPBD", "PRCD", "CLBD"].contains(code) else { return .nothing }
    let isCredit = leaves.first { $0.path == "CdtDbtInd" }?.text != "DBIT"
    let (amount, currency) = try Self.money(
      leaves.first { $0.path == "Amt" }, isCredit: isCredit)
    let balance = StatementBalance(amount: Money(micros: amount, currency), day: day)
    return code == "CLBD" ? .closing(balance) : .opening(balance)
  }

  /// The booked entry that an element has, or that it is not booked yet.
  private func entry(_ leaves: [Leaf]) throws(RecordDiagnostic) -> StatementPart {
    if let status = Self.text(leaves, "Sts/Cd", "Sts"), status != "BOOK" { return .pending }
    guard let mark = Self.text(leaves, "CdtDbtInd") else { throw Self.lacking("CdtDbtInd") }
    let (amount, currency) = try Self.money(
      leaves.first { $0.path == "Amt" }, isCredit: mark == "CRDT")
    let valueDay = Self.day(leaves, "ValDt/Dt", "ValDt/DtTm")
    let booked = Self.day(leaves, "BookgDt/Dt", "BookgDt/DtTm") ?? valueDay ?? balanceDay
    guard let booked else { throw Self.lacking("BookgDt") }
    let whole = StatementEntry(
      day: booked, amount: amount, currency: currency, reference: "", valueDay: valueDay)
    return .entries(try Self.singles(of: whole, leaves))
  }

  /// The text at the first of some paths that an element has; nil for none.
  private static func text(_ leaves: [Leaf], _ paths: String...) -> String? {
    paths.lazy.compactMap { path in leaves.first { $0.path == path }?.text }.first
  }

  /// The day at one of two paths, of a date or of a time; nil for none.
  private static func day(_ leaves: [Leaf], _ date: String, _ time: String) -> Day? {
    text(leaves, date, time).flatMap { text in
      Array(text.utf8.prefix(10)).withUnsafeBytes { isoDay($0) }
    }
  }

  /// The single entries of a batch where their amounts come to the batch's, as they are or with
  /// their charges taken off; the entry alone where they do not.
  ///
  /// - Parameter whole: the entry without payer and reference.
  private static func singles(
    of whole: StatementEntry, _ leaves: [Leaf]
  ) throws(RecordDiagnostic) -> [StatementEntry] {
    let count = (leaves.map(\.detail).max() ?? -1) + 1
    let byDetail = Dictionary(grouping: leaves.filter { $0.detail >= 0 }, by: \.detail)
    var whole = whole
    whole.isReversal = ["true", "1"].contains(text(leaves, "RvslInd"))
    let alone = named(whole, leaves)
    guard count > 1 else { return [alone] }
    var gross: [Int128] = []
    var net: [Int128] = []
    for detail in 0..<count {
      let own = byDetail[detail] ?? []
      guard
        let amount = own.first(where: { $0.path == detailPath("Amt") })
          ?? own.first(where: { $0.path == detailPath("AmtDtls/TxAmt/Amt") }),
        amount.currency == whole.currency.code
      else { return [alone] }
      let mark = own.first { $0.path == detailPath("CdtDbtInd") }?.text
      let isCredit = mark.map { $0 == "CRDT" } ?? (whole.amount > 0)
      gross.append(Int128(try statementAmount(amount.text, isCredit: isCredit)))
      net.append(gross[detail] - (try charges(own, whole.currency)))
    }
    guard let amounts = [gross, net].first(where: { $0.reduce(0, +) == Int128(whole.amount) })
    else {
      return [alone]
    }
    return (0..<count).map { detail in
      var single = whole
      single.amount = Int64(clamping: amounts[detail])
      return named(single, byDetail[detail] ?? [])
    }
  }

  /// The path of an element of a single transaction, within its entry.
  private static func detailPath(_ path: String) -> String { "NtryDtls/TxDtls/" + path }

  /// What a single amount was charged with, in micro-units: record by record, or all at once.
  private static func charges(
    _ leaves: [Leaf], _ currency: Currency
  ) throws(RecordDiagnostic) -> Int128 {
    for paths in [["Chrgs/Rcrd/Amt", "Chrgs/Amt"], ["Chrgs/TtlChrgsAndTaxAmt"]] {
      var sum: Int128 = 0
      for leaf in leaves where leaf.currency == currency.code {
        guard paths.contains(where: { leaf.path == detailPath($0) }) else { continue }
        sum += Int128(try statementAmount(leaf.text, isCredit: true))
      }
      if sum != 0 { return sum }
    }
    return 0
  }

  /// The entry with who paid or was paid, and what the bank says of it.
  private static func named(_ entry: StatementEntry, _ leaves: [Leaf]) -> StatementEntry {
    /// The texts at some paths of single transactions, each once: a batch that cannot be divided
    /// may name a payer several times.
    func texts(_ paths: String...) -> [String] {
      let paths = paths.map { detailPath($0) }
      var seen: Set<String> = []
      return leaves.filter { paths.contains($0.path) && seen.insert($0.text).inserted }.map(\.text)
    }
    /// The names of parties, sort by sort: whom another pays for stands before that one.
    func names(_ parties: String...) -> [String] {
      parties.flatMap { party in
        texts("RltdPties/\(party)/Nm", "RltdPties/\(party)/Pty/Nm")
      }
    }
    var entry = entry
    // What comes back names both sides as the first payment had them: who sends it had received it.
    if leaves.contains(where: { $0.path.hasPrefix(detailPath("RtrInf/")) }) {
      entry.isReversal = true
    }
    let (debtors, creditors) = (names("UltmtDbtr", "Dbtr"), names("UltmtCdtr", "Cdtr"))
    let isPaidOut = (entry.amount < 0) != entry.isReversal
    let (other, own) = isPaidOut ? (creditors, debtors) : (debtors, creditors)
    let others = other.isEmpty && entry.isReversal ? own : other
    var purpose = leaves.filter { $0.path == detailPath("RmtInf/Ustrd") }.map(\.text)
    if purpose.isEmpty { purpose = texts("RmtInf/Strd/CdtrRefInf/Ref", "Refs/EndToEndId") }
    let further =
      texts("AddtlTxInf") + texts("RtrInf/Rsn/Cd", "RtrInf/AddtlInf")
      + leaves.filter { $0.path == "AddtlNtryInf" }.map(\.text)
    /// The texts as one, of at most 500 characters, without the word that stands for nothing.
    func joined(_ texts: [String]) -> String {
      String(texts.filter { $0 != "NOTPROVIDED" }.joined(separator: ", ").prefix(500))
    }
    (entry.payer, entry.reference) = (joined(others), joined(purpose.prefix(4) + further))
    return entry
  }
}
