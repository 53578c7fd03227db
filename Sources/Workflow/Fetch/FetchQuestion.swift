import Billing
import Fetching
import Ledger
import Pricing

/// One question whose answer becomes a file, or is remembered as none.
struct FetchQuestion: Sendable {
  /// How the answer comes.
  enum Form: Sendable {
    /// A report in one piece. The call is made for a version, nil leaving it out. Where it is of a
    /// day, "none" is a fact once the day is due.
    case report(version: String?, day: Day?, call: @Sendable (String?) -> AppleCall)
    /// Pages, by the token of each (nil for the first), from `next` on where they were begun.
    case pages(
      member: PageMember, next: String?,
      call:
        @Sendable (_ token: String?, _ isSandbox: Bool)
        -> AppleCall)
    /// Lists of App Store Connect in pages, all of them in one file or none; by what each page is
    /// asked for with.
    case lists([@Sendable (_ cursor: String?) -> AppleCall])
    /// An object in one piece.
    case single(call: @Sendable (_ isSandbox: Bool) -> AppleCall)
    /// Receipts, one after another, from a place on; an answer each.
    case receipts([StoredReceipt], from: ReceiptPlace, secret: String?)
  }

  /// What stands beside a page for the token that it was asked for with.
  enum PageMember: String, Sendable {
    case revision
    case paginationToken = "pagination_token"
  }

  var list: String
  var item: String
  /// Of its file; of several files the begin of their names.
  var name: String
  var host: AppleHost
  var form: Form
  /// The day whose sales it asks for, with the vendor.
  var saleDay: VendorDay?
  /// Whether pages of it are here, and its end is not.
  var isBegun = false

  /// A name for the questions that a 401 or 403, or a host that does not answer, makes vain
  /// together: all of a host, but reports of one kind have a role of their own.
  var gate: String {
    if case .lists = form { return host.rawValue + " lists" }
    guard case .report(let version, _, let call) = form else { return host.rawValue }
    return host.rawValue + call(version).path
  }
}

/// A vendor's day.
struct VendorDay: Hashable, Sendable {
  var day: Day
  var vendor: String
}

extension FetchQuestion {
  /// A sales report, or one of the subscription reports.
  ///
  /// - Parameter day: the day, a week's Sunday, or any day of the month.
  static func report(
    _ type: ReportType, _ frequency: ReportFrequency, on day: Day, vendor: String
  ) -> FetchQuestion {
    let digits = "\(day)".replacing("-", with: "")
    let month = "\(day)".prefix(7)
    let (date, name): (String, String) =
      switch (type, frequency) {
      case (.sales, .daily): ("\(day)", "S_D_\(vendor)_\(digits)")
      case (.sales, .weekly): ("\(day)", "S_W_\(vendor)_\(digits)")
      case (.sales, .monthly): ("\(month)", "S_M_\(vendor)_\(digits.prefix(6))")
      case (.subscription, _): ("\(day)", "Subscription_\(vendor)_\(digits)")
      case (.subscriptionEvent, _): ("\(day)", "Subscription_Event_\(vendor)_\(digits)")
      case (.subscriber, _): ("\(day)", "Subscriber_\(vendor)_\(digits)")
      }
    let subtype = type == .subscriber ? "DETAILED" : "SUMMARY"
    let often = frequency.rawValue.uppercased()
    // The latest of subscription reports must be named; what it is, a refusal tells.
    let version = type == .sales ? nil : latestVersion
    let isDaySales = type == .sales && frequency == .daily
    return FetchQuestion(
      list: "\(type.rawValue) \(subtype) \(often) \(vendor)", item: date, name: name + reportEnding,
      host: .connect,
      form: .report(
        version: version, day: frequency == .daily ? day : nil
      ) { version in
        .salesReport(
          type: type.rawValue, subtype: subtype, frequency: often, vendor: vendor, date: date,
          version: version)
      }, saleDay: isDaySales ? VendorDay(day: day, vendor: vendor) : nil)
  }

