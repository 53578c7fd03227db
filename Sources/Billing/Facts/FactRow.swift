/// A row as the ledger keeps it: where it was read, how, and what every column of it says.
package struct FactRow: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    /// The column of the ledger's view.
    package var name: String
    /// As text: decimal money, ISO times.
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Its number within its table; 0 for a file as a whole.
  package var row: Int32
  package var kind: InputKind
  package var source: Source
  /// Another version of the file has replaced this one.
  package var isSuperseded: Bool
  /// Columns that say something, in the view's order.
  package var fields: [Field]

  package init(
    row: Int32, kind: InputKind, source: Source, isSuperseded: Bool = false, fields: [Field]
  ) {
    self.row = row
    self.kind = kind
    self.source = source
    self.isSuperseded = isSuperseded
    self.fields = fields
  }

  /// What a column says; nil where it says nothing.
  package subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// A transaction row with all that matching may ask of it.
package struct ObservedTransaction: Sendable {
  package var entry: TransactionEntry
  package var detail: TransactionDetail
  /// Nil for a row of the company's own.
  package var observation: TransactionObservation?

  package init(
    entry: TransactionEntry, detail: TransactionDetail, observation: TransactionObservation?
  ) {
    self.entry = entry
    self.detail = detail
    self.observation = observation
  }
}

/// A verifyReceipt response that refused the receipt.
package struct RefusedReceipt: Hashable, Sendable {
  package var order: IDKey
  package var user: IDKey
  /// Apple's status: 21003 is a receipt that is not authentic.
  package var status: Int32
  package var observedAt: Instant?
  package var source: Source

  package init(order: IDKey, user: IDKey, status: Int32, observedAt: Instant?, source: Source) {
    self.order = order
    self.user = user
    self.status = status
    self.observedAt = observedAt
    self.source = source
  }
}

/// Where a row came from.
package struct Source: Hashable, Sendable, Comparable {
  /// As given to `import`.
  package var file: String
  package var line: Int
  package init(file: String, line: Int) {
    self.file = file
    self.line = line
  }
  package static func < (left: Source, right: Source) -> Bool {
    (left.file, left.line) < (right.file, right.line)
  }
}
