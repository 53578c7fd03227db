import Billing
import Languages
import Reporting

extension WrittenScript {
  /// What `spark` prints for a person: what was saved, and what to do with it.
  package var text: String {
    var lines = [say("\(request.script): the script for \(request.period)")]
    if ids > 0 {
      lines.append(
        say("\(request.idsPath): IDs in Apple's messages (\(grouped(ids))), which the script reads")
      )
    }
    if asked.purchases > 0 {
      lines.append(
        say(
          """
          counted purchases that the script now writes as rows: \(grouped(Int(asked.purchases)))
          """))
    } else if isWhole {
      lines.append(
        say("the counts that are loaded need no further rows: there is no need to run it again"))
    }
    lines.append(say("next: spark-sql -f \(request.script), then tieout import \(request.output)"))
    return lines.map { $0 + "\n" }.joined()
  }

  /// What `spark --format json` prints.
  package var json: String {
    var json = JSONWriter()
    json.object { json in
      json.string("script", request.script)
      json.key("ids")
      if ids > 0 { json.string(request.idsPath) } else { json.null() }
      json.string("output", request.output)
      json.integer("purchases_asked", asked.purchases)
    }
    return json.text() + "\n"
  }
}
