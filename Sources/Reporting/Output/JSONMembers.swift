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
  package mutating func string(_ name: String, _ value: String?) {
    key(name)
    string(value)
  }

  package mutating func integer(_ name: String, _ value: Int64?) {
    key(name)
    integer(value)
  }

  package mutating func integer(_ name: String, _ value: Int) {
    integer(name, Int64(value))
  }

  package mutating func decimal(
    _ name: String, _ micros: Int64?, minimumDigits: Int = 0
  ) {
    key(name)
    decimal(micros, minimumDigits: minimumDigits)
  }

  package mutating func bool(_ name: String, _ value: Bool?) {
    key(name)
    if let value { bool(value) } else { null() }
  }

  package mutating func object(
    _ name: String, _ members: (inout JSONWriter) throws -> Void
  ) rethrows {
    key(name)
    try object(members)
  }

  /// An object with the members of a value; null without one.
  package mutating func object<Value>(
    _ name: String, _ value: Value?, _ members: (inout JSONWriter, Value) throws -> Void
  ) rethrows {
    key(name)
    guard let value else { return null() }
    try object { try members(&$0, value) }
  }

  /// An array with one element per value.
  package mutating func array<Values: Sequence>(
    _ name: String, of values: Values,
    _ element: (inout JSONWriter, Values.Element) throws -> Void
  ) rethrows {
    key(name)
    try array(of: values, element)
  }

  package mutating func strings(_ name: String, _ values: some Sequence<String>) {
    array(name, of: values) { $0.string($1) }
  }

  /// An array with one object per value, which has the members.
  package mutating func objects<Values: Sequence>(
    _ name: String, of values: Values,
    _ members: (inout JSONWriter, Values.Element) throws -> Void
  ) rethrows {
    try array(name, of: values) { writer, value in
      try writer.object { try members(&$0, value) }
    }
  }
}
