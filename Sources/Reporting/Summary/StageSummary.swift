import Billing
import Languages
import Conclusions

extension Reconciliation {
  /// The section on what stands out in the steps of purchases; nil where no log is loaded.
  var stagesSection: SummaryPage.Section? {
    guard let stages else { return nil }
    let shown = 8
    let marks = stages.told
    var section = SummaryPage.Section(
      title: "@list.purchase-stages",
      pieces: marks.isEmpty ? [] : [.points(Array(marks.prefix(shown)))])
    section.addMore(marks.count - shown)
    let delivered = stages.deliveries.reduce(0) { $0 + $1.delivered }
    let late = stages.deliveries.reduce(0) { $0 + $1.late }
    if let share = ratio(Int64(late), of: Int64(delivered)) {
      section.add(
        "@list.fulfilled-late \(grouped(late)) \(grouped(delivered)) \(percent(share))")
    }
    var refused: [Int32: Int] = [:]
    for count in stages.deliveries.flatMap(\.refused) {
      refused[count.status, default: 0] += count.receipts
    }
    let counts = refused.sorted { $0.key < $1.key }.map {
      RefusedCount(status: $0.key, receipts: $0.value)
    }
    if !counts.isEmpty { section.add("@list.receipts-refused-by-apple-2 \(counts.told)") }
    if section.pieces.isEmpty { return nil }
    if stages.undatedRefusals > 0 {
      section.add(
        "@list.receipts-refused-by-apple-at-a-time \(grouped(stages.undatedRefusals))")
    }
    return section
  }
}

extension PurchaseStages {
  /// What stands out, each mark with its day and step in words: hours that fail, what was slow,
  /// what is not known.
  var told: [Wording] {
    var (failing, slow, unknown): ([Wording], [Wording], [Wording]) = ([], [], [])
    for line in stages {
      for mark in line.marks {
        let told: Wording = "\(line.day), \(line.name): \(mark.explanation)"
        switch mark {
        case .failing: failing.append(told)
        case .slowMedian, .slowLate: slow.append(told)
        case .unknownStage: unknown.append(told)
        // It is the same of all steps.
        case .unknownDay:
          let day: Wording = "\(line.day): \(mark.explanation)"
          if unknown.last != day { unknown.append(day) }
        }
      }
    }
    return failing + slow + unknown
  }
}
