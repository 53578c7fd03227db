import Billing
import Testing

/// Goal: no text says "1 units" or "2 unit". Method: 0, 1 and 2 stand in each place of each
/// template that a countable noun follows. What counts things has a template for one and a template
/// for several (`counted`, or a choice by `== 1`): each is judged by the numbers that it is for.
struct NumberAgreementTests {
  /// What texts count, as several are called.
  private static let nouns = """
    accounts|answers|apps|bridges|bytes|candidates|causes|cells|chains|changes|coins|columns|\
    combinations|currencies|days|differences|documents|dots|entries|errors|events|files|findings|\
    gaps|groups|hours|ids|invoices|items|keys|levels|lines|minutes|months|names|notifications|\
    orders|pages|pairs|patterns|payloads|payments|periods|places|prices|problems|products|\
    purchases|questions|rates|receipts|records|refunds|regions|renewals|reports|requests|rows|\
    seconds|sheets|storefronts|subscriptions|tiers|times|transactions|units|users|values|vendors|\
    views|warnings|weeks|years
    """
  private static let adjectives = """
    bad|billable|blank|different|earlier|further|imported|later|more|new|other|refunded|returned|\
    sales|Sandbox|sold|unknown
    """

  /// Templates whose number is never one, and why.
  private static let several = [
    "{1} refunds by Apple on {2} take back {3}; not taken back: {4}, and no movement names their "
      + "orders: which of them it is, nobody can say": "of one it is known which",
    "{1} orders have the transaction ID \"{2}\", which no transaction has; matched as if they had "
      + "none": "at least Rules.repeatedOrders",
    "{1} of {2} orders that ids tie to a purchase come after it, by up to {3}":
      "one order proves no clock wrong",
    "{1} of {2} purchases that ids tie to orders are that far from them":
      "as many prove a clock wrong",
    "{1} of {2} purchases are that far from the only order of their product and storefront "
      + "within a day": "as many prove a clock wrong",
    "{1} of {2} transactions that Apple also has are that far from Apple's times":
      "as many prove a clock wrong",
    "{1} has {2} refunds ({3} to {4}) that are not in the signed payloads: these purchases count "
      + "as sold until a signed source has the refund": "at least Rules.alikeContradictions",
    "{1} orders have SKUs that Apple does not have, each beside one of Apple's: {2}":
      "at least Rules.fewestOfName",
    "{1} orders have a bundle_id that no app of Apple's has, each beside one of Apple's: {2}":
      "at least Rules.fewestOfName",
    "{1}, {2} times Apple's: it may be a line total": "once is the same price",
    "{1} orders name one transaction; it counts for the earliest; orders left without a payment: "
      + "{2}":
      "one order claims nothing twice",
    "{1} users share one original transaction": "one user shares with nobody",
    "{1} converted into {2} at {3}, the rate of {4}, {5} days before {6}":
      "more than DatedRate.mostDays",
    "at rates of {1}, {2} days before {3}": "more than DatedRate.mostDays",
    "Converted at rates of {1}, {2} days before {3}: import later rates and close again, or sign "
      + "knowing it.": "more than DatedRate.mostDays",
    "prices in {1} are {2} times those of Apple's reports, and those in {3} are the same":
      "a hundred times at least",
    "the prices of {1} products are {2} times those of Apple's reports":
      "some products, and a hundred times at least",
    "{1} to {2} days": "bounds of ages, of which the lowest is more",
    "no row of the day stands out; {1} combinations account for {2}":
      "one combination has a text of its own",
    "{1} combinations of the candidates account for {2}; the likeliest is marked *":
      "one combination has a text of its own",
    "{1} imported files have the name or SHA-256 \"{2}\"": "one file is clear",
    "the line has {1} dots outside of texts": "more than 256",
    "wrote {1} files: {2}.*": "more than three",
    "{1} files  {2} rows": "a bar of progress: the files done of all",
    "All {1} differences in {2} are units on a neighbouring report day, from {3} to {4}: day "
      + "boundary.": "one difference is no pattern",
    "{1} of {2} differences in {3} are units on a neighbouring report day, from {4} to {5}: day "
      + "boundary.": "one difference is no pattern",
  ]

