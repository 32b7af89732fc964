// swift-tools-version: 6.2
import PackageDescription

/// Settings of every target of ours: Swift 6, explicit imports, warnings are errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Benchmarks live in this package because only its targets see `package` declarations,
/// and are switched on by an environment variable so that nobody else compiles them.
let withBenchmarks = Context.environment["HEARTH_BENCHMARKS"] != nil

let package = Package(
    name: "hearth",
    products: [
        .library(name: "FirebaseFirestore", targets: ["FirebaseFirestore"]),
        .library(name: "FirebaseCore", targets: ["FirebaseCore"]),
        .library(name: "FirebaseSharedSwift", targets: ["FirebaseSharedSwift"]),
        .library(name: "FirestoreGeo", targets: ["FirestoreGeo"]),
        .library(name: "FirestoreTesting", targets: ["FirestoreTesting"]),
        // What older code imports.
        .library(name: "FirebaseFirestoreSwift", targets: ["FirebaseFirestoreSwift"]),
        .library(name: "Firebase", targets: ["Firebase"]),
        // Tools for database files. Who uses only the libraries does not build it.
        .executable(name: "hearth", targets: ["hearth"]),
    ],
    traits: [
        .default(enabledTraits: ["Remote"]),
        .trait(
            name: "Remote",
            description: "The network layer: own server and Cloud Firestore. Off: the embedded database only."),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // For the executable only.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .target(name: "FirestoreCore", swiftSettings: strict),
        .target(
            name: "FirestoreCoding", dependencies: ["FirestoreCore"],
            swiftSettings: strict),
        .target(name: "FirestoreSemantics", dependencies: ["FirestoreCore"], swiftSettings: strict),
        .target(
            name: "FirestoreStorage",
            dependencies: [
                "FirestoreCore", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .target(
            name: "FirestoreEngine",
            dependencies: [
                "FirestoreCore", "FirestoreSemantics", "FirestoreStorage",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
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
                "FirebaseCore", "FirebaseSharedSwift", "FirestoreCore", "FirestoreCoding", "FirestoreClient",
                "FirestoreEngine", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .target(
            name: "FirestoreGeo", dependencies: ["FirebaseFirestore", "FirestoreCore", "FirestoreSemantics"],
            swiftSettings: strict),
        .target(
            name: "FirestoreTesting", dependencies: ["FirebaseFirestore", "FirestoreCore", "FirestoreEngine"],
            swiftSettings: strict),
        .target(
            name: "FirebaseFirestoreSwift", dependencies: ["FirebaseFirestore"],
            path: "Sources/Shims/FirebaseFirestoreSwift", swiftSettings: strict),
        .target(
            name: "Firebase", dependencies: ["FirebaseCore", "FirebaseFirestore"],
            path: "Sources/Shims/Firebase", swiftSettings: strict),

        .executableTarget(
            name: "hearth",
            dependencies: [
                "FirestoreCore", "FirestoreEngine", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        .testTarget(name: "FirestoreCoreTests", dependencies: ["FirestoreCore"], swiftSettings: strict),
        .testTarget(
            name: "FirestoreCodingTests", dependencies: ["FirestoreCore", "FirestoreCoding", "FirebaseSharedSwift"],
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreSemanticsTests", dependencies: ["FirestoreCore", "FirestoreSemantics"],
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreStorageTests",
            dependencies: [
                "FirestoreCore", "FirestoreStorage", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreEngineTests",
            dependencies: [
                "FirestoreCore", "FirestoreSemantics", "FirestoreStorage", "FirestoreEngine", "CrashWriter", "FaultInjection",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreClientTests",
            dependencies: ["FirestoreCore", "FirestoreSemantics", "FirestoreClient"],
            swiftSettings: strict),
        .testTarget(
            name: "FirebaseFirestoreTests",
            dependencies: [
                "FirestoreCore", "FirebaseCore", "FirebaseFirestore", "FirebaseSharedSwift", "FirebaseFirestoreSwift", "Firebase",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "HearthTests",
            dependencies: [
                "FirestoreCore", "FirestoreEngine", "hearth", .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreGeoTests", dependencies: ["FirebaseCore", "FirebaseFirestore", "FirestoreGeo"],
            swiftSettings: strict),
        .testTarget(
            name: "FirestoreTestingTests", dependencies: ["FirebaseFirestore", "FirestoreTesting"],
            swiftSettings: strict),
        .testTarget(name: "RepositoryTests", swiftSettings: strict),

        // The disk that fails on demand: an SQLite VFS for tests.
        .target(
            name: "FaultInjection",
            dependencies: ["FirestoreCore", .product(name: "GRDBSQLite", package: "GRDB.swift")],
            path: "Tests/FaultInjection", swiftSettings: strict),
        // The child process of the crash tests: writes, acknowledges, gets killed.
        .executableTarget(
            name: "CrashWriter", dependencies: ["FirestoreCore", "FirestoreEngine"], path: "Tests/CrashWriter",
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
            ],
            path: "Benchmarks/HearthBenchmarks", swiftSettings: strict))
}
