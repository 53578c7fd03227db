package import Billing

func files(_ count: Int) -> Wording { counted(count, "@shared.1-file") { "@shared.files \($0)" } }
func rows(_ count: Int) -> Wording { counted(count, "@shared.1-row") { "@shared.rows \($0)" } }
func orders(_ count: Int) -> Wording {
  counted(count, "@shared.1-order") { "@shared.orders-2 \($0)" }
}
func records(_ count: Int) -> Wording {
  counted(count, "@shared.1-record") { "@shared.records \($0)" }
}
func transactions(_ count: Int) -> Wording {
  counted(count, "@shared.1-transaction") { "@shared.transactions-2 \($0)" }
}
func badRows(_ count: Int) -> Wording {
  counted(count, "@shared.1-bad-row") { "@shared.bad-rows \($0)" }
}
func days(_ count: Int) -> Wording { counted(count, "@shared.1-day") { "@shared.days \($0)" } }
package func errors(_ count: Int) -> Wording {
  counted(count, "@shared.1-error") { "@shared.errors \($0)" }
}
