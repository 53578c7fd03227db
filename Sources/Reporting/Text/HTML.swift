import Billing
import Languages

/// A text for a page, in which nothing is a sign of HTML's and nothing steers.
func escapedHTML(_ text: String) -> String {
  var escaped = ""
  for character in plainLines(text) {
    switch character {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    case "'": escaped += "&#39;"
    default: escaped.append(character)
    }
  }
  return escaped
}

/// An HTML element around what is HTML already.
///
/// - Parameter attributes: as HTML writes them, of our own words alone.
func element(_ name: String, _ attributes: String, _ content: String) -> String {
  "<\(name)\(attributes.isEmpty ? "" : " " + attributes)>\(content)</\(name)>"
}

/// An HTML element without attributes around what is HTML already.
func element(_ name: String, _ content: String) -> String { element(name, "", content) }

/// The attributes of the element with the verdict.
///
/// - Parameter mark: a colour of CSS.
func verdictAttributes(mark: String) -> String {
  "class=\"verdict\" style=\"--mark: \(mark)\""
}

/// The attributes of an element that is coloured by a severity.
func tagAttributes(_ severity: Severity) -> String { "class=\"tag \(severity.rawValue)\"" }

/// An HTML element around a text for a reader.
func element(_ name: String, _ attributes: String = "", text: Wording) -> String {
  element(name, attributes, escapedHTML(say(text)))
}

/// An HTML page that needs nothing from elsewhere, and runs nothing: a mail shows it, and so does a
/// wiki.
func wholePage(title: String, body: String) -> String {
  """
  <!doctype html>
  <html lang="\(Translation.current.language.rawValue)">
  <head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta http-equiv="Content-Security-Policy"
    content="default-src 'none'; style-src 'unsafe-inline'">
  <title>\(escapedHTML(title))</title>
  <style>
  \(pageStyle)
  </style>
  </head>
  <body>
  \(body)</body>
  </html>

  """
}

/// The style sheet of a page: colours by their use, light and dark; paper is light.
private let pageStyle: String = {
  let light = """
    --page: #fff; --ink: #1d232a; --quiet: #5b6670; --line: #d5dbe1; --ground: #f3f5f7;
    \(colours { $0.colour })
    \(Severity.allCases.map {
      "--\($0.rawValue)-ground: \($0.ground.css); --\($0.rawValue)-ink: \($0.ink.css);"
    }.joined(separator: " "))
    """
  let dark = """
    --page: #14181c; --ink: #e6eaee; --quiet: #a3adb7; --line: #353d45; --ground: #1f252b;
    \(colours(\.darkColour))
    --error-ground: #5a2415; --error-ink: #ffd9cc; --warning-ground: #4d3a08;
    --warning-ink: #ffe9ad; --info-ground: #123a52; --info-ink: #cfe9fa;
    """
  return """
    :root { color-scheme: light dark; \(light) }
    @media screen and (prefers-color-scheme: dark) { :root { \(dark) } }
    * { box-sizing: border-box }
    body { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "PingFang SC", "Noto Sans CJK SC",
      sans-serif; color: var(--ink); background: var(--page) }
    body { max-width: 68em; margin: 2em auto; padding: 0 1.2em; overflow-wrap: anywhere }
    h1 { font-size: 1.5em; line-height: 1.25; margin: 0 }
    h2 { font-size: 1.15em; margin: 2em 0 .6em; break-after: avoid }
    h3 { font-size: 1em; margin: 0 }
    p { margin: .4em 0 }
    .quiet, figcaption { color: var(--quiet); font-size: .9em }
    .verdict { font-size: 1.15em; margin: 1em 0; padding: .7em 1em; background: var(--ground);
      border-left: 4px solid var(--mark) }
    .figures { display: grid; grid-template-columns: repeat(3, 1fr); gap: .8em;
      margin: 1em 0 }
    .figures div { border: 1px solid var(--line); border-radius: 6px; padding: .6em .9em }
    .figures b { display: block; font-size: 1.2em; font-variant-numeric: tabular-nums;
      overflow-wrap: normal }
    @media (max-width: 34em) { .figures { grid-template-columns: repeat(2, 1fr) } }
    .figures span { color: var(--quiet); font-size: .85em }
    .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(19em, 1fr)) }
    .charts { gap: 1.6em; margin-top: 1.2em }
    figure { margin: 0; break-inside: avoid }
    svg { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif }
    svg text { fill: var(--ink) }
    article { border-top: 1px solid var(--line); padding: .7em 0; break-inside: avoid }
    .head { display: flex; flex-wrap: wrap; gap: .2em .9em; align-items: baseline }
    .head .quiet { flex: 1 1 14em }
    .head b { font-variant-numeric: tabular-nums; margin-left: auto; white-space: nowrap }
    .tag { font-size: .8em; padding: .05em .6em; border-radius: 1em }
    .error { background: var(--error-ground); color: var(--error-ink) }
    .warning { background: var(--warning-ground); color: var(--warning-ink) }
    .info { background: var(--info-ground); color: var(--info-ink) }
    .wide { overflow-x: auto }
    table { border-collapse: collapse; font-size: .9em }
    th, td { padding: .2em .9em .2em 0; text-align: left; white-space: nowrap;
      overflow-wrap: normal;
      border-bottom: 1px solid var(--line) }
    th { font-weight: 600; white-space: normal; vertical-align: bottom }
    .total td { font-weight: 600; border-top: 1px solid var(--quiet) }
    .n { text-align: right; font-variant-numeric: tabular-nums }
    ul { margin: .4em 0; padding-left: 1.2em }
    pre { font: 13px/1.4 ui-monospace, monospace; overflow-x: auto }
    @page { size: A4; margin: 14mm }
    @page across { size: A4 landscape }
    @media print {
      body { max-width: none; margin: 0; padding: 0; font-size: 10pt }
      .wide { overflow: visible }
      .charts { grid-template-columns: repeat(2, minmax(0, 1fr)) }
      table { font-size: 7.5pt; width: 100% }
      th, td { white-space: normal; padding-right: .5em }
      .n { white-space: nowrap }
      td:first-child { min-width: 11em }
      thead { display: table-header-group }
      tr { break-inside: avoid }
      .statement { page: across; break-before: page }
      .statement h2 { margin-top: 0 }
      .statement th { white-space: normal }
      .statement td { padding-top: .05em; padding-bottom: .05em }
      .statement td:first-child { min-width: 12em }
      .statement .figures { margin: .6em 0 0; break-inside: avoid }
      * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
    }
    """
}()

/// Declarations of CSS variables, one for the colour of each family of causes.
private func colours(_ colour: (CauseFamily) -> Colour) -> String {
  CauseFamily.allCases.map { "--\($0.rawValue): \(colour($0).css);" }.joined(separator: " ")
}

extension Colour {
  /// The colour as CSS writes it: `#0072b2`.
  var css: String {
    let digits = String(rgb, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}

extension CauseFamily {
  /// The family's colour on a dark ground.
  fileprivate var darkColour: Colour {
    switch self {
    case .total: Colour(0xAEBBC7)
    case .commission: Colour(0x3FA2DD)
    case .settlement: Colour(0xA98FD0)
    case .unexplained: Colour(0xFFFFFF)
    default: colour
    }
  }
}
