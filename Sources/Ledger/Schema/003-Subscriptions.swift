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

  /// As a person reads them with plain `sqlite3`.
  static let subscriptionViews = """
    CREATE VIEW v_subscription AS
    SELECT r.id, s.file || ':' || r.line AS source, s.status AS file_status, s.vendor,
      \(iso(day: "s.begin_day")) AS day, t.storefront, t.state, t.app_name, t.app_id, t.name,
      t.subscription_id, t.group_id, t.duration, t.offer_name, t.promotional_offer_id,
      \(decimal("t.customer_price")) AS customer_price, t.customer_currency,
      \(decimal("t.proceeds")) AS proceeds, t.proceeds_currency, t.preserved_pricing,
      t.proceeds_reason, t.client, t.device, r.standard, r.introductory_free_trial,
      r.introductory_pay_up_front, r.introductory_pay_as_you_go, r.promotional_free_trial,
      r.promotional_pay_up_front, r.promotional_pay_as_you_go, r.offer_code_free_trial,
      r.offer_code_pay_up_front, r.offer_code_pay_as_you_go, r.marketing_opt_ins,
      r.billing_retry, r.grace_period, r.subscribers, r.win_back_free_trial,
      r.win_back_pay_up_front, r.win_back_pay_as_you_go
    FROM subscription_row r \(joinSource("subscription"))
      JOIN subscription_terms t ON t.id = r.terms_id;

    CREATE VIEW v_subscription_event AS
    SELECT r.id, s.file || ':' || r.line AS source, s.status AS file_status, s.vendor,
      \(iso(day: "s.begin_day")) AS report_day, \(iso(day: "r.day")) AS event_date, t.event,
      r.quantity, t.storefront, t.state, t.app_name, t.app_id, t.name, t.subscription_id,
      t.group_id, t.duration, t.offer_name, t.promotional_offer_id, t.offer_type,
      t.offer_duration, t.marketing_opt_in, t.marketing_opt_in_duration, t.preserved_pricing,
      t.proceeds_reason, r.consecutive_paid_periods,
      \(iso(day: "r.original_start_day")) AS original_start_date, t.client, t.device,
      t.previous_name, t.previous_id, r.days_before_canceling, t.cancellation_reason,
      r.days_canceled, r.paid_service_days_recovered
    FROM subscription_event_row r \(joinSource("subscription_event"))
      JOIN subscription_event_terms t ON t.id = r.terms_id;

    CREATE VIEW v_subscriber AS
    SELECT r.id, s.file || ':' || r.line AS source, s.status AS file_status, s.vendor,
      \(iso(day: "s.begin_day")) AS report_day, \(iso(day: "r.day")) AS event_date, r.subscriber,
      t.is_reset, t.is_refund, \(iso(day: "r.purchase_day")) AS purchase_date, r.units,
      t.storefront, t.state, t.app_name, t.app_id, t.name, t.subscription_id, t.group_id,
      t.duration, t.offer_name, t.promotional_offer_id, t.offer_type, t.offer_duration,
      t.marketing_opt_in_duration, \(decimal("t.customer_price")) AS customer_price,
      t.customer_currency, \(decimal("t.proceeds")) AS proceeds, t.proceeds_currency,
      t.preserved_pricing, t.proceeds_reason, t.client, t.device
    FROM subscriber_row r \(joinSource("subscriber"))
      JOIN subscriber_terms t ON t.id = r.terms_id;
    """
}
