import Billing
import Testing

/// Goal: an SKU is taken to stand in several apps where the inputs say so, and nowhere else.
@Suite struct SharedSKUsTests {
  private func product(_ bundle: String, _ item: String = "") -> Product {
    Product(sku: "gems", kind: .consumable, appleIdentifier: item, bundleID: bundle)
  }

  private func sold(_ item: String, _ parent: String, type: String = "IA1") -> SalesProduct {
    SalesProduct(
      sku: "gems", type: ProductType(type), appleIdentifier: item, parent: parent)
  }

  private func shared(
    _ products: [Product], _ sold: [SalesProduct] = [], told: [TransactionTerms] = []
  ) -> SharedSKUs {
    SharedSKUs(products, arrived: products, sold: sold, told: told)
  }

  @Test func `one app has none`() {
    #expect(shared([product("a", "1")], [sold("1", "p")]).isEmpty)
    // A catalogue that was imported without bundles, then with them.
    #expect(shared([product(""), product("a", "1")], [sold("1", "p")]).isEmpty)
    #expect(shared([product("", "1"), product("a")], [sold("1", "p")]).isEmpty)
    // A wrong identifier, and one identifier under a bundle for the Sandbox too.
    #expect(shared([product("a", "9")], [sold("1", "p")]).isEmpty)
    #expect(shared([product("a", "1"), product("a.debug", "1")], [sold("1", "p")]).isEmpty)
    // An app whose own SKU is that of its product.
    #expect(shared([], [sold("1", "p"), sold("2", "", type: "1F")]).isEmpty)
  }

  @Test func `several bundles, identifiers or apps of Apple's are several apps`() {
    #expect(
      shared([product("a"), product("b")]).names(of: "gems")
        == ["gems\u{A0}(a)", "gems\u{A0}(b)"])
    #expect(
      shared([], [sold("1", "p"), sold("2", "q")]).names(of: "gems")
        == ["gems\u{A0}(p)", "gems\u{A0}(q)"])
    #expect(
      shared([product("", "1"), product("", "2")]).names(of: "gems")
        == ["gems\u{A0}(1)", "gems\u{A0}(2)"])
    #expect(shared([], [sold("", "p"), sold("", "q")]).names(of: "gems").count == 2)
  }

  @Test func `marks of one app lead to one product`() {
    let apps = shared(
      [product("a", "1"), product("b", "2")], [sold("2", "q"), sold("1", "p")])
    #expect(apps.name(of: sold("1", "p")) == "gems\u{A0}(a)")
    #expect(apps.name(of: sold("", "q")) == "gems\u{A0}(b)")
    #expect(apps.first(of: "gems") == "gems\u{A0}(b)" && apps.unlinked.isEmpty)
    #expect(apps.name(of: OrderTerms(sku: "gems", status: .paid)) == "gems")
    #expect(apps.name(of: OrderTerms(sku: "gems", status: .paid, bundleID: "evil")) == "gems")
    #expect(
      apps.name(of: TransactionTerms(sku: "gems", bundleID: "", itemID: "2")) == "gems\u{A0}(b)")
  }

  @Test func `what nothing ties is not guessed`() {
    let unknown = shared([product("a"), product("b")], [sold("1", "p"), sold("2", "q")])
    #expect(unknown.unlinked == ["gems"])
    // Purchases that Apple told tie both.
    let told = [
      TransactionTerms(sku: "gems", bundleID: "a", itemID: "1"),
      TransactionTerms(sku: "gems", bundleID: "b", itemID: "2"),
    ]
    let known = shared([product("a"), product("b")], [sold("1", "p"), sold("2", "q")], told: told)
    #expect(known.unlinked.isEmpty && known.name(of: sold("2", "q")) == "gems\u{A0}(b)")
    // One that another app's receipt tells does not.
    let forged = told + [TransactionTerms(sku: "gems", bundleID: "a", itemID: "2")]
    #expect(
      shared([product("a"), product("b")], [sold("1", "p"), sold("2", "q")], told: forged)
        .unlinked == ["gems"])
  }

  @Test func `names are read as they are written`() {
    let product = AppProduct("gems", in: "com.a")
    #expect(AppProduct(product.name) == product && AppProduct("gems (old)").app == nil)
    #expect(AppProduct.written("gems (com.a)") == product.name)
    #expect(AppProduct.mayBeSame("gems", product.name))
    #expect(!AppProduct.mayBeSame(AppProduct("gems", in: "com.b").name, product.name))
  }
}
