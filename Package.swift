// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import CompilerPluginSupport
import PackageDescription

/// Settings of every target of ours: Swift 6, explicit imports, warnings are errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// What only the network layer needs; without the trait it is not compiled, and a consumer does not even fetch it.
func remote(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Remote"]))
}
func remote(_ name: String) -> Target.Dependency { .target(name: name, condition: .when(traits: ["Remote"])) }

/// swift-crypto, a second copy of BoringSSL beside that of swift-nio-ssl (docs/decisions/0026-signing-is-a-trait.md).
let signing: [Target.Dependency] = ["Crypto", "CryptoExtras"].map {
    .product(name: $0, package: "swift-crypto", condition: .when(traits: ["ServiceAccounts"]))
}

func signed(_ name: String) -> Target.Dependency { .target(name: name, condition: .when(traits: ["ServiceAccounts"])) }

/// HEARTH_EMBEDDED builds the embedded product by itself: without the trait `Remote`, and without the command and the targets of the
/// network layer, which compile only with it. A consumer with `traits: []` builds the same products and never these targets.
let isEmbedded = Context.environment["HEARTH_EMBEDDED"] != nil
let networkTargets: Set<String> = [
    "FirestoreRPC", "FirestoreRemote", "FirestoreServer", "FirestoreSync", "FirestoreWire",
    "FirestoreAccounts", "FirestoreAccountsTests", "FirestoreTokens", "FirestoreTokensTests",
    "FirestoreRPCTests", "FirestoreRemoteTests", "FirestoreServerTests", "FirestoreSyncTests", "FirestoreWireTests",
    "Protos", "hearth", "HearthTests", "FirestoreTransfer", "FirestoreTransferTests", "CacheSharer", "NetworkFaults", "OfflineReader", "ServerTestSupport", "ServiceContractTests", "SyncCrashWriter", "SyncSpecTests",
]

/// Benchmarks live in this package because only its targets see `package` declarations,
/// and are switched on by an environment variable so that nobody else compiles them.
let withBenchmarks = Context.environment["HEARTH_BENCHMARKS"] != nil

