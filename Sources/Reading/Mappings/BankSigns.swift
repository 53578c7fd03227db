internal import Billing

/// What the columns of a bank's table and its first rows say of how it is written: which column
/// tells in from out, in which order days stand, and what divides numbers.
struct BankSigns {
  private let header: Header
  private let samples: ColumnSamples?

  init(_ header: Header, _ samples: ColumnSamples?) {
    (self.header, self.samples) = (header, samples)
  }

  /// What the first rows have in a column; nil for no such column, or without rows to look at.
  private func sample(_ name: String) -> ColumnSamples.Column? {
    header.printed.firstIndex(of: name).flatMap { samples?.columns[$0] }
  }

  // MARK: - Columns

  /// Parts of names by which a table is known as a bank's, whatever its other columns are called.
  private static let signs = [
    "balance", "saldo", "solde", "余额", "残高", "iban", "bic", "counterparty", "beneficiary", "payee",
    "auftraggeber", "empfänger", "debit", "credit", "débit", "crédit", "借贷", "对方", "postdate",
    "postingdate", "valuedate", "valuta", "wertstellung", "tegenrekening", "tegenpartij",
  ]
  /// Parts of names of columns with what left the account.
  private static let outParts = [
    "out", "debit", "débit", "支出", "借方", "soll", "withdraw", "belastung", "支払", "出金",
  ]

  /// Whether a column has what left the account, by its name.
  static func isOut(_ name: String) -> Bool {
    let name = squeezedName(name).replacing("payout", with: "")
    return outParts.contains(where: name.contains)
  }

  /// Parts of names, per column; and those of names that only sound like it.
  private static let parts: [String: (may: [String], mayNot: [String])] = [
    "date": (
      ["buchung", "date", "datum", "fecha", "日期", "時間", "时间", "日付", "取引日"],
      ["value", "valuta", "valeur", "wert", "rente", "balance", "text"]
    ),
    "amount": (
      ["amount", "betrag", "montant", "importe", "importo", "bedrag", "金额", "金額"],
      ["balance", "original", "fee", "tax", "余额", "rate"]
    ),
    "reference": (
      [
        "verwendungszweck", "description", "notificationtext", "libell", "omschrijving",
        "mededeling", "concepto", "causale", "remittance", "摘要", "附言", "备注", "取引内容",
      ], ["naam", "code", "balance"]
    ),
    "value_date": (["wertstellung", "valuta", "valuedate", "valeur", "rentedatum"], []),
    "payer": (
      [
        "payer", "auftraggeber", "empfänger", "begünstigter", "payee", "merchantname",
        "naamtegenpartij", "naamomschrijving", "对方户名", "对方姓名",
      ], ["iban", "konto", "bic", "account"]
    ),
    "currency": (
      ["currency", "währung", "waehrung", "devise", "moneda", "valuta", "munt", "币", "通貨"],
      ["oorspr", "original", "balance", "fee"]
    ),
  ]
  /// Parts of names of columns with what an amount was before the bank exchanged it.
  private static let foreignParts = [
    "foreign", "fremd", "étrang", "etrang", "extranjer", "estera", "外币", "外幣", "外貨",
  ]

  /// Whether a column has an amount, or its currency, from before the bank exchanged it.
  static func isForeign(_ name: String) -> Bool {
    foreignParts.contains(where: squeezedName(name).contains)
  }

  /// Of several columns those with these parts come first, or last: the day of booking is none of
  /// ordering, and who pays is not who is paid.
  private static let first = [
    "date": ["complet", "finish", "book", "post", "buchung", "入账", "记账"],
    "payer": ["payer", "auftraggeber"],
  ]
  private static let last = ["date": ["start", "created", "initiat", "order", "auftrag"]]

  /// Of columns that have what came in alone, where no column has all.
  private static let inParts = ["credit", "crédit", "gutschrift", "入金", "預り", "贷方"]

