internal import Billing

/// What a word in a column's name stands for, whatever language and tense a database has it in:
/// `gmt_create`, `createdAt` and `创建时间` say the same.
enum NameMeaning: Hashable {
  case time, beginning, payment, purchase, delivery, refund, expiry
  /// That something was done: `created`, `paid`.
  case past
  case order, transaction, original, line, product, customer
  case id, status, price, sum, quantity, currency, country, environment, ownership
}

/// The words of a column's name.
struct NameWords {
  /// Nil for a name with a word that is not known.
  let meanings: Set<NameMeaning>?
  /// Of the words that are known.
  let known: Set<NameMeaning>

  /// Looks up each word of a column's name.
  init(_ name: String) {
    let words = Self.words(of: name).map(Self.meanings)
    known = words.reduce(into: []) { $0.formUnion($1 ?? []) }
    meanings = words.isEmpty || words.contains { $0 == nil } ? nil : known
  }

  /// The words of a name: runs of letters in lower case; a capital begins a word where small
  /// letters stand before it.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasSmall = false
    for letter in name {
      if !letter.isLetter || wasSmall && letter.isUppercase {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if letter.isLetter { word.append(letter) }
      wasSmall = letter.isLowercase
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }

  /// What a word means, or the words that it is put together from; nil where it is not known.
  private static func meanings(_ word: String) -> Set<NameMeaning>? {
    let letters = Array(word)
    // Per place, the meanings of what stands before it with the fewest words.
    var before: [(count: Int, meanings: Set<NameMeaning>)?] = [(0, [])]
    before += Array(repeating: nil, count: letters.count)
    for start in letters.indices {
      guard let (count, meanings) = before[start] else { continue }
      for end in (start + 1)...letters.count {
        guard let found = lexicon[String(letters[start..<end])],
          count + 1 < before[end]?.count ?? .max
        else { continue }
        before[end] = (count + 1, meanings.union(found))
      }
    }
    return before[letters.count]?.meanings
  }

  private static let lexicon: [String: Set<NameMeaning>] = {
    var lexicon: [String: Set<NameMeaning>] = [:]
    for (meanings, words) in said {
      for word in words.split(separator: " ") {
        lexicon[String(word), default: []].formUnion(meanings)
      }
    }
    for (meaning, verbs) in verbs {
      for verb in verbs.split(separator: " ").map(String.init) {
        // `create`, `created`, `creation`, `creating`; `pay`, `payment`; `ship`, `shipped`.
        let twice = verb + verb.suffix(1)
        let forms = ["", "e", "s", "es", "ing", "ion", "ment", "ments", "al"].map { verb + $0 }
        for form in forms + [twice + "ing"] { lexicon[form, default: []].insert(meaning) }
        for form in [verb + "ed", twice + "ed"] {
          lexicon[form, default: []].formUnion([meaning, .past])
        }
      }
    }
    return lexicon
  }()

  private static let verbs: [(NameMeaning, String)] = [
    (.beginning, "creat insert plac order add submit enter book open regist record"),
    (.payment, "pay charg settl verifi"),
    (.purchase, "purchas buy"),
    (.delivery, "complet fulfil deliver ship finish grant"),
    (.refund, "refund revok revocat cancel cancell cancellat return"),
    (.expiry, "expir expirat"),
  ]

  private static let said: [(Set<NameMeaning>, String)] = [
    (
      [.time],
      "at on time times date dates ts timestamp datetime day dt ms millis epoch unix gmt utc"
    ),
    // A time's `am`, `le` and `el`, and what only joins words.
    ([.time], "am zeit datum heure le fecha hora el 时间 日期 時間 日 日時 날짜"),
    ([], "d de du del la"),
    ([.beginning], "start begin 创建 下单 生成 新增"),
    ([.beginning, .past], "erstellt bestellt angelegt eingegangen créé créée creado creada"),
    ([.payment], "pmt 支付 付款 支払"),
    ([.payment, .past], "paid bezahlt payé payée pagado"),
    ([.purchase], "kauf achat compra 购买 購入"),
    ([.purchase, .past], "bought sold gekauft acheté comprado"),
    ([.delivery], "done delivery delivered 发货 完成 geliefert ausgeliefert livré livrée entregado"),
    ([.refund], "退款"),
    ([.refund, .past], "erstattet storniert annulé annulée remboursé cancelado reembolsado"),
    ([.expiry], "expires expiry expiration 到期 ablauf"),
    (
      [.order],
      "order orders ord purchase invoice invoices inv bill billing sale sales ticket booking rental"
    ),
    ([.order], "checkout cart trade 订单 bestellung bestell auftrag auftrags 注文"),
    ([.order], "commande pedido"),
    ([.transaction], "transaction transactions txn trans tx 交易 transaktion 取引"),
    ([.transaction], "transaktions transacción transaccion"),
    ([.original], "original orig first ursprung ursprungs origine origen"),
    ([.line], "line lines detail details position row entry 明细 zeile"),
    ([.line, .product], "lineitem orderitem orderline"),
    ([.product], "product products prod sku item items goods good article track film variant plan"),
    ([.product], "part inventory merchandise isbn asin commodity 商品 产品 artikel produkt"),
    ([.product], "produit article producto"),
    ([.product, .id], "sku"),
    ([.customer], "customer customers cust user users member client buyer account player guest"),
    ([.customer], "subscriber patron uid userid 用户 会员 客户 买家 kunde kunden 会員 cliente"),
    ([.id], "id ids no number num nr sn nbr code key uuid guid ref identifier pk 编号 号 番号 nummer"),
    ([.id], "numéro numero número"),
    ([.status], "status state stat 状态 zustand ステータス statut état estado"),
    ([.price], "price prices amount fee unit cents minor ct fen 单价 价格 preis betrag"),
    ([.price], "brutto einzelpreis stückpreis prix unitaire montant precio unitario importe"),
    ([.sum], "total sum subtotal grand gross revenue 总额 总价 合计"),
    ([.quantity], "quantity qty count units pieces 数量 menge quantité cantidad"),
    ([.currency], "currency currencies ccy iso 币种 währung waehrung devise moneda"),
    ([.country], "country countries territory storefront region 国家 地区 land pays país"),
    ([.environment], "environment env sandbox umgebung environnement entorno"),
    ([.ownership], "ownership owned"),
  ]
}

/// What the words of a name have to say to be a column's: one of each set, and nothing else but
/// what may stand beside them.
private struct NamePattern {
  let needs: [Set<NameMeaning>]
  let may: Set<NameMeaning>

