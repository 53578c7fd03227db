import Billing

/// What is done about a finding of which the ledger knows more than its code says.
enum AdviceByFact {
  static let refunded: Wording = """
    deliver nothing: Apple refunded it. Look for its order in the archive; take back only what the \
    delivery log shows as delivered
    """
  static let refundedOrder: Wording = """
    deliver nothing: Apple refunded it; correct the order's figures only
    """
  static let cancelled: Wording = """
    ask why the order was cancelled, and look for a refund and for a later order of the customer \
    that was delivered. Only if there is neither and the customer still wants it, deliver it
    """
  static let refundedShare: Wording = """
    confirm the share in Apple's refund history: keep the order and record that part as refunded; \
    take back at most that share, and end a subscription only when Apple ends it
    """
  static let renewalShare: Wording = """
    confirm the share in Apple's refund history: end access only when Apple ends the subscription, \
    and take back at most that share
    """
  static let tried: Wording = """
    deliver nothing: look in the delivery log whether the other order named was delivered; then \
    correct the statuses
    """
  static let triedAgain: Wording = """
    take nothing back: it is probably the purchase of the other order named; look in the delivery \
    log, and correct the statuses
    """
  static let unclaimed: Wording = """
    deliver nothing before the delivery log shows that the order named was not delivered: it is \
    probably this purchase; name the transaction in the order
    """
  static let unnamed: Wording = """
    take nothing back: the transaction named is probably its purchase; name the transaction in the \
    order
    """
  static let withoutReport: Wording = """
    take nothing back: Apple's report of that day is missing. Import it, and the transactions of \
    the day, and reconcile again
    """
  static let standsAlone: Wording = """
    import the missing part, or correct the clock, the time zone or the ID column, and reconcile \
    again; until then deliver nothing and take nothing back
    """
  static let ownWord: Wording = """
    if it is a word of your own, say in tieout.toml what it means (words); only a word in a file \
    of Apple's needs a newer version of this program
    """
  static let settled: Wording = "nothing to do: it is settled"
  static let earned: Wording = """
    download the region's report from Payments and Financial Reports and import it: Apple has one, \
    because the region has earnings
    """
}
