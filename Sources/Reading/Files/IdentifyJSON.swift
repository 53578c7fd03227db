internal import Billing

/// Finds out what a text is that begins as JSON does. On return the stream stands at the first
/// record, or at the array of these.
func identifyJSON(
  _ stream: TextStream, _ mappings: [TableMapping], asked: InputKind?, own: OwnWork,
  _ log: ReadingLog
) throws -> Identification {
  let shape = try firstObject(stream)
  if shape.isConnectAnswer, hasPricePoints(stream.available) {
    return Identification(
      kind: .tiers, form: .json, layout: .pricePoints, members: shape.keys)
  }
  let isCompanys = CompanyTable.made.contains { $0.kind == asked }
  if !isCompanys, let kind = purchaseKind(shape) {
    return Identification(kind: kind, form: .json, members: shape.keys)
  }
  try own.refuse(keys: shape.keys, file: stream.file)
  try refuse(shape, stream)
  if shape.isEmptyArray, SalesReportName(path: stream.file) != nil {
    return Identification(kind: .sales, form: .nothing)
  }
  if !isRow(shape, mappings), let rows = WrappedRows(stream.available) {
    return try identifyWrapped(rows, stream, mappings, asked: asked, own: own, log)
  }
  return try identifyObjects(shape, stream, mappings, asked: asked)
}

/// The outermost keys of the first object, which is read to its end; throws a diagnostic when there
/// are too many.
private func firstObject(_ stream: TextStream) throws -> JSONShape {
  var shape = JSONShape(stream.available)
  let limit = max(stream.limits.recordLength, stream.limits.purchaseLength)
  while !shape.isWhole, stream.available.count <= limit, try stream.refill() {
    shape = JSONShape(stream.available)
  }
  guard shape.hasTooManyKeys else { return shape }
  let wrong = tooManyKeys(offset: 0)
  throw Diagnostic(
    topic: wrong.topic, at: SourceLocation(file: stream.file, line: stream.line), wrong.message,
    help: wrong.help)
}

/// Whether a JSON object is a row itself, whatever lies inside it: by its keys one of Apple's sales
/// or payments, of a company's table, or of a table that one of the mappings fits.
private func isRow(_ shape: JSONShape, _ mappings: [TableMapping]) -> Bool {
  if shape.isSales || shape.isPayments { return true }
  let names = Set(
    Header(file: "", line: 0, separator: 0x2C, printed: shape.keys)
      .withCompanyNames.names)
  if CompanyTable.all.contains(where: { $0.recognises(names) }) { return true }
  return mappings.contains { (try? MappedTable($0, printed: shape.keys, header: nil)) != nil }
}

/// Identifies rows in an array that lies inside objects. On return the stream stands at the array.
private func identifyWrapped(
  _ rows: WrappedRows, _ stream: TextStream, _ mappings: [TableMapping], asked: InputKind?,
  own: OwnWork, _ log: ReadingLog
) throws -> Identification {
  // The reader of payments finds them inside their record, which has more than they.
  if rows.keys.last.map(squeezedName) == JSONShape.paymentsKey {
    return Identification(kind: .payments, form: .json)
  }
  let inner = JSONShape(UnsafeRawBufferPointer(rebasing: stream.available[rows.place...]))
  try own.refuse(keys: rows.keys, rows: inner.keys, file: stream.file)
  var found = try identifyObjects(inner, stream, mappings, asked: asked)
  found.form = .wrappedJSON(depth: rows.keys.count)
  if !rows.others.isEmpty {
    log.warn(
      "column", line: stream.line,
      "@file.left-out-besides-the-rows \(rows.others.prefix(20).joined(separator: ", "))",
      help: "@file.where-they-say-that-there")
  }
  let above = stream.available[..<rows.place]
  stream.line += above.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
  if let last = above.lastIndex(of: 0x0A) {
    stream.lineOffset = rows.place - last - 1
  } else {
    stream.lineOffset += rows.place
  }
  stream.start += rows.place
  return found
}

/// Identifies objects that are rows, by the keys of the first one.
private func identifyObjects(
  _ shape: JSONShape, _ stream: TextStream, _ mappings: [TableMapping], asked: InputKind?
) throws -> Identification {
  if shape.isPayments {
    return Identification(kind: .payments, form: .json, members: shape.keys)
  }
  var header = Header(file: stream.file, line: stream.line, separator: 0x2C, printed: shape.keys)
  header.nested = Set(shape.keys.filter { [0x5B, 0x7B].contains(shape.firstBytes[$0]) })
  if shape.isSales || asked == .sales {
    try header.requireSalesColumns()
    return Identification(kind: .sales, form: .json, members: shape.keys)
  }
  if let mapped = try fittingMapping(
    mappings, printed: shape.keys, header: nil, file: stream.file, line: stream.line, asked: asked)
  {
    return Identification(
      kind: mapped.table.kind, form: .json, mapped: mapped, members: shape.keys)
  }
  try refuse(header)
  try refuseSilence(
    mappings, printed: shape.keys, header: nil, file: stream.file, line: stream.line)
  let kind = try companyKind(header: header.withCompanyNames, asked: asked, mayLack: true)
  return Identification(kind: kind, form: .json, members: shape.keys)
}

/// Whether the beginning of an answer of App Store Connect speaks of prices.
private func hasPricePoints(_ bytes: UnsafeRawBufferPointer) -> Bool {
  let begin = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
  return ["PricePoints\"", "PurchasePrices\"", "subscriptionPrices\"", "/pricePoints"].contains {
    begin.contains($0)
  }
}

extension JSONShape {
  /// Whether the object has the outer form of what the App Store Connect API answers.
  fileprivate var isConnectAnswer: Bool {
    keys.contains("links") && [0x5B, 0x7B].contains(firstBytes["data"])
  }

  static let paymentsKey = "reportsummaries"

  /// Whether the object is the answer behind Apple's payments page.
  fileprivate var isPayments: Bool { keys.contains { squeezedName($0) == Self.paymentsKey } }

  /// Whether the object is a row of Apple's sales report, however the columns are spelt.
  fileprivate var isSales: Bool {
    Set(keys.map(squeezedName)).isSuperset(of: ["producttypeidentifier", "begindate"])
  }
}
