package import Billing

/// How long after a purchase a storefront's customers may ask for their money back.
///
/// By Apple's terms, as PRICING.md section 7 and the press of 2014-12-29 tell them: 14 days in the
/// European Union and the European Economic Area, since the terms of December 2014; 7 days in
/// Taiwan, since July 2011. Everywhere else Apple decides, as a rule up to 90 days after the
/// purchase. The United Kingdom counts until its transition out of the Union ended; that its own
/// law goes on to know 14 days is not in those terms.
package enum RefundPolicy {
  /// Days from the purchase, which was on `day`, to the last one on which customers may ask.
  package static func days(in storefront: Storefront, on day: Day) -> Int {
    windows.first { $0.storefronts.contains(storefront) && $0.purchases.contains(day) }?.days
      ?? elsewhere
  }

  private struct Window {
    let storefronts: Set<Storefront>
    /// Days of purchase that it holds for.
    let purchases: DayRange
    let days: Int

    /// A window of so many days after purchases on or after the date `from`.
    init(_ storefronts: Set<Storefront>, from: String, days: Int) {
      self.storefronts = storefronts
      purchases = DayRange(from: Day(from), to: nil)
      self.days = days
    }

    /// A window of so many days after purchases between two dates, both included; without `to` it
    /// has no end. The codes of its storefronts have blanks between them.
    init(_ codes: String, from: String, to: String? = nil, days: Int) {
      storefronts = Set(codes.split(separator: " ").compactMap { Storefront($0) })
      purchases = DayRange(from: Day(from), to: to.flatMap { Day($0) })
      self.days = days
    }
  }

  private static let elsewhere = 90

  private static let windows = [
    Window(TermsArea.europeanUnion.storefronts, from: "2014-12-29", days: 14),
    Window("IS LI NO", from: "2014-12-29", days: 14),
    Window("GB", from: "2014-12-29", to: "2020-12-31", days: 14),
    Window("TW", from: "2011-07-01", days: 7),
  ]
}
