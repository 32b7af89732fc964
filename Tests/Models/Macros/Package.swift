// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The tests of @FirestoreModel: a package of their own, because they need swift-syntax. `make test-macros` runs them.
let package = Package(
    name: "macros",
    dependencies: [.package(name: "hearth", path: "../../..", traits: ["Macros"])],
    targets: [
        .testTarget(
            name: "MacroTests",
            dependencies: [
                .product(name: "FirebaseFirestore", package: "hearth"), .product(name: "FirestoreModelMacros", package: "hearth"),
                .product(name: "FirestoreTesting", package: "hearth"),
            ],
            exclude: ["Expanded"], swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
