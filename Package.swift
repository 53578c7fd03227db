// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours compiles under the same settings.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
  // Loops over a month's rows call small functions of other rooms: a release inlines them.
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

/// The same for rooms whose loops go over a month's rows: without optimization their tests take
/// four times as long. Elsewhere optimizing takes longer than the tests win. Tests/run.sh asks for
/// it.
let looping =
  Context.environment["TIEOUT_OPTIMIZED"] == nil
  ? strict : strict + [.unsafeFlags(["-O", "-assert-config", "Debug"])]

/// A library of ours. It imports what stands here and nothing else, `toolchain` being what comes with
/// Swift: the tidy tests read this file.
func room(
  _ name: String, _ dependencies: [Target.Dependency] = [], toolchain: [String] = [],
  _ settings: [SwiftSetting] = strict
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A program of ours; see ``room(_:_:toolchain:)``.
func program(
  _ name: String, _ dependencies: [Target.Dependency], toolchain: [String] = [],
  path: String? = nil
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies + ["CTables"], path: path, swiftSettings: strict)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], golden: Bool = false,
  fixtures: Bool = false
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["CTables"],
    exclude: (golden ? ["Golden"] : []) + (fixtures ? ["Fixtures"] : []), swiftSettings: strict)
}

let package = Package(
  name: "tieout",
  products: [.executable(name: "tieout", targets: ["tieout"])],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CXLSXWriter", pkgConfig: "xlsxwriter", providers: [.apt(["libxlsxwriter-dev"])]),
    .systemLibrary(name: "CMachine"),
    // Programs link the bytes of the tables; rooms import their header alone, so that a text that
    // changes compiles none of them.
    .target(name: "CTablesHeader"),
    .target(
      name: "CTables", dependencies: ["CTablesHeader"], exclude: ["tables"],
      publicHeadersPath: ".", cSettings: [.unsafeFlags(["-Wno-c23-extensions"])]),
    room(
      "Billing", ["CTablesHeader"], toolchain: ["Dispatch", "Glibc", "Synchronization"], looping),
    room(
      "SignedPayload",
      [
        "Billing", .product(name: "X509", package: "swift-certificates"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
      ], toolchain: ["Foundation", "Dispatch", "Synchronization"]),
    room(
      "Reading", ["Billing", "SignedPayload", "CMachine", "CZlib"], toolchain: ["Glibc"], looping),
    room(
      "Ledger",
      [
        "Billing", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ], toolchain: ["Dispatch", "Glibc", "Synchronization"], looping),
    room(
      "Fetching", ["Billing", "CZlib", .product(name: "Crypto", package: "swift-crypto")],
      toolchain: ["Foundation", "FoundationNetworking", "Synchronization"]),
    room("Languages", ["Billing"]),
    room("Pricing", ["Billing", "CTablesHeader"], looping),
    room("Conclusions", ["Billing", "Pricing"]),
    room(
      "Matching", ["Billing", "Pricing", "Conclusions"], toolchain: ["Glibc"], looping),
    room(
      "Reporting", ["Billing", "Languages", "Pricing", "Conclusions", "CXLSXWriter", "CZlib"],
      toolchain: ["Glibc"]),
    room(
      "Workflow",
      [
        "Billing", "Languages", "SignedPayload", "Reading", "Fetching", "Ledger", "Pricing",
        "Conclusions", "Matching", "Reporting", .product(name: "Crypto", package: "swift-crypto"),
      ], toolchain: ["Foundation", "Synchronization"]),
    program(
      "tieout",
      [
        "Billing", "Languages", "Pricing", "Conclusions", "Matching", "Fetching", "Reporting",
        "Workflow", "CMachine", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "TOMLKit", package: "TOMLKit"),
      ], toolchain: ["Foundation", "Synchronization"]),
    // What the tests share: helpers, and a store that knows the truth with its program.
    .target(
      name: "Support",
      dependencies: [
        "Billing", "CZlib", .product(name: "X509", package: "swift-certificates"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
      ],
      path: "Tests/Support", swiftSettings: looping),
    .target(
      name: "Simulation",
      dependencies: ["Billing", "Support", .product(name: "Crypto", package: "swift-crypto")],
      path: "Tests/Simulation", exclude: ["README.md"], swiftSettings: looping),
    program(
      "simulate",
      [
        "Billing", "Simulation",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Tests/SimulateProgram"),
    tests("BillingTests", ["Billing", "Support"]),
    tests(
      "SignedPayloadTests",
      [
        "Billing", "SignedPayload", "Support",
        .product(name: "X509", package: "swift-certificates"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
      ]),
    .target(
      name: "Rereading", dependencies: ["Billing", "Pricing", "Reading"],
      path: "Tests/Rereading", swiftSettings: looping),
    tests("ReadingTests", ["Billing", "Reading", "Rereading", "Pricing", "Support"]),
    tests(
      "LedgerTests",
      ["Billing", "Ledger", "Support", .product(name: "GRDB", package: "GRDB.swift")]),
    tests(
      "FetchingTests",
      ["Billing", "Fetching", "Support", .product(name: "Crypto", package: "swift-crypto")]),
    tests("PricingTests", ["Billing", "Pricing", "Support"], golden: true),
    tests("MatchingTests", ["Billing", "Pricing", "Conclusions", "Matching", "Support"]),
    tests(
      "ReportingTests",
      ["Billing", "Languages", "Pricing", "Conclusions", "Reporting", "Support"],
      golden: true),
    tests(
      "WorkflowTests",
      [
        "Billing", "Languages", "Pricing", "Fetching", "Ledger", "Conclusions", "Matching",
        "Reporting", "Workflow", "Simulation", "Support",
      ], fixtures: true),
    tests(
      "SimulationTests",
      [
        "Billing", "Simulation", "Support", .product(name: "X509", package: "swift-certificates"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    tests("TidyTests", ["Billing", "Languages", "Ledger", "Support"]),
  ],
  swiftLanguageModes: [.v6]
)

// A fuzzer has libFuzzer's main and its flags in all modules: it is built by Tests/fuzz.sh alone.
if Context.environment["TIEOUT_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "FuzzProgram", dependencies: ["Rereading", "CTables"],
      path: "Tests/FuzzProgram",
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
