/// One question to Apple.
package struct AppleCall: Sendable {
  /// What its answers mean and how fast it may be asked.
  package enum Service: Hashable, Sendable {
    /// Reports of App Store Connect.
    case reports
    /// Lists of App Store Connect, as JSON.
    case lists
    /// The App Store Server API.
    case purchases
    /// Refund histories and order numbers, which the App Store Server API answers more slowly.
    case slowPurchases
    case receipts
  }

  package var host: AppleHost
  package var service: Service
  package var path: String
  package var query: [(name: String, value: String)] = []
  /// JSON to post; nil to get.
  package var body: [UInt8]?
  /// Bytes of an answer at most.
  package var sizeLimit: Int64 = 16 << 20

  package init(_ host: AppleHost, _ service: Service, _ path: String) {
    self.host = host
    self.service = service
    self.path = path
  }
}

extension AppleCall {
  /// Bytes of a report at most. The longest known have some 100 MB; what announces more is none.
  package static let reportLimit: Int64 = 1 << 30

  /// GET /v1/salesReports, as documented 2026-11-22. The version is left out where Apple's latest
  /// is wanted of a kind that has one alone.
  package static func salesReport(
    type: String, subtype: String, frequency: String, vendor: String, date: String,
    version: String?
  ) -> AppleCall {
    var call = AppleCall(.connect, .reports, "/v1/salesReports")
    call.sizeLimit = reportLimit
    call.query = [
      ("filter[frequency]", frequency), ("filter[reportDate]", date),
      ("filter[reportSubType]", subtype), ("filter[reportType]", type),
      ("filter[vendorNumber]", vendor),
    ]
    if let version { call.query.append(("filter[version]", version)) }
    return call
  }

  /// GET /v1/financeReports; the date is a fiscal month, `2024-05` being February.
  package static func financeReport(
    type: String, region: String, vendor: String, month: String
  ) -> AppleCall {
    var call = AppleCall(.connect, .reports, "/v1/financeReports")
    call.sizeLimit = reportLimit
    call.query = [
      ("filter[regionCode]", region), ("filter[reportDate]", month),
      ("filter[reportType]", type), ("filter[vendorNumber]", vendor),
    ]
    return call
  }

  /// A list of App Store Connect that comes in pages, from the page on that a cursor stands for;
  /// nil for the first.
  package static func list(
    _ path: String, query: [(name: String, value: String)], cursor: String?
  ) -> AppleCall {
    var call = AppleCall(.connect, .lists, path)
    call.query = query + (cursor.map { [("cursor", $0)] } ?? [])
    return call
  }

  /// A list or an object of the App Store Server API.
  ///
  /// - Parameters:
  ///   - path: what `id` is appended to.
  ///   - isSlow: whether Apple answers it more slowly: refund histories and order numbers.
  package static func purchases(
    _ path: String, id: String = "", isSandbox: Bool, isSlow: Bool = false,
    query: [(name: String, value: String)] = []
  ) -> AppleCall {
    var call = AppleCall(
      isSandbox ? .purchasesSandbox : .purchases, isSlow ? .slowPurchases : .purchases,
      path + id)
    call.query = query
    return call
  }

  /// POST /inApps/v1/notifications/history; moments are Unix milliseconds.
  ///
  /// - Parameters:
  ///   - type: `REFUND`, or with a subtype `DID_RENEW/BILLING_RECOVERY`; nil for all.
  ///   - page: the token of the page that is asked for; nil for the first.
  package static func notifications(
    from: Int64, to: Int64, type: String?, page: String?, isSandbox: Bool
  ) -> AppleCall {
    var call = purchases("/inApps/v1/notifications/history", isSandbox: isSandbox)
    var body = #"{"startDate":\#(from),"endDate":\#(to)"#
    if let type {
      let parts = type.split(separator: "/", maxSplits: 1)
      body += #","notificationType":\#(quoted(String(parts[0])))"#
      if parts.count == 2 { body += #","notificationSubtype":\#(quoted(String(parts[1])))"# }
    }
    call.body = Array((body + "}").utf8)
    if let page { call.query = [("paginationToken", page)] }
    return call
  }

  /// POST /verifyReceipt (deprecated 2023, answering still).
  ///
  /// - Parameters:
  ///   - data: the receipt in base64.
  ///   - secret: the app's shared secret, which receipts of subscriptions need.
  package static func receipt(_ data: String, secret: String?, isSandbox: Bool) -> AppleCall {
    var call = AppleCall(
      isSandbox ? .receiptsSandbox : .receipts, .receipts, "/verifyReceipt")
    var body = #"{"receipt-data":\#(quoted(data))"#
    if let secret { body += #","password":\#(quoted(secret))"# }
    call.body = Array((body + #","exclude-old-transactions":false}"#).utf8)
    return call
  }
}
