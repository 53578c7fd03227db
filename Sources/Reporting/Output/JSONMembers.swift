/// A JSON document of one object, with the line feed at its end.
package func jsonDocument(
  isOneLine: Bool = false, _ members: (inout JSONWriter) throws -> Void
) rethrows -> String {
  var writer = JSONWriter(isOneLine: isOneLine)
  try writer.object(members)
  return writer.text() + "\n"
}

/// Members of the object that is open, by their names.
extension JSONWriter {
  /// A member with a text; null without one.
  package mutating func string(_ name: String, _ value: String?) {
    key(name)
    string(value)
  }

  /// A member with a whole number; null without one.
  package mutating func integer(_ name: String, _ value: (some BinaryInteger)?) {
    key(name)
    integer(value.map { Int64($0) })
  }

  /// A member with micro-units as a string of decimal text; null without a value.
  package mutating func decimal(
    _ name: String, _ micros: Int64?, minimumDigits: Int = 0
  ) {
    key(name)
    decimal(micros, minimumDigits: minimumDigits)
  }

  /// A member with true or false; null without a value.
  package mutating func bool(_ name: String, _ value: Bool?) {
    key(name)
    if let value { bool(value) } else { null() }
  }

  /// A member with an object, whose members `members` writes.
  package mutating func object(
    _ name: String, _ members: (inout JSONWriter) throws -> Void
  ) rethrows {
    key(name)
    try object(members)
  }

  /// A member with an object that has the members of a value; null without one.
  package mutating func object<Value>(
    _ name: String, _ value: Value?, _ members: (inout JSONWriter, Value) throws -> Void
  ) rethrows {
    key(name)
    guard let value else { return null() }
    try object { try members(&$0, value) }
  }

  /// A member with an array, one element per value.
  package mutating func array<Values: Sequence>(
    _ name: String, of values: Values,
    _ element: (inout JSONWriter, Values.Element) throws -> Void
  ) rethrows {
    key(name)
    try array(of: values, element)
  }

  /// A member with an array of texts.
  package mutating func strings(_ name: String, _ values: some Sequence<String>) {
    array(name, of: values) { $0.string($1) }
  }

  /// A member with an array, one object per value, which has the members.
  package mutating func objects<Values: Sequence>(
    _ name: String, of values: Values,
    _ members: (inout JSONWriter, Values.Element) throws -> Void
  ) rethrows {
    try array(name, of: values) { writer, value in
      try writer.object { try members(&$0, value) }
    }
  }
}
