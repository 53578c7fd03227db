internal import Billing

extension FileReader {
  /// Reads a subscription report, which is of one day: by its name, else by the day that most of
  /// its rows are of, else by the caller.
  func readSubscriptions(_ found: Identification) throws -> FileSummary {
    guard case .delimited(let header, let delimiting) = found.form else {
      preconditionFailure("a subscription report is a table")
    }
    let divider = Divider(delimiting, columns: header.names.count)
    var report: FileSummary
    var mainDay: Day?
    switch found.kind {
    case .subscription:
      let reader = try SubscriptionReader(header, storefronts: storefronts, log: log)
      var loop = RecordLoop(reader: reader, log: log, limits: stream.limits, sink: sink)
      try loop.run(stream, divider)
      try refuseCut(loop)
      report = try reading(found.kind, loop)
    case .subscriptionEvent:
      let reader = try SubscriptionEventReader(header, storefronts: storefronts, log: log)
      var loop = RecordLoop(reader: reader, log: log, limits: stream.limits, sink: sink)
      try loop.run(stream, divider)
      try refuseCut(loop)
      report = try reading(found.kind, loop)
      mainDay = loop.reader.mainDay
    default:
      let reader = try SubscriberReader(header, storefronts: storefronts, log: log)
      var loop = RecordLoop(reader: reader, log: log, limits: stream.limits, sink: sink)
      try loop.run(stream, divider)
      try refuseCut(loop)
      report = try reading(found.kind, loop)
      mainDay = loop.reader.mainDay
    }
    let name = SubscriptionReportName(path: log.file)
    report.vendor = name?.vendor ?? hints.vendor ?? ""
    guard let day = name?.day ?? hints.copied?.lowerBound ?? mainDay ?? hints.date else {
      throw Diagnostic(
        topic: "date", at: SourceLocation(file: log.file),
        "@file.neither-the-report-rows-nor",
        help: "@file.give-the-day-with-date")
    }
    if let named = name?.day, let mainDay, mainDay != named {
      // Apple does not say that a day's report has no event of another day.
      report.warnings.append(contradiction(.warning, (named, named), rows: (mainDay, mainDay)))
    }
    report.begin = day
    report.end = day
    return report
  }
}
