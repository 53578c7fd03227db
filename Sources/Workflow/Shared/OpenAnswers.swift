import Billing
import Languages
import Reporting

extension ImportedPage {
  /// The sentence that says which pages are missing, and what asks for them.
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

  /// The customer, as any transaction of theirs names them.
  private var customer: Wording {
    page.lastID.isEmpty ? "@shared.unnamed-transaction" : "@shared.transaction-2 \(page.lastID)"
  }

  /// The clause that says by which token the rest is asked for.
  private var token: Wording {
    if page.next.isEmpty { return "@shared.and-the-answer-does-not" }
    return page.list == .notifications
      ? "@shared.ask-for-the-rest-with-paginationtoken \(page.next)"
      : "@shared.ask-for-the-rest \(page.next)"
  }

  /// The environment of Apple's as its answers name it; Production where the page does not say.
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
    writer.integer("line", page.line)
    writer.string("bundle_id", page.bundleID.isEmpty ? nil : page.bundleID)
    writer.string("environment", environment)
    writer.string("last_id", page.lastID.isEmpty ? nil : page.lastID)
    writer.string("next", page.next.isEmpty ? nil : page.next)
    writer.string("text", say(wording))
  }
}
