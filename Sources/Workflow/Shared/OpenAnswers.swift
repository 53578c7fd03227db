import Billing
import Languages
import Reporting

extension ImportedPage {
  /// What is missing, and what asks for it.
  var wording: Wording {
    let app: Wording =
      page.bundleID.isEmpty ? "an app that is not named" : Wording(verbatim: page.bundleID)
    let place = app + Wording(verbatim: " \(environment)")
    return switch page.list {
    case .history:
      "the transaction history of the customer of \(customer) (\(place)) has more pages\(token)"
    case .refunds:
      """
      the refund history of the customer of \(customer) (\(place)) has more pages\(token)
      """
    case .notifications: "the notification history (\(place)) has more pages\(token)"
    }
  }

  /// As any transaction of the customer's names it.
  private var customer: Wording {
    page.lastID.isEmpty ? "an unnamed transaction" : "transaction \(page.lastID)"
  }

  private var token: Wording {
    if page.next.isEmpty { return ", and the answer does not say how to request the rest" }
    return page.list == .notifications
      ? ": ask for the rest with paginationToken \(page.next)"
      : ": ask for the rest with revision \(page.next)"
  }

  private var environment: String {
    switch page.environment {
    case .production, nil: "Production"
    case .sandbox: "Sandbox"
    case .other: "Other"
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
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
}
