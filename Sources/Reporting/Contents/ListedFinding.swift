import Billing
import Conclusions
import Languages

/// A finding and its index among all. It is looked at where it stands: a copy would cost more than
/// what most columns say of it.
struct ListedFinding {
  private let all: [Finding]
  let number: Int

  /// The finding at an index.
  init(_ all: [Finding], at number: Int) { (self.all, self.number) = (all, number) }

  var finding: Finding { _read { yield all[number] } }

  /// What the finding comes to, by storefront.
  var worth: [StorefrontMoney] { all.worth(at: number) }
}

extension [Finding] {
  /// Each finding with its index among all.
  var listed: some Collection<ListedFinding> {
    indices.lazy.map { ListedFinding(self, at: $0) }
  }
}
