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
    /// A line per rate; where they are told, the frequency, of which days are taken, and the
    /// multiplier of the rate.
    case series(base: Int, quote: Int, rate: Int, frequency: Int?, multiplier: Int?)
    /// A line per currency by its Chinese name or its code, in yuan for a hundred, and when it was
    /// published.
    case chinese(name: Int, rate: Int, title: String, time: Int)
  }

  let date: Int
  let form: Form
  /// Columns that are none of a rate.
  private(set) var unread: [String] = []
  /// Whether all rates are for a hundred, as a rate of the dollar shows.
  private(set) var isPerHundred = false
  /// How days are written whose year comes last, where the first rows decide it.
  var dates: TableMapping.DateOrder?

  /// Finds the rates by the header of a central bank's table; nil for any other header.
  init?(_ header: Header) {
    if let found = Self.euro(header) ?? Self.pairs(header) {
      (date, form) = (0, .wide(found))
    } else if let found = Self.hundreds(header) {
      (date, form, isPerHundred) = (0, .wide(found), true)
    } else if let found = Self.dollars(header) {
      (date, form) = (0, .wide(found))
      unread = Self.unread(header.printed, found)
    } else if let base = header.names.firstIndex(of: "currency_denom"),
      let quote = header.names.firstIndex(of: "currency"),
      let date = header.names.firstIndex(of: "time_period"),
      let rate = header.names.firstIndex(of: "obs_value")
    {
      self.date = date
      form = .series(
        base: base, quote: quote, rate: rate, frequency: header.names.firstIndex(of: "freq"),
        multiplier: header.names.firstIndex(of: "unit_mult"))
    } else if let name = header.names.firstIndex(of: "货币名称"),
      let rate = header.names.firstIndex(of: "中行折算价"),
      let date = ["发布日期", "发布时间", "查询日期"].lazy
        .compactMap({ header.names.firstIndex(of: $0) }).first
    {
      self.date = date
      let time = header.names.firstIndex(of: "发布时间") ?? date
      form = .chinese(name: name, rate: rate, title: "中行折算价", time: time)
    } else if let name = header.names.firstIndex(of: "currency name"),
      let rate = header.names.firstIndex(of: "middle rate"),
      let date = header.names.firstIndex(of: "pub time")
    {
      self.date = date
      form = .chinese(name: name, rate: rate, title: "Middle Rate", time: date)
    } else {
      return nil
    }
  }

  /// How the Federal Reserve's files begin, whole and without the lines that somebody cut.
  static let federalBegins = ["series description", "unique identifier"]

  /// Finds the rates of the Federal Reserve's H.10, whose columns are told by several lines:
  /// `Currency:_Per_EUR` in `USD` is the euro's price in dollars. Nil for any other table.
  ///
  /// - Parameter lines: the lines up to the one that begins with `Time Period`.
  init?(federalReserve lines: [Header]) {
    /// The fields of the line that begins with this one; nil where there is none.
    func line(_ begin: String) -> [String]? {
      lines.first { $0.names.first == begin }?.printed
    }
    guard let last = lines.last, last.names.first == "time period" else { return nil }
    guard let units = line("unit:"), let currencies = line("currency:") else {
      // Who cut the lines above left the names of the series.
      guard let found = Self.dollars(last) else { return nil }
      (date, form) = (0, .wide(found))
      unread = Self.unread(last.printed, found)
      return
    }
    let multipliers = line("multiplier:") ?? []
    let found = zip(units, currencies).enumerated().compactMap { field, series -> Quote? in
      guard series.0.contains("_Per_"), let base = Currency(String(series.0.suffix(3))),
        let quote = Currency(series.1),
        field >= multipliers.count || ["1", "1.0"].contains(multipliers[field])
      else { return nil }
      return Quote(field: field, name: "\(base)/\(quote)", base: base, quote: quote)
    }
    if found.isEmpty { return nil }
    (date, form) = (0, .wide(found))
    unread = Self.unread(line("series description") ?? last.printed, found)
  }

  /// The names of the columns behind the first that have no rate.
  private static func unread(_ printed: [String], _ found: [Quote]) -> [String] {
    let read = Set(found.map(\.field))
    return printed.indices.dropFirst().filter { !read.contains($0) && !printed[$0].isEmpty }
      .map { printed[$0] }
  }

  /// The Federal Reserve's series by their names alone; nil for none. `RXI_N.B.CH` is so many yuan
  /// for a dollar, `RXI$US_N.B.EU` dollars for a euro; FRED calls them `DEXCHUS` and `DEXUSEU`.
  private static func dollars(_ header: Header) -> [Quote]? {
    guard ["time period", "observation_date", "date"].contains(header.names.first) else {
      return nil
    }
    let dollar = Currency("USD")!
    let found = header.printed.enumerated().dropFirst().compactMap { field, name -> Quote? in
      let series = name.split(separator: "/").last ?? ""
      let country: Substring
      let isInverse: Bool
      if series.hasPrefix("RXI$US_N.B.") {
        (country, isInverse) = (series.dropFirst(11), true)
      } else if series.hasPrefix("RXI_N.B.") {
        (country, isInverse) = (series.dropFirst(8), false)
      } else if series.hasPrefix("DEXUS"), series.utf8.count == 7 {
        (country, isInverse) = (series.dropFirst(5), true)
      } else if series.hasPrefix("DEX"), series.hasSuffix("US"), series.utf8.count == 7 {
        (country, isInverse) = (series.dropFirst(3).dropLast(2), false)
      } else {
        return nil
      }
      guard let other = federalCurrencies[String(country)].flatMap({ Currency($0) }) else {
        return nil
      }
      return Quote(
        field: field, name: name, base: isInverse ? other : dollar,
        quote: isInverse ? dollar : other)
    }
    return found.isEmpty ? nil : found
  }

  /// Mid-rates of the yuan as the foreign exchange administration lists them, by Chinese names: in
  /// yuan for a hundred of ten currencies, and of each other one so many for a hundred yuan. Nil
  /// for any other header.
  private static func hundreds(_ header: Header) -> [Quote]? {
    guard header.names.first == "日期" else { return nil }
    let yuan = Currency("CNY")!
    let columns = header.printed.enumerated().dropFirst().filter { !$0.element.isEmpty }
    let quotes = columns.compactMap { field, name -> Quote? in
      let code = administrationCurrencies[name] ?? chineseCurrencies[name]
      guard let code, let other = Currency(code) else { return nil }
      let isDirect = directCurrencies.contains(code)
      return Quote(
        field: field, name: name, base: isDirect ? other : yuan, quote: isDirect ? yuan : other,
        scale: 2)
    }
    // The dollar's rate shows that they are for a hundred.
    let hasDollar = quotes.contains { $0.base.code == "USD" }
    return hasDollar && quotes.count == columns.count ? quotes : nil
  }

  /// Throws a diagnostic for a table with a column per currency, which does not say in which
  /// currency its rates are. The European Central Bank's, which has no column of the euro, was
  /// recognised before this is called.
  static func refuseWithoutBase(_ header: Header) throws {
    guard ["date", "日期"].contains(header.names.first) else { return }
    let columns = header.printed.dropFirst().filter { !$0.isEmpty }
    guard columns.count > 1, columns.allSatisfy({ Currency($0)?.exists ?? false }) else { return }
    throw Diagnostic(
      topic: "column", at: SourceLocation(file: header.file, line: header.line),
      "@company.rates-name-no-base", help: "@company.write-each-rate-with-its-pair")
  }

  /// The columns of the European Central Bank's `eurofxref`, one per currency, and of its data
  /// portal, which have the keys of series: `EXR.D.USD.EUR.SP00.A`. Nil for any other header.
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
    guard plain.count >= 2, plain.count == columns.count else { return nil }
    // A euro in euros is in no table of the bank: what has one is in another currency.
    if plain.contains(where: { $0.quote == euro }) { return nil }
    let isKnown = plain.contains { $0.name == "USD" } || plain.allSatisfy(\.quote.exists)
    return isKnown ? plain : nil
  }

  /// Mid-rates of the yuan as CFETS exports them: `USD/CNY`, `100JPY/CNY`, `CNY/MYR`. Nil for any
  /// other header.
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

  /// Throws a diagnostic when two columns have rates of the same pair, as the European Central
  /// Bank's file may have.
  func refuseRepeats(_ header: Header) throws {
    guard case .wide(let quotes) = form else { return }
    var seen: Set<String> = []
    for quote in quotes where !seen.insert("\(quote.base)\(quote.quote)").inserted {
      throw header.diagnostic(
        "@shared.column-occurs-twice \(quote.name)", help: "@shared.leave-one-of-them-out")
    }
  }
}

