internal import Billing

/// Rows of a table that are read, or left out, by the values of one column: an entry of a mapping.
struct RowChoice {
  let isKept: Bool
  let column: String
  let values: [String]
  /// Values of the column that nobody knows.
  var unknown: [String] = []

  /// The entries `where` and `skip` of a mapping, each a line of TOML with a remark on values that
  /// nobody knows.
  static func lines(_ filters: [RowChoice]) -> [String] {
    func list(_ values: [String]) -> String {
      values.map { "\"\($0)\"" }.joined(separator: ", ")
    }
    return [true, false].compactMap { isKept in
      let own = filters.filter { $0.isKept == isKept }
      if own.isEmpty { return nil }
      let columns = own.map { "\"\($0.column)\" = [\(list($0.values))]" }
      let remark = own.flatMap(\.unknown)
      return "\(isKept ? "where" : "skip") = { \(columns.joined(separator: ", ")) }"
        + (remark.isEmpty ? "" : "  # \(list(remark))")
    }
  }
}

/// Which column of a bank's table says whether a row is booked, and by which words: what is pending
/// or declined never came.
struct BookedStates {
  let column: String
  /// Its values that say that a row is booked, that it is not, and others.
  private var booked: [String] = []
  private var open: [String] = []
  private var unknown: [String] = []
  private let mayBeBlank: Bool

  /// The column among `names`; nil where none shows states.
  static func of(_ header: Header, among names: [String]) -> BookedStates? {
    guard !names.isEmpty, let samples = header.samples?() else { return nil }
    return names.lazy.compactMap { name in
      header.printed.firstIndex(of: name).flatMap {
        BookedStates(name, samples.columns[$0], rows: samples.rows)
      }
    }.first
  }

  /// The states of a column: one of few different values, by its name, or where all its values are
  /// such words. Nil for any other, and where words that nobody knows are all that may leave rows
  /// out.
  private init?(_ name: String, _ sample: ColumnSamples.Column, rows: Int) {
    guard sample.filled > 0, sample.values.values.reduce(0, +) == sample.filled else { return nil }
    column = name
    let squeezed = squeezedName(name)
    let isNamed = squeezed == "state" || Self.names.contains(where: squeezed.hasSuffix)
    mayBeBlank = !isNamed && sample.filled < rows
    for value in sample.values.keys.sorted() {
      let word = squeezedName(value)
      if Self.openWords.contains(word) {
        open.append(value)
      } else if Self.bookedWords.contains(word) {
        booked.append(value)
      } else {
        unknown.append(value)
      }
    }
    // Where no word says that a row never came, one that nobody knows may well say that it did.
    guard unknown.isEmpty || isNamed && !open.isEmpty else { return nil }
  }

  /// What a mapping says so that only booked rows are read. Where no word for them is known it has
  /// to be filled in.
  var filter: RowChoice {
    let known = booked + (mayBeBlank ? [""] : [])
    return RowChoice(
      isKept: true, column: column, values: known.isEmpty ? ["…"] : known,
      unknown: known.isEmpty ? open + unknown : unknown)
  }

  /// Throws a diagnostic where an unused column of a bank's table says that rows are not booked.
  ///
  /// - Parameter unused: the columns that neither the table nor its mapping names.
  static func check(_ kind: InputKind, _ header: Header, unused: [String]) throws {
    guard kind == .bank, let states = of(header, among: unused), !states.open.isEmpty else {
      return
    }
    let words = states.open.map { "\"\($0)\"" }.joined(separator: ", ")
    let setting = RowChoice.lines([states.filter]).map { "import.bank.\($0)" }.joined()
    var diagnostic = header.diagnostic(
      "@statement.rows-are-not-booked \(states.column) \(words)",
      help: "@statement.say-which-are-booked \(setting)")
    diagnostic.setting = setting
    throw diagnostic
  }

  /// What such columns are called, or what their names end in.
  private static let names = [
    "status", "transactionstate", "statut", "estado", "stato", "zustand", "状态", "狀態", "状態", "ステータス",
  ]

  private static let bookedWords = words([
    "completed", "complete", "booked", "posted", "settled", "cleared", "success", "successful",
    "succeeded", "executed", "done", "paid", "confirmed", "credited", "gebucht", "umsatzgebucht",
    "verbucht", "abgeschlossen", "ausgeführt", "erfolgreich", "erledigt", "成功", "交易成功", "支付成功",
    "入账成功", "已入账", "已記賬", "已记账", "已完成", "完成", "已到账", "完了", "処理済", "comptabilisé", "exécuté",
    "effectué", "réussi", "completado", "completada", "contabilizado", "ejecutado", "realizado",
    "geboekt", "verwerkt", "uitgevoerd", "voltooid", "contabilizzato", "eseguito", "completato",
  ])

  private static let openWords = words([
    "pending", "reverted", "failed", "failure", "declined", "rejected", "refused", "denied",
    "cancelled", "canceled", "reversed", "returned", "expired", "voided", "void", "processing",
    "inprogress", "scheduled", "planned", "authorised", "authorized", "onhold", "unclaimed",
    "unsuccessful", "blocked", "incomplete", "notbooked", "unposted", "vorgemerkt",
    "umsatzvorgemerkt", "vorgemerkterumsatz", "ausstehend", "offen", "inbearbeitung",
    "inverarbeitung", "abgelehnt", "fehlgeschlagen", "storniert", "abgebrochen", "zurückgewiesen",
    "zurückgegeben", "rückgängiggemacht", "geplant", "待处理", "處理中", "处理中", "待入账", "未入账", "未记账",
    "待确认", "受理中", "在途", "已撤销", "撤销", "已冲正", "冲正", "已退回", "退回", "已退汇", "退汇", "已拒绝", "拒绝", "失败",
    "失敗", "交易失败", "支付失败", "入账失败", "已失败", "已取消", "取消", "取消済", "交易关闭", "已关闭", "预授权", "保留", "保留中",
    "処理中", "未処理", "enattente", "encours", "refusé", "rejeté", "échoué", "annulé", "pendiente",
    "rechazado", "rechazada", "fallido", "fallida", "cancelado", "cancelada", "anulado",
    "devuelto", "inbehandeling", "geweigerd", "mislukt", "geannuleerd", "gereserveerd",
    "inattesa", "rifiutato", "fallito", "annullato", "stornato",
  ])

  /// Words as values are compared with them.
  private static func words(_ words: [String]) -> Set<String> { Set(words.map(squeezedName)) }
}
