// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import CompilerPluginSupport
import PackageDescription

// This file is the module map: which modules there are, in which wing, and what each of them may import. `ImportTests` compares the
// imports of every file with it.

// MARK: Kinds of targets

/// Settings of every target of ours: Swift 6, explicit imports, warnings are errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The folders of `Sources` and `Tests`, in order: a module imports modules of its own wing and of those before it.
enum Wing: String {
    case Base, Firestore, Database, Rules, Network, Client, Server, App, Models, Tools
}

func module(_ wing: Wing, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(wing.rawValue)/\(name)", swiftSettings: strict)
}

/// Tests of a module, or of several.
func suite(_ wing: Wing, _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: ["TestSupport"] + dependencies, path: "Tests/\(wing.rawValue)/\(name)", exclude: exclude,
        swiftSettings: strict)
}

/// What tests share.
func support(_ path: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: lastName(path), dependencies: dependencies, path: path, exclude: exclude, swiftSettings: strict)
}

/// A process that tests or benchmarks start.
func program(_ path: String, name: String? = nil, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name ?? lastName(path), dependencies: dependencies, path: path, swiftSettings: strict)
}

/// A fuzzer: an executable of libFuzzer, which nothing else can link (`Tests/Fuzzing/README.md`).
func fuzzer(_ subject: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: "Fuzz" + subject, dependencies: ["FuzzFrame"] + dependencies, path: "Tests/Fuzzing/" + subject, exclude: ["Corpus"],
        swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
}

func lastName(_ path: String) -> String { path.split(separator: "/").last.map { String($0) } ?? path }

// MARK: Dependencies under conditions

/// What only the network layer needs; without the trait it is not compiled, and a consumer does not even fetch it.
func remote(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Remote"]))
}
func remote(_ name: String) -> Target.Dependency { .target(name: name, condition: .when(traits: ["Remote"])) }

/// swift-crypto, a second copy of BoringSSL beside that of swift-nio-ssl (docs/decisions/0026-signing-is-a-trait.md).
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["ServiceAccounts"]))
let signing: [Target.Dependency] = [
    crypto, .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["ServiceAccounts"])),
]
func signed(_ name: String) -> Target.Dependency { .target(name: name, condition: .when(traits: ["ServiceAccounts"])) }

/// What only the store on PostgreSQL needs.
func postgres(_ name: String) -> Target.Dependency { .target(name: name, condition: .when(traits: ["Postgres"])) }

let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
func nio(_ names: String...) -> [Target.Dependency] { names.map { remote($0, "swift-nio") } }
func http2(_ names: String...) -> [Target.Dependency] { names.map { remote($0, "swift-nio-http2") } }
let tls = remote("NIOSSL", "swift-nio-ssl")

// MARK: Modules

let base: [Target] = [
    // zlib of the system, for requests and files that come compressed.
    .systemLibrary(name: "CZlib", path: "Sources/Base/CZlib", providers: [.apt(["zlib1g-dev"])]),
    // Text, hashes, dates: what knows nothing of Firestore.
    module(.Base, "HearthBase"),
    // Regular expressions of users, in linear time: RE2's syntax and semantics.
    module(.Base, "LinearRegex"),
]

let firestore: [Target] = [
    module(.Firestore, "FirestoreCore", ["HearthBase"]),
    module(.Firestore, "FirestoreCoding", ["FirestoreCore"]),
    module(.Firestore, "FirestoreSemantics", ["FirestoreCore"]),
    // What pipelines mean: their checks, functions, stages and execution, over any source of documents.
    module(.Firestore, "FirestorePipelines", ["HearthBase", "FirestoreCore", "FirestoreSemantics", "LinearRegex"]),
]

