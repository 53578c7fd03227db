import Billing
import Conclusions
import Foundation
import Ledger
import Support
import Testing

@testable import Matching
@testable import Workflow

/// Goal: with `mask_users` no user's id leaves the ledger. Method: the sample month, whose refunds
/// and subscriptions name users, reconciled with and without.
@Suite struct HiddenUsersTests {
  @Test func `lists of a reconciliation tell users by digests`() throws {
    let folder = try TemporaryFolder()
    let month = checkout + "samples/2023-06"
    var roots = TrustRoots()
    try roots.add(path: month + "/apple-test-root.pem")
    var request = ImportRequest(
      paths: [month], ledgerPath: folder.ledger, importedAt: Instant(seconds: 1_688_500_000))
    request.roots = roots.certificates
    request.leftOut = roots.paths + [month + "/tieout.toml"]
    _ = try importFiles(request)
    func users(hidden: Bool) throws -> [String] {
      var settings = Settings()
      settings.maskUsers = hidden
      let result = try reconcile(
        ReconcileRequest(
          ledgerPath: folder.ledger, period: Period("2023-06")!, settings: settings,
          asOf: Day("2023-07-05")!))
      return result.refunds.map(\.user) + result.subscriptions.map(\.user)
    }
    let (plain, hidden) = (try users(hidden: false), try users(hidden: true))
    #expect(plain.count == hidden.count && plain.contains { !$0.isEmpty })
    for (name, mask) in zip(plain, hidden) {
      #expect(name.isEmpty ? mask.isEmpty : mask.hasPrefix("user-") && mask != name)
    }
    // The same user has the same digest, and no other has it.
    #expect(Set(plain).count == Set(hidden).count)
  }

  /// Each user of a ring is masked as he is anywhere else.
  @Test func everyUserOfARingIsMasked() throws {
    let folder = try TemporaryFolder()
    let mask = try UserMask(Ledger(path: folder.ledger, mode: .readWrite))
    var month = Reconciliation(
      period: Period("2023-06")!, baseCurrency: Currency("CNY")!, asOf: Day("2023-07-05")!)
    month.patterns = [
      Pattern(
        codes: [.orderWithoutTransaction], dimension: .ring, value: "ann, bob, 4711",
        users: ["ann, bob", "4711"], count: 9, total: 9, baseShare: 10, base: .orders, rarity: 9)
    ]
    month.hideUsers(mask)
    #expect(
      month.patterns[0].value
        == ["ann, bob", "4711"].map { mask($0) }.joined(separator: ", "))
    #expect(!month.patterns[0].value.contains("bob"))
  }
}
