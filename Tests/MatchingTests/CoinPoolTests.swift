import Billing
import Conclusions
import Testing

@testable import Matching

/// Coins by day and product, and what users have.
@Suite struct CoinPoolTests {
  private func pool(
    due: [Int64], likely: [Int64]? = nil, unlikely: [Int64]? = nil, granted: [Int64]
  ) -> CoinPool {
    let none = [Int64](repeating: 0, count: due.count)
    return CoinPool(due: due, likely: likely ?? none, unlikely: unlikely ?? none, granted: granted)
  }

  @Test func `a grant may come two days after its sale or before`() {
    let late = pool(due: [300, 0, 0, 300, 0], granted: [0, 300, 300, 0, 0])
    #expect(late.lacking == [0, 0, 0, 0, 0] && late.excess == [0, 0, 0, 0, 0])
    #expect(late.moved == 600)
    let later = pool(due: [300, 0, 0, 0], granted: [0, 0, 0, 300])
    #expect(later.lacking == [300, 0, 0, 0] && later.excess == [0, 0, 0, 300])
  }

  @Test func `coins that come late day after day are not told`() {
    let late = pool(due: [300, 500, 400, 300, 0, 0], granted: [0, 500, 400, 300, 300, 0])
    let rest = late.withoutChains()
    #expect(rest.lacking == [0, 0, 0, 0, 0, 0] && rest.excess == [0, 0, 0, 0, 0, 0])
    let apart = pool(due: [300, 0, 0, 0, 0, 0], granted: [0, 0, 0, 0, 300, 0])
    let both = apart.withoutChains()
    #expect(both.lacking == [300, 0, 0, 0, 0, 0] && both.excess == [0, 0, 0, 0, 300, 0])
    // Where nothing comes late, one fault does not stand for another.
    #expect(late.lacking == [300, 0, 0, 0, 0, 0] && late.excess == [0, 0, 0, 0, 300, 0])
  }

  @Test func `an order of the day that was granted goes first`() {
    let refunded = pool(due: [0, 300], likely: [300, 0], granted: [300, 0])
    #expect(refunded.lacking == [0, 300] && refunded.excess == [0, 0])
    let cancelled = pool(due: [0, 300], unlikely: [300, 0], granted: [300, 0])
    #expect(cancelled.lacking == [0, 0] && cancelled.excess == [0, 0])
  }

  @Test func `what lacks and what is too much are told by day`() {
    let all = pool(due: [600, 0, 0, 0], unlikely: [0, 0, 0, 50], granted: [500, 0, 0, 120])
    var rest = all.withoutOptional()
    #expect(rest.lacking == [100, 0, 0, 0] && rest.excess == [0, 0, 0, 70])
    #expect(all.excess == [0, 0, 0, 120])
    var untold: Int64 = 70
    rest.cover(with: &untold)
    #expect(rest.lacking == [30, 0, 0, 0] && untold == 0)
  }

  @Test func `the oldest coins are spent first`() {
    let accounts = CoinAccounts()
    let number = accounts.number(of: CoinAccounts.key(IDKey("u1")))
    for (coins, days) in [(100, 400), (50, 200), (30, 100), (20, 40), (10, 3)] as [(Int64, Int)] {
      accounts.grant(coins, CoinAge(days: days), to: number)
      accounts[number].pointee.paid += coins
    }
    #expect(accounts.unspent(number) == [10, 20, 30, 50, 100])
    accounts[number].pointee.paid -= 120
    #expect(accounts.unspent(number) == [10, 20, 30, 30, 0])
    accounts[number].pointee.paid -= 85
    #expect(accounts.unspent(number) == [5, 0, 0, 0, 0])
    accounts[number].pointee.paid -= 10
    #expect(accounts.unspent(number) == [0, 0, 0, 0, 0])
  }

  @Test func `ages have room for more than four bytes`() {
    let accounts = CoinAccounts()
    let number = accounts.number(of: CoinAccounts.key(IDKey("u1")))
    for _ in 0..<3 {
      accounts.grant(3_000_000_000, .month, to: number)
      accounts[number].pointee.paid += 3_000_000_000
    }
    #expect(accounts.unspent(number) == [9_000_000_000, 0, 0, 0, 0])
  }

  @Test func `each user keeps his account among many`() {
    let accounts = CoinAccounts()
    for user in 0..<200_000 {
      let number = accounts.number(of: CoinAccounts.key(IDKey(number: Int64(user))))
      #expect(number == user)
      accounts[number].pointee.paid = Int64(user)
    }
    for user in stride(from: 0, to: 200_000, by: 999) {
      let number = accounts.number(of: CoinAccounts.key(IDKey(number: Int64(user))))
      #expect(accounts[number].pointee.paid == Int64(user))
    }
    #expect(accounts.count == 200_000)
  }
}