  /// - Parameters:
  ///   - needs: sets of meanings, of each of which the name must have one.
  ///   - may: meanings that it may have beside these.
  init(_ needs: Set<NameMeaning>..., may: Set<NameMeaning> = []) {
    self.needs = needs
    self.may = may
  }

  /// Whether the words of a name say what the pattern needs, and nothing else but what may stand
  /// beside.
  func fits(_ words: NameWords) -> Bool {
    guard let meanings = words.meanings else { return false }
    return needs.allSatisfy { !$0.isDisjoint(with: meanings) }
      && meanings.isSubset(of: needs.reduce(may.union([.past])) { $0.union($1) })
  }
}

extension CompanyTable {
  /// The columns of a file whose names say by their words what `column` of a table of purchases
  /// says, the likeliest first; none for other tables.
  ///
  /// - Parameters:
  ///   - column: by Tieout's name.
  ///   - sources: the file's columns.
  ///   - words: those of their names.
  func spelt(
    _ column: String, among sources: [String], _ words: [String: NameWords]
  ) -> [String] {
    guard kind == .orders || kind == .transactions else { return [] }
    return (Self.patterns[kind]?[column] ?? Self.patterns[nil]?[column] ?? [])
      .flatMap { pattern in sources.filter { pattern.fits(words[$0]!) } }
  }

  /// By kind and column, the likeliest first.
  private static let patterns: [InputKind?: [String: [NamePattern]]] = [
    .orders: [
      "order_id": [
        NamePattern([.line], [.id], may: [.order, .product]),
        NamePattern([.order], [.product], [.id], may: [.beginning]),
        NamePattern([.order], [.id], may: [.beginning]),
        NamePattern([.id]), NamePattern([.payment, .transaction], [.id]),
      ],
      "placed_at": [
        NamePattern([.beginning], [.time, .past], may: [.order]),
        NamePattern([.order, .purchase], [.time], may: [.beginning]),
        NamePattern([.time]), NamePattern([.payment, .transaction], [.time]),
      ],
      "transaction_id": [NamePattern([.transaction], [.id])],
      "paid_at": [NamePattern([.payment], [.time], may: [.order, .transaction, .delivery])],
      "fulfilled_at": [NamePattern([.delivery], [.time], may: [.order])],
    ],
    .transactions: [
      "transaction_id": [NamePattern([.transaction], [.id]), NamePattern([.id])],
      "purchased_at": [
        NamePattern([.purchase], [.time], may: [.order]),
        NamePattern([.payment, .transaction], [.time]),
        NamePattern([.beginning], [.time, .past]), NamePattern([.time]),
      ],
      "original_transaction_id": [NamePattern([.original], [.transaction], may: [.id])],
      "order_id": [NamePattern([.order], [.id])],
      "expires_at": [NamePattern([.expiry], may: [.time])],
      "revoked_at": [NamePattern([.refund], [.time])],
    ],
    nil: [
      "sku": [NamePattern([.product], [.id]), NamePattern([.product])],
      "status": [NamePattern([.status], may: [.order, .payment, .beginning])],
      "user_id": [NamePattern([.customer], may: [.id])],
      "quantity": [NamePattern([.quantity], may: [.product, .line, .order])],
      "unit_price": [NamePattern([.price], may: [.product, .line, .order])],
      "currency": [NamePattern([.currency], may: [.id])],
      "storefront": [NamePattern([.country], may: [.id, .customer, .delivery, .order])],
      "environment": [NamePattern([.environment])],
    ],
  ]
}
