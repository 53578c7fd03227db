import Billing
import GRDBSQLite

/// What one cell of the ledger holds; blobs are bound and read on their own.
enum CellContent {
  case null
  case integer(Int64)
  case text(String)

  /// Reads a column, from 0 on, of the row that a statement is on.
  init(_ statement: OpaquePointer, _ column: Int32) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_NULL: self = .null
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    default: self = .text(RawStatement.text(statement, column))
    }
  }

  /// Binds the value to a parameter of a statement, from 1 on.
  @inline(__always)
  func bind(to statement: OpaquePointer, at index: Int32) {
    switch self {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let value): sqlite3_bind_int64(statement, index, value)
    case .text(var text):
      text.withUTF8 { bytes in
        _ = bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), copied)
        }
      }
    }
  }
}

/// SQLITE_TRANSIENT, handed over with bytes that SQLite copies before the call returns.
var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

/// A value that one cell of the ledger holds.
protocol CellValue {
  var content: CellContent { get }
  /// The type affinity by which SQLite compares it with other values.
  static var affinity: String { get }
  /// Nil where the cell holds no such value.
  init?(_ content: CellContent)
}

extension CellValue {
  static var affinity: String { "INTEGER" }
}

extension Optional: CellValue where Wrapped: CellValue {
  static var affinity: String { Wrapped.affinity }
  @inline(__always)
  var content: CellContent { self?.content ?? .null }
  init?(_ content: CellContent) { self = Wrapped(content) }
}

extension String: CellValue {
  static var affinity: String { "TEXT" }
  var content: CellContent { .text(self) }
  init?(_ content: CellContent) {
    guard case .text(let text) = content else { return nil }
    self = text
  }
}

extension FixedWidthInteger where Self: CellValue {
  var content: CellContent { .integer(Int64(self)) }
  /// Nil where the cell is no number; of one that is too large the low bits.
  init?(_ content: CellContent) {
    guard case .integer(let value) = content else { return nil }
    self.init(truncatingIfNeeded: value)
  }
}

extension Int64: CellValue {}
extension Int32: CellValue {}
extension UInt8: CellValue {}

extension Bool: CellValue {
  var content: CellContent { .integer(self ? 1 : 0) }
  /// True where the cell is 1; nil where it is no number.
  init?(_ content: CellContent) {
    guard let number = Int64(content) else { return nil }
    self = number == 1
  }
}

extension Day: CellValue {
  var content: CellContent { number.content }
  init?(_ content: CellContent) {
    guard let number = Int32(content) else { return nil }
    self.init(number: number)
  }
}

extension Instant: CellValue {
  var content: CellContent { seconds.content }
  init?(_ content: CellContent) {
    guard let seconds = Int64(content) else { return nil }
    self.init(seconds: seconds)
  }
}

// MARK: - Values that the ledger keeps as words

protocol CodedValue: CellValue {
  var code: String { get }
  init?(_ code: String)
}

extension CodedValue {
  static var affinity: String { "TEXT" }
  var content: CellContent { .text(code) }
  init?(_ content: CellContent) {
    guard let code = String(content) else { return nil }
    self.init(code)
  }
}

extension Currency: CodedValue {}
extension Storefront: CodedValue {}
extension ProductType: CodedValue {}

protocol NamedValue: CellValue {
  var name: String { get }
  init?(name: String)
}

extension NamedValue {
  static var affinity: String { "TEXT" }
  var content: CellContent { .text(name) }
  init?(_ content: CellContent) {
    guard let name = String(content) else { return nil }
    self.init(name: name)
  }
}

extension ProductKind: NamedValue {}
extension OrderStatus: NamedValue {}
extension FactSource: NamedValue {}

extension StoreEnvironment: NamedValue {
  var name: String {
    switch self {
    case .production: "Production"
    case .sandbox: "Sandbox"
    case .other: "Other"
    }
  }

  init?(name: String) {
    self = name == "Production" ? .production : name == "Sandbox" ? .sandbox : .other
  }
}

extension Ownership: NamedValue {
  var name: String {
    switch self {
    case .purchased: "PURCHASED"
    case .familyShared: "FAMILY_SHARED"
    case .assigned: "ASSIGNED"
    case .other: "Other"
    }
  }

  init?(name: String) {
    switch name {
    case "PURCHASED": self = .purchased
    case "FAMILY_SHARED": self = .familyShared
    case "ASSIGNED": self = .assigned
    default: self = .other
    }
  }
}

extension TierTable: NamedValue {}

protocol RawCellValue: CellValue, RawRepresentable where RawValue: CellValue {}

extension RawCellValue {
  static var affinity: String { RawValue.affinity }
  var content: CellContent { rawValue.content }
  init?(_ content: CellContent) {
    guard let value = RawValue(content) else { return nil }
    self.init(rawValue: value)
  }
}

extension AnswerPage.Listing: RawCellValue {}
extension SubscriptionStatus: RawCellValue {}
extension RevocationType: RawCellValue {}
extension OfferKind: RawCellValue {}
