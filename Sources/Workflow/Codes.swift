package import Billing
import Foundation
import Pricing

/// The storefront with this two- or three-letter code or Apple id, when Apple has one there.
package func knownStorefront(_ code: String) -> Storefront? {
  StorefrontTable.builtIn.storefront(code)
}

/// The currency with this three-letter code, when ISO 4217 has it.
package func knownCurrency(_ code: String) -> Currency? {
  Locale.commonISOCurrencyCodes.contains(code) ? Currency(code) : nil
}

/// Today's date in UTC.
package func today() -> Day { now().day() }

/// The present moment.
package func now() -> Instant { Instant(seconds: Int64(time(nil))) }
