// SPDX-License-Identifier: Apache-2.0
import Testing

/// The permitted imports: the module map of docs/architecture.md, as a table.
struct ImportTests {
    /// Where swift-crypto is used, with the trait `ServiceAccounts`.
    private static let cryptography = [
        "Sources/FirestoreRemote/Credentials/", "Sources/FirestoreTokens/", "Sources/FirestoreAccounts/", "Tests/FirestoreRemoteTests/",
        "Tests/FirestoreTokensTests/", "Tests/FirestoreAccountsTests/", "Tests/HearthTests/",
    ]

    /// The only folders whose files may import a module.
    static let importers: [(module: String, folders: [String])] = [
        (
            "GRDB",
            [
                "Sources/FirestoreStorage/", "Sources/FirestoreAccounts/Store/", "Tests/FirestoreStorageTests/", "Benchmarks/",
                // Looks into the copies of earlier formats, which the store of this format does not open.
                "Tests/FirestoreEngineTests/Lifecycle/FormatFixtureTests.swift",
            ]
        ),
        ("GRDBSQLite", ["Sources/FirestoreStorage/", "Tests/FirestoreStorageTests/", "Tests/FirestoreSyncTests/", "Tests/FaultInjection/", "Tests/HearthTests/", "Benchmarks/"]),
        ("FirestoreStorage", ["Sources/FirestoreStorage/", "Sources/FirestoreEngine/", "Sources/FirestoreSync/", "Tests/", "Benchmarks/"]),
        (
            "FirestoreEngine",
            [
                "Sources/FirebaseFirestore/", "Sources/FirestoreTesting/", "Sources/FirestoreServer/", "Sources/FirestoreSync/",
                "Sources/hearth/", "Tests/", "Benchmarks/",
            ]
        ),
        ("FirestoreClient", ["Sources/FirebaseFirestore/", "Sources/FirestoreSync/", "Tests/", "Benchmarks/"]),
        ("FirestoreSync", ["Sources/FirebaseFirestore/", "Sources/FirestoreTesting/", "Sources/hearth/", "Tests/", "Benchmarks/"]),
        (
            "FirestoreCoding",
            [
                "Sources/FirebaseFirestore/", "Sources/FirebaseCore/", "Sources/FirebaseSharedSwift/", "Sources/FirestoreModels/", "Tests/",
                "Benchmarks/",
            ]
        ),
        (
            "FirestoreSemantics",
            [
                "Sources/FirestoreEngine/", "Sources/FirestoreClient/", "Sources/FirestoreGeo/", "Sources/FirestoreRules/",
                "Sources/FirestoreServer/", "Sources/FirestoreRemote/", "Sources/FirestoreSync/", "Sources/hearth/", "Tests/", "Benchmarks/",
            ]
        ),
        (
            "FirebaseFirestore",
            [
                "Sources/Shims/", "Sources/FirestoreGeo/", "Sources/FirestoreModels/", "Sources/FirestoreTesting/", "Tests/", "Benchmarks/",
                "Examples/", "dev/",
            ]
        ),
        (
            "FirestoreTesting",
            [
                "Tests/FirestoreModelsTests/", "Tests/FirestoreTestingTests/", "Tests/FirestoreSyncTests/", "Tests/SnippetTests/", "Tests/Macros/",
                "Examples/", "Benchmarks/",
            ]
        ),
        (
            "FirestoreModels",
            ["Sources/FirestoreTesting/", "Sources/FirestoreModelMacros/", "Tests/FirestoreModelsTests/", "Tests/FirestoreTestingTests/", "Tests/SnippetTests/", "Examples/", "Benchmarks/", "dev/"]
        ),
        // The macro, behind its trait (docs/decisions/0036-typed-fields.md).
        ("FirestoreModelMacros", ["Tests/Macros/"]),
        ("SwiftSyntax", ["Sources/FirestoreModelMacrosPlugin/"]),
        ("SwiftSyntaxBuilder", ["Sources/FirestoreModelMacrosPlugin/"]),
        ("SwiftSyntaxMacros", ["Sources/FirestoreModelMacrosPlugin/"]),
        ("SwiftCompilerPlugin", ["Sources/FirestoreModelMacrosPlugin/"]),
        ("SwiftDiagnostics", ["Sources/FirestoreModelMacrosPlugin/"]),
        ("FirestoreSchema", ["Sources/FirestoreModels/", "Sources/hearth/", "Tests/", "Benchmarks/"]),
        ("FirestoreGeo", ["Tests/FirestoreGeoTests/", "Tests/SnippetTests/", "Examples/"]),
        ("FirebaseFirestoreSwift", ["Tests/FirebaseFirestoreTests/", "Examples/"]),
        ("Firebase", ["Tests/FirebaseFirestoreTests/", "Tests/FirebaseAuthTests/", "Examples/"]),
        (
            "FirebaseCore",
            [
                "Sources/FirebaseFirestore/", "Sources/FirebaseAuth/", "Sources/Shims/", "Tests/FirebaseFirestoreTests/",
                "Tests/FirebaseAuthTests/", "Tests/HearthTests/", "Tests/FirestoreGeoTests/",
                "Tests/FirestoreRemoteTests/", "Tests/FirestoreSyncTests/", "Tests/SnippetTests/", "Benchmarks/", "Examples/", "dev/",
            ]
        ),
        ("FirebaseAuth", ["Sources/Shims/", "Tests/FirebaseAuthTests/", "Tests/HearthTests/", "Tests/SnippetTests/", "Benchmarks/", "Examples/", "dev/consumer/"]),
        ("OpenCombine", ["Examples/"]),
        ("ArgumentParser", ["Sources/hearth/", "Tests/HearthTests/Serve/Support/"]),
        ("SwiftProtobuf", ["Tests/"]),
        (
            "FirestoreWire",
            [
                "Sources/FirestoreServer/", "Sources/FirestoreRemote/", "Sources/FirestoreSync/", "Sources/FirestoreTesting/", "Tests/",
                "Benchmarks/",
            ]
        ),
        (
            "FirestoreRPC",
            [
                "Sources/FirebaseAuth/", "Sources/FirestoreServer/", "Sources/FirestoreRemote/", "Sources/FirestoreTesting/", "Sources/hearth/",
                "Tests/", "Benchmarks/",
            ]
        ),
        ("FirestoreRemote", ["Sources/FirebaseFirestore/", "Sources/FirestoreTesting/", "Sources/hearth/", "Tests/", "Benchmarks/"]),
        ("FirestoreTransfer", ["Sources/hearth/", "Tests/", "Benchmarks/"]),
        (
            "FirestoreRules",
            ["Sources/FirebaseFirestore/", "Sources/FirestoreTesting/", "Sources/FirestoreServer/", "Sources/hearth/", "Tests/", "Benchmarks/"]
        ),
        ("LinearRegex", ["Sources/FirestoreRules/", "Tests/", "Benchmarks/"]),
        ("FirestoreTokens", ["Sources/FirestoreAccounts/", "Sources/hearth/", "Tests/", "Benchmarks/"]),
        ("FirestoreAccounts", ["Sources/hearth/", "Tests/", "Benchmarks/"]),
        ("Crypto", cryptography),
        ("CryptoExtras", cryptography),
        ("FoundationNetworking", ["Tests/"]),
        ("FirestoreServer", ["Sources/FirestoreTesting/", "Sources/hearth/", "Tests/", "Benchmarks/"]),
        ("NIOCore", ["Sources/FirestoreRPC/", "Tests/FirestoreRPCTests/", "Tests/FirestoreRemoteTests/", "Tests/NetworkFaults/", "Tests/Fuzzing/"]),
        ("NIOPosix", ["Sources/FirestoreRPC/", "Tests/FirestoreRPCTests/", "Tests/FirestoreRemoteTests/", "Tests/NetworkFaults/", "Tests/Fuzzing/"]),
        ("NIOHTTP1", ["Sources/FirestoreRPC/", "Tests/FirestoreRPCTests/", "Tests/FirestoreRemoteTests/", "Tests/Fuzzing/"]),
        ("NIOHTTP2", ["Sources/FirestoreRPC/", "Tests/FirestoreRPCTests/", "Tests/Fuzzing/"]),
        ("NIOSSL", ["Sources/FirestoreRPC/", "Tests/FirestoreRPCTests/", "Tests/FirestoreRemoteTests/"]),
    ]

