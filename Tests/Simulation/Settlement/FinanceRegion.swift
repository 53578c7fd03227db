import Billing

/// A region of Apple's financial reports and payments, each with one currency.
struct FinanceRegion: Hashable, Sendable {
  /// `EU`, `LL`, `CN`: as the names of the reports have it.
  let code: String
  let currency: Currency
  /// As the payments summary names it.
  let english: String
  let chinese: String

  private init(_ code: String, _ currency: String, _ english: String, _ chinese: String) {
    self.code = code
    self.currency = Currency(currency)!
    self.english = english
    self.chinese = chinese
  }

  static let all = [
    FinanceRegion("AP", "USD", "South Asia and Pacific", "南亚和太平洋地区"),
    FinanceRegion("AU", "AUD", "Australia", "澳大利亚"),
    FinanceRegion("BR", "BRL", "Brazil", "巴西"),
    FinanceRegion("CA", "CAD", "Canada", "加拿大"),
    FinanceRegion("CN", "CNY", "China mainland", "中国大陆"),
    FinanceRegion("EU", "EUR", "Euro-Zone", "欧元区"),
    FinanceRegion("GB", "GBP", "United Kingdom", "英国"),
    FinanceRegion("HK", "HKD", "Hong Kong", "香港"),
    FinanceRegion("ID", "IDR", "Indonesia", "印度尼西亚"),
    FinanceRegion("JP", "JPY", "Japan", "日本"),
    FinanceRegion("KR", "KRW", "Korea, Republic of", "韩国"),
    FinanceRegion("LL", "USD", "Latin America and the Caribbean", "拉丁美洲和加勒比海地区"),
    FinanceRegion("TW", "TWD", "Taiwan", "台湾"),
    FinanceRegion("US", "USD", "Americas", "美洲"),
    FinanceRegion("WW", "USD", "Rest of World", "世界其他地区"),
  ]

  static func region(_ code: String) -> FinanceRegion {
    guard let region = all.first(where: { $0.code == code }) else {
      preconditionFailure("no region \(code)")
    }
    return region
  }

  /// The region of what was sold in `market` for `currency`.
  static func of(_ market: Market, _ currency: Currency) -> FinanceRegion {
    switch market.storefront.code {
    case _ where currency != market.currency:
      // A region has one currency: what was paid in a foreign one counts where that one belongs.
      region(currency.code == "CAD" ? "CA" : "WW")
    case "DE", "FR", "IT", "ES", "BA", "RS": region("EU")
    case "PA": region("LL")
    case "MO": region("AP")
    case "JO": region("WW")
    default: region(market.storefront.code)
    }
  }
}
