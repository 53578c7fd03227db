import Billing
import Matching
import Languages

/// A finding and its place among all. It is looked at where it stands: a copy would cost more than
/// what most columns say of it.
struct ListedFinding {
  private let all: [Finding]
  let number: Int

  init(_ all: [Finding], at number: Int) { (self.all, self.number) = (all, number) }

  var finding: Finding { _read { yield all[number] } }

  var worth: [StorefrontMoney] { all.worth(at: number) }
}

extension [Finding] {
  /// Each with its place.
  var listed: some Collection<ListedFinding> {
    indices.lazy.map { ListedFinding(self, at: $0) }
  }
}