  /// Of subscription reports since 2026-08.
  private static let latestVersion = "1_4"

  /// A financial report of a region for a fiscal month.
  ///
  /// - Parameter region: `ZZ` for all in one file, `Z1` for the detail.
  static func finance(_ region: String, of month: FiscalMonth, vendor: String) -> FetchQuestion {
    let type = region == detailRegion ? "FINANCE_DETAIL" : "FINANCIAL"
    let date = "\(month.year)-\(padded(month.number, 2))"
    // Apple's files are named by the calendar month that the fiscal one is called after.
    let called = (month.number + 8) % 12 + 1
    let year = month.number <= 3 ? month.year - 1 : month.year
    let name = "\(vendor)_\(padded(called, 2))\(padded(year % 100, 2))_\(region)\(reportEnding)"
    return FetchQuestion(
      list: "\(type) \(region) \(vendor)", item: month.description, name: name, host: .connect,
      form: .report(version: nil, day: nil) { _ in
        .financeReport(type: type, region: region, vendor: vendor, month: date)
      })
  }

  static let detailRegion = FinanceRegionTable.detail
  static let allRegions = FinanceRegionTable.all

  /// Notifications of an app that Apple sent from a moment on and before another.
  ///
  /// - Parameters:
  ///   - type: of notifications; nil for all.
  ///   - next: the token of the page to go on with; nil for the first.
  static func notifications(
    _ type: String?, from: Instant, to: Instant, bundleID: String, next: String?
  ) -> FetchQuestion {
    let list = notificationList(type, bundleID)
    let span = "\(stamp(from))_\(stamp(to))"
    let suffix = type.map { "_" + $0.replacing("/", with: "-") } ?? ""
    return FetchQuestion(
      list: list, item: "\(from)..\(to)", name: "notifications_\(bundleID)_\(span)\(suffix)",
      host: .purchases,
      form: .pages(member: .paginationToken, next: next) { token, isSandbox in
        .notifications(
          from: from.seconds * 1000, to: to.seconds * 1000, type: type, page: token,
          isSandbox: isSandbox)
      })
  }

  /// The name of the list of an app's notifications; `type` nil is all types.
  static func notificationList(_ type: String?, _ bundleID: String) -> String {
    "notifications \(bundleID) \(type ?? "*")"
  }

  /// A question about what one transaction leads to: its customer's history or refunds, or a
  /// subscription's statuses.
  ///
  /// - Parameter next: the revision that what is new is asked for with.
  static func purchases(
    _ list: PurchaseList, of id: String, at now: Instant, next: String?
  ) -> FetchQuestion {
    let form: Form =
      switch list {
      case .history:
        .pages(member: .revision, next: next) { token, isSandbox in
          .purchases(
            "/inApps/v2/history/", id: id, isSandbox: isSandbox,
            query: (token.map { [("revision", $0)] } ?? []) + [("sort", "ASCENDING")])
        }
      case .refunds:
        .pages(member: .revision, next: next) { token, isSandbox in
          .purchases(
            "/inApps/v2/refund/lookup/", id: id, isSandbox: isSandbox, isSlow: true,
            query: token.map { [("revision", $0)] } ?? [])
        }
      case .statuses:
        .single { isSandbox in
          .purchases("/inApps/v1/subscriptions/", id: id, isSandbox: isSandbox)
        }
      }
    return FetchQuestion(
      list: list.rawValue, item: id, name: "\(list.rawValue)_\(id)_\(stamp(now))",
      host: .purchases, form: form)
  }

