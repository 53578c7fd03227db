import Billing
import Conclusions
import Matching

extension Reconciliation {
  /// Replaces the ids of users by masked ones in all that leaves the ledger (advice, lists of the
  /// workbook, patterns), and keeps which user each mask of a finding stands for.
  mutating func hideUsers(_ mask: UserMask) {
    for index in findings.indices where !findings[index].customer.isEmpty {
      let user = findings[index].customer
      findings[index].rename(customer: mask(user))
      hiddenUsers[findings[index].customer] = user
    }
    for index in refunds.indices { refunds[index].user = mask(refunds[index].user) }
    for index in subscriptions.indices {
      subscriptions[index].user = mask(subscriptions[index].user)
    }
    for index in patterns.indices where [.user, .ring].contains(patterns[index].dimension) {
      patterns[index].users = patterns[index].users.map { mask($0) }
      patterns[index].value = patterns[index].users.joined(separator: ", ")
    }
  }
}