    /// Modules below the public layer, and the Hearth modules that each may import.
    static let dependencies: [(module: String, mayImport: Set<String>)] = [
        ("FirestoreCore", []),
        ("FirestoreCoding", ["FirestoreCore"]),
        ("FirestoreSemantics", ["FirestoreCore"]),
        ("FirestoreStorage", ["FirestoreCore"]),
        ("FirestoreEngine", ["FirestoreCore", "FirestoreSemantics", "FirestoreStorage"]),
        ("FirestoreClient", ["FirestoreCore", "FirestoreSemantics"]),
        ("FirebaseSharedSwift", ["FirestoreCoding"]),
        ("FirebaseCore", ["FirestoreCore", "FirestoreCoding"]),
        // With the network layer also FirestoreRPC.
        ("FirebaseAuth", ["FirebaseCore", "FirestoreCore", "FirestoreRPC"]),
        ("FirestoreRPC", ["FirestoreCore"]),
        ("FirestoreWire", ["FirestoreCore"]),
        ("FirestoreRemote", ["FirestoreCore", "FirestoreRPC", "FirestoreWire"]),
        (
            "FirestoreSync",
            ["FirestoreCore", "FirestoreSemantics", "FirestoreStorage", "FirestoreEngine", "FirestoreClient", "FirestoreWire"]
        ),
        (
            "FirestoreServer",
            ["FirestoreCore", "FirestoreSemantics", "FirestoreEngine", "FirestoreRules", "FirestoreRPC", "FirestoreWire"]
        ),
        ("FirestoreTransfer", ["FirestoreCore"]),
        ("FirestoreSchema", ["FirestoreCore"]),
        ("FirestoreModelMacrosPlugin", []),
        ("FirestoreModelMacros", ["FirestoreModels"]),
        ("FirestoreModels", ["FirebaseFirestore", "FirestoreCore", "FirestoreCoding", "FirestoreSchema"]),
        ("LinearRegex", []),
        ("FirestoreRules", ["FirestoreCore", "FirestoreSemantics", "LinearRegex"]),
        ("FirestoreTokens", ["FirestoreCore"]),
        ("FirestoreAccounts", ["FirestoreCore", "FirestoreTokens"]),
        (
            "hearth",
            [
                "FirestoreCore", "FirestoreSemantics", "FirestoreEngine", "FirestoreRPC", "FirestoreRemote", "FirestoreServer",
                "FirestoreSync", "FirestoreTransfer", "FirestoreSchema", "FirestoreRules", "FirestoreTokens", "FirestoreAccounts",
            ]
        ),
        ("FirestoreGeo", ["FirebaseFirestore", "FirestoreCore", "FirestoreSemantics"]),
        (
            "FirestoreTesting",
            [
                "FirebaseFirestore", "FirestoreModels", "FirestoreCore", "FirestoreEngine", "FirestoreRules",
                // With the network layer only: a server in the test's process.
                "FirestoreRPC", "FirestoreWire", "FirestoreRemote", "FirestoreServer", "FirestoreSync",
            ]
        ),
    ]

