internal import Billing

/// What a person may say in a mapping, so that values that are written otherwise are understood. It
/// is told with the kind of the table at hand, so that its line can be copied.
enum MappingHint: Hashable {
  /// What stands beside a number, and which mark is its decimal one: the other of comma and point
  /// divides thousands. Nil for what need not be said.
  case number(sign: String?, decimal: String?)
  /// The zone of times without an offset, and how days are written where the year comes last.
  case zone(dates: DayOrder?)
  /// How days are written whose year comes last.
  case dates(DayOrder)
  /// A value of rows that the table should not have, where a `*` is any text.
  case skip(String, column: String)
  /// A word that none of the column's is.
  case word(String, column: String)

  /// The hint that an amount gives which is no plain number; nil where none would let it be read.
  ///
  /// - Parameter mapping: the one in use, which the hint adds to.
  init?(amount bytes: UnsafeRawBufferPointer, beside mapping: TableMapping? = nil) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let first = text.firstIndex(where: Self.isDigit),
      let last = text.lastIndex(where: Self.isDigit)
    else { return nil }
    let around = [text[..<first], text[last...].dropFirst()].map { part in
      part.filter { !$0.isWhitespace && !"+-−.,".contains($0) }
    }
    let sign = around.first { !$0.isEmpty && mapping?.signs.contains($0) != true }
    if let sign, sign.count > 4 { return nil }
    let decimal = mapping?.decimal == nil ? Self.decimal(of: text[first...last]) : nil
    var hinted = mapping ?? TableMapping(.orders, name: "")
    hinted.signs += [sign].compactMap(\.self)
    hinted.decimal = hinted.decimal ?? decimal
    guard sign != nil || decimal != nil,
      NumberForm(hinted, decimal: hinted.decimal).reads(bytes)
    else { return nil }
    self = .number(sign: sign, decimal: decimal)
  }

  /// Whether a character is one of the ten digits of ASCII.
  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isNumber
  }

  /// The decimal mark of a number that has something else than one point in it; nil where it has
  /// not, and where it does not show which mark it is.
  private static func decimal(of number: Substring) -> String? {
    guard let last = number.last(where: { $0 == "," || $0 == "." }),
      number.contains(where: { !isDigit($0) && $0 != "." })
    else { return nil }
    let marks = number.filter { !isDigit($0) }
    let behind = number.split(separator: last).last.map(\.count) ?? 0
    // `1,234` is a thousand in some countries, and little more than one in others.
    return marks == "," && behind == 3 ? nil : String(last)
  }

  /// The hint that a time gives which has no offset; nil where it is no time of a clock alone.
  init?(time bytes: UnsafeRawBufferPointer) {
    let order = DayOrder(bytes.prefix { $0 > 0x20 && $0 != 0x54 && $0 != 0x2C })
    let read: TableMapping.DateOrder
    switch order {
    case nil: read = .ymd
    case .known(let known)?: read = known
    case .open?, .mixed?: read = .mdy
    }
    guard WallTimes.isTime(bytes, read) else { return nil }
    self = .zone(dates: order)
  }

  /// The hint that a day gives whose year comes last; nil where it is no such day.
  init?(day bytes: UnsafeRawBufferPointer) {
    guard let order = DayOrder(bytes) else { return nil }
    self = .dates(order)
  }

  /// The order of days that the hint is about; nil where it is about none.
  var order: DayOrder? {
    switch self {
    case .zone(let order): order
    case .dates(let order): order
    default: nil
    }
  }

  /// The hint with what the whole file shows of the order of days.
  func inOrder(_ order: DayOrder) -> MappingHint {
    switch self {
    case .zone(.some): .zone(dates: order)
    case .dates: .dates(order)
    default: self
    }
  }

  /// The lines of a configuration that say what the hint is about.
  ///
  /// - Parameters:
  ///   - kind: of the table.
  ///   - words: where the hint is to a word, all words of its column that are not known.
  ///   - mapping: the one in use: a line repeats what it says, to be able to stand in its place.
  ///   - isDraft: whether an open mark stands for what only a person knows, and not an example.
  func lines(
    _ kind: InputKind, words: [String] = [], beside mapping: TableMapping? = nil, isDraft: Bool
  ) -> [String] {
    let key = "import.\(kind.rawValue)"
    switch self {
    case .number(let sign, let decimal):
      let signs = sign.map { (mapping?.signs ?? []) + [$0] }
      return
        (signs.map { [key + ".signs = [" + $0.map(quoted).joined(separator: ", ") + "]"] } ?? [])
        + (decimal.map { [key + ".decimal = " + quoted($0)] } ?? [])
    case .zone(let dates):
      // A zone that was said is not what lacks.
      let isKnown = dates != nil && mapping?.zone != nil
      return (isKnown ? [] : ["import.zone = " + quoted("…")])
        + (dates?.entry.map { [key + ".dates = " + $0] } ?? [])
    case .dates(let order): return order.entry.map { [key + ".dates = " + $0] } ?? []
    case .skip(let value, let column):
      var skipped = mapping?.skipped ?? [:]
      skipped[column, default: []].append(value)
      let lists = skipped.sorted { $0.key < $1.key }.map { column, values in
        column + " = [" + values.map(quoted).joined(separator: ", ") + "]"
      }
      return [key + ".skip = { " + lists.joined(separator: ", ") + " }"]
    case .word(let word, let column):
      let theirs = words.isEmpty ? [word] : words
      let meanings = Dictionary(grouping: theirs) { usualMeaning($0, kind, column) ?? "" }
      let said = mapping?.words[column] ?? [:]
      // What nobody knows is never guessed: it stands beside the lists that it may belong in.
      let open = meanings[""] ?? []
      let lists = (kind.words(ofColumn: column) ?? [])
        .filter { !open.isEmpty || meanings[$0] != nil || said[$0] != nil }
        .map { word in
          let theirs = (said[word] ?? []) + (meanings[word] ?? [])
          return word + " = [" + theirs.map(quoted).joined(separator: ", ") + "]"
        }
      let mark = isDraft && open.count == theirs.count ? "  # … " : "  # "
      let remark = open.isEmpty ? "" : mark + open.map(quoted).joined(separator: ", ")
      return [key + ".words." + column + " = { " + lists.joined(separator: ", ") + " }" + remark]
    }
  }

  /// Those of the words that only a person knows the meaning of; none when the hint is about no
  /// word.
  func undecided(_ kind: InputKind, words: [String]) -> [String] {
    guard case .word(let word, let column) = self else { return [] }
    return (words.isEmpty ? [word] : words).filter { usualMeaning($0, kind, column) == nil }
  }
}

