package import Billing

/// A program that takes a journal as a file.
package enum AccountingProgram: String, Hashable, Sendable, CaseIterable {
  case xero, quickbooks, datev, kingdee, yonyou
}

/// Why there is no file for a program.
package enum AccountingGap: Error, Hashable {
  /// Accounts that the journal uses and that have no code.
  case codes([AccountRole])
  /// Codes that the program does not take.
  case notCodes([String])
  /// Entries without a value in base currency.
  case unvalued([String])
  /// A key of the configuration that has to tell something.
  case key(String)
  /// The journal has more lines than a file of the program may have, and needs so many parts.
  case parts(Int, lines: Int)
  /// A part is asked for, and there are only so many.
  case noPart(Int, of: Int)
  /// An entry, which cannot be divided, has more lines than a file may have.
  case entry(String, lines: Int)
}

/// A line of a journal as an accounting program books it: in base currency, to the minor unit.
private struct BookedLine {
  var account: String
  var posting: Posting
  /// Debit positive; micro-units, a multiple of the minor unit.
  var value: Int64
  /// Base currency for one of the posting's.
  var rate: Fraction
  var debit: Int64 { max(0, value) }
  var credit: Int64 { max(0, -value) }
}

/// An entry as an accounting program books it.
private struct BookedEntry {
  var day: Day
  var number: Int
  var name: String
  var narration: String
  var lines: [BookedLine]
}

extension Journal {
  /// The journal as a program imports it, balanced to the minor unit of base currency entry by
  /// entry; entries from `since` on.
  ///
  /// - Parameter part: which of the files that a program with a limit of lines needs, from 1; nil
  ///   where one file has all.
  package func file(
    for program: AccountingProgram, _ settings: Settings, since: Day?, part: Int? = nil
  ) throws(AccountingGap) -> [UInt8] {
    let entries = try booked(for: program, settings, since: since)
    switch program {
    case .xero:
      guard let taxRate = settings.xeroTaxRate else { throw .key("xero_tax_rate") }
      let lines = AccountingColumns.xeroLines
      return Array(xero(try Self.part(part, of: entries, lines: lines), taxRate).utf8)
    case .quickbooks: return Array(quickbooks(entries).utf8)
    case .kingdee: return Array(kingdee(entries).utf8)
    case .yonyou: return Array(yonyou(entries).utf8)
    case .datev:
      guard let client = settings.datev else { throw .key("datev") }
      return datev(entries, client)
    }
  }

  /// The entries as a program books them, without those that round to nothing.
  ///
  /// - Parameter since: the first day; nil for all entries.
  /// - Throws: where an account has no code or an entry no value.
  private func booked(
    for program: AccountingProgram, _ settings: Settings, since: Day?
  ) throws(AccountingGap) -> [BookedEntry] {
    let codes = try accountCodes(for: program, settings)
    var booked: [BookedEntry] = []
    var unvalued: [String] = []
    for (index, entry) in entries.enumerated() where since.map({ entry.day >= $0 }) ?? true {
      let name = name(ofEntry: index)
      guard let lines = bookedLines(of: entry, codes) else {
        unvalued.append(name)
        continue
      }
      if lines.isEmpty { continue }
      booked.append(
        BookedEntry(
          day: entry.day, number: index + 1, name: name, narration: entry.narration, lines: lines))
    }
    guard unvalued.isEmpty else { throw .unvalued(unvalued) }
    return booked
  }

  /// The entries of one part, each whole.
  ///
  /// - Parameters:
  ///   - number: of the part, from 1; nil where one file must have all.
  ///   - limit: lines that a file may have, with the line of its columns.
  /// - Throws: where one file has no room, or there is no such part.
  private static func part(
    _ number: Int?, of entries: [BookedEntry], lines limit: Int
  ) throws(AccountingGap) -> [BookedEntry] {
    var parts: [[BookedEntry]] = [[]]
    var lines = 1
    for entry in entries {
      guard entry.lines.count < limit else {
        throw .entry(entry.name, lines: entry.lines.count)
      }
      if lines + entry.lines.count > limit {
        parts.append([])
        lines = 1
      }
      parts[parts.count - 1].append(entry)
      lines += entry.lines.count
    }
    guard let number else {
      if parts.count == 1 { return entries }
      throw .parts(parts.count, lines: entries.reduce(0) { $0 + $1.lines.count })
    }
    guard parts.indices.contains(number - 1) else { throw .noPart(number, of: parts.count) }
    return parts[number - 1]
  }

  /// The names or codes of the accounts that the journal uses, as the program wants them:
  /// QuickBooks knows accounts by their names, the others by their codes.
  private func accountCodes(
    for program: AccountingProgram, _ settings: Settings
  ) throws(AccountingGap) -> [AccountRole: String] {
    let used = Set(entries.flatMap(\.postings).map(\.account))
    var codes: [AccountRole: String] = [:]
    for role in used {
      codes[role] =
        program == .quickbooks ? settings.accounts[role] : settings.accountCodes[role]
    }
    let missing = AccountRole.allCases.filter { used.contains($0) && codes[$0] == nil }
    guard missing.isEmpty else { throw .codes(missing) }
    if program == .datev {
      // Accounts of customers and suppliers have a digit more.
      let longest = settings.datev.map { $0.accountLength + 1 } ?? 9
      let wrong = Set(codes.values).filter { code in
        !(1...longest).contains(code.utf8.count) || !code.utf8.allSatisfy { $0 &- 0x30 < 10 }
      }
      guard wrong.isEmpty else { throw .notCodes(wrong.sorted()) }
    }
    return codes
  }

