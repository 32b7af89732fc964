// SPDX-License-Identifier: Apache-2.0
import Testing

/// The permitted imports: those that Package.swift lists.
struct ImportTests {
    /// In order: a module imports modules of its own wing and of those before it.
    private static let wings = ["Base", "Firestore", "Database", "Rules", "Network", "Client", "Server", "App", "Models", "Tools"]

    /// What comes with the compiler and the system.
    private static let system: Set<String> = [
        "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc", "Musl", "Observation", "PackagePlugin", "Synchronization",
        "Testing", "XCTest",
    ]

    /// Modules that only one folder of their target uses.
    private static let rooms: [(module: String, target: String, folder: String)] = [
        ("GRDB", "FirestoreAccounts", "Store/"), ("Crypto", "FirestoreRemote", "Credentials/"), ("CryptoExtras", "FirestoreRemote", "Credentials/"),
        // Looks into the copies of earlier formats, which the store of this format does not open.
        ("GRDB", "FirestoreEngineTests", "Lifecycle/FormatFixtureTests.swift"),
    ]

    @Test func `a file imports only dependencies of its target`() throws {
        let targets = try Manifest.package.get().targets
        for target in targets {
            let mayImport = target.modules.union(Self.system).union([target.name])
            for file in Repository.allSwiftFiles where file.path.hasPrefix(target.folder) {
                // A target in a folder of another one, such as a process that tests start.
                if targets.contains(where: { $0.folder.count > target.folder.count && file.path.hasPrefix($0.folder) }) { continue }
                let forbidden = imports(of: file).subtracting(mayImport)
                #expect(forbidden.isEmpty, "\(file) imports \(forbidden.sorted()), which Package.swift does not list for \(target.name)")
            }
        }
    }

    @Test func `a target depends only on modules that its files import`() throws {
        for target in try Manifest.package.get().targets where target.folder.hasPrefix("Sources/") {
            let files = Repository.allSwiftFiles.filter { $0.path.hasPrefix(target.folder) }
            // The program of the macro is a dependency without an import.
            let used = try files.reduce(into: Set<String>()) { $0.formUnion(Self.modules(importedBy: try $1.lines, indented: true)) }
            let unused = target.modules.subtracting(used).subtracting(["FirestoreModelMacrosPlugin"])
            #expect(unused.isEmpty, "no file of \(target.name) imports \(unused.sorted())")
        }
    }

    @Test func `a wing depends on the wings before it`() throws {
        let targets = try Manifest.package.get().targets
        for target in targets where target.folder.hasPrefix("Sources/") {
            let wing = try #require(Self.wings.firstIndex(of: target.wing ?? ""), "\(target.name) is in no wing")
            for used in targets where target.modules.contains(used.name) && used.folder.hasPrefix("Sources/") {
                let below = try #require(Self.wings.firstIndex(of: used.wing ?? ""))
                #expect(below <= wing, "\(target.name) of the wing \(Self.wings[wing]) depends on \(used.name) of \(Self.wings[below])")
            }
        }
    }

    @Test func `a dependency that is for one folder is imported there only`() throws {
        let targets = try Manifest.package.get().targets
        for room in Self.rooms {
            let folder = try #require(targets.first { $0.name == room.target }).folder
            for file in Repository.swiftFiles where file.path.hasPrefix(folder) && !file.path.hasPrefix(folder + room.folder) {
                #expect(!imports(of: file).contains(room.module), "\(file) imports \(room.module)")
            }
        }
    }

    @Test func `a conformance that only casts look for stands in the file of what makes its values`() throws {
        // Nothing names such a conformance, so that a static archive drops a file with nothing else in it (decision 0023).
        for file in Repository.allSwiftFiles where file.path.hasPrefix("Sources/") {
            let lines = try file.lines.map { String($0.drop { $0 == " " }) }
            for line in lines where line.hasPrefix("extension ") && (line.contains("_ObjectiveCBridgeable") || line.contains(": BridgedError")) {
                let type = line.dropFirst("extension ".count).prefix { $0 != ":" && $0 != " " }
                if type == "BridgedError" { continue }
                let makes = lines.contains { line in
                    line.hasPrefix("public struct \(type)") || line.hasPrefix("public enum \(type)")
                        || line.contains("-> \(type) {") && !line.hasPrefix("public static func unbridged")
                }
                #expect(makes, "\(file): the conformance of \(type) belongs beside what makes it")
            }
        }
    }

    @Test func `every file of Sources belongs to a target`() throws {
        let folders = try Manifest.package.get().targets.map(\.folder)
        for file in Repository.allSwiftFiles where file.path.hasPrefix("Sources/") {
            #expect(folders.contains { file.path.hasPrefix($0) }, "\(file) belongs to no target")
        }
    }

    /// Modules that stand beside the engine, each behind a contract of `FirestoreCore/Contracts`, those to come included. A
    /// cache and the accounts have their tables in separate kinds of files; nothing of that is linked into an embedded app.
    static let besideTheEngine = [
        "FirestoreSync", "FirestoreTokens", "FirestoreAuthentication", "FirestoreAccounts", "FirestoreGateway", "FirestoreConsole", "PostgresLink",
        "FirestorePostgres", "FirestoreArchive",
    ]

