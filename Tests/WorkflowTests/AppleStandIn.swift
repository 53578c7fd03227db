import Billing
import Fetching
import Foundation
import Support
import Workflow

/// The stand-in for Apple, running on loopback for as long as a test needs it, with a folder for
/// what is fetched.
///
/// Its process is touched where it begins and where it ends alone.
final class AppleStandIn: @unchecked Sendable {
  let folder: TemporaryFolder
  let port: Int
  private let process = Process()

  /// - Parameters:
  ///   - data: what its `data` folder holds.
  ///   - faults: bad days, as its program reads them.
  init(
    data: [String: [UInt8]] = [:], faults: String = "[]", _ arguments: String...
  ) throws {
    folder = try TemporaryFolder()
    let path = folder.path
    try folder.write("data/.keep", "")
    for (name, bytes) in data { try folder.write("data/" + name, bytes) }
    try folder.write("faults.json", faults)
    try folder.write("public.pem", StandInKey.publicPEM)
    try folder.write("key.p8", StandInKey.pem)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: path + "/key.p8")
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "python3", checkout + "/Tests/AppleStandIn/apple.py", "--data", path + "/data", "--log",
        path + "/log", "--faults", path + "/faults.json", "--public-key", path + "/public.pem",
        "--vendor", Self.vendor,
      ] + arguments
    process.standardOutput = output
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
    try process.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data([10]),
      !byte.isEmpty
    {
      line += byte
    }
    guard let port = Int(String(decoding: line, as: UTF8.self)) else {
      throw CocoaError(.fileReadUnknown)
    }
    self.port = port
    try folder.write("tieout.toml", configuration)
  }

  deinit {
    // Threads of tests block other signals, and what they start inherits that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  static let vendor = "85012345"

  var configuration: String {
    """
    [apple]
    issuer_id = "57246542-96fe-1a63-e053-0824d011072a"
    key_id = "2X9R4HXF34"
    key_file = "key.p8"
    vendor_number = "\(Self.vendor)"
    connect_url = "http://127.0.0.1:\(port)"
    purchases_url = "http://127.0.0.1:\(port)"
    purchases_sandbox_url = "http://localhost:\(port)"
    receipts_url = "http://127.0.0.1:\(port)"
    receipts_sandbox_url = "http://localhost:\(port)"
    [apple.purchases]
    issuer_id = "57246542-96fe-1a63-e053-0824d011072a"
    key_id = "2X9R4HXF34"
    key_file = "key.p8"
    bundle_id = "com.example.game"

    """
  }

  var access: AppleAccess {
    var access = AppleAccess()
    access.team.issuerID = "57246542-96fe-1a63-e053-0824d011072a"
    access.team.keyID = "2X9R4HXF34"
    access.team.keyFile = folder.path + "/key.p8"
    access.purchases = access.team
    access.vendorNumber = Self.vendor
    access.bundleID = "com.example.game"
    for host in AppleHost.allCases {
      let name = host.isSandbox ? "localhost" : "127.0.0.1"
      access.addresses[host] = HostAddress("http://\(name):\(port)")
    }
    return access
  }

  /// Fetches as fast as this machine can, at a fixed moment of a simulated company.
  func fetching(
    _ wish: FetchWish, at moment: String = "2023-07-05", stop: StopSignal = StopSignal(),
    change: (inout FetchRequest) -> Void = { _ in },
    importing: @escaping (ImportProgress) -> Void = { _ in }
  ) throws -> FetchSummary {
    let now = Instant(seconds: Day(moment)!.startUTC.seconds + 20 * 3600)
    var request = FetchRequest(
      wish, access: access,
      importing: ImportRequest(paths: [], ledgerPath: folder.ledger, importedAt: now), now: now)
    request.folder = folder.path + "/apple"
    request.limits.reports = Rate(perSecond: 1000)
    request.limits.purchases = Rate(perSecond: 1000)
    request.limits.slowPurchases = Rate(perSecond: 1000)
    request.limits.receipts = Rate(perSecond: 1000)
    request.limits.firstWait = .milliseconds(10)
    request.limits.attempts = 3
    request.limits.silence = 5
    change(&request)
    return try fetch(request, stop: stop, importing: importing)
  }

  /// Days of June 2023, asked for by name.
  func june(
    _ days: ClosedRange<Int>, stop: StopSignal = StopSignal(),
    change: (inout FetchRequest) -> Void = { _ in }
  ) throws -> FetchSummary {
    try fetching(
      .sales(
        [.sales], .daily, from: Self.day(days.lowerBound), to: Self.day(days.upperBound)),
      stop: stop, change: change)
  }

  static func day(_ number: Int) -> Day { Day("2023-06-\(padded(number, 2))")! }

  /// What was asked, in order.
  struct Asked: Decodable {
    var at: Double
    var path: String
    var query: [String: String]
    var status: Int?
    var token: String?
    var why: String?
    var body: String?
    var secret: Bool?

    var day: String? { query["filter[reportDate]"] }
  }

  func asked() throws -> [Asked] {
    let text = String(decoding: try folder.bytes("log"), as: UTF8.self)
    return try text.split(separator: "\n").map {
      try JSONDecoder().decode(Asked.self, from: Data($0.utf8))
    }
  }

  /// Names of what was fetched, hidden ones too.
  var fetched: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/apple").sorted()) ?? []
  }
}
