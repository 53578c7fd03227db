/// A subscription as Apple's three subscription reports name it.
package struct SubscriptionProduct: Hashable, Sendable {
  package var appName: String
  package var appID: String
  package var name: String
  package var id: String
  package var groupID: String
  /// The ordinary length: `1 Month`.
  package var duration: String

  package init(
    appName: String, appID: String, name: String, id: String, groupID: String, duration: String
  ) {
    self.appName = appName
    self.appID = appID
    self.name = name
    self.id = id
    self.groupID = groupID
    self.duration = duration
  }
}

/// The offer that a row of a subscription report is about; what is blank or has no column is empty.
package struct SubscriptionOffer: Hashable, Sendable {
  /// `Promotional Offer Name` until version 1_2.
  package var name = ""
  package var promotionalID = ""
  /// `Pay as you go`; in files of 2017, whether it was a trial.
  package var type = ""
  package var duration = ""

  package init(
    name: String = "", promotionalID: String = "", type: String = "", duration: String = ""
  ) {
    self.name = name
    self.promotionalID = promotionalID
    self.type = type
    self.duration = duration
  }
}

/// What a subscription costs in a row of a subscription report; rows without a price have none.
package struct SubscriptionPrice: Hashable, Sendable {
  /// Per period as printed, in micro-units: negative on refunds.
  package var customerPrice: Int64?
  package var customerCurrency: Currency?
  /// Per period as printed, in micro-units: positive on refunds too.
  package var proceeds: Int64?
  package var proceedsCurrency: Currency?

  package init(
    customerPrice: Int64? = nil, customerCurrency: Currency? = nil, proceeds: Int64? = nil,
    proceedsCurrency: Currency? = nil
  ) {
    self.customerPrice = customerPrice
    self.customerCurrency = customerCurrency
    self.proceeds = proceeds
    self.proceedsCurrency = proceedsCurrency
  }
}

/// The circumstances that all three subscription reports tell; blank is empty.
package struct SubscriptionCircumstance: Hashable, Sendable {
  /// `Yes` or blank.
  package var preservedPricing = ""
  /// `Rate After One Year` or blank.
  package var proceedsReason = ""
  package var client = ""
  package var device = ""
  /// Free text: a state's code, or its name in any script.
  package var state = ""
  package var storefront: Storefront?

  package init(
    preservedPricing: String = "", proceedsReason: String = "", client: String = "",
    device: String = "", state: String = "", storefront: Storefront? = nil
  ) {
    self.preservedPricing = preservedPricing
    self.proceedsReason = proceedsReason
    self.client = client
    self.device = device
    self.state = state
    self.storefront = storefront
  }
}

/// Everything but the numbers in a row of the subscription report.
package struct SubscriptionTerms: Hashable, Sendable {
  package var product: SubscriptionProduct
  package var offer: SubscriptionOffer
  package var price: SubscriptionPrice
  package var circumstance: SubscriptionCircumstance

  package init(
    product: SubscriptionProduct, offer: SubscriptionOffer, price: SubscriptionPrice,
    circumstance: SubscriptionCircumstance
  ) {
    self.product = product
    self.offer = offer
    self.price = price
    self.circumstance = circumstance
  }
}

/// The numbers of the subscription report, in the order of its columns.
package enum SubscriptionFigure: Int, CaseIterable, Sendable {
  case standard, introductoryFreeTrial, introductoryPayUpFront, introductoryPayAsYouGo
  case promotionalFreeTrial, promotionalPayUpFront, promotionalPayAsYouGo
  case offerCodeFreeTrial, offerCodePayUpFront, offerCodePayAsYouGo
  case marketingOptIns, billingRetry, gracePeriod, subscribers
  case winBackFreeTrial, winBackPayUpFront, winBackPayAsYouGo

  /// Whether the figure is a number of active subscriptions.
  package var isActive: Bool {
    switch self {
    case .marketingOptIns, .billingRetry, .gracePeriod, .subscribers: false
    default: true
    }
  }
}

