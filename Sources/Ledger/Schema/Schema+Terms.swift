extension Schema {
  /// What repeats in rows, stored once: rows name it by its number, which counts from 1 in each
  /// table. Amounts are micro-units; `digest` tells a row that was changed.
  static let terms = """
    CREATE TABLE event_terms (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
      stage TEXT NOT NULL CHECK (stage <> ''),
      outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'failed', 'cancelled')),
      http_status INTEGER,
      app_version TEXT NOT NULL,
      device TEXT NOT NULL,
      server TEXT NOT NULL,
      message TEXT NOT NULL
    ) STRICT;
    CREATE TABLE extra_terms (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
      transaction_reason TEXT NOT NULL,
      offer_id TEXT NOT NULL,
      offer_discount_type TEXT NOT NULL,
      offer_period TEXT NOT NULL,
      billing_plan TEXT NOT NULL,
      billing_period INTEGER,
      billing_periods INTEGER,
      commitment_price INTEGER,
      tax_code TEXT NOT NULL,
      tax_rate TEXT NOT NULL,
      estimated_tax INTEGER,
      price_without_tax INTEGER
    ) STRICT;
    CREATE TABLE finance_terms (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
      storefront TEXT NOT NULL CHECK (length(storefront) = 2),
      sku TEXT NOT NULL,
      apple_identifier TEXT NOT NULL,
      type TEXT NOT NULL,
      title TEXT NOT NULL,
      is_return INTEGER NOT NULL CHECK (is_return IN (0, 1)),
      share INTEGER NOT NULL,
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      customer_price INTEGER NOT NULL,
      customer_currency TEXT CHECK (length(customer_currency) = 3),
      promo_code TEXT NOT NULL,
      order_type TEXT NOT NULL
    ) STRICT;
    CREATE TABLE message_terms (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
      witness TEXT NOT NULL,
      type TEXT NOT NULL,
      subtype TEXT NOT NULL,
      status INTEGER,
      environment TEXT CHECK (environment IN ('Production', 'Sandbox', 'Other')),
      bundle_id TEXT NOT NULL,
      request_reason TEXT NOT NULL DEFAULT '',
      unknown_words TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE order_terms (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
      sku TEXT NOT NULL,
      status TEXT NOT NULL CHECK
        (status IN ('created', 'paid', 'fulfilled', 'refunded', 'cancelled')),
      quantity INTEGER NOT NULL,
      unit_price INTEGER,
      currency TEXT CHECK (length(currency) = 3),
      storefront TEXT CHECK (length(storefront) = 2),
      bundle_id TEXT NOT NULL,
      channel TEXT NOT NULL,
      coins INTEGER,
      app_version TEXT NOT NULL DEFAULT '',
      device TEXT NOT NULL DEFAULT '',
      coin TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE renewal_terms (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
      witness TEXT NOT NULL,
      sku TEXT NOT NULL,
      next_sku TEXT NOT NULL,
      will_renew INTEGER CHECK (will_renew IN (0, 1)),
      expiration_intent INTEGER,
      is_in_billing_retry INTEGER CHECK (is_in_billing_retry IN (0, 1)),
      status INTEGER,
      offer_type INTEGER,
      offer_id TEXT NOT NULL DEFAULT '',
      offer_discount_type TEXT NOT NULL DEFAULT '',
      offer_period TEXT NOT NULL DEFAULT '',
      renewal_price INTEGER,
      currency TEXT CHECK (length(currency) = 3),
      unknown_words TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE sales_condition (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
      promo_code TEXT NOT NULL,
      subscription TEXT NOT NULL,
      cmb TEXT NOT NULL,
      device TEXT NOT NULL,
      proceeds_reason TEXT NOT NULL,
      preserved_pricing TEXT NOT NULL,
      client TEXT NOT NULL,
      order_type TEXT NOT NULL
    ) STRICT;
    CREATE TABLE sales_product (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
      sku TEXT NOT NULL,
      type TEXT NOT NULL,
      apple_identifier TEXT NOT NULL,
      title TEXT NOT NULL,
      developer TEXT NOT NULL,
      version TEXT NOT NULL,
      parent TEXT NOT NULL,
      category TEXT NOT NULL,
      subscription_period TEXT NOT NULL,
      supported_platforms TEXT NOT NULL
    ) STRICT;
    CREATE TABLE sales_terms (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
      storefront TEXT NOT NULL CHECK (length(storefront) = 2),
      customer_currency TEXT CHECK (length(customer_currency) = 3),
      customer_price INTEGER NOT NULL,
      proceeds_currency TEXT CHECK (length(proceeds_currency) = 3),
      proceeds INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE subscriber_terms (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
    \(subscriptionProduct)
      marketing_opt_in_duration TEXT NOT NULL,
      customer_price INTEGER,
      customer_currency TEXT CHECK (length(customer_currency) = 3),
      proceeds INTEGER,
      proceeds_currency TEXT CHECK (length(proceeds_currency) = 3),
    \(subscriptionCircumstance),
      is_reset INTEGER NOT NULL CHECK (is_reset IN (0, 1)),
      is_refund INTEGER NOT NULL CHECK (is_refund IN (0, 1))
    ) STRICT;
    CREATE TABLE subscription_event_terms (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
      event TEXT NOT NULL,
    \(subscriptionProduct)
      marketing_opt_in TEXT NOT NULL,
      marketing_opt_in_duration TEXT NOT NULL,
    \(subscriptionCircumstance),
      previous_name TEXT NOT NULL,
      previous_id TEXT NOT NULL,
      cancellation_reason TEXT NOT NULL
    ) STRICT;
    CREATE TABLE subscription_terms (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
    \(subscriptionProduct)
      customer_price INTEGER,
      customer_currency TEXT CHECK (length(customer_currency) = 3),
      proceeds INTEGER,
      proceeds_currency TEXT CHECK (length(proceeds_currency) = 3),
    \(subscriptionCircumstance)
    ) STRICT;
    CREATE TABLE transaction_terms (
      id INTEGER PRIMARY KEY,
      digest INTEGER NOT NULL,
      witness TEXT NOT NULL CHECK
        (witness IN ('company', 'unsigned', 'notification_v1', 'receipt', 'signed')),
      sku TEXT NOT NULL,
      bundle_id TEXT NOT NULL,
      kind TEXT CHECK
        (kind IN ('consumable', 'non_consumable', 'auto_renewable', 'non_renewing')),
      quantity INTEGER NOT NULL,
      unit_price INTEGER,
      currency TEXT CHECK (length(currency) = 3),
      storefront TEXT CHECK (length(storefront) = 2),
      is_trial INTEGER CHECK (is_trial IN (0, 1)),
      is_intro INTEGER CHECK (is_intro IN (0, 1)),
      is_upgraded INTEGER NOT NULL CHECK (is_upgraded IN (0, 1)),
      ownership TEXT CHECK
        (ownership IN ('PURCHASED', 'FAMILY_SHARED', 'ASSIGNED', 'Other')),
      environment TEXT CHECK (environment IN ('Production', 'Sandbox', 'Other')),
      revocation_reason TEXT NOT NULL,
      revocation_type TEXT CHECK
        (revocation_type IN ('REFUND_FULL', 'REFUND_PRORATED', 'FAMILY_REVOKE')),
      revocation_percentage INTEGER,
      is_refund_reversed INTEGER NOT NULL CHECK (is_refund_reversed IN (0, 1)),
      offer_type INTEGER CHECK (offer_type BETWEEN 1 AND 4),
      item_id TEXT NOT NULL,
      app_item_id TEXT NOT NULL,
      subscription_group TEXT NOT NULL,
      app_version TEXT NOT NULL DEFAULT '',
      is_component INTEGER NOT NULL DEFAULT 0 CHECK (is_component IN (0, 1)),
      unknown_words TEXT NOT NULL DEFAULT ''
    ) STRICT;
    """

  /// Columns of each of Apple's three subscription reports.
  private static let subscriptionProduct = """
      app_name TEXT NOT NULL,
      app_id TEXT NOT NULL,
      name TEXT NOT NULL,
      subscription_id TEXT NOT NULL,
      group_id TEXT NOT NULL,
      duration TEXT NOT NULL,
      offer_name TEXT NOT NULL,
      promotional_offer_id TEXT NOT NULL,
      offer_type TEXT NOT NULL,
      offer_duration TEXT NOT NULL,
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
