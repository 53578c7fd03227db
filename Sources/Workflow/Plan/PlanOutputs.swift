import Billing
package import Pricing
import Reporting

/// What `plan rate` prints for a person; `workbook` is where one was saved.
package func text(of plan: RatePlan, isVerbose: Bool, workbook: String?) -> String {
  plan.text(isVerbose: isVerbose, workbook: workbook)
}

/// What `plan rate --format json` prints.
package func json(of plan: RatePlan) -> String { plan.json }

/// What `plan price` prints for a person.
package func text(of plan: TierPlan) -> String { plan.text }

/// What `plan price --format json` prints.
package func json(of plan: TierPlan) -> String { plan.json }

/// What `plan what-if` prints for a person; `workbook` is where one was saved.
package func text(of plan: WhatIf, workbook: String?) -> String { plan.text(workbook: workbook) }

/// What `plan what-if --format json` prints.
package func json(of plan: WhatIf) -> String { plan.json }

/// Saves the plan's workbook, whole or not at all. Throws a ``Stop``.
package func saveWorkbook(of plan: RatePlan, to path: String) throws {
  try savingWorkbook(path) { () throws(OutputError) in try writeWorkbook(plan, to: path) }
}

/// Saves the workbook of changes, whole or not at all. Throws a ``Stop``.
package func saveWorkbook(of plan: WhatIf, to path: String) throws {
  try savingWorkbook(path) { () throws(OutputError) in try writeWorkbook(plan, to: path) }
}

/// What `plan packs` prints for a person; `workbook` and `tables` are where some were saved.
package func text(of plan: PackPlan, workbook: String?, tables: [String]) -> String {
  plan.text(workbook: workbook, tables: tables)
}

/// What `plan packs --format json` prints.
package func json(of plan: PackPlan) -> String { plan.json }

/// Saves the workbook of packs, whole or not at all. Throws a ``Stop``.
package func saveWorkbook(of plan: PackPlan, to path: String) throws {
  try savingWorkbook(path) { () throws(OutputError) in try writeWorkbook(plan, to: path) }
}