/// In which order a file writes days whose year comes last, as far as its values show.
enum DayOrder: Hashable {
  /// As a day beyond the twelfth shows, or a point between the numbers.
  case known(TableMapping.DateOrder)
  /// As nothing shows: what a value is with the month first, and with the day first.
  case open(mdy: Day, dmy: Day)
  /// Some values show the one, some the other.
  case mixed

  /// What a day shows whose year comes last; nil for anything else.
  init?(_ bytes: some Collection<UInt8>) {
    let parts = bytes.split(omittingEmptySubsequences: false) {
      $0 == 0x2F || $0 == 0x2E || $0 == 0x2D
    }
    let numbers = parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard numbers.count == 3, parts.count == 3, parts[0].count <= 2, parts[1].count <= 2,
      [2, 4].contains(parts[2].count)
    else { return nil }
    let year = numbers[2] < 100 ? 2000 + numbers[2] : numbers[2]
    let dmy = Day(year: year, month: numbers[1], day: numbers[0])
    switch (Day(year: year, month: numbers[0], day: numbers[1]), dmy) {
    case (nil, nil): return nil
    case (.some, nil): self = .known(.mdy)
    case (nil, .some): self = .known(.dmy)
    // Nobody writes points behind a month that comes first.
    case (.some(let mdy), .some(let dmy)):
      self = bytes.contains(0x2E) ? .known(.dmy) : .open(mdy: mdy, dmy: dmy)
    }
  }

  /// What this and another value of the same file show together.
  func joined(_ other: DayOrder) -> DayOrder {
    switch (self, other) {
    // A value that is the same day either way is no example.
    case (.open(let mdy, let dmy), .open): mdy == dmy ? other : self
    case (.open, _): other
    case (_, .open): self
    default: self == other ? self : .mixed
    }
  }

