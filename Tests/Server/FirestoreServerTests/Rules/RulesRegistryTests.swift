// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRules
import FirestoreWire
import ServerFixtures
import ServerTestSupport
import Testing

@testable import FirestoreServer

/// Which rules a database is under (SR-132, SR-138, SR-139).
struct RulesRegistryTests {
    /// Rules that are distinguished by the collection they open.
    private static func rules(_ name: String) throws -> RulesInForce.Rules { try Ruled.rules("match /\(name)/{id} { allow read; }") }

    private static let databases = [
        DatabaseID(projectID: "p"), DatabaseID(projectID: "q"), DatabaseID(projectID: "p", databaseID: "other"),
        DatabaseID(projectID: "q", databaseID: "other"), DatabaseID(projectID: "p", databaseID: "third"),
    ]

    private static func name(_ rules: RulesInForce) -> String {
        guard case .ruleSet(let set) = rules.current.rules else { return "open" }
        let text = String(decoding: set.source.text, as: UTF8.self)
        return String(text.split(separator: "match /").last?.prefix { $0 != "/" } ?? "")
    }

    typealias Step = (name: String, scope: RulesRegistry.Scope)

    /// What is installed, in order, and what p, q, p/other, q/other and p/third are then under.
    @Test(arguments: [
        ([], "open open open open open"),
        ([("a", .everyDatabase)], "a a a a a"),
        ([("a", .databaseID("other"))], "open open a a open"),
        ([("a", .project("p"))], "a open a open a"),
        ([("a", .database(DatabaseID(projectID: "p")))], "a open open open open"),
        ([("a", .everyDatabase), ("b", .databaseID("other")), ("c", .project("p"))], "c a b b c"),
        // A project's rules are its default database's, even if there is a file for that.
        ([("a", .databaseID("(default)")), ("b", .project("p"))], "b a b open b"),
        // SR-139
        ([("a", .database(DatabaseID(projectID: "p"))), ("b", .database(DatabaseID(projectID: "p", databaseID: "other"))), ("c", .project("p"))], "c open b open c"),
        // What was set over HTTP holds until a file changes that is for the database.
        ([("a", .everyDatabase), ("b", .project("p")), ("c", .database(DatabaseID(projectID: "q", databaseID: "other"))), ("d", .everyDatabase)], "d d d d d"),
        ([("a", .databaseID("other")), ("b", .database(DatabaseID(projectID: "p", databaseID: "other"))), ("c", .everyDatabase)], "c c b a c"),
        ([("a", .database(DatabaseID(projectID: "p", databaseID: "other"))), ("b", .project("q")), ("c", .databaseID("other"))], "open b c c open"),
        ([("a", .everyDatabase), ("b", .project("p")), ("c", .databaseID("(default)"))], "c c a a a"),
    ] as [([Step], String)])
    func `the narrowest rules count`(steps: [Step], expected: String) throws {
        let served = RulesRegistry()
        // Some are open while rules are installed, and others come later.
        let open = Self.databases.prefix(4).map { served.enforcement(of: $0) }
        for step in steps { served.install(try Self.rules(step.name), for: step.scope) }
        #expect(Self.databases.map { Self.name(served.rules(for: $0)) }.joined(separator: " ") == expected)
        #expect(Self.databases.map { Self.name(served.enforcement(of: $0).rules) }.joined(separator: " ") == expected)
        for (enforcement, database) in zip(open, Self.databases) { #expect(served.enforcement(of: database) === enforcement) }
    }

    @Test func `the rules of a cluster are all there are`() throws {
        let served = RulesRegistry()
        for step in [("a", .everyDatabase), ("b", .project("q")), ("c", .databaseID("third"))] as [Step] {
            served.install(try Self.rules(step.name), for: step.scope)
        }
        let open = Self.databases.map { served.enforcement(of: $0).rules }
        let first = open.map(\.current.number)
        served.replace(with: [.everyDatabase: try Self.rules("a"), .databaseID("other"): try Self.rules("d")], changed: [.everyDatabase, .databaseID("other")])
        let second = open.map(\.current.number)
        served.replace(with: [.everyDatabase: try Self.rules("a"), .databaseID("other"): try Self.rules("d")], changed: [])
        #expect(open.map(\.current.number) == second)
        #expect(Self.databases.map { Self.name(served.rules(for: $0)) } == ["a", "a", "d", "d", "a"])
        #expect(open.map(Self.name) == ["a", "a", "d", "d", "a"])
        #expect(open[0].current.number > first[0] && open[1].current.number > first[1])
        served.replace(with: [.everyDatabase: .closed], changed: [.everyDatabase])
        #expect(Set(open.map(\.current.hash)).count == 1)
    }

    @Test func `the version of a database changes only with its own rules`() throws {
        let served = RulesRegistry()
        let (p, q) = (served.enforcement(of: Self.databases[0]).rules, served.enforcement(of: Self.databases[1]).rules)
        let (before, other) = (p.current.number, q.current.number)
        let version = served.install(try Self.rules("a"), for: .project("p"))
        #expect(p.current.number == before + 1 && q.current.number == other)
        #expect(version.hash == p.current.hash && version.hash != q.current.hash)
    }

    @Test func `names are compared by their bytes`() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let served = RulesRegistry()
        served.install(try Self.rules("a"), for: .project(composed))
        #expect(Self.name(served.rules(for: DatabaseID(projectID: composed))) == "a")
        #expect(Self.name(served.rules(for: DatabaseID(projectID: decomposed))) == "open")
    }

