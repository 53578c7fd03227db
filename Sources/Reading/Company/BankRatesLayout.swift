internal import Billing

/// Where a central bank's table of exchange rates has them, as downloaded: so many of `quote` for
/// one of `base`, or for ten to the power of `scale`.
struct BankRatesLayout {
  struct Quote {
    var field: Int
    var name: String
    var base: Currency
    var quote: Currency
    var scale = 0
  }

  enum Form {
    /// A line per day, a column per pair.
    case wide([Quote])
    /// A line per rate; the frequency where one is told, of which days are taken.
    case series(base: Int, quote: Int, rate: Int, frequency: Int?)
    /// A line per currency by its Chinese name, in yuan for a hundred.
    case chinese(name: Int, rate: Int)
  }

  let date: Int
  let form: Form

  /// Nil for any other header.
  init?(_ header: Header) {
    if let found = Self.euro(header) ?? Self.pairs(header) {
      (date, form) = (0, .wide(found))
    } else if let base = header.names.firstIndex(of: "currency_denom"),
      let quote = header.names.firstIndex(of: "currency"),
      let date = header.names.firstIndex(of: "time_period"),
      let rate = header.names.firstIndex(of: "obs_value")
    {
      self.date = date
      form = .series(
        base: base, quote: quote, rate: rate, frequency: header.names.firstIndex(of: "freq"))
    } else if let name = header.names.firstIndex(of: "货币名称"),
      let rate = header.names.firstIndex(of: "中行折算价"),
      let date = ["发布日期", "发布时间", "查询日期"].lazy
        .compactMap({ header.names.firstIndex(of: $0) }).first
    {
      self.date = date
      form = .chinese(name: name, rate: rate)
    } else {
      return nil
    }
  }

  /// The Federal Reserve's H.10, whose columns are told by several lines: `Currency:_Per_EUR` in
  /// `USD` is the euro's price in dollars.
  ///
  /// - Parameter lines: the lines up to the one that begins with `Time Period`, by their begin.
  init?(federalReserve lines: [Header]) {
    func line(_ begin: String) -> [String]? {
      lines.first { $0.names.first == begin }?.printed
    }
    guard lines.first?.names.first == "series description", let units = line("unit:"),
      let currencies = line("currency:"), lines.last?.names.first == "time period"
    else { return nil }
    let multipliers = line("multiplier:") ?? []
    let found = zip(units, currencies).enumerated().compactMap { field, told -> Quote? in
      guard told.0.contains("_Per_"), let base = Currency(String(told.0.suffix(3))),
        let quote = Currency(told.1),
        field >= multipliers.count || ["1", "1.0"].contains(multipliers[field])
      else { return nil }
      return Quote(field: field, name: "\(base)/\(quote)", base: base, quote: quote)
    }
    if found.isEmpty { return nil }
    (date, form) = (0, .wide(found))
  }

  /// The European Central Bank's `eurofxref`, a column per currency, and its data portal's, whose
  /// columns have the keys of series: `EXR.D.USD.EUR.SP00.A`.
  private static func euro(_ header: Header) -> [Quote]? {
    guard header.names.first == "date" else { return nil }
    let euro = Currency("EUR")!
    let columns = header.printed.enumerated().dropFirst().filter { !$0.element.isEmpty }
    let series = columns.compactMap { field, name -> Quote? in
      let key = name.split(separator: "(").last?.split(separator: ".") ?? []
      guard key.count == 6, key[0] == "EXR", key[1] == "D", let quote = Currency(String(key[2])),
        let base = Currency(String(key[3]))
      else { return nil }
      return Quote(field: field, name: name, base: base, quote: quote)
    }
    if !series.isEmpty { return series }
    let plain = columns.compactMap { field, name in
      Currency(name).map { Quote(field: field, name: name, base: euro, quote: $0) }
    }
    return plain.count >= 2 && plain.count == columns.count ? plain : nil
  }

  /// Mid-rates of the yuan as CFETS exports them: `USD/CNY`, `100JPY/CNY`, `CNY/MYR`.
  private static func pairs(_ header: Header) -> [Quote]? {
    guard ["日期", "date"].contains(header.names.first) else { return nil }
    let columns = header.printed.enumerated().dropFirst().filter { !$0.element.isEmpty }
    let pairs = columns.compactMap { field, name -> Quote? in
      let parts = name.split(separator: "/")
      guard parts.count == 2, let base = Currency(String(parts[0].suffix(3))),
        let quote = Currency(String(parts[1]))
      else { return nil }
      let units = parts[0].dropLast(3)
      guard let scale = ["", "10", "100", "1000", "10000"].firstIndex(of: String(units)) else {
        return nil
      }
      return Quote(field: field, name: name, base: base, quote: quote, scale: scale)
    }
    return !pairs.isEmpty && pairs.count == columns.count ? pairs : nil
  }

  /// Checks what the header of the European Central Bank's file may have twice.
  func refuseRepeats(_ header: Header) throws {
    guard case .wide(let quotes) = form else { return }
    var seen: Set<String> = []
    for quote in quotes where !seen.insert("\(quote.base)\(quote.quote)").inserted {
      throw header.diagnostic(
        "@shared.column-occurs-twice \(quote.name)", help: "@shared.leave-one-of-them-out")
    }
  }
}

/// Currencies by the names that the Bank of China has for them (its rate page, stored copies of
/// 2026).
let chineseCurrencies = [
  "美元": "USD", "欧元": "EUR", "英镑": "GBP", "港币": "HKD", "日元": "JPY", "澳大利亚元": "AUD",
  "加拿大元": "CAD", "瑞士法郎": "CHF", "新加坡元": "SGD", "新西兰元": "NZD", "韩国元": "KRW",
  "韩元": "KRW", "泰国铢": "THB", "泰铢": "THB", "澳门元": "MOP", "新台币": "TWD", "菲律宾比索": "PHP",
  "印尼卢比": "IDR", "印度卢比": "INR", "瑞典克朗": "SEK", "丹麦克朗": "DKK", "挪威克朗": "NOK",
  "卢布": "RUB", "俄罗斯卢布": "RUB", "南非兰特": "ZAR", "林吉特": "MYR", "马来西亚林吉特": "MYR",
  "巴西里亚尔": "BRL", "阿联酋迪拉姆": "AED", "沙特里亚尔": "SAR", "土耳其里拉": "TRY",
  "匈牙利福林": "HUF", "波兰兹罗提": "PLN", "墨西哥比索": "MXN", "越南盾": "VND", "文莱元": "BND",
  "捷克克朗": "CZK", "以色列谢克尔": "ILS", "哈萨克斯坦坚戈": "KZT", "巴基斯坦卢比": "PKR",
]
