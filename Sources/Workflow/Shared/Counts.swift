package import Billing

/// A number of files in words: `1 file`, `12 files`.
func files(_ count: Int) -> Wording { counted(count, "@shared.1-file") { "@shared.files \($0)" } }
/// A number of rows in words: `1 row`, `12 rows`.
func rows(_ count: Int) -> Wording { counted(count, "@shared.1-row") { "@shared.rows \($0)" } }
/// A number of orders in words: `1 order`, `12 orders`.
func orders(_ count: Int) -> Wording {
  counted(count, "@shared.1-order") { "@shared.orders-2 \($0)" }
}
/// A number of records in words: `1 record`, `12 records`.
func records(_ count: Int) -> Wording {
  counted(count, "@shared.1-record") { "@shared.records \($0)" }
}
/// A number of transactions in words: `1 transaction`, `12 transactions`.
func transactions(_ count: Int) -> Wording {
  counted(count, "@shared.1-transaction") { "@shared.transactions-2 \($0)" }
}
/// A number of bad rows in words: `1 bad row`, `12 bad rows`.
func badRows(_ count: Int) -> Wording {
  counted(count, "@shared.1-bad-row") { "@shared.bad-rows \($0)" }
}
/// A number of days in words: `1 day`, `12 days`.
func days(_ count: Int) -> Wording { counted(count, "@shared.1-day") { "@shared.days \($0)" } }
/// A number of errors in words: `1 error`, `12 errors`.
package func errors(_ count: Int) -> Wording {
  counted(count, "@shared.1-error") { "@shared.errors \($0)" }
}