  /// An entry's lines, with values in whole minor units of base currency. They are rounded as they
  /// add up, so that what each line loses the next one gains, and the last ends at nothing. Nil
  /// where a rate is missing.
  private func bookedLines(
    of entry: JournalEntry, _ codes: [AccountRole: String]
  ) -> [BookedLine]? {
    var lines: [BookedLine] = []
    var (exact, rounded): (Int64, Int64) = (0, 0)
    for posting in entry.postings {
      guard let value = posting.value(in: base) else { return nil }
      exact += value
      let end = roundedHalfUp(Int128(exact), dividedBy: 1, toMultipleOf: base.minorUnit)
      let booked = end - rounded
      rounded = end
      if booked == 0 { continue }
      let amount = posting.amount.micros
      let rate =
        posting.amount.currency == base || amount == 0
        ? .one : Fraction(Int128(value), over: Int128(amount)).roundedRate
      lines.append(
        BookedLine(account: codes[posting.account]!, posting: posting, value: booked, rate: rate))
    }
    precondition(rounded == 0, "an entry does not balance to the minor unit")
    return lines
  }

  /// What Windows-1252 has where Latin 1 has control characters.
  private static let windows1252: [Unicode.Scalar: UInt8] = {
    let spans: [(first: UInt8, scalars: String)] = [
      (0x80, "€"), (0x82, "‚ƒ„…†‡ˆ‰Š‹Œ"), (0x8E, "Ž"), (0x91, "‘’“”•–—˜™š›œ"), (0x9E, "žŸ"),
    ]
    var codes: [Unicode.Scalar: UInt8] = [:]
    for (first, scalars) in spans {
      for (offset, scalar) in scalars.unicodeScalars.enumerated() {
        codes[scalar] = first + UInt8(offset)
      }
    }
    return codes
  }()

  /// Micro-units as decimal text with two places at least.
  private func text(_ micros: Int64) -> String { decimalText(micros: micros, minimumDigits: 2) }

  /// The amount of a line in its own currency; empty where that is base currency.
  private func original(_ line: BookedLine) -> String {
    let amount = line.posting.amount
    return amount.currency == base ? "" : "\(amount.text) \(amount.currency)"
  }

  // MARK: - Files

  /// CSV with these columns' names and rows.
  private func table(_ columns: [String], _ rows: [[String]]) -> String {
    var writer = RowWriter(.csv, columns) { _ in }
    for row in rows {
      for cell in row { writer.text(cell.isEmpty ? nil : cell) }
      writer.closeRow()
    }
    return writer.text
  }

  /// The CSV of manual journals for Xero.
  private func xero(_ entries: [BookedEntry], _ taxRate: String) -> String {
    table(
      AccountingColumns.xero,
      entries.flatMap { entry in
        let (year, month, day) = entry.day.parts
        let date = "\(padded(day, 2)) \(AccountingColumns.months[month - 1]) \(padded(year, 4))"
        return entry.lines.map {
          [
            "\(entry.name) \(entry.narration)", date, original($0), $0.account, taxRate,
            text($0.value), "", "", "", "",
          ]
        }
      })
  }

  /// The CSV of journal entries for QuickBooks Online.
  private func quickbooks(_ entries: [BookedEntry]) -> String {
    table(
      AccountingColumns.quickbooks,
      entries.flatMap { entry in
        let (year, month, day) = entry.day.parts
        let date = "\(padded(month, 2))/\(padded(day, 2))/\(padded(year, 4))"
        return entry.lines.map { line in
          let words = [entry.narration, original(line)].filter { !$0.isEmpty }
          return [
            entry.name, date, line.account, line.debit == 0 ? "" : text(line.debit),
            line.credit == 0 ? "" : text(line.credit), words.joined(separator: "; "), "",
          ]
        }
      })
  }

  /// The CSV of vouchers for Kingdee K/3.
  private func kingdee(_ entries: [BookedEntry]) -> String {
    let places = Dictionary(
      uniqueKeysWithValues: AccountingColumns.kingdee.enumerated().map { ($1, $0) })
    return table(
      AccountingColumns.kingdee,
      entries.flatMap { entry in
        entry.lines.enumerated().map { index, line in
          let (year, month, _) = entry.day.parts
          let currency = line.posting.amount.currency
          let isYuan = currency.code == "CNY"
          // Revaluations have a value alone.
          let own = line.posting.amount.isZero ? 0 : abs(line.posting.amount.micros)
          let cells = [
            "凭证日期": entry.day.description, "会计年度": "\(year)", "会计期间": "\(month)",
            "凭证字": AccountingColumns.voucherWord, "凭证号": "\(entry.number)",
            "科目代码": line.account,
            "币别代码": isYuan ? AccountingColumns.yuanCode : currency.code,
            "币别名称": isYuan ? AccountingColumns.yuanName : currency.code,
            "原币金额": text(own), "借方": text(line.debit), "贷方": text(line.credit),
            "凭证摘要": entry.narration, "业务日期": entry.day.description, "附件数": "0",
            "汇率": line.rate.rateText, "分录序号": "\(index)",
          ]
          var row = [String](repeating: "", count: AccountingColumns.kingdee.count)
          for (name, cell) in cells { row[places[name]!] = cell }
          return row
        }
      })
  }

