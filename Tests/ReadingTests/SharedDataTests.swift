import Billing
import Foundation
import Support
import Testing

@testable import Reading

/// Files that Apple wrote, where they lie beside the checkout.
@Suite struct SharedDataTests {
  static func folder(_ name: String) -> URL? {
    sharedData(name).map { URL(fileURLWithPath: $0) }
  }

  private func files(_ name: String) throws -> [(name: String, bytes: [UInt8])] {
    guard let folder = Self.folder(name) else { return [] }
    let urls = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return try urls.sorted { $0.path < $1.path }.map {
      ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0)))
    }
  }

  @Test func realSalesReportsReadWithoutComplaint() throws {
    var rows: [Int] = []
    for file in try files("apple/sales") {
      let outcome = try read(file.bytes, name: file.name)
      #expect((outcome.reading.objections + outcome.reading.warnings).map(describe) == [])
      let lines = file.bytes.split(separator: 0x0A).count
      #expect(outcome.reading.rows == lines - 1)
      rows.append(outcome.reading.rows)
      if file.name.hasPrefix("matisiekpl") {
        let partial = outcome.sales.filter { $0.row.units == 0 }
        #expect(partial.map(\.terms.customerPrice) == [-85_430_000])
        #expect(outcome.reading.begin == Day("2020-10-05"))
      }
    }
    #expect(rows.isEmpty || rows.count == 3)
  }

  @Test(arguments: ["finance", "finance_detail", "payments", "subscription"])
  func reportsOfLaterVersionsAreNamed(folder: String) throws {
    for file in try files("apple/\(folder)") {
      let objection = stop(file.bytes, name: file.name)
      #expect(objection?.topic == "kind", "\(file.name)")
    }
  }

  @Test(arguments: ["receipts", "notifications_v1"])
  func purchaseDocumentsAreRefused(folder: String) throws {
    for file in try files("purchases/\(folder)") {
      #expect(stop(file.bytes, name: file.name) != nil, "\(file.name)")
    }
  }
}