  /// The prices of a product: those that it has, or all that it may have. By "List all prices for
  /// an in-app purchase", "List all price points for a subscription" and the like of the App Store
  /// Connect API, stored on 2026-11-22.
  static func prices(
    of product: PricedProduct, _ choice: PriceChoice, at now: Instant
  ) -> FetchQuestion {
    let id = product.appleID
    let kind = product.isSubscription ? "subscription" : "inAppPurchase"
    var (list, name) = (ownPrices, product.sku)
    var paths: [String]
    var query = [("include", "\(kind)PricePoint,territory"), ("limit", "200")]
    switch choice {
    case .own where product.isSubscription: paths = ["/v1/subscriptions/\(id)/prices"]
    case .own:
      paths = ["manualPrices", "automaticPrices"].map {
        "/v1/inAppPurchasePriceSchedules/\(id)/\($0)"
      }
    case .points(let storefronts):
      (list, name) = (pricePoints, "\(pricePoints)_\(product.sku)")
      paths = [
        product.isSubscription
          ? "/v1/subscriptions/\(id)/pricePoints" : "/v2/inAppPurchases/\(id)/pricePoints"
      ]
      query = [("include", "territory"), ("limit", "4000")]
      let codes = storefronts.compactMap { StorefrontTable.builtIn.entry($0)?.alpha3 }
      if !codes.isEmpty { query.append(("filter[territory]", codes.joined(separator: ","))) }
    }
    let asked = query
    return FetchQuestion(
      list: list, item: product.sku, name: "\(name) \(now.day()).jsonl", host: .connect,
      form: .lists(
        paths.map { path in { cursor in .list(path, query: asked, cursor: cursor) } }))
  }

  static let ownPrices = "prices"
  static let pricePoints = "price-points"

  /// Receipts to be verified again, from a place in the list on; the list is known by a digest of
  /// what is in it.
  ///
  /// - Parameter secret: the shared secret, for subscriptions.
  static func receipts(
    _ receipts: [StoredReceipt], from place: ReceiptPlace, secret: String?, at now: Instant
  ) -> FetchQuestion {
    FetchQuestion(
      list: "receipts", item: StoredReceipt.digest(of: receipts),
      name: "receipts_\(stamp(now))", host: .receipts,
      form: .receipts(receipts, from: place, secret: secret))
  }

  /// A question for the transactions of the order number that stands in the customer's mail;
  /// Production alone knows them.
  static func order(_ id: String, at now: Instant) -> FetchQuestion {
    FetchQuestion(
      list: "order", item: id, name: "order_\(id)_\(stamp(now))", host: .purchases,
      form: .single { _ in
        .purchases("/inApps/v1/lookup/", id: id, isSandbox: false, isSlow: true)
      })
  }

  static let reportEnding = ".txt.gz"

  /// A moment as names of files have it: `20230618T000000Z`.
  static func stamp(_ moment: Instant) -> String { plain("\(moment)") }

  /// The text without hyphens and colons.
  fileprivate static func plain(_ moments: String) -> String {
    moments.replacing("-", with: "").replacing(":", with: "")
  }
}

extension AppleAnswer {
  /// Whether a file of this name came of the question, now or when it was asked before. What days
  /// and months of reports are here, the reports themselves tell.
  func isOfFile(_ name: Substring) -> Bool {
    let words = list.split(separator: " ")
    let begin: String
    var ending = #/_\d{8}T\d{6}Z(_\d+)?\.jsonl?/#
    switch words.first {
    case "notifications" where words.count == 3:
      let type = words[2] == "*" ? "" : "_" + words[2].replacing("/", with: "-")
      let span = FetchQuestion.plain(item).replacing("..", with: "_")
      begin = "notifications_\(words[1])_\(span)\(type)"
      ending = #/(_\d+)?\.jsonl/#
    case "prices": (begin, ending) = (item, #/ \d{4}-\d\d-\d\d(_\d+)?\.jsonl/#)
    case "price-points": (begin, ending) = ("\(list)_\(item)", #/ \d{4}-\d\d-\d\d(_\d+)?\.jsonl/#)
    // A list of receipts has its name of the moment alone.
    case "receipts": begin = list
    default: begin = "\(list)_\(item)"
    }
    return name.hasPrefix(begin) && name.dropFirst(begin.count).wholeMatch(of: ending) != nil
  }
}
