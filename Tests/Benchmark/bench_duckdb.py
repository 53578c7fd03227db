"""The work of Tieout's commands as a DuckDB script: bench_duckdb.py STEP MONTH SCRATCH

It is told each storefront's day boundary, which Tieout has to infer, and it writes CSV, which is
less work than a workbook: where it wins, it wins by less than it looks. It takes Apple's signed
words without looking at their signatures.
"""

import csv
import glob
import json
import os
import sys

import duckdb

MONEY = "DECIMAL(18,2)"
SALES = {
    "Provider": "VARCHAR", "Provider Country": "VARCHAR", "SKU": "VARCHAR",
    "Developer": "VARCHAR", "Title": "VARCHAR", "Version": "VARCHAR",
    "Product Type Identifier": "VARCHAR", "Units": MONEY, "Developer Proceeds": MONEY,
    "Begin Date": "DATE", "End Date": "DATE", "Customer Currency": "VARCHAR",
    "Country Code": "VARCHAR", "Currency of Proceeds": "VARCHAR", "Apple Identifier": "VARCHAR",
    "Customer Price": MONEY, "Promo Code": "VARCHAR", "Parent Identifier": "VARCHAR",
    "Subscription": "VARCHAR", "Period": "VARCHAR", "Category": "VARCHAR", "CMB": "VARCHAR",
    "Device": "VARCHAR", "Supported Platforms": "VARCHAR", "Proceeds Reason": "VARCHAR",
    "Preserved Pricing": "VARCHAR", "Client": "VARCHAR", "Order Type": "VARCHAR",
}
ORDERS = {
    "order_id": "VARCHAR", "user_id": "VARCHAR", "sku": "VARCHAR", "status": "VARCHAR",
    "placed_at": "TIMESTAMP", "quantity": "INTEGER", "unit_price": MONEY, "currency": "VARCHAR",
    "storefront": "VARCHAR", "paid_at": "TIMESTAMP", "fulfilled_at": "TIMESTAMP",
    "transaction_id": "VARCHAR", "app_account_token": "VARCHAR", "bundle_id": "VARCHAR",
    "channel": "VARCHAR", "coins": "BIGINT",
}
TRANSACTIONS = {
    "transaction_id": "VARCHAR", "original_transaction_id": "VARCHAR",
    "web_order_line_item_id": "VARCHAR", "order_id": "VARCHAR", "sku": "VARCHAR",
    "bundle_id": "VARCHAR", "kind": "VARCHAR", "quantity": "INTEGER", "unit_price": MONEY,
    "currency": "VARCHAR", "storefront": "VARCHAR", "purchased_at": "TIMESTAMP",
    "expires_at": "TIMESTAMP", "revoked_at": "TIMESTAMP", "revocation_reason": "VARCHAR",
    "is_trial": "BOOLEAN", "is_intro": "BOOLEAN", "is_upgraded": "BOOLEAN",
    "ownership": "VARCHAR", "environment": "VARCHAR", "app_account_token": "VARCHAR",
    "user_id": "VARCHAR",
}
FIRST, LAST = "2023-06-01", "2023-06-30"


def read(files, columns, options):
    types = ", ".join(f"'{name}': '{kind}'" for name, kind in columns.items())
    names = ", ".join(f"'{file}'" for file in files)
    return (f"SELECT * FROM read_csv([{names}], header=true, auto_detect=false, "
            f"columns={{{types}}}, {options})")


def sales(connection, month, _):
    files = sorted(glob.glob(f"{month}/S_D_*.txt.gz"))
    options = "delim='\\t', quote='', escape='', compression='gzip', dateformat='%m/%d/%Y'"
    connection.execute(f"CREATE TABLE sales AS {read(files, SALES, options)}")


def purchases(connection, month, _):
    for name, columns in (("orders", ORDERS), ("transactions", TRANSACTIONS)):
        files = sorted(glob.glob(f"{month}/{name}*.csv"))
        source = read(files, columns, "delim=',', quote='\"'")
        connection.execute(f"CREATE TABLE {name} AS {source}")


def messages(connection, month, _):
    connection.execute(APPLE.format(month=month))


