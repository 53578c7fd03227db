extension Schema {
  /// What the bank has: credits and debits of its statements.
  static let bank = """
    CREATE TABLE bank_credit (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES source (id) DEFERRABLE INITIALLY DEFERRED,
      line INTEGER NOT NULL,
      day INTEGER NOT NULL,
      amount INTEGER NOT NULL,
      currency TEXT NOT NULL CHECK (length(currency) = 3),
      reference TEXT NOT NULL
    ) STRICT;
    CREATE INDEX bank_credit_day ON bank_credit (day);
    """

  /// The day from which an entry bears interest, and who paid it.
  static let bankPayers = """
    ALTER TABLE bank_credit ADD COLUMN value_day INTEGER;
    ALTER TABLE bank_credit ADD COLUMN payer TEXT NOT NULL DEFAULT '';
    """
}
