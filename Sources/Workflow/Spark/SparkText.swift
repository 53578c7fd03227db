import Billing
import Languages
import Reporting

extension WrittenScript {
  /// What `spark` prints for a person: what was saved, and what to do with it.
  package var text: String {
    var lines = [say("@spark.script \(request.script) \(request.period)")]
    if ids > 0 {
      lines.append(
        say("@spark.ids-in-apple-messages \(request.idsPath) \(grouped(ids))")
      )
    }
    if asked.purchases > 0 {
      lines.append(
        say(
          "@spark.counted-purchases-that-the-script \(grouped(Int(asked.purchases)))"))
    } else if isWhole {
      lines.append(
        say("@spark.counts-that-are-loaded-need"))
    }
    lines.append(say("@spark.next-spark-sql-f-then \(request.script) \(request.output)"))
    return lines.map { $0 + "\n" }.joined()
  }

  /// What `spark --format json` prints: one JSON document.
  package var json: String {
    jsonDocument { json in
      json.string("script", request.script)
      json.string("ids", ids > 0 ? request.idsPath : nil)
      json.string("output", request.output)
      json.integer("purchases_asked", asked.purchases)
    }
  }
}
