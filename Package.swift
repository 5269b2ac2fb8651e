// swift-tools-version: 6.2
import PackageDescription

// One folder is one target is one layer; a target imports what stands in its `dependencies` and nothing else.

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// The daemon's layers do without the dynamic checks of exclusive access in release builds, where they are a tenth of
// the cost of a message; debug builds, and so all tests, have them.
let serving = strict + [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

// The functions that CReferences stands in for
let wrapped = ["retain", "release", "retain_n", "release_n"].flatMap { ["-Xlinker", "--wrap=swift_\($0)"] }

// The programs tell the commit that they are built from, if the build says it (scripts/commit).
let commit: [CSetting] =
  Context.environment["SIGNALBOX_COMMIT"].map { [.define("SIGNALBOX_COMMIT", to: "\"\($0)\"")] } ?? []

let package = Package(
  name: "signalbox",
  products: [
    .library(name: "ReactiveCore", targets: ["ReactiveCore"]),
    .library(name: "ReactiveTesting", targets: ["ReactiveTesting"]),
    .library(name: "Chaining", targets: ["Chaining"]),
    .library(name: "SignalboxClient", targets: ["SignalboxClient"]),
    .executable(name: "signalboxd", targets: ["signalboxd"]),
    .executable(name: "signalbox", targets: ["signalbox"]),
    .executable(name: "signalbox-http", targets: ["HTTPGateway"]),
    .executable(name: "signalbox-bridge", targets: ["Bridge"]),
    // For tests, which have the daemon load it (LD_PRELOAD)
    .library(name: "FaultyDisk", type: .dynamic, targets: ["CFaultyDisk"]),
    .library(name: "SuddenDeath", type: .dynamic, targets: ["CSuddenDeath"]),
  ],
  targets: [
    // C libraries from Debian packages
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "COnig", pkgConfig: "oniguruma", providers: [.apt(["libonig-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-gnutls-dev"])]),
    .systemLibrary(name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
    .systemLibrary(name: "CSimdjsonLibrary", providers: [.apt(["libsimdjson-dev"])]),
    .target(
      name: "CSimdjson", dependencies: ["CSimdjsonLibrary"], linkerSettings: [.linkedLibrary("simdjson")]),
    // Cheap references for programs with one thread
    .target(
      name: "CReferences",
      cSettings: [
        .define("SIGNALBOX_WRAPS_REFERENCES", .when(configuration: .release)),
        .unsafeFlags(["-Xclang", "-mframe-pointer=none"], .when(configuration: .release)),
      ],
      linkerSettings: [.unsafeFlags(wrapped, .when(configuration: .release))]),
    .target(name: "CThread"),
    .target(name: "CDescriptors"),
    .target(name: "CCommit", cSettings: commit),

    // The reactive library: it knows no files, sockets or JSON. Its lower part is what graphs are made of
    .target(name: "Signals", dependencies: ["CThread"], swiftSettings: strict),
    .target(
      name: "ReactiveCore", dependencies: ["Signals", "CThread"], exclude: ["CONTRACTS.md"], swiftSettings: strict),
    .target(name: "ReactiveTesting", dependencies: ["Signals"], swiftSettings: strict),
    .target(name: "Chaining", dependencies: ["ReactiveCore"], swiftSettings: strict),

    // The state of every client, and the library of clients. No unsafe flags here or below: packages elsewhere could not
    // depend on it by version
    .target(name: "ClientCore", swiftSettings: strict),
    .target(name: "CEpoll"),
    .target(
      name: "SignalboxClient", dependencies: ["ClientCore", "ReactiveCore", "CEpoll"], swiftSettings: strict),
    .executableTarget(
      name: "ConformanceDriver", dependencies: ["SignalboxClient"], path: "Tests/ConformanceDriver",
      swiftSettings: strict),

    // Queues, values, the system, dates, spelling, storage, expressions, the protocol
    .target(name: "Base", swiftSettings: serving),
    .target(name: "JSON", dependencies: ["Base", "CSimdjson"], swiftSettings: serving),
    .target(name: "Linux", dependencies: ["Base", "CSystemd", "CDescriptors"], swiftSettings: serving),
    .target(name: "StateLog", dependencies: ["Linux", "CSQLite"], swiftSettings: serving),
    .target(name: "Expressions", dependencies: ["JSON", "Base", "COnig"], swiftSettings: serving),
    .target(
      name: "WireProtocol", dependencies: ["JSON", "Base", "CCommit"], swiftSettings: serving),

    // Graphs: declarations as a file has them; what runs; what can be declared
    .target(
      name: "GraphModel",
      dependencies: ["Signals", "ReactiveTesting", "Base", "JSON", "Expressions", "CYAML"],
      swiftSettings: serving),
    .target(
      name: "GraphEngine", dependencies: ["GraphModel", "Signals", "Base", "JSON", "Expressions"],
      swiftSettings: serving),
    .target(
      name: "GraphCatalogue",
      dependencies: ["GraphEngine", "GraphModel", "Signals", "ReactiveTesting", "Base", "JSON", "Expressions"],
      swiftSettings: serving),
    // What looks at graphs from outside: tests, simulations, explanations, pictures, the schema
    .target(
      name: "GraphTools",
      dependencies: [
        "GraphCatalogue", "GraphEngine", "GraphModel", "Signals", "ReactiveTesting", "Expressions", "Base", "JSON",
      ],
      swiftSettings: serving),
    .target(
      name: "Persistence",
      dependencies: [
        "GraphTools", "GraphCatalogue", "GraphEngine", "GraphModel", "Signals", "Base", "JSON", "StateLog",
      ],
      swiftSettings: serving),
    // The state log in a stream of JetStream, and its owner: state machines without I/O
    .target(
      name: "Cluster", dependencies: ["WireProtocol", "StateLog", "Signals", "JSON", "Base"],
      swiftSettings: serving),
    // What graphs reach outside of the daemon: files, programs, buses, the system journal, adapters
    .target(
      name: "World",
      dependencies: ["GraphEngine", "GraphModel", "WireProtocol", "Signals", "Base", "JSON", "Linux"],
      swiftSettings: serving),
    .target(
      name: "Daemon",
      dependencies: [
        "World", "Persistence", "Cluster", "StateLog", "GraphCatalogue", "GraphEngine", "GraphModel", "Signals",
        "Base", "Expressions", "JSON", "WireProtocol", "Linux",
      ],
      swiftSettings: serving),
    .executableTarget(
      name: "signalboxd",
      dependencies: ["CReferences", "Daemon", "Persistence", "GraphModel", "WireProtocol", "Linux"],
      swiftSettings: strict),
    .executableTarget(
      name: "signalbox",
      dependencies: [
        "CReferences", "Cluster", "Persistence", "StateLog", "GraphTools", "GraphCatalogue", "GraphEngine",
        "GraphModel", "Signals", "WireProtocol", "ClientCore", "Expressions", "Base", "JSON", "Linux",
      ],
      swiftSettings: strict),
    // The page is three files, which the compiler puts into the program
    .target(name: "CPage", exclude: ["page.html", "page.css", "page.js"]),
    .executableTarget(
      name: "HTTPGateway",
      dependencies: [
        "CReferences", "GraphTools", "GraphCatalogue", "GraphModel", "WireProtocol", "ClientCore", "Base",
        "CMicroHTTPD", "CGnuTLS", "JSON", "Linux", "CPage",
      ],
      swiftSettings: serving),
    .executableTarget(
      name: "Bridge",
      dependencies: [
        "CCurl", "CMosquitto", "CNATS", "CReferences", "WireProtocol", "ClientCore", "JSON", "Base", "Linux",
      ],
      swiftSettings: serving),
    .target(name: "CAllocations"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Daemon", "World", "ReactiveCore", "Expressions", "JSON", "GraphTools", "GraphCatalogue", "GraphEngine",
        "GraphModel", "StateLog", "Linux", "Base", "CAllocations", "CReferences",
      ],
      swiftSettings: strict),

    .target(name: "TestSupport", dependencies: ["Linux"], path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "GraphStories",
      dependencies: ["GraphCatalogue", "GraphEngine", "GraphModel", "Signals", "JSON", "TestSupport"],
      path: "Tests/GraphStories", swiftSettings: strict),
    .testTarget(
      name: "ReactiveCoreTests", dependencies: ["ReactiveCore", "Signals", "ReactiveTesting", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "ChainingTests", dependencies: ["Chaining"], swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CivilTimeTests", dependencies: ["Base", "TestSupport"], exclude: ["CalendarTimes.txt"],
      swiftSettings: strict),
    .testTarget(name: "SpellingTests", dependencies: ["Base"], swiftSettings: strict),
    .target(
      name: "BusSupport", dependencies: ["Linux", "TestSupport"], path: "Tests/BusSupport", swiftSettings: strict),
    .testTarget(
      name: "LinuxTests", dependencies: ["Linux", "Base", "BusSupport", "CSystemd", "TestSupport"],
      swiftSettings: strict),
    // A layer below SQLite that fails on purpose
    .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/CFaultyDisk"),
    // A layer below the C library in which a process ends while it takes over the work of another one
    .target(name: "CSuddenDeath", path: "Tests/CSuddenDeath"),
    .target(name: "DiskFaults", dependencies: ["CFaultyDisk"], path: "Tests/DiskFaults", swiftSettings: strict),
    .testTarget(
      name: "StateLogTests", dependencies: ["StateLog", "Linux", "DiskFaults", "TestSupport"], swiftSettings: strict),
    // Streams and nodes in virtual time, with faults by seed
    .target(
      name: "ClusterSupport", dependencies: ["Cluster", "StateLog", "Signals", "TestSupport"],
      path: "Tests/ClusterSupport", swiftSettings: strict),
    .testTarget(
      name: "ClusterTests",
      dependencies: ["Cluster", "ClusterSupport", "StateLog", "Signals", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ExpressionsTests", dependencies: ["Expressions", "Base", "JSON", "TestSupport"],
      exclude: ["Answers.jsonl", "JqReleases.md"], swiftSettings: strict),
    .testTarget(
      name: "WireProtocolTests", dependencies: ["WireProtocol", "JSON", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "GraphTests",
      dependencies: [
        "GraphTools", "GraphCatalogue", "GraphEngine", "GraphModel", "Signals", "ReactiveTesting", "Base", "JSON",
        "GraphStories", "TestSupport",
      ],
      exclude: ["Corpus"],
      swiftSettings: strict),
    .testTarget(
      name: "PersistenceTests",
      dependencies: [
        "Persistence", "StateLog", "GraphTools", "GraphCatalogue", "GraphEngine", "GraphModel", "Signals", "JSON",
        "GraphStories", "DiskFaults", "TestSupport",
      ],
      exclude: ["Journals"], swiftSettings: strict),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "Daemon", "World", "Persistence", "StateLog", "GraphCatalogue", "GraphEngine", "GraphModel", "Signals",
        "WireProtocol", "Linux", "JSON", "BusSupport", "GraphStories", "DiskFaults", "TestSupport", "CDescriptors",
        "signalboxd",
      ],
      exclude: ["Handovers/1.handover"],
      swiftSettings: strict),
    .testTarget(
      name: "HTTPGatewayTests",
      dependencies: [
        "HTTPGateway", "WireProtocol", "JSON", "Linux", "signalboxd", "signalbox", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BridgeTests",
      dependencies: [
        "Bridge", "Base", "JSON", "Linux", "TestSupport", "WireProtocol",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ClientTests",
      dependencies: [
        "Linux", "JSON", "BusSupport", "signalboxd", "signalbox", "HTTPGateway", "Bridge", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(name: "ClientCoreTests", dependencies: ["ClientCore"], swiftSettings: strict),
    .testTarget(
      name: "SignalboxClientTests",
      dependencies: ["SignalboxClient", "ReactiveCore", "WireProtocol", "signalboxd", "TestSupport"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// `scripts/test-sanitized` names the tests that it runs, so that no others are built.
if let names = Context.environment["SIGNALBOX_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

// `scripts/fuzz` builds the parsers for libFuzzer, which brings a main of its own; nothing else sees that target.
if Context.environment["SIGNALBOX_FUZZ"] != nil {
  // A program is linked with nothing but tests, so that these two are libraries here.
  for name in ["Bridge", "HTTPGateway"] {
    guard let index = package.targets.firstIndex(where: { $0.name == name }) else { continue }
    let program = package.targets[index]
    package.targets[index] = .target(
      name: name, dependencies: program.dependencies, exclude: ["main.swift"], swiftSettings: program.swiftSettings)
  }
  package.products.removeAll { ["signalbox-http", "signalbox-bridge"].contains($0.name) }
  package.targets.append(
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "Bridge", "HTTPGateway", "GraphCatalogue", "GraphModel", "WireProtocol", "Expressions", "JSON",
      ],
      path: "Tests/Fuzz",
      exclude: ["Corpus"], swiftSettings: strict))
}
