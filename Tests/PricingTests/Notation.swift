import Billing
import Pricing

/// Short notation for test data; what cannot be read traps.
func shop(_ code: String) -> Storefront { Storefront(code)! }
func money(_ code: String) -> Currency { Currency(code)! }
func day(_ text: String) -> Day { Day(text)! }
func amount(_ text: String) -> Int64 { micros(decimal: text)! }

/// A developer at home in mainland China, outside every programme.
let plainBook = PriceBook(developerCountry: shop("CN"))