let package = Package(
    name: "hearth",
    products: [
        .library(name: "FirebaseFirestore", targets: ["FirebaseFirestore"]),
        .library(name: "FirebaseAuth", targets: ["FirebaseAuth"]),
        .library(name: "FirebaseCore", targets: ["FirebaseCore"]),
        .library(name: "FirebaseSharedSwift", targets: ["FirebaseSharedSwift"]),
        .library(name: "FirestoreGeo", targets: ["FirestoreGeo"]),
        .library(name: "FirestoreModels", targets: ["FirestoreModels"]),
        // The macro @FirestoreModel, with the trait `Macros` (docs/decisions/0036-typed-fields.md).
        .library(name: "FirestoreModelMacros", targets: ["FirestoreModelMacros"]),
        .library(name: "FirestoreTesting", targets: ["FirestoreTesting"]),
        // What older code imports.
        .library(name: "FirebaseFirestoreSwift", targets: ["FirebaseFirestoreSwift"]),
        .library(name: "Firebase", targets: ["Firebase"]),
        // Tools for database files. Who uses only the libraries does not build it.
        .executable(name: "hearth", targets: ["hearth"]),
    ],
    traits: [
        .default(enabledTraits: isEmbedded ? [] : ["Remote", "ServiceAccounts"]),
        .trait(
            name: "Remote",
            description: "The network layer: own server and Cloud Firestore. Off: the embedded database only."),
        .trait(
            name: "ServiceAccounts",
            description: "Key files of service accounts; accounts and tokens of the server. Off: swift-crypto is not built; the rest works.",
            enabledTraits: ["Remote"]),
        .trait(name: "Macros", description: "The macro @FirestoreModel, which needs swift-syntax. Off by default: nobody else fetches or compiles it."),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // For the executable only.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // For the network layer only.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // Signs what a service account asks a token with.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // For the macro only.
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.0"..<"605.0.0"),
    ],
    targets: [
        .target(name: "FirestoreCore", swiftSettings: strict),
        .target(
            name: "FirestoreCoding", dependencies: ["FirestoreCore"],
            swiftSettings: strict),
        .target(name: "FirestoreSemantics", dependencies: ["FirestoreCore"], swiftSettings: strict),
        // Regular expressions of users, in linear time: RE2's syntax and semantics.
        .target(name: "LinearRegex", swiftSettings: strict),
        .target(
            name: "FirestoreStorage",
            dependencies: [
                "FirestoreCore", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .target(
            name: "FirestoreEngine", dependencies: ["FirestoreCore", "FirestoreSemantics", "FirestoreStorage"],
            swiftSettings: strict),
        // The security rules language: parser, checks, evaluation; no network, no storage.
        .target(name: "FirestoreRules", dependencies: ["FirestoreCore", "FirestoreSemantics", "LinearRegex"], swiftSettings: strict),
        .target(
            name: "FirestoreClient", dependencies: ["FirestoreCore", "FirestoreSemantics"],
            swiftSettings: strict),
        .target(name: "FirebaseSharedSwift", dependencies: ["FirestoreCoding"], swiftSettings: strict),
        .target(
            name: "FirebaseCore", dependencies: ["FirestoreCore", "FirestoreCoding", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict),
        .target(
            name: "FirebaseFirestore",
            dependencies: [
                "FirebaseCore", "FirestoreCore", "FirestoreCoding", "FirestoreClient", "FirestoreEngine", "FirestoreRules", .product(name: "Logging", package: "swift-log"), remote("FirestoreRemote"),
                remote("FirestoreSync"), remote("FirestoreWire"),
            ],
            swiftSettings: strict),
        // Signing in, on servers of the Identity Toolkit or with local accounts.
        .target(
            name: "FirebaseAuth",
            dependencies: ["FirebaseCore", "FirestoreCore", .product(name: "Logging", package: "swift-log"), remote("FirestoreRPC")],
            swiftSettings: strict),
        .target(
            name: "FirestoreGeo", dependencies: ["FirebaseFirestore", "FirestoreCore", "FirestoreSemantics"],
            swiftSettings: strict),
        // What stored documents have in common: inference of types, what changed, what a Swift type does not fit.
        .target(name: "FirestoreSchema", dependencies: ["FirestoreCore"], swiftSettings: strict),
        // Typed fields, audits, tolerant wrappers, versions and migrations of models.
        .target(
            name: "FirestoreModels",
            dependencies: ["FirebaseFirestore", "FirestoreCore", "FirestoreCoding", "FirestoreSchema"],
            swiftSettings: strict),
        // The macro of models, and its program, which runs in the compiler: both empty without the trait `Macros`.
        .target(
            name: "FirestoreModelMacros",
            dependencies: ["FirestoreModels", .target(name: "FirestoreModelMacrosPlugin", condition: .when(traits: ["Macros"]))],
            swiftSettings: strict),
        .macro(
            name: "FirestoreModelMacrosPlugin",
            dependencies: ["SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftCompilerPlugin", "SwiftDiagnostics"].map {
                .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"]))
            },
            swiftSettings: strict),
        .target(
            name: "FirestoreTesting",
            dependencies: [
                "FirebaseFirestore", "FirestoreModels", "FirestoreCore", "FirestoreEngine", "FirestoreRules", remote("FirestoreRPC"), remote("FirestoreWire"),
                remote("FirestoreRemote"), remote("FirestoreServer"), remote("FirestoreSync"), remote("Logging", "swift-log"),
            ],
            swiftSettings: strict),

        // The network layer (trait `Remote`): messages, transport, mapping, server, client.
        // zlib of the system, for requests and files that come compressed.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "FirestoreRPC",
            dependencies: [
                "FirestoreCore", remote("CZlib"), .product(name: "Logging", package: "swift-log"), remote("NIOCore", "swift-nio"),
                remote("NIOPosix", "swift-nio"), remote("NIOHTTP1", "swift-nio"), remote("NIOTLS", "swift-nio"),
                remote("NIOHTTP2", "swift-nio-http2"), remote("NIOHPACK", "swift-nio-http2"),
                remote("NIOSSL", "swift-nio-ssl"),
            ],
            swiftSettings: strict),
        .target(
            name: "FirestoreWire", dependencies: ["FirestoreCore"], swiftSettings: strict),
        .target(
            name: "FirestoreRemote",
            dependencies: [
                "FirestoreCore", "FirestoreRPC", "FirestoreWire",
            ] + signing,
            swiftSettings: strict),
        // The offline engine: cache, queue of writes, listens. For clients of servers only.
        .target(
            name: "FirestoreSync",
            dependencies: [
                "FirestoreCore", "FirestoreSemantics", "FirestoreStorage", "FirestoreEngine", "FirestoreClient", "FirestoreWire",
            ],
            swiftSettings: strict),
        // Documents in files: JSON, CSV, compressed or not, and the official emulator's export folders. For the executable only.
        .target(name: "FirestoreTransfer", dependencies: ["FirestoreCore", "CZlib"], swiftSettings: strict),
        .target(
            name: "FirestoreServer",
            dependencies: [
                "FirestoreCore", "FirestoreSemantics", "FirestoreEngine", "FirestoreRules", "FirestoreRPC", "FirestoreWire",
                .product(name: "Logging", package: "swift-log"), remote("CoreMetrics", "swift-metrics"), remote("ServiceLifecycle", "swift-service-lifecycle"),
            ],
            swiftSettings: strict),

        // Who calls: JSON web tokens, and the accounts of a server. For the executable only
        // (docs/decisions/0032-accounts-beside-the-server.md).
        .target(name: "FirestoreTokens", dependencies: ["FirestoreCore"] + signing, swiftSettings: strict),
        .target(
            name: "FirestoreAccounts",
            dependencies: ["FirestoreCore", "FirestoreTokens", .product(name: "GRDB", package: "GRDB.swift")] + signing,
            swiftSettings: strict),

        .target(
            name: "FirebaseFirestoreSwift", dependencies: ["FirebaseFirestore"],
            path: "Sources/Shims/FirebaseFirestoreSwift", swiftSettings: strict),
        .target(
            name: "Firebase", dependencies: ["FirebaseAuth", "FirebaseCore", "FirebaseFirestore"],
            path: "Sources/Shims/Firebase", swiftSettings: strict),

        .executableTarget(
            name: "hearth",
            dependencies: [
                "FirestoreCore", "FirestoreSemantics", "FirestoreEngine", "FirestoreRules", "FirestoreTransfer", "FirestoreSchema",
                .product(name: "ArgumentParser", package: "swift-argument-parser"), signed("FirestoreTokens"), signed("FirestoreAccounts"),
                .product(name: "Logging", package: "swift-log"), remote("FirestoreRemote"), remote("FirestoreServer"), remote("FirestoreRPC"),
                remote("FirestoreSync"), remote("Metrics", "swift-metrics"), remote("Configuration", "swift-configuration"),
                remote("ServiceLifecycle", "swift-service-lifecycle"), remote("UnixSignals", "swift-service-lifecycle"),
            ],
            swiftSettings: strict),

        .testTarget(name: "FirestoreCoreTests", dependencies: ["TestSupport", "FirestoreCore"], swiftSettings: strict),
        .testTarget(
            name: "FirestoreCodingTests", dependencies: ["TestSupport", "FirestoreCore", "FirestoreCoding", "FirebaseSharedSwift"],
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreSemanticsTests", dependencies: ["TestSupport", "FirestoreCore", "FirestoreSemantics"],
            swiftSettings: strict),
        .testTarget(
            name: "LinearRegexTests", dependencies: ["TestSupport", "LinearRegex"], exclude: ["Corpus"], swiftSettings: strict),
        .testTarget(
            name: "FirestoreRulesTests", dependencies: ["TestSupport", "FirestoreCore", "FirestoreSemantics", "FirestoreRules"],
            exclude: ["Emulator/Corpus"], swiftSettings: strict),
        .testTarget(
            name: "RuledServiceTests",
            dependencies: ["TestSupport", "FirestoreCore", "FirestoreSemantics", "FirestoreEngine", "FirestoreRules"],
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreStorageTests",
            dependencies: [
                "TestSupport",
                "FirestoreCore", "FirestoreStorage", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreEngineTests",
            dependencies: [
                "TestSupport",
                "FirestoreCore", "FirestoreSemantics", "FirestoreStorage", "FirestoreEngine", "CrashWriter", "FaultInjection",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "FirestoreClientTests",
            dependencies: ["TestSupport", "FirestoreCore", "FirestoreSemantics", "FirestoreClient"],
            swiftSettings: strict),
        .testTarget(
            name: "FirebaseFirestoreTests",
            dependencies: [
                "TestSupport",
                "FirestoreCore", "FirestoreRules", "FirebaseCore", "FirebaseFirestore", "FirebaseSharedSwift", "FirebaseFirestoreSwift", "Firebase",
                remote("FirestoreEngine"), remote("FirestoreRPC"), remote("FirestoreRemote"), remote("FirestoreServer"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "HearthTests",
            dependencies: [
                "TestSupport",
                "FirestoreCore", "FirestoreEngine", "FirestoreRules", "FirestoreSchema", "FirestoreTransfer", "hearth",
                .product(name: "GRDBSQLite", package: "GRDB.swift"), "FirebaseCore", "FirebaseAuth", "FirebaseFirestore",
                remote("FirestoreSync"), remote("FirestoreServer"), remote("FirestoreRPC"), remote("FirestoreRemote"),
                remote("FirestoreWire"), remote("ServerTestSupport"), remote("OfflineReader"),
                signed("FirestoreTokens"), signed("FirestoreAccounts"), .product(name: "Logging", package: "swift-log"),
            ] + signing,
            exclude: ["Types/AppleStubs"], swiftSettings: strict),
        .testTarget(
            name: "FirebaseAuthTests",
            dependencies: [
                "TestSupport", "FirestoreCore", "FirebaseCore", "FirebaseAuth", "FirebaseFirestore", "Firebase", remote("FirestoreEngine"),
                remote("FirestoreRPC"), remote("FirestoreServer"), signed("FirestoreTokens"), signed("FirestoreAccounts"),
                remote("ServerTestSupport"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreGeoTests", dependencies: ["TestSupport", "FirebaseCore", "FirebaseFirestore", "FirestoreGeo"],
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreSchemaTests", dependencies: ["TestSupport", "FirestoreCore", "FirestoreSchema"], swiftSettings: strict),
        .testTarget(
            name: "FirestoreModelsTests",
            dependencies: [
                "TestSupport", "FirestoreCore", "FirestoreCoding", "FirebaseCore", "FirebaseFirestore", "FirestoreModels", "FirestoreTesting",
            ],
            exclude: ["CompileFail"], swiftSettings: strict),
        .testTarget(
            name: "FirestoreTestingTests",
            dependencies: [
                "TestSupport", "FirestoreCore", "FirebaseFirestore", "FirestoreModels", "FirestoreTesting", remote("FirestoreRPC"), remote("FirestoreWire"),
                remote("FirestoreRemote"),
            ],
            swiftSettings: strict),
        // The code of the README and of the articles.
        .testTarget(
            name: "SnippetTests", dependencies: ["FirebaseAuth", "FirebaseCore", "FirebaseFirestore", "FirestoreGeo", "FirestoreModels", "FirestoreTesting"],
            exclude: ["OfflineReader"], swiftSettings: strict),
        .testTarget(
            name: "FirestoreRPCTests",
            dependencies: [
                "TestSupport",
                "FirestoreCore", "FirestoreRPC", remote("NIOCore", "swift-nio"), remote("NIOPosix", "swift-nio"),
                remote("NIOEmbedded", "swift-nio"), remote("NIOHTTP1", "swift-nio"), remote("NIOHTTP2", "swift-nio-http2"),
                remote("NIOHPACK", "swift-nio-http2"), remote("NIOSSL", "swift-nio-ssl"),
            ],
            exclude: ["Clients"], swiftSettings: strict),
        .testTarget(
            name: "FirestoreWireTests",
            dependencies: [
                "TestSupport",
                "FirestoreCore", "FirestoreWire", "Protos", remote("SwiftProtobuf", "swift-protobuf"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreServerTests",
            dependencies: [
                "TestSupport", "ServerTestSupport",
                "FirestoreCore", "FirestoreSemantics", "FirestoreEngine", "FirestoreRPC", "FirestoreWire",
                "FirestoreRules", "FirestoreServer",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreRemoteTests",
            dependencies: [
                "TestSupport", "ServerTestSupport", "NetworkFaults",
                "FirestoreCore", "FirestoreSemantics", "FirestoreEngine", "FirestoreRPC", "FirestoreWire", "FirestoreRemote",
                "FirestoreServer", "FirebaseCore", "FirebaseFirestore", .product(name: "Logging", package: "swift-log"),
                remote("NIOCore", "swift-nio"), remote("NIOPosix", "swift-nio"), remote("NIOHTTP1", "swift-nio"),
                remote("NIOSSL", "swift-nio-ssl"),
            ] + signing,
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreTokensTests", dependencies: ["TestSupport", "FirestoreCore", "FirestoreTokens"] + signing,
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreAccountsTests",
            dependencies: ["TestSupport", "FirestoreCore", "FirestoreTokens", "FirestoreAccounts"] + signing, swiftSettings: strict),
        .testTarget(
            name: "FirestoreTransferTests", dependencies: ["TestSupport", "FirestoreCore", "FirestoreEngine", "FirestoreTransfer"],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "FirestoreSyncTests",
            dependencies: [
                "TestSupport",
                "FirestoreCore", "FirestoreSemantics", "FirestoreStorage", "FirestoreEngine", "FirestoreClient", "FirestoreWire", "FirestoreSync",
                "FirestoreRPC", "FirestoreRemote", "FirestoreServer", "FaultInjection", "NetworkFaults", "FirebaseCore", "FirebaseFirestore",
                "FirestoreTesting", "SyncCrashWriter", "CacheSharer", "hearth", .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Samples"], swiftSettings: strict),
        // The specification tests of the official clients: scenarios as data (Tests/SyncSpecTests/README.md).
        .testTarget(
            name: "SyncSpecTests",
            dependencies: ["TestSupport", "FirestoreCore", "FirestoreSemantics", "FirestoreWire", "FirestoreSync"],
            exclude: ["README.md", "Scenarios"], swiftSettings: strict),
        // One suite over the `DocumentService` contract, for every conformer.
        .testTarget(
            name: "ServiceContractTests",
            dependencies: [
                "TestSupport",
                "FirestoreCore", "FirestoreSemantics", "FirestoreEngine", "FirestoreRPC", "FirestoreWire", "FirestoreRemote",
                "FirestoreServer", "Protos", remote("SwiftProtobuf", "swift-protobuf"),
            ],
            swiftSettings: strict),
        // What tests of several modules share.
        .target(name: "TestSupport", dependencies: ["FirestoreCore"], path: "Tests/TestSupport", swiftSettings: strict),
        // The same for tests of servers.
        .target(
            name: "ServerTestSupport", dependencies: ["FirestoreCore", "FirestoreRPC", .product(name: "Logging", package: "swift-log")],
            path: "Tests/ServerTestSupport", swiftSettings: strict),
        // The generated messages of google.firestore.v1, with which tests compare the wire.
        .target(
            name: "Protos", dependencies: [remote("SwiftProtobuf", "swift-protobuf")], path: "Tests/Protos", exclude: ["README.md"],
            swiftSettings: strict),
        // All test targets are one program, in which this bounds how many tests run at once.
        .target(name: "TestWidth", path: "Tests/TestWidth"),
        .testTarget(name: "RepositoryTests", dependencies: ["TestWidth"], swiftSettings: strict),

        // The disk that fails on demand: an SQLite VFS for tests.
        .target(
            name: "FaultInjection",
            dependencies: ["FirestoreCore", .product(name: "GRDBSQLite", package: "GRDB.swift")],
            path: "Tests/FaultInjection", swiftSettings: strict),
        // The network that fails on demand: a TCP proxy for tests.
        .target(
            name: "NetworkFaults", dependencies: ["FirestoreCore", remote("NIOCore", "swift-nio"), remote("NIOPosix", "swift-nio")],
            path: "Tests/NetworkFaults", swiftSettings: strict),
        // The child process of the crash tests: writes, acknowledges, gets killed.
        .executableTarget(
            name: "CrashWriter", dependencies: ["FirestoreCore", "FirestoreEngine"], path: "Tests/CrashWriter",
            swiftSettings: strict),
        // The child process of the tests of shared caches: uses the same cache as the test.
        .executableTarget(
            name: "CacheSharer", dependencies: ["FirestoreCore", "FirestoreRPC", "FirestoreRemote", "FirestoreSync"],
            path: "Tests/CacheSharer", swiftSettings: strict),
        // Follows the README's section about working offline, as a process of a user.
        .executableTarget(
            name: "OfflineReader", dependencies: ["FirebaseFirestore"], path: "Tests/SnippetTests/OfflineReader", swiftSettings: strict),
        // The same with a cache in front of a server; other tests tell it what to do.
        .executableTarget(
            name: "SyncCrashWriter", dependencies: ["FirestoreCore", "FirestoreRemote", "FirestoreSync"], path: "Tests/SyncCrashWriter",
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

if withBenchmarks {
    package.targets.append(
        .executableTarget(
            name: "HearthBenchmarks",
            dependencies: [
                "FirebaseCore", "FirebaseFirestore", "FirestoreCore", "FirestoreCoding", "FirestoreEngine",
                "FirestoreStorage", .product(name: "GRDB", package: "GRDB.swift"),
                // The cases of `Models`.
                "FirestoreModels", "FirestoreSchema", "FirestoreTransfer",
                // The cases of `Offline`.
                "FirestoreRPC", "FirestoreRemote", "FirestoreServer", "FirestoreSync", "FirestoreTesting", "FirestoreWire",
                .product(name: "Logging", package: "swift-log"),
                // The cases of `Rules`.
                "FirestoreRules", "LinearRegex",
            ],
            path: "Benchmarks/HearthBenchmarks", swiftSettings: strict))
    // What the wire itself costs: answers with what it was sent.
    package.targets.append(
        .executableTarget(
            name: "EchoServer", dependencies: ["FirestoreCore", "FirestoreRPC", .product(name: "Logging", package: "swift-log")],
            path: "Benchmarks/EchoServer", swiftSettings: strict))
}

/// Fuzzers are libFuzzer's executables, which nothing else can link; `dev/fuzz` builds them (`Tests/Fuzzing/README.md`).
if Context.environment["HEARTH_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "FuzzWire", dependencies: ["FirestoreCore", "FirestoreWire"], path: "Tests/Fuzzing/Wire", exclude: ["Corpus"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
    package.targets.append(
        .executableTarget(
            name: "FuzzRegex", dependencies: ["LinearRegex"], path: "Tests/Fuzzing/Regex", exclude: ["Corpus"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
    package.targets.append(
        .executableTarget(
            name: "FuzzRules", dependencies: ["FirestoreCore", "FirestoreRules"], path: "Tests/Fuzzing/Rules", exclude: ["Corpus"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
    package.targets.append(
        .executableTarget(
            name: "FuzzTokens", dependencies: ["FirestoreCore", "FirestoreTokens"], path: "Tests/Fuzzing/Tokens", exclude: ["Corpus"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
    package.targets.append(
        .executableTarget(
            name: "FuzzRPC",
            dependencies: [
                "FirestoreCore", "FirestoreRPC", remote("NIOCore", "swift-nio"), remote("NIOEmbedded", "swift-nio"),
                remote("NIOHTTP2", "swift-nio-http2"), remote("NIOHPACK", "swift-nio-http2"),
            ],
            path: "Tests/Fuzzing/RPC", exclude: ["Corpus"], swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

/// HEARTH_TESTS=FirestoreServerTests,RepositoryTests compiles these test targets only: a build that takes minutes after a
/// change in Core takes seconds.
if let wanted = Context.environment["HEARTH_TESTS"]?.split(separator: ",") {
    package.targets.removeAll { $0.type == .test && !wanted.contains(Substring($0.name)) }
}

if withBenchmarks {
    // The sides of `make bench-server` that are no servers: the engine in process, the transport that only echoes.
    package.targets.append(
        .executableTarget(
            name: "ServerProbe",
            dependencies: ["FirebaseCore", "FirebaseFirestore", "FirestoreCore", "FirestoreEngine", "FirestoreRPC", "FirestoreWire"],
            path: "Benchmarks/Server/Probe", swiftSettings: strict))
}

// Last, so that it holds for every target above.
if isEmbedded {
    package.products.removeAll { networkTargets.contains($0.name) }
    package.targets.removeAll { networkTargets.contains($0.name) }
    for target in package.targets {
        target.dependencies.removeAll { dependency in
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): networkTargets.contains(name)
            default: false
            }
        }
    }
}