    @Test(arguments: importers.map(\.module))
    func `only its own rooms import`(module: String) throws {
        let folders = try #require(Self.importers.first { $0.module == module }).folders
        for file in Repository.swiftFiles where !folders.contains(where: file.path.hasPrefix) {
            #expect(!imports(of: file).contains(module), "\(file) imports \(module)")
        }
    }

    @Test(arguments: dependencies.map(\.module))
    func `data moves in one direction`(module: String) throws {
        let mayImport = try #require(Self.dependencies.first { $0.module == module }).mayImport
        let ours = Set(Self.dependencies.map(\.module)).union(["FirebaseFirestore"])
        for file in Repository.swiftFiles where file.path.hasPrefix("Sources/\(module)/") {
            let forbidden = imports(of: file).intersection(ours).subtracting(mayImport)
            #expect(forbidden.isEmpty, "\(file) imports \(forbidden.sorted())")
        }
    }

    @Test func `every module of the package is in the table`() {
        let folders = Set(
            Repository.swiftFiles.filter { $0.path.hasPrefix("Sources/") }.map { $0.path.split(separator: "/")[1] })
        let known = Set(Self.dependencies.map { Substring($0.module) }).union(["FirebaseFirestore", "Shims"])
        #expect(folders.subtracting(known).isEmpty)
    }

    /// Modules that stand beside the engine, each behind a contract of `FirestoreCore/Contracts`, those to come included. A
    /// cache and the accounts keep their tables in files of their own kind; nothing of that is linked into an embedded app.
    static let besideTheEngine = ["FirestoreSync", "FirestoreTokens", "FirestoreAccounts", "FirestoreConsole", "FirestorePostgres"]

