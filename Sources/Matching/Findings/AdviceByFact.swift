import Billing

/// What is done about a finding of which the ledger knows more than its code says.
enum AdviceByFact {
  static let refunded: Wording = """
    @finding.deliver-nothing-apple-refunded-it-look \(FindingNames.transactionMark)
    """
  static let refundedOrder: Wording = "@finding.deliver-nothing-apple-refunded"
  static let saidFulfilled: Wording = """
    @charged-not-fulfilled.compare-status-and-delivery \(FindingNames.orderMark)
    """
  static let cancelled: Wording = "@finding.ask-why-the-order"
  static let refundedShare: Wording = """
    @finding.confirm-the-share-in-apple-refund \(FindingNames.transactionMark) \
    \(FindingNames.orderMark)
    """
  static let unclaimedShare: Wording = """
    @finding.deliver-nothing-before-apple-refund \(FindingNames.transactionMark)
    """
  static let renewalShare: Wording = "@finding.confirm-the-share-in-apple"
  static let tried: Wording = "@finding.deliver-nothing-look"
  static let triedAgain: Wording = "@finding.take-nothing-back-it-is"
  static let unclaimed: Wording = "@finding.deliver-nothing-before-the-delivery"
  static let unnamed: Wording = "@finding.take-nothing-back-the-transaction"
  static let withoutReport: Wording = "@finding.take-nothing-back-apple-report"
  static let standsAlone: Wording = "@finding.import-the-missing-part"
  static let ownWord: Wording = "@finding.if-it-is-a-word"
  static let settled: Wording = "@finding.nothing-to-do-it-is"
  static let earned: Wording = "@finding.download-the-region-report"
}