  /// The columns of a bank's table whose names have in them what `column` is called; none where no
  /// name shows that the table is a bank's.
  ///
  /// - Parameters:
  ///   - column: by Tieout's name.
  ///   - sources: the file's columns.
  static func spelt(_ column: String, among sources: [String], _ header: Header) -> [String] {
    let names = header.printed.map(squeezedName)
    guard let parts = parts[column],
      names.contains(where: { name in signs.contains(where: name.contains) })
    else { return [] }
    /// The sources whose names contain a part of `may`, and none that `column` must not have.
    func named(_ may: [String]) -> [String] {
      sources.filter { source in
        let name = squeezedName(source)
        return may.contains(where: name.contains) && !parts.mayNot.contains(where: name.contains)
      }
    }
    /// Whether a source has a part that a list has for the column.
    func has(_ source: String, _ list: [String: [String]]) -> Bool {
      list[column]?.contains(where: squeezedName(source).contains) ?? false
    }
    // An amount's own name may say its currency: `Amount (EUR)`.
    if column == "currency",
      header.printed.contains(where: { name in
        Self.parts["amount"]!.may.contains(where: squeezedName(name).contains)
          && header.namesCurrency(name)
      })
    {
      return []
    }
    guard column == "amount" else {
      let all = named(parts.may)
      let (best, rest) = (all.filter { has($0, first) }, all.filter { !has($0, first) })
      return best + rest.filter { !has($0, last) } + rest.filter { has($0, last) }
    }
    // Of two columns only one came in; one with both names has both.
    let found = named(parts.may).filter { name in
      !isOut(name) || inParts.contains(where: squeezedName(name).contains)
    }
    return found.isEmpty ? named(inParts).filter { !isOut($0) } : found
  }

  // MARK: - Rows

  private static let ins: Set<String> = [
    "收入", "贷", "贷方", "贷cr", "入", "入账", "转入", "存入", "入金", "cr", "crdt", "credit", "c", "haben", "h",
    "in", "moneyin", "bij", "eingang", "abono", "crédit", "入金额",
  ]
  private static let outs: Set<String> = [
    "支出", "借", "借方", "借dr", "出", "支", "转出", "支取", "出金", "dr", "dbit", "debit", "d", "soll", "s",
    "out", "moneyout", "af", "ausgang", "cargo", "débit",
  ]
  /// What such columns are called.
  private static let names: Set<String> = [
    "收支", "收支类型", "借贷", "借贷标志", "direction", "creditdebit", "debitcredit", "drcr", "crdr",
    "afbij", "sollhaben",
  ]
  /// Neither in nor out: what moves between pockets of one purse.
  private static let others: Set<String> = ["", "不计收支", "中性交易", "其他", "neutral"]

  /// What a mapping says so that only rows of what came in are read, where amounts have no sign of
  /// their own; nil for none.
  func direction(beside amount: String) -> RowChoice? {
    if sample(amount)?.hasNegative ?? false { return nil }
    for name in header.printed where name != amount {
      if let column = sample(name), column.filled > 0 {
        let values = column.values.keys.sorted()
        let words = values.map { Self.word($0) }
        guard column.values.values.reduce(0, +) == column.filled,
          words.allSatisfy(Self.isKnown)
        else { continue }
        let come = values.filter { Self.ins.contains(Self.word($0)) }
        let go = values.filter { Self.outs.contains(Self.word($0)) }
        // Of both sorts it is no chance; of one, its name has to say so.
        guard !come.isEmpty && !go.isEmpty || Self.names.contains(squeezedName(name)) else {
          continue
        }
        if !come.isEmpty { return RowChoice(isKept: true, column: name, values: come) }
        if !go.isEmpty { return RowChoice(isKept: false, column: name, values: go) }
      } else if squeezedName(name) == "收支" {
        return RowChoice(isKept: true, column: name, values: ["收入"])
      }
    }
    return nil
  }

  /// Whether a word says in, out or neither.
  private static func isKnown(_ word: String) -> Bool {
    ins.contains(word) || outs.contains(word) || others.contains(word)
  }

  /// A value as it is compared with the words for in and out.
  private static func word(_ value: String) -> String {
    value == "+" ? "in" : value == "-" ? "out" : squeezedName(value)
  }

  /// The marks that stand beside amounts, for a mapping's `signs`.
  func marks(beside amount: String) -> [String] {
    if let column = sample(amount), column.filled > 0 { return column.marks.sorted() }
    return header.names.contains("收/支") ? ["¥"] : []
  }

  /// The decimal mark of amounts: by the first that has one, else by what divides columns.
  func decimal(of amount: String) -> String {
    sample(amount)?.decimal ?? (header.separator == 0x3B ? "," : ".")
  }

  /// The order of days whose year comes last as TOML, with a remark where no value shows it; nil
  /// where the year comes first, or without rows to look at.
  func dates(in date: String) -> String? {
    header.printed.firstIndex(of: date).flatMap { samples?.order(ofColumn: $0)?.entry }
  }
}