  /// The value of the entry `dates` of a mapping, with a remark where only a person can decide it;
  /// nil where there is none for the file.
  var entry: String? {
    switch self {
    case .known(let order): quoted(order.rawValue)
    case .open(let mdy, let dmy): quoted("…") + "  # \"mdy\": \(mdy), \"dmy\": \(dmy)"
    case .mixed: nil
    }
  }

  /// The advice `help` with what remains open.
  func remark(_ help: Wording) -> Wording {
    switch self {
    case .known: help
    case .open(let mdy, let dmy):
      "@text.no-date-shows-the-order \(help) \(mdy.description) \(dmy.description)"
    case .mixed: "@text.dates-are-in-both-orders \(help)"
    }
  }
}

/// A text as TOML quotes it.
private func quoted(_ text: String) -> String {
  let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  return "\"" + escaped + "\""
}

/// Which of the words that a column may have is usually meant by `word`, as shops write it; nil
/// where none is.
///
/// - Parameters:
///   - kind: of the table.
///   - column: its column, by Tieout's name.
func usualMeaning(_ word: String, _ kind: InputKind, _ column: String) -> String? {
  let words = kind.words(ofColumn: column) ?? []
  let squeezed = squeezedName(word)
  // WooCommerce has `wc-completed`.
  let bare = squeezed.hasPrefix("wc") ? String(squeezed.dropFirst(2)) : squeezed
  return words.first { squeezedName($0) == bare }
    ?? words.first { usualWords[$0]?.contains(bare) ?? false }
}

/// What shops and their databases write for words of Tieout's; proposed, never read by itself.
private let usualWords: [String: Set<String>] = [
  "created": [
    "new", "open", "pending", "pendingpayment", "unpaid", "waiting", "waitpay", "awaitingpayment",
    "init", "initiated", "checkoutdraft", "onhold", "offen", "enattente", "pendiente",
    "待支付", "待付款", "未支付",
  ],
  "paid": [
    "processing", "success", "succeeded", "captured", "authorized", "paysuccess", "settled",
    "bezahlt", "payé", "payée", "pagado", "pagada", "已支付", "已付款", "支付成功",
  ],
  "fulfilled": [
    "completed", "complete", "done", "delivered", "shipped", "finished", "granted",
    "ausgeliefert", "geliefert", "livré", "livrée", "entregado", "entregada", "已完成", "已发货", "已发放",
  ],
  "refunded": [
    "refund", "returned", "chargeback", "chargedback", "erstattet", "remboursé", "remboursée",
    "reembolsado", "reembolsada", "已退款",
  ],
  "cancelled": [
    "canceled", "void", "voided", "failed", "expired", "rejected", "timeout", "trash", "abandoned",
    "storniert", "annulé", "annulée", "cancelado", "cancelada", "anulado", "anulada", "已取消",
  ],
  "consumable": ["inapp", "inappconsumable"],
  "non_consumable": ["nonconsumable"],
  "auto_renewable": ["autorenewablesubscription", "autorenewable", "subscription", "subs"],
  "non_renewing": ["nonrenewingsubscription"],
  "granted": [
    "grant", "earn", "earned", "get", "gain", "gained", "add", "added", "income", "in", "credit",
    "topup", "recharge", "purchase", "reward", "earnvirtualcurrency", "获得", "发放", "收入", "增加",
    "充值", "赠送",
  ],
  "spent": [
    "spend", "cost", "consume", "consumed", "use", "used", "deduct", "out", "expense", "debit",
    "spendvirtualcurrency", "消耗", "消费", "支出", "减少", "扣除", "使用",
  ],
  "expired": ["expire", "expiry", "过期", "失效"],
  "taken_back": [
    "refund", "refunded", "revoke", "revoked", "clawback", "chargeback", "退款", "收回", "追回",
  ],
  "adjusted": ["adjust", "adjustment", "correction", "调整", "更正"],
  "opening": ["initial", "openingbalance", "期初"],
  "PURCHASED": ["owned"],
  "FAMILY_SHARED": ["family", "shared"],
  "Production": ["prod", "live"],
  "Sandbox": ["test"],
]
