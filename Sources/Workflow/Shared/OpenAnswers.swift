import Billing
import Languages
import Reporting

extension ImportedPage {
  /// What is missing, and what asks for it.
  var wording: Wording {
    let app: Wording =
      page.bundleID.isEmpty ? "@shared.app-that-is-not-named" : Wording(verbatim: page.bundleID)
    let place = app + Wording(verbatim: " \(environment)")
    return switch page.list {
    case .history:
      "@shared.transaction-history-of-the-customer \(customer) \(place) \(token)"
    case .refunds:
      "@shared.refund-history-of-the-customer \(customer) \(place) \(token)"
    case .notifications: "@shared.notification-history-has-more-pages \(place) \(token)"
    }
  }

  /// As any transaction of the customer's names it.
  private var customer: Wording {
    page.lastID.isEmpty ? "@shared.unnamed-transaction" : "@shared.transaction-2 \(page.lastID)"
  }

  private var token: Wording {
    if page.next.isEmpty { return "@shared.and-the-answer-does-not" }
    return page.list == .notifications
      ? "@shared.ask-for-the-rest-with-paginationtoken \(page.next)"
      : "@shared.ask-for-the-rest \(page.next)"
  }

  private var environment: String {
    switch page.environment {
    case .production, nil: "Production"
    case .sandbox: "Sandbox"
    case .other: "Other"
    }
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.string("list", page.list.rawValue)
    writer.string("file", file)
    writer.integer("line", Int(page.line))
    writer.string("bundle_id", page.bundleID.isEmpty ? nil : page.bundleID)
    writer.string("environment", environment)
    writer.string("last_id", page.lastID.isEmpty ? nil : page.lastID)
    writer.string("next", page.next.isEmpty ? nil : page.next)
    writer.string("text", say(wording))
  }
}