  /// Templates whose number has decimals, even where they are zeros: `1.0 days`.
  private static func isDecimal(_ text: String) -> Bool {
    text.hasPrefix("{1} coins per {2} on the other channel") || text == "{1} coins per {2}"
      || text.hasPrefix("To keep a margin at a deduction of {1}")
      || text.contains("sales settle {2} days later on average")
      || text.contains("dates sales {2} days later than")
  }

  /// Whether the code before a template chooses it where there are not one, and has a text for one.
  private static func isForSeveral(_ before: String) -> Bool {
    before.contains(#/counted\([^{]*\{\s*$/#) || before.contains(#/"""\s*\)\s*\{\s*$/#)
      || before.contains(#/==\s*1\b|>\s*1\b|["\s]1 [A-Za-z]/#)
  }

  private let pattern: Regex<AnyRegexOutput>

  init() throws {
    pattern = try Regex(#"\{(\d+)\} (?:(?:\#(Self.adjectives)) )*(?:\#(Self.nouns))\b"#)
  }

  /// Places that a plural follows where one may stand in them.
  private func disagreements(_ template: Template) -> [Int] {
    if Self.several[template.text] != nil || Self.isDecimal(template.text) { return [] }
    if Self.isForSeveral(template.before) { return [] }
    return template.text.matches(of: pattern).compactMap { match in
      let before = template.text[..<match.range.lowerBound]
      // A limit is never one, and what a name stands before is counted by the place before it.
      if before.contains(#/(?:than|at most|last|over) $/#) || before.hasSuffix("} ") { return nil }
      return match.output[1].substring.flatMap { Int($0) }
    }
  }

  private static let templates: [(path: String, template: Template)] =
    SourceFile.swift.filter(\.isSource)
    .filter { !$0.path.hasPrefix("Sources/Pricing/Tables") }
    .flatMap { file in TemplateReader(file.text).templates.map { (file.path, said($0)) } }

  /// A key, and those in the code before it, as the texts that they stand for.
  private static func said(_ template: Template) -> Template {
    var template = template
    if let key = TextRow.key(of: template.text) {
      template.text = Texts.template(key, in: .english) ?? template.text
    }
    for found in template.before.matches(of: #/@[a-z0-9-]+\.[a-z0-9-]+/#).reversed() {
      guard let text = Texts.template(String(found.output), in: .english) else { continue }
      // Places would be taken for code.
      template.before.replaceSubrange(found.range, with: text.replacing("{", with: "("))
    }
    return template
  }

  @Test func oneIsNotSeveral() {
    for (path, template) in Self.templates {
      for place in disagreements(template) {
        let said = template.text.replacing("{\(place)}", with: "1")
        Issue.record("\(path):\(template.line): \(said)")
      }
    }
  }

  /// A text for one has its number written out: in a place, 0 or 2 could stand as well.
  @Test func severalAreNotOne() throws {
    let pattern = try Regex(#"\{\d+\} (?:unit|row|order|transaction|finding|file|day|coin)\b"#)
    for (path, template) in Self.templates where template.text.contains(pattern) {
      // -1 is one as well.
      if template.before.contains(#/\bone \? $/#) { continue }
      Issue.record("\(path):\(template.line): \(template.text)")
    }
  }

  @Test func eachExceptionIsSaid() {
    let said = Set(Self.templates.map(\.template.text))
    for text in Self.several.keys { #expect(said.contains(text), "\(text)") }
  }

  @Test func disagreementsAreFound() {
    func places(_ text: String, _ before: String = "let text = ") -> [Int] {
      disagreements(Template(text: text, line: 1, before: before))
    }
    #expect(places("{1} units of {2}") == [1])
    #expect(places("{1} has {2} more sold units and {3} rows") == [2, 3])
    #expect(places("{1} units", #"counted(count, "1 unit") { "#) == [])
    #expect(places("{1} units", #"count == 1 ? "1 unit" : "#) == [])
    #expect(places("{1} per unit, more than {2} rows") == [])
  }
}