/// Currencies by the Federal Reserve's codes of their countries, which are in the names of the
/// series of H.10.
private let federalCurrencies = [
  "AL": "AUD", "BZ": "BRL", "CA": "CAD", "CH": "CNY", "DN": "DKK", "EU": "EUR", "HK": "HKD",
  "IN": "INR", "JA": "JPY", "JP": "JPY", "KO": "KRW", "MA": "MYR", "MX": "MXN", "NO": "NOK",
  "NZ": "NZD", "SD": "SEK", "SF": "ZAR", "SI": "SGD", "SL": "LKR", "SZ": "CHF", "TA": "TWD",
  "TH": "THB", "UK": "GBP",
]

/// Names of the foreign exchange administration's table that the Bank of China has not, or has for
/// another currency.
private let administrationCurrencies = [
  "港元": "HKD", "澳元": "AUD", "加元": "CAD", "瑞郎": "CHF", "兰特": "ZAR", "迪拉姆": "AED",
  "里亚尔": "SAR", "福林": "HUF", "兹罗提": "PLN", "里拉": "TRY", "比索": "MXN",
]

/// Currencies that mid-rates give in yuan; of all others they give how much a yuan is.
private let directCurrencies: Set = [
  "USD", "EUR", "JPY", "HKD", "GBP", "AUD", "NZD", "SGD", "CHF", "CAD",
]

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
  "柬埔寨瑞尔": "KHR", "科威特第纳尔": "KWD", "蒙古图格里克": "MNT", "尼泊尔卢比": "NPR",
  "卡塔尔里亚尔": "QAR", "塞尔维亚第纳尔": "RSD", "斯里兰卡卢比": "LKR", "孟加拉塔卡": "BDT",
  "缅甸元": "MMK", "缅元": "MMK", "埃及镑": "EGP", "阿根廷比索": "ARS", "智利比索": "CLP",
  "哥伦比亚比索": "COP", "秘鲁新索尔": "PEN", "罗马尼亚列伊": "RON", "老挝基普": "LAK",
  "乌兹别克斯坦苏姆": "UZS", "尼日利亚奈拉": "NGN", "肯尼亚先令": "KES", "坦桑尼亚先令": "TZS",
]