def fields(json, names):
    """Columns of one JSON transaction, by the names that its form has for them."""
    text = {column: f"{json}->>'$.{name}'" for column, name in names.items()}
    return f"""
      {text['id']} AS id, {text['original']} AS original, {text['sku']} AS sku,
      try_cast({text['quantity']} AS INTEGER) AS quantity,
      make_timestamp(({text['purchased']})::BIGINT * 1000) AS purchased_at,
      make_timestamp(({text['expires']})::BIGINT * 1000) AS expires_at,
      make_timestamp(({text['revoked']})::BIGINT * 1000) AS revoked_at,
      {text['token']} AS token"""


RECEIPT = {
    "id": "transaction_id", "original": "original_transaction_id", "sku": "product_id",
    "quantity": "quantity", "purchased": "purchase_date_ms", "expires": "expires_date_ms",
    "revoked": "cancellation_date_ms", "token": "app_account_token",
}
PAYLOAD = {
    "id": "transactionId", "original": "originalTransactionId", "sku": "productId",
    "quantity": "quantity", "purchased": "purchaseDate", "expires": "expiresDate",
    "revoked": "revocationDate", "token": "appAccountToken",
}
NOBODY = "NULL::VARCHAR AS order_id, NULL::VARCHAR AS user_id"
WHOSE = "json->>'$.order_id' AS order_id, json->>'$.user_id' AS user_id"
READ = "read_json_objects('{{month}}/{}', format='{}', maximum_object_size=1073741824)"
RECEIPTS = READ.format("receipts.jsonl", "newline_delimited")
VERSION_1 = READ.format("notifications-v1.jsonl", "newline_delimited")
VERSION_2 = READ.format("notifications-v2.jsonl", "newline_delimited")
HISTORY = READ.format("history.json", "array")


def payload(signed):
    """The JSON inside a signed text."""
    part = f"split_part({signed}, '.', 2)"
    plain = f"replace(replace({part}, '-', '+'), '_', '/')"
    padded = f"rpad({plain}, ((length({plain}) + 3) // 4 * 4)::INTEGER, '=')"
    return f"decode(from_base64({padded}))::JSON"


# The transactions that only Apple's messages have, the last word of each.
APPLE = f"""
    INSERT INTO transactions BY NAME
    WITH told AS (
      SELECT {WHOSE}, {fields("one", RECEIPT)} FROM (
        SELECT json, unnest(json->'$.response.receipt.in_app[*]') AS one FROM {RECEIPTS}
        UNION ALL
        SELECT json, unnest(json->'$.response.latest_receipt_info[*]') FROM {RECEIPTS}
        UNION ALL
        SELECT json, json->'$.response.receipt' FROM {RECEIPTS}
        WHERE json->>'$.response.receipt.transaction_id' IS NOT NULL)
      UNION ALL
      SELECT {NOBODY}, {fields("one", RECEIPT)} FROM (
        SELECT unnest(json->'$.body.unified_receipt.latest_receipt_info[*]') AS one
        FROM {VERSION_1})
      UNION ALL
      SELECT {NOBODY}, {fields("one", PAYLOAD)} FROM (
        SELECT {payload("json->>'$.data.signedTransactionInfo'")} AS one FROM (
          SELECT {payload("json->>'$.signedPayload'")} AS json FROM {VERSION_2})
        WHERE json->>'$.data.signedTransactionInfo' IS NOT NULL)
      UNION ALL
      SELECT {NOBODY}, {fields("one", PAYLOAD)} FROM (
        SELECT {payload("signed")} AS one FROM (
          SELECT unnest(json->>'$.signedTransactions[*]') AS signed FROM {HISTORY}))
    )
    SELECT id AS transaction_id, any_value(original) AS original_transaction_id,
      any_value(order_id) AS order_id, any_value(sku) AS sku, '' AS kind,
      coalesce(any_value(quantity), 1) AS quantity, any_value(purchased_at) AS purchased_at,
      any_value(expires_at) AS expires_at, max(revoked_at) AS revoked_at,
      'PURCHASED' AS ownership, 'Production' AS environment,
      any_value(token) AS app_account_token, any_value(user_id) AS user_id
    FROM told t WHERE NOT EXISTS (
      SELECT 1 FROM transactions known WHERE known.transaction_id = t.id)
    GROUP BY id
"""


