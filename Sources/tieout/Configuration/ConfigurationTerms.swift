import Billing
import Pricing
import TOMLKit
import Workflow

// Which terms of Apple's hold for the account, and for which of its products.

/// Agreements with the day from which they are accepted; one without a day was not.
func agreements(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> [Settings.Agreement] {
  let example: Wording = "@configuration.list-such-as-name-eu"
  var agreements: [Settings.Agreement] = []
  for table in try tables(value, keys: ["name", "accepted"], example) {
    guard let name = table["name"]?.string, !name.isEmpty else {
      throw ValueDiagnostic(example, found: "@configuration.agreement-without-a-name")
    }
    let known = PriceBook.agreementNames
    guard known.contains(name) else {
      throw ValueDiagnostic(
        "@configuration.one \(known.joined(separator: ", "))",
        found: Wording(verbatim: "\"\(name)\""),
        help: nearest(to: name, among: known).map { "@shared.did-you-mean \($0)" })
    }
    guard !agreements.contains(where: { $0.name == name }) else {
      throw ValueDiagnostic(
        "@configuration.each-agreement-once", found: "@configuration.again \(name)")
    }
    agreements.append(
      Settings.Agreement(name: name, accepted: try open(table["accepted"]).map(day)))
  }
  return agreements
}

/// Programmes that single products are in.
func programmes(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> [Settings.Programme] {
  let example: Wording = "@configuration.list-such-as-name-mini"
  var programmes: [Settings.Programme] = []
  for table in try tables(value, keys: ["name", "skus", "from", "to"], example) {
    let names = CommissionClass.ofProducts
    let name = table["name"]?.string
    guard let programme = names.first(where: { $0.rawValue == name }) else {
      throw ValueDiagnostic(
        "@configuration.one \(names.map(\.rawValue).joined(separator: ", "))",
        found: Wording(verbatim: "\"\(name ?? "")\""),
        help: name == CommissionClass.smallBusiness.rawValue
          ? "@configuration.whole-account-is" : nil)
    }
    guard let skus = table["skus"], case let patterns = try texts(skus), !patterns.isEmpty else {
      throw ValueDiagnostic(example, found: "@configuration.programme-without-skus")
    }
    for pattern in patterns where pattern.isEmpty || pattern.dropLast().contains("*") {
      throw ValueDiagnostic(
        "@configuration.skus-the-last-character-may", found: Wording(verbatim: "\"\(pattern)\""))
    }
    programmes.append(
      Settings.Programme(
        name: programme, skus: patterns, span: try span(from: table["from"], to: table["to"])))
  }
  return programmes
}

/// Channels beside Apple's, each with its fee and its tax.
func channels(_ value: any TOMLValueConvertible) throws(ValueDiagnostic) -> [Settings.Channel] {
  let example: Wording = "@configuration.list-such-as-name-google"
  var channels: [Settings.Channel] = []
  for table in try tables(value, keys: ["name", "fee", "tax"], example) {
    guard let name = table["name"]?.string, !name.isEmpty else {
      throw ValueDiagnostic(example, found: "@configuration.channel-without-a-name")
    }
    guard name.lowercased() != "apple" else {
      throw ValueDiagnostic(example, found: "@configuration.apple-channel-has-its-own-terms")
    }
    guard !channels.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw ValueDiagnostic(
        "@configuration.each-channel-once", found: "@configuration.again \(name)")
    }
    let fee = try table["fee"].map(share) ?? 0
    let tax = try table["tax"].map(share) ?? 0
    channels.append(Settings.Channel(name: name, fee: fee, tax: tax))
  }
  return channels
}

/// The tables of a list; refuses what is no such list, and keys that are none of `keys`.
///
/// - Parameter example: what is expected, for messages.
private func tables(
  _ value: any TOMLValueConvertible, keys: [String], _ example: Wording
) throws(ValueDiagnostic) -> [TOMLTable] {
  guard let array = value.array else { throw ValueDiagnostic(example, value) }
  var tables: [TOMLTable] = []
  for element in array {
    guard let table = element.table else { throw ValueDiagnostic(example, element) }
    for key in table.keys where !keys.contains(key) {
      throw ValueDiagnostic(
        "\(keys.joined(separator: ", "))", found: Wording(verbatim: "\"\(key)\""))
    }
    tables.append(table)
  }
  return tables
}

/// The texts of a configuration's lists of agreements, programmes and channels, as they could stand
/// in it.
extension Settings {
  /// The channels as a list of tables, as it could stand in the file.
  var channelsText: String {
    let texts = channels.map { channel in
      let parts = [("fee", channel.fee), ("tax", channel.tax)].map { key, share in
        ", \(key) = \(decimalText(micros: share))"
      }
      return "{ name = \"\(channel.name)\"\(parts.joined()) }"
    }
    return "[\(texts.joined(separator: ", "))]"
  }

  /// The agreements as a list of tables, as it could stand in the file.
  var agreementsText: String {
    let texts = agreements.map { agreement in
      agreement.accepted.map { "{ name = \"\(agreement.name)\", accepted = \($0) }" }
        ?? "{ name = \"\(agreement.name)\" }"
    }
    return "[\(texts.joined(separator: ", "))]"
  }

  /// The programmes as a list of tables, as it could stand in the file.
  var programmesText: String {
    let texts = programmes.map { programme in
      let days = [("from", programme.span.from), ("to", programme.span.to)].compactMap { key, day in
        day.map { ", \(key) = \($0)" }
      }
      return "{ name = \"\(programme.name.rawValue)\", skus = \(programme.skus)\(days.joined()) }"
    }
    return "[\(texts.joined(separator: ", "))]"
  }
}