let database: [Target] = [
    // What a store of a database offers, and what all stores share. `FirestoreSQLite` is the store in files and memory.
    module(.Database, "FirestoreStorage", ["FirestoreCore"]),
    module(.Database, "FirestoreSQLite", ["FirestoreCore", "FirestoreStorage", grdb, sqlite]),
    // Builds and maintains the indexes of a store: the engine's, and those of a client's cache.
    module(.Database, "FirestoreIndexing", ["FirestoreCore", "FirestoreSemantics", "FirestoreStorage"]),
    module(
        .Database, "FirestoreEngine",
        [
            "HearthBase", "FirestoreCore", "FirestoreSemantics", "FirestorePipelines", "FirestoreStorage", "FirestoreSQLite",
            "FirestoreIndexing",
        ]),
    // Changes of documents, delivered to receivers: patterns, order, repeated attempts, dead letters; no network.
    module(.Database, "FirestoreEvents", ["HearthBase", "FirestoreCore", "FirestoreStorage"]),
    // With the trait `Postgres`: connections to PostgreSQL, over libpq. For the command only.
    .systemLibrary(name: "CPostgres", path: "Sources/Database/CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    module(.Database, "PostgresLink", ["HearthBase", postgres("CPostgres")]),
    // The store on PostgreSQL, which several processes share.
    module(.Database, "FirestorePostgres", ["FirestoreCore", "FirestoreStorage", "PostgresLink"]),
]

let rules: [Target] = [
    // The security rules language: parser, checks, evaluation; no network, no storage.
    module(.Rules, "FirestoreRules", ["HearthBase", "FirestoreCore", "FirestoreSemantics", "LinearRegex"]),
    // A service in front of a database: every call is judged by the rules in force.
    module(.Rules, "FirestoreEnforcement", ["FirestoreCore", "FirestoreSemantics", "FirestoreRules"]),
]

// With the trait `Remote`: messages, transport, mapping.
let network: [Target] = [
    module(
        .Network, "FirestoreRPC",
        ["HearthBase", "FirestoreCore", remote("CZlib"), logging, tls] + nio("NIOCore", "NIOPosix", "NIOHTTP1", "NIOTLS")
            + http2("NIOHPACK")),
    module(.Network, "FirestoreWire", ["HearthBase", "FirestoreCore"]),
    module(.Network, "FirestoreRemote", ["HearthBase", "FirestoreCore", "FirestoreRPC", "FirestoreWire"] + signing),
]

let client: [Target] = [
    module(.Client, "FirestoreClient", ["FirestoreCore", "FirestoreSemantics"]),
    // The offline engine: cache, queue of writes, listens. For clients of servers only.
    module(
        .Client, "FirestoreSync",
        [
            "FirestoreCore", "FirestoreSemantics", "FirestorePipelines", "FirestoreStorage", "FirestoreSQLite", "FirestoreIndexing",
            "FirestoreClient", "FirestoreWire",
        ]),
]

let server: [Target] = [
    // The methods of Firestore over databases in files, for every transport.
    module(
        .Server, "FirestoreServer",
        [
            "HearthBase", "FirestoreCore", "FirestoreSemantics", "FirestoreStorage", "FirestoreEngine", "FirestoreRules", "FirestoreEnforcement",
            "FirestoreRPC",
            "FirestoreWire", logging, remote("CoreMetrics", "swift-metrics"),
        ]),
    // The port: HTTP in front of the methods, REST, streams of browsers, the emulator's paths, health, backups.
    module(
        .Server, "FirestoreGateway",
        [
            "HearthBase", "FirestoreCore", "FirestoreStorage", "FirestoreEngine", "FirestoreEvents", "FirestoreRules", "FirestoreEnforcement",
            "FirestoreRPC", "FirestoreWire",
            "FirestoreServer", logging, remote("ServiceLifecycle", "swift-service-lifecycle"),
        ]),
    // The pages of the console and of the guide: HTML, CSS, JavaScript, which a plugin puts into the program.
    .target(name: "EmbeddedPages", path: "Console", sources: ["EmbeddedFile.swift"], swiftSettings: strict, plugins: ["EmbedFiles"]),
    .plugin(name: "EmbedFiles", capability: .buildTool, exclude: ["embed-files"]),
    // The console: its pages, and what they ask of the server beside REST.
    module(
        .Server, "FirestoreConsole",
        [
            "HearthBase", "FirestoreCore", "FirestoreSemantics", "FirestoreEvents", "FirestoreRules", "FirestoreEnforcement", "FirestoreRPC",
            "FirestoreWire", "FirestoreServer", "FirestoreGateway", "EmbeddedPages", logging,
        ]),
    // Who calls: JSON web tokens, the callers of a server in production, and the accounts of a server with their port. For the executable
    // and for tests (docs/decisions/0032-accounts-beside-the-server.md).
    module(.Server, "FirestoreTokens", ["HearthBase", "FirestoreCore"] + signing),
    module(
        .Server, "FirestoreAuthentication", ["HearthBase", "FirestoreCore", "FirestoreRPC", "FirestoreServer", "FirestoreTokens", logging]),
    module(
        .Server, "FirestoreAccounts",
        [
            "HearthBase", "FirestoreCore", "FirestoreStorage", "FirestoreSQLite", "FirestoreRPC", "FirestoreServer", "FirestoreTokens",
            "FirestoreAuthentication", grdb, logging, remote("ServiceLifecycle", "swift-service-lifecycle"),
        ] + signing),
    // The archive of databases, in a directory or in S3: journal, copies, restore, standby. For the executable only.
    module(
        .Server, "FirestoreArchive",
        [
            "HearthBase", "FirestoreCore", "FirestoreStorage", "FirestoreEngine", "FirestoreRPC", "FirestoreServer", logging, crypto,
            remote("CoreMetrics", "swift-metrics"),
        ]),
    // Events over HTTP: the file of triggers, CloudEvents, signatures. For the executable only.
    module(
        .Server, "FirestoreWebhooks",
        [
            "FirestoreCore", "FirestoreStorage", "FirestoreEngine", "FirestoreEnforcement", "FirestoreEvents", "FirestoreRPC",
            "FirestoreWire", "FirestoreServer", logging, crypto, remote("CoreMetrics", "swift-metrics"),
        ]),
]

let app: [Target] = [
    module(.App, "FirebaseSharedSwift", ["FirestoreCoding"]),
    module(.App, "FirebaseCore", ["FirestoreCore", "FirestoreCoding", logging]),
    // Signing in, on servers of the Identity Toolkit or with local accounts.
    module(.App, "FirebaseAuth", ["FirebaseCore", "HearthBase", "FirestoreCore", logging, remote("FirestoreRPC")]),
    module(
        .App, "FirebaseFirestore",
        [
            "FirebaseCore", "HearthBase", "FirestoreCore", "FirestoreCoding", "FirestoreClient", "FirestoreStorage", "FirestoreEngine",
            "FirestoreEvents", "FirestoreRules", "FirestoreEnforcement", logging,
            remote("FirestoreRemote"), remote("FirestoreSync"), remote("FirestoreWire"),
        ]),
    module(.App, "FirestoreGeo", ["FirebaseFirestore", "FirestoreCore", "FirestoreSemantics"]),
    // What older code imports.
    module(.App, "FirebaseFirestoreSwift", ["FirebaseFirestore"]),
    module(.App, "Firebase", ["FirebaseAuth", "FirebaseCore", "FirebaseFirestore"]),
]

let models: [Target] = [
    // What stored documents have in common: inference of types, what changed, what a Swift type does not fit.
    module(.Models, "FirestoreSchema", ["HearthBase", "FirestoreCore"]),
    // Typed fields, audits, tolerant wrappers, versions and migrations of models.
    module(.Models, "FirestoreModels", ["FirebaseFirestore", "FirestoreCore", "FirestoreCoding", "FirestoreSchema"]),
    // The macro of models, and its program, which runs in the compiler: both empty without the trait `Macros`.
    module(
        .Models, "FirestoreModelMacros",
        ["FirestoreModels", .target(name: "FirestoreModelMacrosPlugin", condition: .when(traits: ["Macros"]))]),
    .macro(
        name: "FirestoreModelMacrosPlugin",
        dependencies: ["SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftCompilerPlugin", "SwiftDiagnostics"].map {
            .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"]))
        },
        path: "Sources/Models/FirestoreModelMacrosPlugin", swiftSettings: strict),
]

/// What `hearth --version` says about the build. Releases give it (dev/package); without it, a new commit compiles and links nothing.
let commit = (Context.environment["HEARTH_COMMIT"] ?? "").filter { $0.isHexDigit }

let tools: [Target] = [
    // Documents in files: JSON, CSV, compressed or not, and the official emulator's export folders. For the executable only.
    module(.Tools, "FirestoreTransfer", ["HearthBase", "FirestoreCore", "CZlib"]),
    module(
        .Tools, "FirestoreTesting",
        [
            "FirebaseFirestore", "FirestoreModels", "FirestoreCore", "FirestoreEngine", "FirestoreRules", "FirestoreEnforcement",
            remote("FirestoreRPC"),
            remote("FirestoreWire"), remote("FirestoreRemote"), remote("FirestoreServer"), remote("FirestoreSync"),
            remote("Logging", "swift-log"),
        ]),
    .target(
        name: "CBuildCommit", path: "Sources/Tools/CBuildCommit", cSettings: [.define("HEARTH_COMMIT", to: "\"\(commit)\"")]),
    .executableTarget(
        name: "hearth",
        dependencies: [
            "HearthBase", "FirestoreCore", "FirestoreSemantics", "FirestoreEngine", "FirestoreRules", "FirestoreEnforcement",
            "FirestoreTransfer",
            "FirestoreSchema", "FirestoreStorage", "FirestoreSQLite", "FirestoreEvents", "CBuildCommit", logging,
            signed("FirestoreWebhooks"), postgres("FirestorePostgres"), postgres("PostgresLink"),
            .product(name: "ArgumentParser", package: "swift-argument-parser"), signed("FirestoreTokens"), signed("FirestoreAccounts"),
            signed("FirestoreAuthentication"), signed("FirestoreArchive"), remote("FirestoreRemote"), remote("FirestoreServer"),
            remote("FirestoreGateway"), remote("FirestoreConsole"),
            remote("FirestoreRPC"), remote("FirestoreWire"), remote("FirestoreSync"),
            remote("Metrics", "swift-metrics"), remote("CoreMetrics", "swift-metrics"),
            remote("ServiceLifecycle", "swift-service-lifecycle"), remote("UnixSignals", "swift-service-lifecycle"),
        ],
        path: "Sources/Tools/hearth", swiftSettings: strict),
]

// MARK: Tests

let tests: [Target] = [
    suite(.Base, "HearthBaseTests", ["HearthBase", "FirestoreCore"]),
    suite(.Base, "LinearRegexTests", ["LinearRegex"], exclude: ["Corpus"]),
    suite(.Firestore, "FirestoreCoreTests", ["HearthBase", "FirestoreCore"]),
    suite(.Firestore, "FirestoreCodingTests", ["FirestoreCore", "FirestoreCoding", "FirebaseSharedSwift"]),
    suite(.Firestore, "FirestoreSemanticsTests", ["FirestoreCore", "FirestoreSemantics"]),
    suite(.Firestore, "FirestorePipelinesTests", ["FirestoreCore", "FirestoreSemantics", "FirestorePipelines", "LinearRegex"]),
    suite(.Database, "FirestoreStorageTests", ["FirestoreCore", "FirestoreStorage"]),
    suite(.Database, "FirestoreSQLiteTests", ["FirestoreCore", "FirestoreStorage", "FirestoreSQLite", grdb, sqlite]),
    suite(
        .Database, "FirestoreEngineTests",
        [
            "HearthBase", "FirestoreCore", "FirestoreSemantics", "FirestoreStorage", "FirestoreSQLite", "FirestoreIndexing", "FirestoreEngine",
            "CrashWriter",
            "FaultInjection", "SharedStores", "EngineStores", "PipelineCases", "PipelineModel", grdb,
        ],
        exclude: ["Fixtures"]),
    suite(.Database, "FirestoreEventsTests", ["EngineStores", "FirestoreCore", "FirestoreStorage", "FirestoreEngine", "FirestoreEvents"]),
    suite(.Database, "PostgresLinkTests", ["PostgresLink", "PostgresServer"]),
    suite(
        .Database, "FirestorePostgresTests",
        ["FirestoreCore", "FirestoreStorage", "FirestoreSQLite", "PostgresLink", "FirestorePostgres", "PostgresServer"]),
    suite(.Rules, "FirestoreRulesTests", ["FirestoreCore", "FirestoreSemantics", "FirestoreRules"], exclude: ["Emulator/Corpus"]),
    suite(
        .Rules, "RuledServiceTests",
        ["EngineStores", "FirestoreCore", "FirestoreSemantics", "FirestoreEngine", "FirestoreRules", "FirestoreEnforcement"]),
    suite(
        .Network, "FirestoreRPCTests",
        ["FirestoreCore", "FirestoreRPC", tls] + nio("NIOCore", "NIOPosix", "NIOEmbedded", "NIOHTTP1") + http2("NIOHTTP2", "NIOHPACK"),
        exclude: ["Clients"]),
    suite(
        .Network, "FirestoreWireTests",
        ["HearthBase", "FirestoreCore", "FirestoreWire", "Protos", remote("SwiftProtobuf", "swift-protobuf")]),
    suite(
        .Network, "FirestoreRemoteTests",
        [
            "ServerTestSupport", "NetworkFaults", "HearthBase", "FirestoreCore", "FirestoreSemantics", "FirestoreEngine", "FirestoreRPC",
            "FirestoreWire",
            "FirestoreRemote", "FirestoreServer", "FirebaseCore", "FirebaseFirestore", logging, tls,
        ] + nio("NIOCore", "NIOPosix", "NIOEmbedded", "NIOHTTP1") + signing),
    // One suite over the `DocumentService` contract, for every conformer.
    suite(
        .Network, "ServiceContractTests",
        [
            "EngineStores", "ServerFixtures", "PipelineCases", "PipelineModel", "FirestoreCore", "FirestoreSemantics", "FirestoreEngine", "FirestoreRPC", "FirestoreWire", "FirestoreRemote", "FirestoreServer",
            "FirestoreGateway", "Protos", logging, remote("SwiftProtobuf", "swift-protobuf"),
        ]),
    suite(.Client, "FirestoreClientTests", ["FirestoreCore", "FirestoreSemantics", "FirestoreClient"]),
    suite(
        .Client, "FirestoreSyncTests",
        [
            "FirestoreCore", "FirestoreSemantics", "FirestoreStorage", "FirestoreSQLite", "FirestoreEngine", "FirestoreClient",
            "FirestoreWire",
            "FirestoreSync",
            "FirestoreRPC", "FirestoreRemote", "FirestoreServer", "FirestoreGateway", "FaultInjection", "NetworkFaults", "FirebaseCore",
            "FirebaseFirestore",
            "FirestoreTesting", "SyncCrashWriter", "CacheSharer", "hearth", sqlite, logging,
        ],
        exclude: ["Samples"]),
    // The specification tests of the official clients: scenarios as data (Tests/Client/SyncSpecTests/README.md).
    suite(
        .Client, "SyncSpecTests", ["HearthBase", "FirestoreCore", "FirestoreSemantics", "FirestoreWire", "FirestoreSync"],
        exclude: ["README.md", "Scenarios"]),
    suite(
        .Server, "FirestoreServerTests",
        [
            "EngineStores", "SharedStores", "ServerFixtures", "ServerTestSupport", "HearthBase", "FirestoreCore", "FirestoreSemantics",
            "FirestoreEngine", "FirestoreRPC", "FirestoreWire",
            "FirestoreRules", "FirestoreEnforcement", "FirestoreServer", logging, remote("CoreMetrics", "swift-metrics"),
        ]),
    suite(
        .Server, "FirestoreGatewayTests",
        [
            "ServerFixtures", "ServerTestSupport", "HearthBase", "FirestoreCore", "FirestoreEngine", "FirestoreRPC", "FirestoreWire",
            "FirestoreRules",
            "FirestoreEnforcement", "FirestoreServer", "FirestoreGateway", logging,
        ]),
    suite(
        .Server, "FirestoreConsoleTests",
        [
            "ServerFixtures", "ServerTestSupport", "HearthBase", "FirestoreCore", "FirestoreSemantics", "FirestoreEngine", "FirestoreEvents",
            "FirestoreRPC", "FirestoreWire",
            "FirestoreRules", "FirestoreEnforcement", "FirestoreServer", "FirestoreGateway", "EmbeddedPages", "FirestoreConsole", logging,
        ]),
    suite(.Server, "FirestoreTokensTests", ["HearthBase", "FirestoreCore", "FirestoreTokens"] + signing),
    suite(
        .Server, "FirestoreAuthenticationTests",
        ["HearthBase", "FirestoreCore", "FirestoreRPC", "FirestoreServer", "FirestoreTokens", "FirestoreAuthentication"]),
    suite(
        .Server, "FirestoreAccountsTests",
        ["HearthBase", "FirestoreCore", "FirestoreEngine", "FirestoreTokens", "FirestoreAccounts", "EngineStores"] + signing),
    suite(
        .Server, "FirestoreArchiveTests",
        [
            "HearthBase", "FirestoreCore", "FirestoreStorage", "FirestoreEngine", "FirestoreRPC", "FirestoreArchive", "ArchiveStores", logging,
            "FirestoreEnforcement", "FirestoreWire", "FirestoreServer", "ServerFixtures",
        ] + nio("NIOCore", "NIOPosix"),
        exclude: ["Fixtures"]),
    suite(
        .Server, "FirestoreWebhooksTests",
        [
            "FirestoreCore", "FirestoreEngine", "FirestoreEnforcement", "FirestoreEvents", "FirestoreRPC", "FirestoreWire",
            "FirestoreServer", "FirestoreWebhooks", "ServerTestSupport", logging,
        ] + nio("NIOCore", "NIOPosix", "NIOHTTP1") + signing),
    suite(
        .App, "FirebaseAuthTests",
        [
            "HearthBase", "FirestoreCore", "FirebaseCore", "FirebaseAuth", "FirebaseFirestore", "Firebase", remote("FirestoreEngine"),
            remote("FirestoreRPC"), remote("FirestoreServer"), signed("FirestoreTokens"), signed("FirestoreAccounts"),
            signed("FirestoreArchive"),
            remote("ServerTestSupport"), logging,
        ]),
    suite(
        .App, "FirebaseFirestoreTests",
        [
            "ModeSupport", "HearthBase", "FirestoreCore", "FirestoreCoding", "FirestoreRules", "FirestoreEnforcement", "FirebaseCore", "FirebaseFirestore",
            "FirebaseSharedSwift",
            "FirebaseFirestoreSwift", "Firebase", remote("FirestoreEngine"), remote("FirestoreRPC"), remote("FirestoreRemote"),
            remote("FirestoreServer"), logging,
        ]),
    // Every signature of the Apple SDK's classic API, with what calls it: a page is made of it.
    suite(
        .App, "CompatibilityTests",
        ["ModeSupport", "FirestoreCore", "FirebaseAuth", "FirebaseCore", "FirebaseFirestore", "FirebaseSharedSwift", "FirebaseFirestoreSwift", "Firebase"]),
    suite(.App, "FirestoreGeoTests", ["FirebaseCore", "FirebaseFirestore", "FirestoreGeo", "FirestoreCore", "FirestoreSemantics"]),
    // The code of the README and of the articles.
    suite(
        .App, "SnippetTests",
        ["FirebaseAuth", "FirebaseCore", "FirebaseFirestore", "FirestoreGeo", "FirestoreModels", "FirestoreTesting", logging],
        exclude: ["OfflineReader"]),
    suite(.Models, "FirestoreSchemaTests", ["FirestoreCore", "FirestoreSchema"]),
    suite(
        .Models, "FirestoreModelsTests",
        [
            "FirestoreCore", "FirestoreCoding", "FirestoreSchema", "FirebaseCore", "FirebaseFirestore", "FirestoreModels",
            "FirestoreTesting",
        ],
        exclude: ["CompileFail"]),
    suite(
        .Tools, "FirestoreTransferTests", ["HearthBase", "FirestoreCore", "FirestoreEngine", "FirestoreTransfer"], exclude: ["Fixtures"]),
    suite(
        .Tools, "FirestoreTestingTests",
        [
            "FirestoreCore", "FirebaseFirestore", "FirestoreModels", "FirestoreTesting", remote("FirestoreRPC"), remote("FirestoreWire"),
            remote("FirestoreRemote"),
        ]),
    suite(
        .Tools, "HearthTests",
        [
            "HearthBase", "FirestoreCore", "FirestoreSemantics", "FirestoreSQLite", "FirestoreEngine", "FirestoreRules", "FirestoreEnforcement",
            "FirestoreSchema",
            "FirestoreTransfer", "hearth",
            "FirebaseCore", "FirebaseAuth", "FirebaseFirestore", remote("FirestoreSync"), remote("FirestoreServer"),
            remote("FirestoreGateway"), remote("FirestoreConsole"), remote("FirestoreRPC"), remote("FirestoreRemote"),
            remote("FirestoreWire"), remote("ServerTestSupport"), remote("OfflineReader"), remote("SyncCrashWriter"), remote("PostgresServer"),
            signed("FirestoreTokens"), signed("FirestoreAuthentication"), signed("FirestoreAccounts"), sqlite, logging,
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ] + signing,
        exclude: ["Types/AppleStubs"]),
    // The rules of the repository. All test targets are one program, in which TestWidth bounds how many tests run at once.
    .testTarget(name: "RepositoryTests", dependencies: ["TestWidth"], swiftSettings: strict),
    .target(name: "TestWidth", path: "Tests/Support/TestWidth"),
]

let testSupport: [Target] = [
    support("Tests/Support/TestSupport", ["FirestoreCore"]),
    support("Tests/Support/ServerTestSupport", ["FirestoreCore", "FirestoreRPC", logging]),
    // A server without a port, calls without a connection, and callers.
    support(
        "Tests/Support/ServerFixtures",
        [
            "EngineStores", "FirestoreEngine",
            "HearthBase", "FirestoreCore", "FirestoreRPC", "FirestoreWire", "FirestoreRules", "FirestoreEnforcement", "FirestoreServer",
            "FirestoreGateway", logging,
        ]),
    // Databases for the suites of the public API, in the mode of the run.
    support(
        "Tests/Support/ModeSupport",
        [
            "FirestoreCore", "FirestoreRules", "FirestoreEnforcement", "FirebaseCore", "FirebaseFirestore", "TestSupport", remote("FirestoreEngine"),
            remote("FirestoreRPC"), remote("FirestoreRemote"), remote("FirestoreServer"), logging,
        ]),
    // The generated messages of google.firestore.v1, with which tests compare the wire.
    support("Tests/Protos", [remote("SwiftProtobuf", "swift-protobuf")], exclude: ["README.md"]),
    // A disk that fails on demand, as a VFS of SQLite, and a network that does, as a TCP proxy.
    support("Tests/Support/FaultInjection", ["FirestoreCore", sqlite]),
    // Several nodes over one database, in this process.
    support("Tests/Support/SharedStores", ["FirestoreCore", "FirestoreStorage", "FirestoreSQLite"]),
    // Where the tests of engines and servers have their databases.
    support(
        "Tests/Support/EngineStores",
        [
            "FirestoreCore", "FirestoreEngine", "SharedStores", postgres("FirestoreStorage"), postgres("PostgresLink"),
            postgres("FirestorePostgres"), postgres("PostgresServer"),
        ]),
    support("Tests/Support/NetworkFaults", ["FirestoreCore"] + nio("NIOCore", "NIOPosix")),
    // Places of an archive: in memory, and one that fails on demand.
    // The rows of the reference's tables of pipelines, for every place that executes them.
    support("Tests/Support/PipelineCases", ["FirestoreCore"]),
    // What pipelines mean, a second time and simply, and pipelines to compare it with.
    support("Tests/Support/PipelineModel", ["FirestoreCore", "TestSupport"]),
    support("Tests/Support/ArchiveStores", ["FirestoreCore", "FirestoreArchive"]),
    // A PostgreSQL server for the tests, from the system's package.
    support("Tests/Support/PostgresServer"),
    // Processes that get killed: over a database, and over a cache in front of a server.
    program("Tests/Support/CrashWriter", ["FirestoreCore", "FirestoreIndexing", "FirestoreEngine"]),
    program("Tests/Support/SyncCrashWriter", ["FirestoreCore", "FirestoreRemote", "FirestoreSync"]),
    // Uses the same cache as a test.
    program("Tests/Support/CacheSharer", ["FirestoreCore", "FirestoreRPC", "FirestoreRemote", "FirestoreSync"]),
    // Signs requests and calls places of an archive, for tests in Python.
    program("Tests/Support/ArchiveCaller", ["FirestoreCore", "FirestoreArchive"]),
    // Follows the README's section about working offline, as a process of a user.
    program("Tests/App/SnippetTests/OfflineReader", ["FirebaseFirestore"]),
]

// MARK: Builds with other targets

/// HEARTH_EMBEDDED builds the embedded product by itself: without the trait `Remote`, and without the command and the targets of the
/// network layer, which compile only with it. A consumer with `traits: []` builds the same products and never these targets.
let isEmbedded = Context.environment["HEARTH_EMBEDDED"] != nil
/// HEARTH_POSTGRES turns the trait `Postgres` on as if it were a default, also in packages that depend on this one: with other traits
/// `make test` would compile everything again for the example and the README's program.
let withPostgres: Set<String> = Context.environment["HEARTH_POSTGRES", default: ""].isEmpty ? [] : ["Postgres"]
let defaultTraits = isEmbedded ? [] : withPostgres.union(["Remote", "ServiceAccounts"])
let networkTargets: Set<String> = [
    "CBuildCommit", "CPostgres", "PostgresLink", "PostgresLinkTests", "PostgresServer", "FirestorePostgres", "FirestorePostgresTests",
    "FirestoreRPC", "FirestoreRemote", "FirestoreServer", "FirestoreGateway", "FirestoreConsole", "EmbeddedPages", "EmbedFiles",
    "FirestoreSync", "FirestoreWire", "FirestoreAccounts", "FirestoreAuthentication", "FirestoreTokens", "hearth",
    "FirestoreTransfer", "FirestoreAccountsTests", "FirestoreAuthenticationTests", "FirestoreTokensTests", "FirestoreRPCTests",
    "FirestoreRemoteTests", "FirestoreServerTests", "FirestoreGatewayTests", "FirestoreConsoleTests", "FirestoreSyncTests",
    "FirestoreWireTests", "HearthTests", "FirestoreTransferTests", "Protos", "CacheSharer", "NetworkFaults", "OfflineReader",
    "ServerTestSupport", "ServerFixtures", "ServiceContractTests", "SyncCrashWriter", "SyncSpecTests",
    "FirestoreWebhooks", "FirestoreWebhooksTests", "FirestoreArchive", "FirestoreArchiveTests", "ArchiveStores", "ArchiveCaller",
]

/// Benchmarks live in this package because only its targets see `package` declarations, and are switched on by an environment variable so
/// that nobody else compiles them.
let benchmarks: [Target] = [
    program(
        "Benchmarks/HearthBenchmarks",
        [
            "FirebaseCore", "FirebaseFirestore", "FirestoreCore", "FirestoreCoding", "FirestoreEngine", "FirestoreSQLite",
            "FirestoreStorage", "FirestorePipelines", "FirestoreSemantics", grdb,
            // The cases of `Models`.
            "FirestoreModels", "FirestoreSchema", "FirestoreTransfer",
            // The cases of `Offline`.
            "FirestoreRPC", "FirestoreRemote", "FirestoreServer", "FirestoreGateway", "FirestoreSync", "FirestoreTesting", "FirestoreWire",
            logging,
            // The cases of `Rules`.
            "FirestoreRules", "FirestoreEnforcement", "LinearRegex",
            // The cases of `Postgres`.
            postgres("FirestorePostgres"), postgres("PostgresLink"), postgres("PostgresServer"),
        ]
            // The connection of `Gate`, whose loop stands still.
            + nio("NIOCore", "NIOEmbedded")),
    // What the wire itself costs: answers with what it was sent.
    program("Benchmarks/EchoServer", ["FirestoreCore", "FirestoreRPC", logging]),
    // The sides of `make bench-server` that are no servers: the engine in process, the transport that only echoes.
    program(
        "Benchmarks/Server/Probe", name: "ServerProbe",
        ["FirebaseCore", "FirebaseFirestore", "FirestoreCore", "FirestoreEngine", "FirestoreRPC", "FirestoreWire"]),
]

let fuzzers: [Target] = [
    .target(name: "FuzzFrame", path: "Tests/Fuzzing/Frame", swiftSettings: strict),
    fuzzer("Wire", ["HearthBase", "FirestoreCore", "FirestoreWire"]),
    fuzzer("Regex", ["LinearRegex"]),
    fuzzer("Rules", ["FirestoreCore", "FirestoreRules"]),
    fuzzer("Tokens", ["HearthBase", "FirestoreCore", "FirestoreTokens"]),
    fuzzer("Archive", ["FirestoreCore", "FirestoreStorage", "FirestoreArchive", crypto]),
    fuzzer("Pipelines", ["FirestoreCore", "FirestoreSemantics", "FirestorePipelines", "FirestoreWire"]),
    fuzzer("Events", ["FirestoreCore", "FirestoreEvents", "FirestoreWebhooks"]),
    fuzzer("RPC", ["FirestoreCore", "FirestoreRPC"] + nio("NIOCore", "NIOEmbedded") + http2("NIOHPACK")),
]

// MARK: The package

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
        .library(name: "FirebaseFirestoreSwift", targets: ["FirebaseFirestoreSwift"]),
        .library(name: "Firebase", targets: ["Firebase"]),
        // The command. A package that uses only the libraries does not build it.
        .executable(name: "hearth", targets: ["hearth"]),
    ],
    traits: [
        .default(enabledTraits: defaultTraits),
        .trait(
            name: "Remote",
            description: "The network layer: own server and Cloud Firestore. Off: the embedded database only."),
        .trait(
            name: "ServiceAccounts",
            description:
                "Key files of service accounts; accounts and tokens of the server. Off: swift-crypto is not built; the rest works.",
            enabledTraits: ["Remote"]),
        .trait(
            name: "Macros",
            description: "The macro @FirestoreModel, which needs swift-syntax. Off by default: nobody else fetches or compiles it."),
        .trait(
            name: "Postgres",
            description: "The store on PostgreSQL for the command, which needs libpq. Off by default: nothing of it is compiled."),
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
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // Signs what a service account asks a token with.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // For the macro only.
        .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.0"..<"605.0.0"),
        // For the tests only.
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    ],
    targets: base + firestore + database + rules + network + client + server + app + models + tools + tests + testSupport,
    swiftLanguageModes: [.v6]
)

if Context.environment["HEARTH_BENCHMARKS"] != nil { package.targets += benchmarks }
if Context.environment["HEARTH_FUZZ"] != nil { package.targets += fuzzers }

/// HEARTH_TESTS=FirestoreServerTests,RepositoryTests compiles these test targets only, what they share, and the products: a build that takes
/// minutes after a change in Core takes seconds.
if let wanted = Context.environment["HEARTH_TESTS"]?.split(separator: ",") {
    let support = Set(testSupport.map(\.name))
    func needs(_ target: Target) -> [String] {
        target.dependencies.compactMap { dependency in
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): name
            default: nil
            }
        }
    }
    var left = package.targets.filter { $0.type == .test && wanted.contains(Substring($0.name)) }
    var needed: Set<String> = []
    while let target = left.popLast() {
        needed.insert(target.name)
        let names = needs(target).filter { !needed.contains($0) }
        left += package.targets.filter { names.contains($0.name) && support.contains($0.name) }
    }
    package.targets.removeAll { ($0.type == .test || support.contains($0.name)) && !needed.contains($0.name) }
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
