import Billing

/// Columns that stand side by side for each day, with the highest figure: as SVG in the page.
struct DayChart {
  struct Series {
    var name: String
    /// By day; below zero is drawn as nothing.
    var counts: [Int64]
    var family: CauseFamily
  }

  let days: [Day]
  let series: [Series]

  // In the drawing's own units, which scale with the page; of a column's place and width a tenth.
  private static let (width, top, base, height) = (460, 18, 118, 154)

  /// The highest figure of all days, one at least.
  private var highest: Int64 { max(series.flatMap(\.counts).max() ?? 0, 1) }

  /// The drawing as SVG; empty without days.
  ///
  /// - Parameter title: read out in place of the drawing.
  func svg(_ title: String) -> String {
    guard let first = days.first, let last = days.last else { return "" }
    let columns = series.enumerated().map { path(of: $1, at: $0) }
    let names = series.enumerated().map { name(of: $1, at: $0) }
    return """
      <svg viewBox="0 0 \(Self.width) \(Self.height)" role="img" aria-label="\(escapedHTML(title))">
      \(columns.joined(separator: "\n"))
      <path d="M0 \(Self.base)H\(Self.width)" stroke="var(--line)"/>
      <text x="0" y="12">\(grouped(Int(highest)))</text>
      <text x="0" y="\(Self.base + 15)">\(first)</text>
      <text x="\(Self.width)" y="\(Self.base + 15)" text-anchor="end">\(last)</text>
      \(names.joined(separator: "\n"))
      </svg>

      """
  }

  /// The columns of a series as one path of SVG.
  ///
  /// - Parameter place: the index of the series among those side by side.
  private func path(of series: Series, at place: Int) -> String {
    let slot = Self.width * 10 / days.count
    let width = max(slot * 8 / (10 * self.series.count), 1)
    let room = Int128(Self.base - Self.top)
    let columns = series.counts.enumerated().compactMap { day, count -> String? in
      let height = Int(Int128(max(count, 0)) * room / Int128(highest))
      if count <= 0 { return nil }
      let left = Self.width * 10 * day / days.count + place * width
      return "M\(tenths(left)) \(Self.base)v-\(max(height, 1))h\(tenths(width))V\(Self.base)z"
    }
    return "<path d=\"\(columns.joined())\" fill=\"var(--\(series.family.rawValue))\"/>"
  }

  /// The name of a series below the drawing, after a square in its colour.
  private func name(of series: Series, at place: Int) -> String {
    let (left, line) = (place * 120, Self.height - 6)
    return """
      <rect x="\(left)" y="\(line - 9)" width="10" height="10" \
      fill="var(--\(series.family.rawValue))"/>\
      <text x="\(left + 16)" y="\(line)">\(escapedHTML(series.name))</text>
      """
  }

  /// A number of tenths as a decimal: 123 is `12.3`.
  private func tenths(_ number: Int) -> String { "\(number / 10).\(number % 10)" }
}