  /// The text of vouchers for Yonyou U8; fields stand between commas without quotes.
  private func yonyou(_ entries: [BookedEntry]) -> String {
    var text = AccountingColumns.yonyouHead + "\r\n"
    for entry in entries {
      let abstract = String(
        entry.narration.prefix(60).map { ",\"".contains($0) ? Character("，") : $0 })
      for line in entry.lines {
        let isForeign = line.posting.amount.currency != base
        let cells = [
          entry.day.description, AccountingColumns.voucherWord, "\(entry.number)", "0", abstract,
          line.account, self.text(line.debit), self.text(line.credit), "0",
          isForeign ? self.text(abs(line.posting.amount.micros)) : "0",
          isForeign ? line.rate.rateText : "0",
        ]
        text += cells.joined(separator: ",") + "\r\n"
      }
    }
    return text
  }

  // MARK: - DATEV

  /// A debit and a credit account with one amount: DATEV has no records with more.
  private struct Pair {
    var debit: String
    var credit: String
    var micros: Int64
  }

  /// Splits an entry into pairs of a debit and a credit account, in the order of its accounts: a
  /// pair's amount is the smaller of what is left of the two.
  private func pairs(_ entry: BookedEntry) -> [Pair] {
    var sums: [String: Int64] = [:]
    var order: [String] = []
    for line in entry.lines {
      if sums[line.account] == nil { order.append(line.account) }
      sums[line.account, default: 0] += line.value
    }
    var debits = order.filter { sums[$0]! > 0 }.map { ($0, sums[$0]!) }
    var credits = order.filter { sums[$0]! < 0 }.map { ($0, -sums[$0]!) }
    var pairs: [Pair] = []
    while let debit = debits.first, let credit = credits.first {
      let amount = min(debit.1, credit.1)
      pairs.append(Pair(debit: debit.0, credit: credit.0, micros: amount))
      debits[0].1 -= amount
      credits[0].1 -= amount
      if debits[0].1 == 0 { debits.removeFirst() }
      if credits[0].1 == 0 { credits.removeFirst() }
    }
    precondition(debits.isEmpty && credits.isEmpty, "an entry does not balance")
    return pairs
  }

  /// The posting batch for DATEV, in Windows-1252.
  private func datev(_ entries: [BookedEntry], _ client: Settings.DATEVClient) -> [UInt8] {
    /// A text in quotes, those in it doubled.
    func quoted(_ text: some StringProtocol) -> String {
      let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
      return "\"" + parts.joined(separator: "\"\"") + "\""
    }
    /// A day without hyphens: `20230731`.
    func compact(_ day: Day) -> String { String(day.description.filter { $0 != "-" }) }
    let month = Period(period)!
    // No clock is read: a batch is told by the day that follows its month.
    let made = compact(month.last.advanced(by: 1)) + "000000000"
    var rows = [
      [
        quoted("EXTF"), "700", "21", quoted("Buchungsstapel"), "13", made, "", quoted("RE"),
        quoted(""), quoted(""), "\(client.consultant)", "\(client.client)",
        compact(client.yearStart(before: month.first)), "\(client.accountLength)",
        compact(month.first), compact(month.last), quoted("Apple \(period)"), quoted(""), "1", "0",
        "0", quoted(base.code), "", quoted(""), "", "", quoted(""), "", "", quoted(""),
        quoted(""),
      ],
      AccountingColumns.datev,
    ]
    for entry in entries {
      let (_, month, day) = entry.day.parts
      for pair in pairs(entry) {
        var row = [String](repeating: "", count: AccountingColumns.datev.count)
        row[0] = String(text(pair.micros).map { $0 == "." ? "," : $0 })
        row[1] = quoted("S")
        row[2] = quoted(base.code)
        row[6] = pair.debit
        row[7] = pair.credit
        row[9] = "\(padded(day, 2))\(padded(month, 2))"
        row[10] = quoted(entry.name)
        row[13] = quoted(entry.narration.prefix(60))
        rows.append(row)
      }
    }
    let lines = rows.map { $0.joined(separator: ";") + "\r\n" }
    return lines.joined().unicodeScalars.map { scalar in
      if scalar.value < 0x80 || (0xA0...0xFF).contains(scalar.value) { return UInt8(scalar.value) }
      // What the character set has no room for is a question mark.
      return Self.windows1252[scalar] ?? 0x3F
    }
  }
}
