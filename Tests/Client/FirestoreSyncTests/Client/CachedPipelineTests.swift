// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreTesting
import Foundation
import TestSupport
import Testing

@testable import FirestoreSync

/// Pipelines on a client with a cache: on the server, and on the cached documents (PL-237).
@Suite(.timeLimit(.minutes(3))) struct CachedPipelineTests {
    /// c/a and c/b are cached, c/other was never read.
    private func prepare(_ world: ClientFixture) async throws -> Firestore {
        try await world.onServer("c/a", 1)
        try await world.onServer("c/b", 2)
        #expect(await world.run(.collection("c"), .default) == "[a b]")
        try await world.onServer("c/other", 3)
        return world.firestore()
    }

    /// `[a b] fc`, or the code of the error.
    private func run(_ pipeline: Pipeline, _ source: FirestoreSource) async -> String {
        do {
            let snapshot = try await pipeline.execute(source: source)
            let ids = snapshot.results.map { $0.id ?? "-" }
            return "[\(ids.joined(separator: " "))]" + (snapshot.isFromCache ? " fc" : "")
        } catch let error as NSError {
            return FirestoreErrorCode.Code(rawValue: error.code).map { "\($0)" } ?? "\(error)"
        }
    }

    @Test func `online, a pipeline runs on the server unless it is for the cache`() async throws {
        try await ClientFixture.with { world in
            let all = try await prepare(world).pipeline().collection("c")
            #expect(await run(all, .default) == "[a b other]")
            #expect(await run(all, .server) == "[a b other]")
            #expect(await run(all, .cache) == "[a b] fc")
        }
    }

    @Test func `what a pipeline reads on the server does not enter the cache`() async throws {
        try await ClientFixture.with { world in
            let db = try await prepare(world)
            for _ in 0..<2 { #expect(await run(db.pipeline().database(), .default) == "[a b other]") }
            for try await row in db.pipeline().collection("c").results() { #expect(row.ref != nil) }
            #expect(await run(db.pipeline().database(), .cache) == "[a b] fc")
            #expect(await world.read("c/other", .cache) == "unavailable")
        }
    }

    @Test(arguments: [true, false]) func `offline, only the cache runs pipelines`(isDisabled: Bool) async throws {
        try await ClientFixture.with { world in
            let db = try await prepare(world)
            if isDisabled { try await world.client.setNetworkEnabled(false) } else { await world.goOffline() }
            let all = db.pipeline().collection("c")
            #expect(await run(all, .default) == "unavailable")
            #expect(await run(all, .server) == "unavailable")
            #expect(await run(all, .cache) == "[a b] fc")
            await #expect { for try await _ in all.results() {} } throws: { FirestoreErrorCode.unavailable ~= $0 }
            var ids: [String?] = []
            for try await row in all.results(source: .cache) { ids.append(row.id) }
            #expect(ids == ["a", "b"])
            let explained = try await all.limit(1).explain(source: .cache).text
            #expect(explained.contains("collection(/c)") && explained.contains("rows: 1") && explained.contains("documents read: 1"))
            #expect(try await all.explain(analyze: false, source: .cache).text.contains("rows:") == false)
            #expect(try await all.delete().explain(source: .cache).text.contains("rows:") == false)
            await #expect { _ = try await all.explain() } throws: { FirestoreErrorCode.unavailable ~= $0 }
        }
    }

    // PL-234
    @Test func `the cache shows what was written before the call`() async throws {
        try await ClientFixture.with { world in
            let db = try await prepare(world)
            await world.goOffline()
            let total = db.pipeline().collection("c").aggregate([CountAll().as("count"), Field("n").sum().as("sum")])
            for number in 10..<20 {
                db.document("c/new").setData(["n": number], completion: { _ in })
                let row = try await total.execute(source: .cache).results[0]
                #expect(row.get("count") as? Int == 3 && row.get("sum") as? Int == 3 + number)
            }
            db.document("c/a").updateData(["n": FieldValue.increment(Int64(4)), "m": true], completion: { _ in })
            db.document("c/b").delete(completion: { _ in })
            let changed = db.pipeline().collection("c").where(Field("n").equal(5) || Field("n").equal(19)).sort([Field("n").descending()])
            #expect(await run(changed, .cache) == "[new a] fc")
            #expect(await run(db.pipeline().collection("c").where(Field("m").equal(true)), .cache) == "[a] fc")
        }
    }

    // PT-229
    @Test func `a pending server timestamp is its estimate`() async throws {
        try await ClientFixture.with { world in
            let db = try await prepare(world)
            await world.goOffline()
            let before = Date()
            let fields: [String: Any] = ["ts": FieldValue.serverTimestamp(), "m": ["ts": FieldValue.serverTimestamp()]]
            db.document("c/a").setData(fields, merge: true, completion: { _ in })
            let (time, document) = (Field("ts"), db.pipeline().documents(["c/a"]))
            let row = try #require(
                try await document.where(time.greaterThan(Timestamp(date: before.addingTimeInterval(-60)))).select([
                    time.type().as("type"), time.timestampTruncate(granularity: .day).as("day"), time.as("time"),
                    Field("m.ts").type().as("inner"), Field("m").mapEntries().arrayLength().as("entries"),
                    time.equal(Field("m.ts")).as("equal"),
                ]).execute(source: .cache).results.first)
            #expect(row.get("type") as? String == "timestamp" && row.get("inner") as? String == "timestamp")
            #expect(row.get("entries") as? Int == 1 && row.get("equal") as? Bool == true)
            let (day, estimate) = (try #require(row.get("day") as? Timestamp), try #require(row.get("time") as? Timestamp))
            #expect(day.seconds % 86_400 == 0 && (0..<86_400).contains(estimate.seconds - day.seconds))
            // The rows themselves show the estimate, too, and sort by it.
            let newest = db.pipeline().collection("c").sort([time.descending()]).limit(1)
            #expect(try await newest.execute(source: .cache).results.first?.get("m.ts") as? Timestamp == estimate)
        }
    }

    @Test func `unions, groups and pipelines inside read the cache`() async throws {
        try await ClientFixture.with { world in
            let db = try await prepare(world)
            await world.goOffline()
            await world.write(.set("c/a/log/l1", ("k", .integer(1))), .set("c/a/log/l2", ("k", .integer(2))))
            #expect(await run(db.pipeline().collectionGroup("log").union(with: db.pipeline().collection("c")), .cache) == "[l1 l2 a b] fc")
            let logged = db.pipeline().collection("c")
                .addFields([Subcollection("log").aggregate([CountAll().as("count")]).toScalarExpression().as("logs")])
                .where(Field("logs").greaterThan(0))
            #expect(await run(logged, .cache) == "[a] fc")
        }
    }

    @Test func `a pipeline that writes is refused on the cache, and changes nothing`() async throws {
        try await ClientFixture.with { world in
            let db = try await prepare(world)
            let all = db.pipeline().collection("c")
            for pipeline in [all.delete(), all.update([Constant(9).as("n")]), all.insert(collection: "d"), all.upsert(collection: "d")] {
                await #expect {
                    try await pipeline.execute(source: .cache)
                } throws: { error in
                    FirestoreErrorCode.invalidArgument ~= error && error.localizedDescription.contains("source .server")
                }
                await #expect { for try await _ in pipeline.results(source: .cache) {} } throws: { FirestoreErrorCode.invalidArgument ~= $0 }
            }
            #expect(await run(db.pipeline().database(), .cache) == "[a b] fc")
            #expect(await run(db.pipeline().database(), .server) == "[a b other]")
            #expect(await run(all.where(Field("nothing").raised()), .cache) == "invalidArgument")
        }
    }
}

extension Field {
    /// A call of a function that does not exist.
    fileprivate func raised() -> any BooleanExpression { FunctionExpression(functionName: "nothing", args: [self]).asBoolean() }
}
