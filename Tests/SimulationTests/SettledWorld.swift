import Billing
import Foundation
import Simulation

/// A settled world on disk, a fiscal month at a time beside its truth.
struct SettledWorld {
  struct Month {
    var truth: TrueSettlement
    /// By Apple's region.
    var reports: [String: WrittenFinanceFile]
    var detail: WrittenFinanceFile?
    var payments: WrittenPayments
  }

  let parameters: SimulationParameters
  let month: WrittenMonth

  init(_ parameters: SimulationParameters) throws {
    self.parameters = parameters
    month = try WrittenMonth(parameters)
  }

  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: month.path + "/finance").sorted()
    }
  }

  func bytes(_ name: String) throws -> Data { try month.bytes("finance/" + name) }

  var months: [Month] {
    get throws {
      try zip(month.truth.settlement ?? [], ["0623", "0723"]).map { truth, stamp in
        var read = Month(
          truth: truth, reports: [:], detail: nil, payments: try payments(stamp))
        for name in try names where name.hasPrefix("\(FinanceFileTests.vendor)_\(stamp)_") {
          let region = String(name.dropLast(4).split(separator: "_")[2])
          let file = WrittenFinanceFile(try bytes(name))
          if region == "Z1" { read.detail = file } else { read.reports[region] = file }
        }
        return read
      }
    }
  }

  private func payments(_ stamp: String) throws -> WrittenPayments {
    let name = "financial_report-\(stamp)"
    switch parameters.settlement?.payments {
    case .json: return try WrittenPayments(json: bytes(name + ".json"))
    case .chinese:
      return WrittenPayments(table: try bytes(name + ".csv"), names: FinanceFileTests.chinese)
    default:
      return WrittenPayments(table: try bytes(name + ".csv"), names: FinanceFileTests.english)
    }
  }

  /// What Apple's sales reports of some days are worth, by storefront and currency.
  func reportedProceeds(_ days: ClosedRange<Day>) throws -> [String: Decimal] {
    var sums: [String: Decimal] = [:]
    for day in days {
      let stamp = day.description.replacingOccurrences(of: "-", with: "")
      let bytes = try month.bytes("S_D_\(FinanceFileTests.vendor)_\(stamp).txt")
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      for line in lines.dropFirst() {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        let units = decimal(String(fields[7]))
        let proceeds = decimal(String(fields[8]))
        guard proceeds != 0 else { continue }
        sums["\(fields[12]) \(fields[13])", default: 0] += proceeds * (units == 0 ? -1 : units)
      }
    }
    return sums
  }
}