/// A row of the subscription report: how many subscriptions there were at a day's end.
package struct SubscriptionRow: Sendable {
  package var line: Int32
  /// Code of the file's `SubscriptionTerms`.
  package var terms: Int32
  /// By `SubscriptionFigure`; nil where the report has no such column, or left it blank.
  package var counts: [Int32?]

  package init(line: Int32, terms: Int32, counts: [Int32?]) {
    self.line = line
    self.terms = terms
    self.counts = counts
  }

  /// The row's number for a figure; nil where the report has no such column, or left it blank.
  package subscript(_ figure: SubscriptionFigure) -> Int32? { counts[figure.rawValue] }
}

/// Everything but numbers and days in a row of the subscription event report.
package struct SubscriptionEventTerms: Hashable, Sendable {
  /// `Renew`, `Cancel`, `Start Introductory Offer`: an open list.
  package var event: String
  package var product: SubscriptionProduct
  package var offer: SubscriptionOffer
  package var marketingOptIn: String
  package var marketingOptInDuration: String
  package var circumstance: SubscriptionCircumstance
  package var previousName: String
  package var previousID: String
  package var cancellationReason: String

  package init(
    event: String, product: SubscriptionProduct, offer: SubscriptionOffer, marketingOptIn: String,
    marketingOptInDuration: String, circumstance: SubscriptionCircumstance, previousName: String,
    previousID: String, cancellationReason: String
  ) {
    self.event = event
    self.product = product
    self.offer = offer
    self.marketingOptIn = marketingOptIn
    self.marketingOptInDuration = marketingOptInDuration
    self.circumstance = circumstance
    self.previousName = previousName
    self.previousID = previousID
    self.cancellationReason = cancellationReason
  }
}

/// A row of the subscription event report: how often something happened.
package struct SubscriptionEventRow: Sendable {
  package var line: Int32
  /// Code of the file's `SubscriptionEventTerms`.
  package var terms: Int32
  /// May differ from the report's day by one.
  package var day: Day
  package var quantity: Int32
  package var originalStart: Day?
  package var consecutivePaidPeriods: Int32?
  package var daysBeforeCanceling: Int32?
  package var daysCanceled: Int32?
  package var paidServiceDaysRecovered: Int32?

  package init(
    line: Int32, terms: Int32, day: Day, quantity: Int32, originalStart: Day?,
    consecutivePaidPeriods: Int32?, daysBeforeCanceling: Int32?, daysCanceled: Int32?,
    paidServiceDaysRecovered: Int32?
  ) {
    self.line = line
    self.terms = terms
    self.day = day
    self.quantity = quantity
    self.originalStart = originalStart
    self.consecutivePaidPeriods = consecutivePaidPeriods
    self.daysBeforeCanceling = daysBeforeCanceling
    self.daysCanceled = daysCanceled
    self.paidServiceDaysRecovered = paidServiceDaysRecovered
  }
}

/// Everything but numbers, days and subscribers in a row of the subscriber report.
package struct SubscriberTerms: Hashable, Sendable {
  package var product: SubscriptionProduct
  package var offer: SubscriptionOffer
  package var marketingOptInDuration: String
  package var price: SubscriptionPrice
  package var circumstance: SubscriptionCircumstance
  /// The subscriber has another id than before.
  package var isReset: Bool
  package var isRefund: Bool

  package init(
    product: SubscriptionProduct, offer: SubscriptionOffer, marketingOptInDuration: String,
    price: SubscriptionPrice, circumstance: SubscriptionCircumstance, isReset: Bool, isRefund: Bool
  ) {
    self.product = product
    self.offer = offer
    self.marketingOptInDuration = marketingOptInDuration
    self.price = price
    self.circumstance = circumstance
    self.isReset = isReset
    self.isRefund = isRefund
  }
}

/// A row of the subscriber report: a purchase or refund of one pseudonymous subscriber.
package struct SubscriberRow: Sendable {
  package var line: Int32
  /// Code of the file's `SubscriberTerms`.
  package var terms: Int32
  /// May differ from the report's day by one.
  package var day: Day
  /// Apple's pseudonym, decimal digits.
  package var subscriber: String
  /// Of a refund, when it was bought.
  package var purchaseDay: Day?
  /// 0 on partial refunds.
  package var units: Int32

  package init(
    line: Int32, terms: Int32, day: Day, subscriber: String, purchaseDay: Day?, units: Int32
  ) {
    self.line = line
    self.terms = terms
    self.day = day
    self.subscriber = subscriber
    self.purchaseDay = purchaseDay
    self.units = units
  }
}