    @Test(arguments: besideTheEngine)
    func `the embedded product does not link the modules beside the engine`(module: String) throws {
        let embedded = [
            "FirestoreCore", "FirestoreCoding", "FirestoreSemantics", "FirestoreStorage", "FirestoreSQLite", "FirestoreEngine", "FirestoreClient",
            "FirebaseCore",
            "FirebaseSharedSwift", "FirebaseFirestore", "FirebaseAuth", "FirestoreGeo", "FirestoreModels", "FirestoreSchema", "FirestoreTesting",
        ]
        for file in Repository.swiftFiles where embedded.contains(where: { file.path.contains("/\($0)/") }) {
            // Compositions may, where the trait is on.
            guard imports(of: file).contains(module) else { continue }
            #expect(try file.lines.contains { $0.drop { $0 == " " }.hasPrefix("#if Remote") }, "\(file) imports \(module)")
        }
        // A build of the embedded product leaves it out.
        guard Repository.swiftFiles.contains(where: { $0.path.contains("/\(module)/") }) else { return }
        let manifest = try Repository.text(of: "Package.swift")
        let list = manifest.split(separator: "let networkTargets", maxSplits: 1).last?.prefix { $0 != "]" } ?? ""
        #expect(list.contains("\"\(module)\""), "\(module) is not among the targets that HEARTH_EMBEDDED leaves out")
    }

    @Test func `only the folders of the stores contain SQL`() throws {
        let rooms = [
            "Sources/Database/FirestoreSQLite/", "Sources/Client/FirestoreSync/Store/", "Sources/Client/FirestoreSync/Features/",
            "Sources/Server/FirestoreAccounts/Store/", "Sources/Database/FirestorePostgres/",
        ]
        for file in Repository.swiftFiles where file.path.hasPrefix("Sources/") && !rooms.contains(where: file.path.hasPrefix) {
            let statement = try file.lines.first { line in
                ["\"SELECT ", "\"INSERT INTO ", "\"UPDATE ", "\"DELETE FROM ", "\"CREATE TABLE "].contains { line.contains($0) }
            }
            #expect(statement == nil, "\(file): \(statement ?? "")")
        }
    }

    @Test func `only files that also build without the network layer ask for the trait`() throws {
        let mayAsk = [
            "Sources/App/FirebaseFirestore/", "Sources/App/FirebaseAuth/", "Sources/Tools/FirestoreTesting/",
            "Tests/App/FirebaseFirestoreTests/", "Tests/App/CompatibilityTests/", "Tests/Support/ModeSupport/", "Tests/App/FirebaseAuthTests/",
            "Tests/Tools/FirestoreTestingTests/", "Tests/App/SnippetTests/",
        ]
        for file in Repository.allSwiftFiles where !mayAsk.contains(where: file.path.hasPrefix) {
            let asks = try file.lines.contains { $0.drop { $0 == " " }.hasPrefix("#if") && $0.contains("Remote") }
            #expect(!asks, "\(file) is built with the network layer only, or never: the manifest decides, not the file")
        }
    }

    @Test func `only the signer asks for the trait of service accounts`() throws {
        for file in Repository.allSwiftFiles where file.path != "Sources/Network/FirestoreRemote/Credentials/RSASigner.swift" {
            let asks = try file.lines.contains { $0.drop { $0 == " " }.hasPrefix("#if") && $0.contains("ServiceAccounts") }
            #expect(!asks, "\(file) depends on swift-crypto: the rest of the package does not know that it exists")
        }
    }

    @Test func `only the store on PostgreSQL asks for its trait`() throws {
        let mayAsk = [
            "Sources/Database/PostgresLink/", "Tests/Database/PostgresLinkTests/", "Sources/Database/FirestorePostgres/",
            "Tests/Database/FirestorePostgresTests/", "Tests/Support/EngineStores/", "Benchmarks/HearthBenchmarks/", "Sources/Tools/hearth/",
            "Tests/Tools/HearthTests/Store/",
        ]
        for file in Repository.allSwiftFiles where !mayAsk.contains(where: file.path.hasPrefix) {
            let asks = try file.lines.contains { $0.drop { $0 == " " }.hasPrefix("#if") && $0.contains("Postgres") }
            #expect(!asks, "\(file) is built without libpq")
        }
    }

    /// The modules each file imports: read once for all rows of the tables.
    private static let importsByPath: [String: Set<String>] = Repository.allSwiftFiles.reduce(into: [:]) { table, file in
        table[file.path] = (try? file.lines).map { modules(importedBy: $0) } ?? []
    }

    private func imports(of file: Repository.File) -> Set<String> { Self.importsByPath[file.path] ?? [] }

    /// Whatever stands before and behind the name. `indented`: in conditions, too; texts of programs look the same.
    private static func modules(importedBy lines: [Substring], indented: Bool = false) -> Set<String> {
        let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "func", "let", "var", "typealias"]
        let modules = lines.compactMap { line -> String? in
            guard indented || line.utf8.first != UInt8(ascii: " "), line.contains("import ") else { return nil }
            let words = line.split(separator: " ")
            guard let at = words.firstIndex(of: "import"), at + 1 < words.count else { return nil }
            guard words[..<at].allSatisfy({ $0.hasPrefix("@") || ["public", "package", "internal", "private", "fileprivate"].contains($0) })
            else { return nil }
            let name = kinds.contains(words[at + 1]) && at + 2 < words.count ? words[at + 2] : words[at + 1]
            // Generated files contain texts in other languages.
            return name.first?.isLetter == true ? String(name.prefix { $0 != "." }) : nil
        }
        return Set(modules)
    }
}
