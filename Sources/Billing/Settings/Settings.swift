/// What the configuration decides about a reconciliation; every value has a default.
package struct Settings: Hashable, Sendable {
  /// Days from one to another, both included; nil is open.
  package struct Span: Hashable, Sendable {
    package var from: Day?
    package var to: Day?
    package init(from: Day?, to: Day?) {
      self.from = from
      self.to = to
    }
    package func contains(_ day: Day) -> Bool {
      (from.map { $0 <= day } ?? true) && (to.map { day <= $0 } ?? true)
    }
  }

  /// Whether and since when the account has accepted an agreement.
  package struct Agreement: Hashable, Sendable {
    package var name: String
    /// The first day of it; nil says that it was not accepted.
    package var accepted: Day?
    package init(name: String, accepted: Day?) {
      self.name = name
      self.accepted = accepted
    }

    /// What is said of an agreement on a day.
    package struct Answer: Hashable, Sendable {
      package var name: String
      package var isAccepted: Bool
      package init(name: String, isAccepted: Bool) {
        self.name = name
        self.isAccepted = isAccepted
      }
    }
  }

  /// The products of a programme.
  package struct Programme: Hashable, Sendable {
    /// One of ``CommissionClass/ofProducts``.
    package var name: CommissionClass
    /// SKUs; one that ends in `*` stands for all that begin with what is before it.
    package var skus: [String]
    package var span: Span
    package init(name: CommissionClass, skus: [String], span: Span) {
      self.name = name
      self.skus = skus
      self.span = span
    }

    /// Whether one of the programme's SKUs or patterns names a product, whatever the day; an SKU
    /// without an app is meant in each app.
    ///
    /// - Parameter sku: the product's name, with its app where its SKU stands in several.
    package func has(_ sku: String) -> Bool {
      skus.contains { pattern in
        pattern.hasSuffix("*")
          ? sku.hasPrefix(pattern.dropLast())
          : sku == pattern || AppProduct(sku).sku == pattern
            || sku == AppProduct.written(pattern)
      }
    }
  }

  /// A channel beside Apple's that sells coins.
  package struct Channel: Hashable, Sendable {
    /// As orders and movements name it.
    package var name: String
    /// What it keeps of a price without tax, and the tax inside a price, in millionths.
    package var fee: Int64
    package var tax: Int64
    package init(name: String, fee: Int64, tax: Int64) {
      self.name = name
      self.fee = fee
      self.tax = tax
    }
  }

  /// What revenue is in the books.
  package enum Revenue: String, Hashable, Sendable, CaseIterable {
    /// What customers paid without the tax that Apple remits; commission is an expense.
    case principal
    /// What Apple pays.
    case agent
    /// What customers paid; tax and commission are booked beside it.
    case grossOfTax = "gross-of-tax"
  }

  /// At which rate sales count in base currency.
  package enum RevenueRate: String, Hashable, Sendable, CaseIterable {
    /// The mean of the rates in force on the month's days.
    case month
    /// That of Apple's day of the sale.
    case day
  }

  /// What the head of a file for DATEV says of the client.
  package struct DATEVClient: Hashable, Sendable {
    /// The tax adviser's number, Beraternummer.
    package var consultant: Int
    /// Mandantennummer.
    package var client: Int
    /// The month, from 1, in which the company's year begins.
    package var firstMonth: Int
    /// Digits of its accounts, from 4 to 8.
    package var accountLength: Int
    /// A client of a tax adviser's.
    ///
    /// - Parameters:
    ///   - consultant: the tax adviser's number.
    ///   - client: the number that the adviser has for the company.
    ///   - firstMonth: the month, from 1, in which the company's financial year begins.
    ///   - accountLength: digits of its accounts, from 4 to 8.
    package init(consultant: Int, client: Int, firstMonth: Int, accountLength: Int) {
      self.consultant = consultant
      self.client = client
      self.firstMonth = firstMonth
      self.accountLength = accountLength
    }

    /// The first day of the company's financial year that `day` is in.
    package func yearStart(before day: Day) -> Day {
      let (year, month, _) = day.parts
      return Day(year: month < firstMonth ? year - 1 : year, month: firstMonth, day: 1)!
    }
  }

  /// Moments from one to another, both included, in which Sandbox transactions may have orders.
  package struct SandboxWindow: Hashable, Sendable {
    package var from: Instant
    package var to: Instant
    package init(from: Instant, to: Instant) {
      self.from = from
      self.to = to
    }
  }

  /// A value that nobody configured, that was taken all the same, and that figures hang on.
  package struct Assumption: Hashable, Sendable {
    /// The configuration's.
    package var key: String
    package var value: String
    /// What was taken, from what, and what hangs on it.
    package var taken: Wording
    /// The same with what to do about it, for where nothing else says so.
    package var text: Wording { "@configure.set-it-in-tieout-toml \(taken) \(key)" }

    /// The value that was taken for a key that nobody configured.
    ///
    /// - Parameters:
    ///   - key: the configuration's.
    ///   - value: what was taken for it.
    ///   - taken: says what was taken, from what, and what hangs on it.
    package init(key: String, value: String, taken: Wording) {
      (self.key, self.value, self.taken) = (key, value, taken)
    }
  }

  /// As it is to stand on what is signed or sent; empty where nobody told.
  package var company = ""
  package var baseCurrency = Currency("CNY")!
  /// Empty: the catalogue's bundles are ours.
  package var bundleIDs: [String] = []
  package var vendorNumbers: [String] = []
  package var developerCountry = Storefront("CN")!
  package var assumptions: [Assumption] = []
  package var defaultStorefront: Storefront?
  /// The zone of the company's accounting day.
  package var businessZone = Zone.utc
  package var smallBusiness: [Span] = []
  /// Agreements with Apple about commissions, by the names of ``CompanyCommission`` and of the
  /// built-in terms. Of those that are not named, Apple's rows tell whether they were accepted.
  package var agreements: [Agreement] = []
  /// Programmes that single products are in.
  package var programmes: [Programme] = []
  /// Channels beside Apple's.
  package var channels: [Channel] = []
  /// How coins are valued.
  package var coins = CoinPolicy()
  /// A zone per storefront that goes before the inference.
  package var dayBoundary: [Storefront: Zone] = [:]
  /// Seconds on either side of a day boundary in which a unit may have been booked on the other.
  package var timingWindow: Int64 = 3 * 3600
  /// Bounds of 1 − proceeds ÷ price, in millionths, both included; nil follows the terms.
  package var expectedDeduction: ClosedRange<Int64>?
  /// Minor units by which proceeds may differ from the rule.
  package var tolerance: Int64 = 1
  /// Seconds after the purchase when fulfilment is late.
  package var lateAfter: Int64 = 3600
  package var sandboxUsers: Set<String> = []
  package var sandboxWindows: [SandboxWindow] = []
  package var maskUsers = false
  /// Whether what claims to be Apple's word counts only where it is signed: receipts, notifications
  /// of version 1 and payloads saved decoded then count as nothing.
  package var requireSigned = false
  /// Fiscal months that a sale may stay unsettled before that is a warning.
  package var carryMax = 2
  /// By how much Apple's rate may differ from the loaded one, in millionths.
  package var fxTolerance: Int64 = 10_000
  package var accounts = Accounts()
  /// The accounts' codes in programs that know them by code.
  package var accountCodes: [AccountRole: String] = [:]
  /// What Xero calls the rate of lines without tax; nil where nobody told.
  package var xeroTaxRate: String?
  package var datev: DATEVClient?
  package var revenue = Revenue.principal
  package var revenueRate = RevenueRate.month
  /// Whether revenue of subscriptions is deferred over the time that is paid for.
  package var deferral = false
  /// Whether commission on it is deferred with it.
  package var deferCommission = false
  /// Whether a close is complete only once a second person has signed it.
  package var twoSignatures = false
  /// What Apple owed before the first close, micro-units.
  package var openingReceivable: [Currency: Int64] = [:]
  /// The days on which Apple paid fiscal months, where no file tells them.
  package var paymentDays: [FiscalMonth: Day] = [:]
  /// Apple's regions by labels of payments summaries that are known otherwise to nobody.
  package var paymentRegions: [String: String] = [:]
  /// From which absolute amount a finding matters, micro-units. The base currency's threshold
  /// holds for amounts of currencies without their own, where a rate is loaded.
  package var material: [Currency: Int64] = [:]

  package init() {}
}
