import Billing
import Languages

extension SummaryPage {
  var html: String {
    var body = "<h1>" + escapedHTML(say(title)) + "</h1>\n"
    for section in sectionsToSend {
      body += "<h2>" + escapedHTML(say(section.title)) + "</h2>\n"
      for piece in section.pieces {
        switch piece {
        case .table(let table): body += table.html
        case .points(let points):
          let items = points.map { "<li>" + escapedHTML(say($0)) + "</li>\n" }.joined()
          body += "<ul>\n" + items + "</ul>\n"
        case .line(let line, _): body += "<p>" + escapedHTML(say(line)) + "</p>\n"
        }
      }
    }
    body += remarks.map { "<p>" + escapedHTML(say($0)) + "</p>\n" }.joined()
    return wholePage(title: say(title), body: body)
  }
}

/// A page that needs nothing from elsewhere: a mail shows it, and so does a wiki.
func wholePage(title: String, body: String) -> String {
  """
  <!doctype html>
  <html lang="\(Translation.current.language.rawValue)">
  <head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>\(escapedHTML(title))</title>
  <style>
  body { font: 15px/1.45 system-ui, sans-serif; color: #1d1d1f }
  body { max-width: 56em; margin: 2em auto; padding: 0 1em }
  h1 { font-size: 1.35em }
  h2 { font-size: 1.05em; margin: 1.6em 0 .4em }
  table { border-collapse: collapse }
  th, td { padding: .15em .9em .15em 0; text-align: left; white-space: nowrap }
  th { font-weight: 600; border-bottom: 1px solid #bbb }
  .n { text-align: right; font-variant-numeric: tabular-nums }
  pre { font: 13px/1.4 ui-monospace, monospace; overflow-x: auto }
  </style>
  </head>
  <body>
  \(body)</body>
  </html>

  """
}

extension TextTable {
  fileprivate var html: String {
    if isEmpty { return "" }
    func row(_ cells: [String], _ tag: String) -> String {
      let cells = zip(cells, isNumber).map { cell, isNumber in
        "<\(tag)\(isNumber ? " class=\"n\"" : "")>" + escapedHTML(cell) + "</\(tag)>"
      }
      return "<tr>" + cells.joined() + "</tr>\n"
    }
    let head = names.map { "<thead>\n" + row($0, "th") + "</thead>\n" } ?? ""
    let body = "<tbody>\n" + rows.map { row($0, "td") }.joined() + "</tbody>\n"
    return "<table>\n" + head + body + "</table>\n"
  }
}

func escapedHTML(_ text: String) -> String {
  var escaped = ""
  for character in text {
    switch character {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    default: escaped.append(character)
    }
  }
  return escaped
}
