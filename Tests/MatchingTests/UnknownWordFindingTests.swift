import Billing
import Matching
import Testing

/// Goal: what a finding of an unknown word says is true of each of its units. Method: small worlds.
@Suite struct UnknownWordFindingTests {
  /// Of one unknown word some units count and some do not: no one sentence is true of both.
  @Test func `units with an unknown word that count are told apart from those that do not`() {
    let world = World { world in
      world.settings.requireSigned = true
      for (id, source) in [("T1", FactSource.signed), ("T2", .unsigned)] {
        world.transaction(id, told: "2023-06-11T00:00:00") {
          ($0.factSource, $0.unknownWords) = (source, "environment \"Moon\"")
        }
      }
    }
    let found = world.tieOut().findings.filter { $0.code == .wordUnknown }
    #expect(found.map(\.units) == [1, 1])
    let texts = found.map(\.explanation.english)
    #expect(texts.count { $0.contains("not counted as sold") } == 1, "\(texts)")
  }
}
