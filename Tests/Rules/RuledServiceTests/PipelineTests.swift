// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEnforcement

/// Pipelines over a database with rules.
struct PipelineTests {
    private static let owned = "match /c/{x} { allow list: if resource.data.owner == request.auth.uid; }"

    private func database(_ rules: String, settings: RuleEnforcement.Settings = .init()) async throws -> RuledDatabase {
        let database = try await RuledDatabase(rules, settings: settings)
        try await database.fill(
            .set("c/1", ("owner", .string("ada")), ("n", .integer(1))), .set("c/2", ("owner", .string("bob")), ("n", .integer(2))),
            .set("c/3", ("owner", .string("ada")), ("n", .integer(3))))
        return database
    }

    private func rows(_ pipeline: String, _ database: RuledDatabase, as context: RequestContext = .user("ada")) async throws -> [String] {
        let found = try await database.service.execute(try PipelineText.parse(pipeline), context: context)
        return found.rows.map { $0.name?.split(separator: "/").last.map(String.init) ?? "" }
    }

    private func isDenied(_ pipeline: String, _ database: RuledDatabase, as context: RequestContext = .user("ada")) async -> Bool {
        do {
            _ = try await rows(pipeline, database, as: context)
            return false
        } catch {
            return (error as? FirestoreError)?.code == .permissionDenied
        }
    }

    // PT-220, PT-226, PT-233
    @Test func `what is proved is run, everything else is denied before anything is read`() async throws {
        let database = try await database(Self.owned)
        #expect(try await rows("collection(/c) where(equal(owner, \"ada\")) sort(n desc)", database) == ["3", "1"])
        #expect(try await rows("collection(/c) where(equal(owner, \"ada\")) select(n) where(greater_than(n, 1))", database) == [""])
        for pipeline in [
            "collection(/c)", "collection(/c) limit(5) where(equal(owner, \"ada\"))", "collection(/c) where(equal(owner, \"bob\"))",
            "collection(/c) where(equal(owner, \"ada\")) delete()", "literals({a: 1})", "collection(/c) where(equal(owner, \"ada\")) union(collection(/d))",
        ] {
            #expect(await isDenied(pipeline, database), "\(pipeline)")
        }
        #expect(try await rows("collection(/c)", database, as: .embedded) == ["1", "2", "3"])
        #expect(try await rows("literals({a: 1})", database, as: .embedded) == [""])
        await database.close()
    }

    // PL-240
    @Test func `a malformed pipeline fails as such, whatever the rules say`() async throws {
        let database = try await database("")
        for pipeline in ["collection(/c) raw_stage(\"nonsense\")", "where(true)", "collection(/c/1)"] {
            let error = await #expect(throws: FirestoreError.self) { try await rows(pipeline, database) }
            #expect(error?.code == .invalidArgument, "\(pipeline)")
        }
        await database.close()
    }

    // PT-225
    @Test func `documents are judged one by one, the missing ones included`() async throws {
        let database = try await database("match /c/{x} { allow get: if resource == null || resource.data.owner == 'ada'; }")
        #expect(try await rows("documents(/c/3, /c/none, /c/1)", database).sorted() == ["1", "3"])
        #expect(await isDenied("documents(/c/1, /c/2)", database))
        #expect(await isDenied("collection(/c)", database))
        // More than are judged at a time.
        let names = (0..<250).map { "/c/none\($0)" } + ["/c/1"]
        #expect(try await rows("documents(\(names.joined(separator: ", ")))", database) == ["1"])
        #expect(await isDenied("documents(\((names + ["/c/2"]).joined(separator: ", ")))", database))
        await database.close()
    }

    @Test func `a pipeline runs at the moment that its conditions have read at`() async throws {
        let database = try await database("match /c/{x} { allow list: if get(/databases/$(db)/documents/roles/ada).data.reads; }")
        try await database.fill(.set("roles/ada", ("reads", .boolean(true))))
        let granted = try await database.service.execute(try PipelineText.parse("collection(/c)"), context: .user("ada"))
        #expect(granted.rows.count == 3)
        try await database.fill(.set("roles/ada", ("reads", .boolean(false))))
        #expect(await isDenied("collection(/c)", database))
        // A right that was taken away is not regained by looking back.
        let options = PipelineOptions(.acknowledged(.past(granted.readTime)))
        let error = await #expect(throws: FirestoreError.self) {
            try await database.service.execute(try PipelineText.parse("collection(/c)"), options: options, context: .user("ada"))
        }
        #expect(error?.code == .permissionDenied)
        await database.close()
    }

    @Test func `the pages behind a replacement of the rules are denied`() async throws {
        let database = try await database("match /{all=**} { allow read; }")
        let text = Value.string(String(repeating: "x", count: 100_000))
        for number in 0..<30 { try await database.fill(.set("big/\(number)", ("text", text))) }
        let pages = Mutex(0)
        let pipeline = try PipelineText.parse("collection(/big)")
        let error = await #expect(throws: FirestoreError.self) {
            try await database.service.execute(pipeline, options: .latest, context: .anonymous) { (_) async throws(FirestoreError) in
                pages.withLock { $0 += 1 }
                do { try database.replaceRules("") } catch { Issue.record(error) }
                return .next
            }
        }
        #expect(pages.withLock { $0 } == 1 && error?.code == .permissionDenied)
        await database.close()
    }

    @Test func `explanations are for administrators, and in development for those whom the rules grant the pipeline`() async throws {
        let granted = try PipelineText.parse("collection(/c) where(equal(owner, \"ada\"))")
        let denied = try PipelineText.parse("collection(/c)")
        for explains in [false, true] {
            var settings = RuleEnforcement.Settings()
            settings.explainsToCallers = explains
            let database = try await database(Self.owned, settings: settings)
            func isExplained(_ pipeline: PipelineRequest, _ context: RequestContext) async -> Bool {
                (try? await database.service.explain(pipeline, analyze: true, options: .latest, context: context)) != nil
            }
            #expect(await isExplained(denied, .embedded))
            #expect(await isExplained(granted, .user("ada")) == explains)
            #expect(await !isExplained(denied, .user("ada")))
            await database.close()
        }
    }
}
