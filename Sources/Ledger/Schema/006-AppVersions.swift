extension Schema {
  /// With which version of the app, and on which device, an order was placed or a receipt made.
  static let appVersions = """
    ALTER TABLE order_terms ADD COLUMN app_version TEXT NOT NULL DEFAULT '';
    ALTER TABLE order_terms ADD COLUMN device TEXT NOT NULL DEFAULT '';
    ALTER TABLE transaction_terms ADD COLUMN app_version TEXT NOT NULL DEFAULT '';
    """
}
