/// Storefronts that share a currency, a region and a tax.
struct SmallMarkets: Sendable {
  let codes: String
  let currency: String
  /// What a dollar costs there, about.
  let dollar: Int
  let region: DayRegion
  /// As ``ProceedsRule/Rates`` has them, as they stand in June 2023: months of other years have
  /// no such storefronts.
  let rates: ProceedsRule.Rates

  private init(
    _ codes: String, _ currency: String = "USD", _ dollar: Int = 1, _ region: DayRegion = .europe,
    tax: Int128 = 0, deduction: Int128 = 0, share: Int128 = 0
  ) {
    self.codes = codes
    self.currency = currency
    self.dollar = dollar
    self.region = region
    rates = ProceedsRule.Rates(
      tax: tax, deduction: deduction, share: share, commission: 300_000)
  }

  static let all = [
    SmallMarkets("CA", "CAD", 2, .americas),
    SmallMarkets("BR", "BRL", 5, .americas),
    SmallMarkets("MX", "MXN", 18, .americas, tax: 160_000),
    SmallMarkets("IN", "INR", 82, .asia, tax: 180_000, share: 20_000),
    SmallMarkets("SG", "SGD", 2, .asia, tax: 80_000),
    SmallMarkets("TH", "THB", 35, .asia, tax: 70_000),
    SmallMarkets("VN", "VND", 25_000, .asia, tax: 50_000, deduction: 50_000),
    SmallMarkets("PH", "PHP", 56, .asia),
    SmallMarkets("TR", "TRY", 25, tax: 180_000, deduction: 75_000),
    SmallMarkets("RU", "RUB", 90, tax: 200_000),
    SmallMarkets("SA", "SAR", 4, tax: 150_000),
    SmallMarkets("AE", "AED", 4, tax: 50_000),
    SmallMarkets("CH", "CHF", 2, tax: 77_000),
    SmallMarkets("PL", "PLN", 5, tax: 230_000),
    SmallMarkets("SE", "SEK", 11, tax: 250_000),
    SmallMarkets("NO", "NOK", 11, tax: 250_000),
    SmallMarkets("DK", "DKK", 7, tax: 250_000),
    SmallMarkets("NZ", "NZD", 2, .australia, tax: 150_000),
    SmallMarkets("IL", "ILS", 4),
    SmallMarkets("CL", "CLP", 900, .americas, tax: 190_000),
    SmallMarkets("CO", "COP", 4500, .americas, tax: 190_000),
    SmallMarkets("PE", "PEN", 4, .americas),
    SmallMarkets("ZA", "ZAR", 19, tax: 150_000),
    SmallMarkets("CZ", "CZK", 24, tax: 210_000),
    SmallMarkets("HU", "HUF", 350, tax: 270_000),
    SmallMarkets("RO", "RON", 5, tax: 190_000),
    SmallMarkets("QA", "QAR", 4),
    SmallMarkets("EG", "EGP", 31),
    SmallMarkets("KZ", "KZT", 450, .asia, tax: 120_000),
    SmallMarkets("NG", "NGN", 700),
    SmallMarkets("PK", "PKR", 280, .asia),
    SmallMarkets("TZ", "TZS", 2400),
    SmallMarkets("BE NL LT LV", "EUR", 2, tax: 210_000),
    SmallMarkets("AT BG EE SK", "EUR", 2, tax: 200_000),
    SmallMarkets("IE PT", "EUR", 2, tax: 230_000),
    SmallMarkets("FI GR", "EUR", 2, tax: 240_000),
    SmallMarkets("HR", "EUR", 2, tax: 250_000),
    SmallMarkets("SI", "EUR", 2, tax: 220_000),
    SmallMarkets("CY", "EUR", 2, tax: 190_000),
    SmallMarkets("LU", "EUR", 2, tax: 160_000),
    SmallMarkets("MT", "EUR", 2, tax: 180_000),
    SmallMarkets("KW IQ KE LB"),
    SmallMarkets("UA AL AM BY MD", tax: 200_000),
    SmallMarkets("AR CR DO EC GT PY SV UY HN BO JM TT NI VE BB", "USD", 1, .americas),
    SmallMarkets("LK MM LA NP MN BN MV", "USD", 1, .asia),
    SmallMarkets("KH", "USD", 1, .asia, tax: 100_000),
    SmallMarkets("UZ KG", "USD", 1, .asia, tax: 120_000),
    SmallMarkets("TJ", "USD", 1, .asia, tax: 150_000),
    SmallMarkets("GE UG", tax: 180_000),
    SmallMarkets("IS", tax: 240_000),
    SmallMarkets("GH", tax: 210_000),
    SmallMarkets("CM", tax: 192_500),
    SmallMarkets("BH", tax: 100_000),
    SmallMarkets("OM", tax: 50_000),
    SmallMarkets("BS", "USD", 1, .americas, tax: 100_000),
    SmallMarkets("ZW", tax: 150_000, deduction: 50_000),
    SmallMarkets("DZ MA TN LY AZ MK CI SN AO CD CG GA ZM MU RW BW MG ML NA MZ"),
    SmallMarkets("ME XK", "EUR", 2),
    SmallMarkets("AG AI BM BZ DM GD GY KN KY LC MS SR TC VC VG", "USD", 1, .americas),
    SmallMarkets("BT FJ FM NR PW TM TO VU", "USD", 1, .asia),
    SmallMarkets("PG SB", "USD", 1, .australia),
    SmallMarkets("AF BF BJ CV GM GW LR MR MW NE SC SL ST SZ TD YE"),
  ]

  /// What is taken in one of them; nil where the storefront is none of these.
  static func rates(_ storefront: String) -> ProceedsRule.Rates? { ratesOf[storefront] }

  private static let ratesOf = Dictionary(
    uniqueKeysWithValues: all.flatMap { group in
      group.codes.split(separator: " ").map { (String($0), group.rates) }
    })
}
