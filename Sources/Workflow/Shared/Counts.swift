package import Billing

func files(_ count: Int) -> Wording { counted(count, "1 file") { "\($0) files" } }
func rows(_ count: Int) -> Wording { counted(count, "1 row") { "\($0) rows" } }
func orders(_ count: Int) -> Wording { counted(count, "1 order") { "\($0) orders" } }
func records(_ count: Int) -> Wording { counted(count, "1 record") { "\($0) records" } }
func transactions(_ count: Int) -> Wording {
  counted(count, "1 transaction") { "\($0) transactions" }
}
func badRows(_ count: Int) -> Wording { counted(count, "1 bad row") { "\($0) bad rows" } }
func days(_ count: Int) -> Wording { counted(count, "1 day") { "\($0) days" } }
package func errors(_ count: Int) -> Wording { counted(count, "1 error") { "\($0) errors" } }
