import Billing
import Foundation
import Pricing

extension StorefrontTable {
  /// The storefront that a name in English means, however its words are put: `Korea, Republic of`
  /// for South Korea, `China mainland`, `Cote d'Ivoire`; nil for any other text.
  static func named(_ text: String) -> Storefront? {
    let key = nameKey(text)
    return key.isEmpty ? nil : byName[key]
  }

  /// The storefronts by the keys of all their names.
  private static let byName: [String: Storefront] = {
    var names: [String: Storefront] = [:]
    for entry in builtIn.entries { names[nameKey(entry.name)] = entry.storefront }
    for (code, others) in otherNames {
      for name in others { names[nameKey(name)] = Storefront(code)! }
    }
    return names
  }()

  /// A key that is the same for all ways to put a name: its words in alphabetical order, without
  /// accents, and without those that some lists leave out.
  private static func nameKey(_ name: String) -> String {
    let plain = name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    // An apostrophe is in a word; whatever else is no letter divides words.
    let words = plain.filter { !"'’‘`".contains($0) }.split { !$0.isLetter }.map(String.init)
    return words.map { $0 == "st" ? "saint" : $0 }.filter { !fillers.contains($0) }.sorted()
      .joined(separator: " ")
  }

  private static let fillers: Set<String> = ["the", "of", "and", "republic", "sar", "region"]

  /// As App Store Connect, its earlier versions and ISO 3166 call them, beside the table's names.
  private static let otherNames = [
    "BN": ["Brunei"], "BO": ["Bolivia, Plurinational State of"], "BS": ["The Bahamas"],
    "CD": [
      "Congo, Democratic Republic of the", "DR Congo", "Congo (Kinshasa)", "Congo-Kinshasa",
    ],
    "CG": ["Congo (Brazzaville)", "Congo-Brazzaville"], "CI": ["Ivory Coast"],
    "CN": ["China mainland", "Mainland China", "People's Republic of China"],
    "CV": ["Cape Verde"], "CZ": ["Czech Republic"], "FM": ["Micronesia"], "GB": ["Great Britain"],
    "GM": ["The Gambia"], "HK": ["Hong Kong SAR, China", "Hong Kong, China"],
    "KR": ["Korea, Republic of", "Korea"], "LA": ["Lao People's Democratic Republic"],
    "LY": ["Libyan Arab Jamahiriya"], "MK": ["Macedonia"], "MM": ["Burma"],
    "MO": ["Macau", "Macau SAR, China", "Macao, China"], "NL": ["The Netherlands", "Holland"],
    "RU": ["Russia"], "ST": ["São Tomé and Príncipe"], "SZ": ["Swaziland"],
    "TC": ["Turks and Caicos"], "TR": ["Turkey", "Turkiye"],
    "TW": ["Taiwan, China", "Taiwan, Province of China"], "TZ": ["Tanzania, United Republic of"],
    "US": ["United States of America"], "VE": ["Venezuela, Bolivarian Republic of"],
    "VN": ["Viet Nam"],
  ]
}
