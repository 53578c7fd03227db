import Billing
import Conclusions
import Ledger
import Matching

/// Reads the company's log of events of the period's purchases; nil where none is loaded.
///
/// - Parameter findings: about orders; where they may have patterns, it is kept which purchase each
///   event is of.
func eventSurvey(
  _ ledger: Ledger, _ findings: [UnresolvedFinding], _ context: MatchingContext
) throws -> EventSurvey? {
  var survey: EventSurvey?
  try ledger.forEachEvent(
    in: purchaseWindow(context.period),
    begin: { survey = EventSurvey($0, context, traces: findings.mayHavePatterns) },
    event: { survey?.add($0) })
  return survey
}

/// The steps of the period's purchases by the log of events, with what became of them.
///
/// - Parameter flow: purchases by day, as they were matched.
func purchaseStages(
  _ events: EventSurvey, _ ledger: Ledger, _ flow: [FlowDay], _ context: MatchingContext
) throws -> PurchaseStages? {
  events.conclusion(flow, refused: try ledger.refusedReceipts(purchaseWindow(context.period)))
}