    /// The emulator prints what `debug` is given, and the service ignores it.
    @Test(arguments: [false, true])
    func `the log shows values of debug() in development mode only`(isDevelopment: Bool) async throws {
        let log = RecordedLog()
        var settings = RuleEnforcement.Settings()
        settings.explainsToCallers = isDevelopment
        let text = """
                match /open/{id} { allow get: if debug(resource.data.n) == 1 && debug('granted') != ''; }
                match /closed/{id} { allow get: if debug({'role': get(/databases/$(db)/documents/roles/a).data.r}).role == 'x'; }
            """
        let rules = RulesRegistry(try Ruled.rules(text), settings: settings, countsCoverage: isDevelopment, log: log.logger)
        let server = ServerFixture(rules: rules)
        let writes: [Write] = [.set("open/a", [("n", .integer(1))]), .set("closed/a"), .set("roles/a", [("r", .string("two words"))])]
        _ = try await server.open().commit(writes, context: .embedded)
        for (path, answer) in [("open/a", FirestoreError.Code.ok), ("closed/a", .permissionDenied)] {
            let request = GetDocumentRequest(database: ServerFixture.database, key: DocumentKey(trusted: path))
            #expect(await code { _ = try await server.unary(.getDocument, request, as: DocumentResponse.self) } == answer)
        }
        await rules.finishLog()
        let expected = ["L4:38 1", "L4:69 \"granted\"", "L5:40 {\"role\":\"two words\"}"]
        let debugged = log.entries.filter { $0.message == "debug" }
        #expect(debugged.map { "\($0.metadata["at"] ?? "") \($0.metadata["value"] ?? "")" } == (isDevelopment ? expected : []))
        #expect(log.entries.count { $0.message == "denied by rules" } == 1)
    }

    @Test func `only open databases cost something`() async throws {
        let server = ServerFixture(DatabaseOpening(storage: .memory, createsDatabases: false, projects: ["library"]))
        for name in 0..<50 {
            let request = GetDocumentRequest(database: DatabaseID(projectID: "p\(name)"), key: DocumentKey(trusted: "a/b"))
            #expect(await code { _ = try await server.unary(.getDocument, request, as: DocumentResponse.self) } == .notFound)
        }
        #expect(server.rules.enforcementCount == 0)
        _ = try await server.open()
        #expect(server.rules.enforcementCount == 1)
        await server.service.databases.close()
        #expect(server.rules.enforcementCount == 0)
    }

    @Test func `a denial is one line in the log`() async throws {
        let log = RecordedLog()
        let rules = RulesRegistry(try Ruled.rules("match /own/{id} { allow get: if resource.data.owner == request.auth.uid; }"), log: log.logger)
        let server = ServerFixture(rules: rules)
        _ = try await server.open().commit([.set("own/ada", [("owner", .string("secret"))])], context: .embedded)
        let request = GetDocumentRequest(database: ServerFixture.database, key: DocumentKey(trusted: "own/ada"))
        let error = await #expect(throws: (any Error).self) {
            try await server.unary(.getDocument, request, metadata: Ruled.bob, as: DocumentResponse.self)
        }
        #expect("\(String(describing: error))".contains("Missing or insufficient permissions."))
        await rules.finishLog()
        let line = try #require(log.lines.first)
        #expect(log.lines.count == 1 && line.contains("L4") && line.contains("own/ada") && line.contains("library") && line.contains("bob"))
        #expect(!line.contains("secret") && !line.contains("\n"))
    }
}
