package import Billing
import Foundation

/// Today's date in UTC.
package func today() -> Day { now().day() }

/// The present moment.
package func now() -> Instant { Instant(seconds: Int64(time(nil))) }