    @Test(arguments: besideTheEngine)
    func `the embedded product does not link what stands beside the engine`(module: String) throws {
        let embedded = [
            "FirestoreCore", "FirestoreCoding", "FirestoreSemantics", "FirestoreStorage", "FirestoreEngine", "FirestoreClient", "FirebaseCore",
            "FirebaseSharedSwift", "FirebaseFirestore", "FirebaseAuth", "FirestoreGeo", "FirestoreModels", "FirestoreSchema", "FirestoreTesting",
        ]
        for file in Repository.swiftFiles where embedded.contains(where: { file.path.hasPrefix("Sources/\($0)/") }) {
            // Compositions may, where the trait is on.
            guard imports(of: file).contains(module) else { continue }
            #expect(try file.lines.contains { $0.drop { $0 == " " }.hasPrefix("#if Remote") }, "\(file) imports \(module)")
        }
        // A build of the embedded product leaves it out.
        guard Repository.swiftFiles.contains(where: { $0.path.hasPrefix("Sources/\(module)/") }) else { return }
        let manifest = try Repository.text(of: "Package.swift")
        let list = manifest.split(separator: "let networkTargets", maxSplits: 1).last?.prefix { $0 != "]" } ?? ""
        #expect(list.contains("\"\(module)\""), "\(module) is not among the targets that HEARTH_EMBEDDED leaves out")
    }

    @Test func `SQL stands in the rooms of the stores only`() throws {
        let rooms = ["Sources/FirestoreStorage/", "Sources/FirestoreSync/Store/", "Sources/FirestoreAccounts/Store/", "Sources/FirestorePostgres/"]
        for file in Repository.swiftFiles where file.path.hasPrefix("Sources/") && !rooms.contains(where: file.path.hasPrefix) {
            let statement = try file.lines.first { line in
                ["\"SELECT ", "\"INSERT INTO ", "\"UPDATE ", "\"DELETE FROM ", "\"CREATE TABLE "].contains { line.contains($0) }
            }
            #expect(statement == nil, "\(file): \(statement ?? "")")
        }
    }

    @Test func `only what also builds without the network layer asks for the trait`() throws {
        let mayAsk = [
            "Sources/FirebaseFirestore/", "Sources/FirebaseAuth/", "Sources/FirestoreTesting/",
            "Tests/FirebaseFirestoreTests/", "Tests/FirebaseAuthTests/", "Tests/FirestoreTestingTests/", "Tests/SnippetTests/",
        ]
        for file in Repository.allSwiftFiles where !mayAsk.contains(where: file.path.hasPrefix) {
            let asks = try file.lines.contains { $0.drop { $0 == " " }.hasPrefix("#if") && $0.contains("Remote") }
            #expect(!asks, "\(file) is built with the network layer only, or never: the manifest decides, not the file")
        }
    }

    @Test func `only the signer asks for the trait of service accounts`() throws {
        for file in Repository.allSwiftFiles where file.path != "Sources/FirestoreRemote/Credentials/RSASigner.swift" {
            let asks = try file.lines.contains { $0.drop { $0 == " " }.hasPrefix("#if") && $0.contains("ServiceAccounts") }
            #expect(!asks, "\(file) depends on swift-crypto: the rest of the package does not know that it exists")
        }
    }

    /// The modules each file imports: read once for all rows of the tables.
    private static let importsByPath: [String: Set<String>] = Repository.allSwiftFiles.reduce(into: [:]) { table, file in
        table[file.path] = (try? file.lines).map(modules(importedBy:)) ?? []
    }

    private func imports(of file: Repository.File) -> Set<String> { Self.importsByPath[file.path] ?? [] }

    /// Whatever stands before and behind the name.
    private static func modules(importedBy lines: [Substring]) -> Set<String> {
        let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "func", "let", "var", "typealias"]
        let modules = lines.compactMap { line -> String? in
            guard line.utf8.first != UInt8(ascii: " "), line.contains("import ") else { return nil }
            let words = line.split(separator: " ")
            guard let at = words.firstIndex(of: "import"), at + 1 < words.count else { return nil }
            guard words[..<at].allSatisfy({ $0.hasPrefix("@") || ["public", "package", "internal", "private", "fileprivate"].contains($0) })
            else { return nil }
            let name = kinds.contains(words[at + 1]) && at + 2 < words.count ? words[at + 2] : words[at + 1]
            return String(name.prefix { $0 != "." })
        }
        return Set(modules)
    }
}
