/// Which of Apple's commissions a sale falls under.
package enum CommissionClass: String, Hashable, Sendable, CaseIterable {
  case standard
  /// A subscription after a year of paid service: `Rate After One Year` in the reports.
  case afterOneYear = "after-one-year"
  /// A day on which the developer was in the Small Business Program.
  case smallBusiness = "small-business"
  /// A product of the Mini Apps Partner Program.
  case miniApps = "mini-apps"
  /// A product of the Video Partner Program.
  case videoPartner = "video-partner"
  /// A product of the News Partner Program.
  case newsPartner = "news-partner"

  /// The programmes that single products are in, not the whole account.
  package static let ofProducts: [CommissionClass] = [.miniApps, .videoPartner, .newsPartner]

  /// The class in words for people.
  package var wording: Wording {
    switch self {
    case .standard: "@shared.standard"
    case .afterOneYear: "@shared.after-one-year"
    case .smallBusiness: "@commission-class.small-business"
    case .miniApps: "@shared.mini-apps"
    case .videoPartner: "@commission-class.video-partner"
    case .newsPartner: "@commission-class.news-partner"
    }
  }

  /// The words of the report column `Proceeds Reason` for a subscription after a year.
  package static let afterOneYearReason = "Rate After One Year"
}
