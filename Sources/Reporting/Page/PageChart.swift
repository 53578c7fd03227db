import Billing

/// Bars that lie, one below the other, each with its name and its figure: as SVG in the page.
struct PageChart {
  struct Bar {
    var name: String
    /// Micro-units; where the bar begins and ends.
    var from: Int64
    var to: Int64
    var figure: String
    var family: CauseFamily
    var isTotal = false
  }

  private let bars: [Bar]
  /// Where the axis begins: above zero, where the small bars could not be seen otherwise.
  let cut: Int64
  private let end: Int64

  // In the drawing's own units, which scale with the page.
  private static let (width, nameWidth, figureWidth, rowHeight) = (460, 150, 100, 24)
  private static let room = width - nameWidth - figureWidth

  /// Finds where the axis begins and ends.
  ///
  /// - Parameter mayCut: whether the axis may begin elsewhere than at zero.
  init(_ bars: [Bar], mayCut: Bool) {
    self.bars = bars
    let ends = bars.flatMap { [$0.from, $0.to] }
    let (least, most) = (ends.min() ?? 0, ends.max() ?? 0)
    // Of totals only the end moves.
    let moving = bars.flatMap { $0.isTotal ? [$0.to] : [$0.from, $0.to] }
    let low = moving.min() ?? 0
    let span = most - low
    // Half of the axis would be without a step.
    let isCut = mayCut && least >= 0 && low > 0 && span > 0 && span < most / 2
    cut = isCut ? max(0, low - max(span / 2, 1)) : min(0, least)
    end = max(most, cut + 1)
  }

  /// Where an amount in micro-units stands across the drawing, in its units.
  private func place(_ micros: Int64) -> Int {
    let span = Int128(end) - Int128(cut)
    return Self.nameWidth
      + Int((Int128(max(micros, cut)) - Int128(cut)) * Int128(Self.room) / span)
  }

  /// The drawing as SVG.
  ///
  /// - Parameter title: read out in place of the drawing.
  func svg(_ title: String) -> String {
    let height = bars.count * Self.rowHeight + 4
    let rows = bars.enumerated().map { row($1, at: $0 * Self.rowHeight) }
    let zero = place(max(0, cut))
    let dashes = cut > 0 ? "3 3" : "none"
    return """
      <svg viewBox="0 0 \(Self.width) \(height)" role="img" aria-label="\(escapedHTML(title))">
      \(rows.joined(separator: "\n"))
      <path d="M\(zero) 0V\(height)" stroke="var(--line)" stroke-dasharray="\(dashes)"/>
      </svg>

      """
  }

  /// A bar with its name and figure as SVG, so far from the top.
  private func row(_ bar: Bar, at top: Int) -> String {
    let (first, last) = (place(min(bar.from, bar.to)), place(max(bar.from, bar.to)))
    let line = top + Self.rowHeight / 2 + 5
    return """
      <text x="\(Self.nameWidth - 8)" y="\(line)" text-anchor="end">\(escapedHTML(bar.name))</text>\
      <rect x="\(first)" y="\(top + 4)" width="\(max(2, last - first))" \
      height="\(Self.rowHeight - 8)" fill="var(--\(bar.family.rawValue))"/>\
      <text x="\(Self.width)" y="\(line)" text-anchor="end">\(escapedHTML(bar.figure))</text>
      """
  }
}
