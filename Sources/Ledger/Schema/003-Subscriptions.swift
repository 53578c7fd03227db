extension Schema {
  /// Apple's three subscription reports: what repeats in a row is a term, the rest is the row. Days
  /// of the report itself are the source's.
  static let subscriptions = """
    CREATE TABLE subscription_terms (
      id INTEGER PRIMARY KEY,
      \(subscriptionProduct),
      \(subscriptionOffer),
      \(subscriptionPrice),
      \(subscriptionCircumstance)
    ) STRICT;
    CREATE TABLE subscription_row (
      id INTEGER PRIMARY KEY,
      terms_id INTEGER NOT NULL,
      line INTEGER NOT NULL,
      standard INTEGER,
      introductory_free_trial INTEGER,
      introductory_pay_up_front INTEGER,
      introductory_pay_as_you_go INTEGER,
      promotional_free_trial INTEGER,
      promotional_pay_up_front INTEGER,
      promotional_pay_as_you_go INTEGER,
      offer_code_free_trial INTEGER,
      offer_code_pay_up_front INTEGER,
      offer_code_pay_as_you_go INTEGER,
      marketing_opt_ins INTEGER,
      billing_retry INTEGER,
      grace_period INTEGER,
      subscribers INTEGER,
      win_back_free_trial INTEGER,
      win_back_pay_up_front INTEGER,
      win_back_pay_as_you_go INTEGER
    ) STRICT;

    CREATE TABLE subscription_event_terms (
      id INTEGER PRIMARY KEY,
      event TEXT NOT NULL,
      \(subscriptionProduct),
      \(subscriptionOffer),
      marketing_opt_in TEXT NOT NULL,
      marketing_opt_in_duration TEXT NOT NULL,
      \(subscriptionCircumstance),
      previous_name TEXT NOT NULL,
      previous_id TEXT NOT NULL,
      cancellation_reason TEXT NOT NULL
    ) STRICT;
    CREATE TABLE subscription_event_row (
      id INTEGER PRIMARY KEY,
      terms_id INTEGER NOT NULL,
      line INTEGER NOT NULL,
      day INTEGER NOT NULL,
      quantity INTEGER NOT NULL,
      original_start_day INTEGER,
      consecutive_paid_periods INTEGER,
      days_before_canceling INTEGER,
      days_canceled INTEGER,
      paid_service_days_recovered INTEGER
    ) STRICT;

    CREATE TABLE subscriber_terms (
      id INTEGER PRIMARY KEY,
      \(subscriptionProduct),
      \(subscriptionOffer),
      marketing_opt_in_duration TEXT NOT NULL,
      \(subscriptionPrice),
      \(subscriptionCircumstance),
      is_reset INTEGER NOT NULL CHECK (is_reset IN (0, 1)),
      is_refund INTEGER NOT NULL CHECK (is_refund IN (0, 1))
    ) STRICT;
    CREATE TABLE subscriber_row (
      id INTEGER PRIMARY KEY,
      terms_id INTEGER NOT NULL,
      line INTEGER NOT NULL,
      day INTEGER NOT NULL,
      subscriber TEXT NOT NULL,
      purchase_day INTEGER,
      units INTEGER NOT NULL
    ) STRICT;
    """

  private static let subscriptionProduct = """
    app_name TEXT NOT NULL,
      app_id TEXT NOT NULL,
      name TEXT NOT NULL,
      subscription_id TEXT NOT NULL,
      group_id TEXT NOT NULL,
      duration TEXT NOT NULL
    """

  private static let subscriptionOffer = """
    offer_name TEXT NOT NULL,
      promotional_offer_id TEXT NOT NULL,
      offer_type TEXT NOT NULL,
      offer_duration TEXT NOT NULL
    """

  private static let subscriptionPrice = """
    customer_price INTEGER,
      customer_currency TEXT CHECK (length(customer_currency) = 3),
      proceeds INTEGER,
      proceeds_currency TEXT CHECK (length(proceeds_currency) = 3)
    """

  private static let subscriptionCircumstance = """
    preserved_pricing TEXT NOT NULL,
      proceeds_reason TEXT NOT NULL,
      client TEXT NOT NULL,
      device TEXT NOT NULL,
      state TEXT NOT NULL,
      storefront TEXT CHECK (length(storefront) = 2)
    """
}
