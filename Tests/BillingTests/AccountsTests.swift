import Billing
import Testing

struct AccountsTests {
  @Test func defaultsAreTakenByBothTools() {
    for role in AccountRole.allCases {
      #expect(Accounts.isName(role.defaultName))
      #expect(Accounts().beancountName(of: role) == role.defaultName)
    }
    #expect(Set(AccountRole.allCases.map(\.defaultName)).count == AccountRole.allCases.count)
  }

  /// It can be credited against the company's own tax.
  @Test func withheldTaxIsAnAssetWhereNothingElseIsSaid() {
    #expect(Accounts()[.withholding].hasPrefix("Assets:"))
  }

  @Test(arguments: [
    ("Assets:Bank:CMB-1", "Assets:Bank:CMB-1"), ("assets:bank", "Assets:Bank"),
    ("1002", "Assets:1002"), ("Assets:bank account", "Assets:Bank-account"),
    ("Assets", "Assets:Assets"), ("银行存款", "Assets:X-银行存款"), ("Assets:(1)", "Assets:X-1-"),
    ("Vermögen:Bank", "Assets:Vermögen:Bank"), ("Assets:Größe", "Assets:Größe"),
  ])
  func beancountGetsTheNearestName(name: String, taken: String) {
    var accounts = Accounts()
    accounts[.bank] = name
    #expect(accounts[.bank] == name)
    #expect(accounts.beancountName(of: .bank) == taken)
  }

  @Test(arguments: [
    "", " a", "a ", "a  b", "a;b", "(a)", "[a]", "*a", "!a", "a\nb", "a\tb", ":a", "a:", "a::b",
    "a\"b", "=a",
  ])
  func whatNoOutputCanCarryIsNoName(name: String) { #expect(!Accounts.isName(name)) }

  @Test(arguments: ["a", "1122 应收账款:Apple", "a (b)", "Einnahmen & Sonstiges", "é"])
  func whatEveryOutputCanCarryIsAName(name: String) { #expect(Accounts.isName(name)) }
}