def reconcile(connection, month, scratch):
    with open(f"{month}/truth.json", encoding="utf-8") as file:
        boundaries = json.load(file)["boundaries"]
    connection.execute("CREATE TEMP TABLE boundaries (storefront VARCHAR, minutes INTEGER)")
    connection.executemany(
        "INSERT INTO boundaries VALUES (?, ?)",
        [(row["storefront"], row["utc_offset_minutes"]) for row in boundaries])
    for statement in MATCH:
        connection.execute(statement)
    for name, query in RESULTS.items():
        cursor = connection.execute(query)
        with open(f"{scratch}/{name}.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow([column[0] for column in cursor.description])
            while rows := cursor.fetchmany(10_000):
                writer.writerows(rows)


# What the claims need of an order, kept narrow: the joins hold it in memory for every order.
CLAIMABLE = """
    CREATE TEMP VIEW claimable AS
    SELECT rowid::UINTEGER AS o, order_id, transaction_id, app_account_token, user_id, sku,
           (hash(sku) >> 32)::UINTEGER AS product, quantity::USMALLINT AS quantity, unit_price,
           currency, storefront, epoch(placed_at)::UINTEGER AS placed,
           epoch(fulfilled_at)::UINTEGER AS fulfilled,
           CASE status WHEN 'created' THEN 0 WHEN 'paid' THEN 1 WHEN 'fulfilled' THEN 2
                WHEN 'refunded' THEN 3 ELSE 4 END::UTINYINT AS status,
           channel
    FROM orders
"""

BILLABLE = """
    t.environment = 'Production' AND t.ownership = 'PURCHASED'
    AND NOT (t.kind IN ('non_consumable', 'non_renewing')
             AND t.original_transaction_id <> t.transaction_id)
"""


def matched(claim):
    """Transactions with the orders that claim them, one row each: row ids, what the counts need,
    and whether anything is wrong."""
    return f"""
    SELECT t.rowid::UINTEGER AS t, c.o, t.sku, t.quantity::USMALLINT AS quantity,
           t.purchased_at,
           CASE WHEN t.is_upgraded IS NOT TRUE THEN t.revoked_at END AS refunded_at,
           coalesce(t.unit_price, c.unit_price) AS price,
           coalesce(t.currency, c.currency) AS currency,
           coalesce(t.storefront, c.storefront) AS storefront,
           c.status IN (0, 4) OR c.product <> (hash(t.sku) >> 32)::UINTEGER
             OR c.quantity <> t.quantity OR c.unit_price <> t.unit_price
             OR (t.revoked_at IS NOT NULL AND t.is_upgraded IS NOT TRUE AND c.status IN (1, 2))
             OR (t.revoked_at IS NULL AND c.status = 3)
             OR c.fulfilled > epoch(t.purchased_at)::UINTEGER + 3600
             OR c.placed > epoch(t.purchased_at)::UINTEGER + 300 AS suspicious
    FROM transactions t {claim} AND {BILLABLE}
    """


MATCH = [
    CLAIMABLE,
    # By the order's transaction id, then the transaction's order id, then the token, then
    # back-traced by user and product within a day; each over what is left.
    "CREATE TEMP TABLE matched AS "
    + matched("JOIN claimable c ON c.transaction_id = t.transaction_id WHERE true"),
    "INSERT INTO matched "
    + matched("""JOIN claimable c ON c.order_id = t.order_id AND c.transaction_id IS NULL
                 WHERE true"""),
    """
    CREATE TEMP TABLE unclaimed AS
    SELECT t.rowid AS t FROM transactions t
    WHERE t.rowid NOT IN (SELECT m.t FROM matched m)
    """,
    """
    CREATE TEMP TABLE free_orders AS
    SELECT * FROM claimable c WHERE transaction_id IS NULL AND channel IS DISTINCT FROM 'web'
      AND c.o NOT IN (SELECT m.o FROM matched m WHERE m.o IS NOT NULL)
    """,
    "INSERT INTO matched "
    + matched("""JOIN unclaimed u ON u.t = t.rowid
                 JOIN free_orders c
                   ON c.app_account_token = t.app_account_token AND c.sku = t.sku
                 WHERE true"""),
    "INSERT INTO matched "
    + matched("""JOIN (SELECT t FROM unclaimed
                       WHERE t NOT IN (SELECT m.t FROM matched m)) u ON u.t = t.rowid
                 LEFT JOIN free_orders c
                   ON c.user_id = t.user_id AND c.sku = t.sku
                   AND t.original_transaction_id = t.transaction_id
                   AND epoch(t.purchased_at) - c.placed::BIGINT BETWEEN 0 AND 86400
                 WHERE true"""),
    f"""
    CREATE TEMP TABLE counted AS
    SELECT CAST(m.purchased_at + to_minutes(b.minutes) AS DATE) AS day, m.storefront, m.sku,
           false AS refund, sum(m.quantity) AS units
    FROM matched m JOIN boundaries b USING (storefront)
    WHERE m.purchased_at BETWEEN DATE '{FIRST}' - 2 AND DATE '{LAST}' + 3
    GROUP BY ALL
    UNION ALL
    SELECT CAST(m.refunded_at + to_minutes(b.minutes) AS DATE), m.storefront, m.sku, true,
           sum(m.quantity)
    FROM matched m JOIN boundaries b USING (storefront)
    WHERE m.refunded_at IS NOT NULL
    GROUP BY ALL
    """,
    """
    CREATE TEMP TABLE reported AS
    SELECT "Begin Date" AS day, "Country Code" AS storefront, "SKU" AS sku,
           "Units" < 0 AS refund, abs(sum("Units")) AS units
    FROM sales
    WHERE "Product Type Identifier" IN ('IA1', 'IA9', 'IAY')
    GROUP BY ALL
    """,
]

# The latest period of each subscription that the month touches, as it stood at the month's end.
CHAINS = f"""
    SELECT original_transaction_id, count(*) AS periods, min(purchased_at) AS first_bought,
           max(purchased_at) AS last_bought, arg_max(sku, purchased_at) AS sku,
           arg_max(storefront, purchased_at) AS storefront,
           arg_max(user_id, purchased_at) AS user_id,
           CASE WHEN arg_max(revoked_at IS NOT NULL, purchased_at) THEN 'refunded'
                WHEN arg_max(expires_at, purchased_at) <= DATE '{LAST}' + 1 THEN 'expired'
                WHEN arg_max(is_trial, purchased_at) THEN 'trial'
                WHEN arg_max(is_intro, purchased_at) THEN 'introductory'
                ELSE 'active' END AS state
    FROM transactions
    WHERE expires_at IS NOT NULL AND purchased_at < DATE '{LAST}' + 1
    GROUP BY original_transaction_id
    HAVING max(purchased_at) >= DATE '{FIRST}' OR max(revoked_at) >= DATE '{FIRST}'
"""

RESULTS = {
    "mismatches": f"""
        SELECT *, coalesce(r.units, 0) - coalesce(c.units, 0) AS difference
        FROM counted c FULL JOIN reported r USING (day, storefront, sku, refund)
        WHERE day BETWEEN '{FIRST}' AND '{LAST}' AND coalesce(r.units, 0) <> coalesce(c.units, 0)
        ORDER BY ALL""",
    "days": f"""
        SELECT day, storefront, refund, sum(c.units) AS ledger, sum(r.units) AS reported
        FROM counted c FULL JOIN reported r USING (day, storefront, sku, refund)
        WHERE day BETWEEN '{FIRST}' AND '{LAST}' GROUP BY ALL ORDER BY ALL""",
    "proceeds": f"""
        SELECT "Country Code", "Customer Currency", "Currency of Proceeds",
               sum(greatest("Units", 0)) AS sold, -sum(least("Units", 0)) AS refunded,
               sum("Units" * abs("Customer Price")) AS gross,
               sum("Units" * "Developer Proceeds") AS proceeds
        FROM sales WHERE "Begin Date" BETWEEN '{FIRST}' AND '{LAST}'
        GROUP BY ALL ORDER BY ALL""",
    "prices": f"""
        SELECT "Country Code", "SKU", "Customer Price", "Developer Proceeds", sum("Units") AS units
        FROM sales WHERE "Begin Date" BETWEEN '{FIRST}' AND '{LAST}'
        GROUP BY ALL ORDER BY ALL""",
    "ledger": f"""
        SELECT storefront, currency, sum(price * quantity) AS gross FROM matched
        WHERE CAST(purchased_at AS DATE) BETWEEN '{FIRST}' AND '{LAST}'
        GROUP BY ALL ORDER BY ALL""",
    "transactions_without_order": f"""
        SELECT t.transaction_id, t.sku, m.storefront, t.purchased_at
        FROM (SELECT * FROM matched WHERE o IS NULL
              AND purchased_at BETWEEN DATE '{FIRST}' AND DATE '{LAST}' + 1) m
        JOIN transactions t ON t.rowid = m.t
        WHERE t.is_trial IS NOT TRUE AND t.original_transaction_id = t.transaction_id
        ORDER BY t.purchased_at, t.transaction_id""",
    "transactions": f"""
        SELECT t.transaction_id, o.order_id, t.sku, m.storefront, t.purchased_at, o.status
        FROM (SELECT * FROM matched WHERE suspicious
              AND purchased_at BETWEEN DATE '{FIRST}' AND DATE '{LAST}' + 1) m
        JOIN transactions t ON t.rowid = m.t LEFT JOIN orders o ON o.rowid = m.o
        ORDER BY t.purchased_at, t.transaction_id""",
    "orders": f"""
        SELECT order_id, sku, storefront, placed_at, status FROM orders o
        WHERE o.rowid NOT IN (SELECT m.o FROM matched m WHERE m.o IS NOT NULL)
          AND o.status IN ('paid', 'fulfilled') AND o.channel IS DISTINCT FROM 'web'
          AND NOT EXISTS (SELECT 1 FROM transactions t
                          WHERE t.environment = 'Sandbox' AND t.transaction_id = o.transaction_id)
          AND o.placed_at BETWEEN DATE '{FIRST}' AND DATE '{LAST}' + 1
        ORDER BY placed_at, order_id""",
    "refund_totals": f"""
        SELECT storefront, currency, count(*) AS refunds, sum(quantity) AS units,
               sum(price * quantity) AS amount,
               sum((date_diff('day', purchased_at, refunded_at) > 90)::INTEGER) AS beyond_window
        FROM matched WHERE refunded_at BETWEEN DATE '{FIRST}' AND DATE '{LAST}' + 1
        GROUP BY ALL ORDER BY ALL""",
    "refunds": f"""
        SELECT m.storefront, m.currency, m.refunded_at, m.purchased_at, m.sku, m.quantity,
               m.price * m.quantity AS amount, t.revocation_reason, t.transaction_id, o.order_id,
               o.status, u.user_id, u.refunds
        FROM (SELECT * FROM matched
              WHERE refunded_at BETWEEN DATE '{FIRST}' AND DATE '{LAST}' + 1) m
        JOIN transactions t ON t.rowid = m.t LEFT JOIN orders o ON o.rowid = m.o
        LEFT JOIN (SELECT user_id, count(*) AS refunds FROM transactions
                   WHERE revoked_at BETWEEN DATE '{FIRST}' AND DATE '{LAST}' + 1
                   GROUP BY ALL) u ON u.user_id = t.user_id
        ORDER BY (date_diff('day', m.purchased_at, m.refunded_at) > 90) DESC, u.refunds DESC,
                 m.storefront, m.refunded_at""",
    "subscription_counts": f"""
        SELECT sku, state, count(*) AS chains FROM ({CHAINS}) GROUP BY ALL ORDER BY ALL""",
    "subscriptions": f"""
        SELECT * FROM ({CHAINS}) ORDER BY storefront, sku, original_transaction_id""",
}


def main():
    step, month, scratch = sys.argv[1:]
    connection = duckdb.connect(f"{scratch}/month.duckdb", config={
        "threads": len(os.sched_getaffinity(0)), "preserve_insertion_order": False})
    steps = (sales, purchases, messages, reconcile)
    {run.__name__: run for run in steps}[step](connection, month, scratch)
    connection.execute("CHECKPOINT")
    connection.close()


if __name__ == "__main__":
    main()
