// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// The guide is written for Swift 5; its view models capture `self` in callbacks that run elsewhere.
///
/// Its `import Combine` means the stand-in of this package. A module really named Combine would affect others:
/// GRDB asks `canImport(Combine)` and would start to use it.
let asInTheGuide: [SwiftSetting] = [
    .swiftLanguageMode(.v5),
    .unsafeFlags(["-module-alias", "Combine=CombineStandIn"]),
]

/// The Swift half of the guide as a page. It is a client of a server: the build without the network layer leaves it out.
let live: [Target] =
    Context.environment["HEARTH_EMBEDDED"] != nil
    ? []
    : [
        .executableTarget(
            name: "GuideLive",
            dependencies: [
                "Guide", "CombineStandIn", .product(name: "FirebaseCore", package: "hearth"),
                .product(name: "FirebaseFirestore", package: "hearth"),
            ],
            resources: [.copy("Resources/samples.json")], swiftSettings: asInTheGuide)
    ]

let package = Package(
    name: "guide",
    products: [.executable(name: "guide-demo", targets: ["GuideDemo"])]
        + live.map { _ in .executable(name: "guide-live", targets: ["GuideLive"]) },
    dependencies: [
        // With HEARTH_EMBEDDED=1 the embedded database only, without compiling the network layer, as with `traits: []`. Otherwise no
        // traits are named here, so that dev/demo uses what the tests of Hearth have compiled: named ones come in another order.
        .package(name: "hearth", path: "../.."),
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
    ],
    targets: [
        .target(
            name: "Guide",
            dependencies: [
                .product(name: "Firebase", package: "hearth"),
                .product(name: "FirebaseAuth", package: "hearth"),
                .product(name: "FirebaseCore", package: "hearth"),
                .product(name: "FirebaseFirestore", package: "hearth"),
                .product(name: "FirebaseFirestoreSwift", package: "hearth"),
                .product(name: "FirestoreGeo", package: "hearth"),
                .product(name: "FirestoreModels", package: "hearth"),
                "SwiftUI", "CombineStandIn", "CoreLocation",
            ],
            resources: [.copy("Resources/books.jsonl"), .copy("Resources/cities-large.jsonl"), .copy("Resources/ATTRIBUTION.md")],
            swiftSettings: asInTheGuide),
        .executableTarget(
            name: "GuideDemo",
            dependencies: ["Guide", .product(name: "FirebaseFirestore", package: "hearth")],
            swiftSettings: asInTheGuide),
        .testTarget(
            name: "GuideTests",
            dependencies: ["Guide", "SwiftUI", .product(name: "FirebaseFirestore", package: "hearth")],
            swiftSettings: asInTheGuide),

        // The guide's imports that are missing on Linux: just enough to compile and run it.
        .target(
            name: "SwiftUI", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")],
            path: "Sources/StandIns/SwiftUI"),
        .target(
            name: "CombineStandIn", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")],
            path: "Sources/StandIns/Combine"),
        .target(name: "CoreLocation", path: "Sources/StandIns/CoreLocation"),
    ] + live,
    swiftLanguageModes: [.v6]
)
