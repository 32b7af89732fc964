// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreTesting
import TestSupport
import Testing

@testable import FirestoreSync

/// Where one-shot reads come from, and what they say of themselves (SY-130 … SY-137).
@Suite(.timeLimit(.minutes(3))) struct OneShotReadTests {
    /// c/found is cached, c/missing is known to be missing, c/other was never read.
    private func prepare(_ world: ClientFixture) async throws {
        try await world.onServer("c/found", 1)
        try await world.onServer("c/other", 2)
        #expect(await world.read("c/found", .default) == "{n: 1}")
        #expect(await world.read("c/missing", .default) == "missing")
    }

    // SY-131, row by row
    @Test func `online, reads are the server's`() async throws {
        try await ClientFixture.with { world in
            try await prepare(world)
            for source: ReadSource in [.default, .server] {
                #expect(await world.read("c/found", source) == "{n: 1}")
                #expect(await world.read("c/missing", source) == "missing")
                #expect(await world.read("c/nothing", source) == "missing")
                #expect(await world.read("c/other", source) == "{n: 2}")
                #expect(await world.run(.collection("c"), source) == "[found other]")
                #expect(await world.run(.collection("e"), source) == "[]")
            }
            try await world.onServer("c/found", 3)
            try await world.onServer("c/missing", 4)
            #expect(await world.read("c/found", .default) == "{n: 3}")
            #expect(await world.read("c/missing", .server) == "{n: 4}")
        }
    }

    // T89, T90, T92
    @Test func `offline, reads are the cache's, or fail`() async throws {
        try await ClientFixture.with { world in
            try await prepare(world)
            world.network.goOffline()
            // Nothing is listened to: the read waits for its own attempt to fail.
            #expect(await world.read("c/found", .default) == "{n: 1} fc")
            #expect(await world.read("c/missing", .default) == "unavailable")
            #expect(await world.read("c/other", .default) == "unavailable")
            #expect(await world.run(.collection("c"), .default) == "[found] fc")
            #expect(await world.run(.collection("e"), .default) == "[] fc")
            for path in ["c/found", "c/missing", "c/other"] { #expect(await world.read(path, .server) == "unavailable") }
            #expect(await world.run(.collection("c"), .server) == "unavailable")
            await expectError(.unavailable, mentioning: "c/found", "does exist in the local cache") {
                try await world.client.documents([DocumentKey(trusted: "c/found")], from: .server, at: .latest)
            }
            await expectError(.unavailable, mentioning: "c/other", "the client is offline") {
                try await world.client.documents([DocumentKey(trusted: "c/other")], from: .default, at: .latest)
            }
            await expectError(.unavailable, mentioning: "from server", "may exist in the local cache") {
                try await world.client.run(ClientQuery(.collection("c")), from: .server, at: .latest)
            }
        }
    }

    @Test(arguments: [true, false]) func `reads of the cache never ask`(_ isOnline: Bool) async throws {
        try await ClientFixture.with { world in
            try await prepare(world)
            if !isOnline { await world.goOffline() }
            try await world.onServer("c/found", 3)
            #expect(await world.read("c/found", .cache) == "{n: 1} fc")
            #expect(await world.read("c/missing", .cache) == "missing fc")
            #expect(await world.read("c/other", .cache) == "unavailable")
            #expect(await world.run(.collection("c"), .cache) == "[found] fc")
            await expectError(.unavailable, mentioning: "c/other", "from cache") {
                try await world.client.documents([DocumentKey(trusted: "c/other")], from: .cache, at: .latest)
            }
        }
    }

    // T92
    @Test func `a read with the default source waits for its own attempt, as long as the client is patient`() async throws {
        try await ClientFixture.with(offlineAfter: .milliseconds(30)) { world in
            world.network.goSilent()
            await world.write(.set("c/mine"))
            #expect(await world.run(.collection("c"), .default) == "[mine] fc pw")
            // Now it is offline, and nothing waits any more.
            #expect(await world.read("c/mine", .default) == "{} fc pw")
            #expect(await world.read("c/other", .default) == "unavailable")
        }
    }

    // SY-132
    @Test func `offline, pending writes are read from every source but the server`() async throws {
        try await ClientFixture.with { world in
            try await prepare(world)
            await world.goOffline()
            await world.write(.set("c/other", ("n", .integer(9))))
            await world.write(.delete("c/found"))
            await world.write(.update("c/missing", "n", .integer(1)))
            #expect(await world.read("c/other", .default) == "{n: 9} fc pw")
            #expect(await world.read("c/other", .cache) == "{n: 9} fc pw")
            #expect(await world.read("c/other", .server) == "unavailable")
            #expect(await world.read("c/found", .default) == "unavailable")
            #expect(await world.read("c/found", .cache) == "missing fc")
            #expect(await world.read("c/missing", .cache) == "missing fc")
            #expect(await world.run(.collection("c"), .default) == "[other] fc pw")
            #expect(await world.run(.collection("c"), .cache) == "[other] fc pw")
        }
    }

    // SY-132
    @Test(arguments: [true, false])
    func `offline, a read of a document that is not cached fails although it is written right after the call`(knowsOffline: Bool) async throws {
        try await ClientFixture.with { world in
            try await prepare(world)
            world.network.goOffline()
            if knowsOffline { await world.goOffline() }
            let db = world.firestore()
            let notes = Notes()
            db.document("c/new").getDocument { snapshot, error in
                notes.add(snapshot == nil ? "\((error as? FirestoreErrorCode)?.code.rawValue ?? -1)" : "found")
            }
            db.document("c/new").setData(["n": 1], completion: { _ in })
            await eventually("the read") { notes.lines == ["14"] }
            #expect(await world.read("c/new", .default) == "{n: 1} fc pw")
        }
    }

    // SY-130
    @Test func `offline, reads of the cache are answered before what is written right after the call`() async throws {
        try await ClientFixture.with { world in
            try await prepare(world)
            await world.goOffline()
            let db = world.firestore()
            let notes = Notes()
            db.collection("c").getDocuments(source: .cache) { snapshot, _ in notes.add("cache \(snapshot?.count ?? -1)") }
            db.document("c/new").getDocument(source: .cache) { snapshot, _ in notes.add(snapshot == nil ? "none" : "found") }
            db.document("c/new").setData(["n": 1], completion: { _ in })
            await eventually("the reads") { notes.lines.count == 2 }
            #expect(Set(notes.lines) == ["cache 1", "none"])
            #expect(await world.run(.collection("c"), .default) == "[found new] fc pw")
        }
    }

    // SY-133, T146
    @Test func `online, pending writes lie over what the server answers`() async throws {
        try await ClientFixture.with { world in
            try await prepare(world)
            world.network.failNextWrites(count: .max, with: .resourceExhausted)
            await world.write(.patch("c/found", "m", .integer(9)), .delete("c/other"))
            try await world.onServer("c/found", 5)
            for source: ReadSource in [.default, .server] {
                #expect(await world.read("c/found", source) == "{m: 9, n: 5} pw")
                #expect(await world.read("c/other", source) == "missing")
                #expect(await world.run(.collection("c"), source) == "[found] pw")
            }
        }
    }

    // SY-134
    @Test func `the result of a read is there the next time`() async throws {
        try await ClientFixture.with { world in
            try await prepare(world)
            #expect(await world.run(.collection("c"), .default) == "[found other]")
            await world.goOffline()
            #expect(await world.read("c/other", .default) == "{n: 2} fc")
            #expect(await world.run(.collection("c"), .cache) == "[found other] fc")
        }
    }

    // SY-135
    @Test func `a read waits for the server although a listener of the cache shows an old result`() async throws {
        try await ClientFixture.with { world in
            try await prepare(world)
            let notes = Notes()
            let handle = world.listen(source: .cache) { notes.add(ClientFixture.text($0)) }
            await eventually("the first snapshot") { notes.lines == ["[found] fc"] }
            #expect(await world.run(.collection("c"), .default) == "[found other]")
            #expect(await world.run(.collection("c"), .server) == "[found other]")
            await eventually("the listener follows") { notes.lines.last == "[found other]" }
            handle.remove()
        }
    }

    // T144, SY-136
    @Test func `aggregates are the server's, or computed over the cache`() async throws {
        try await ClientFixture.with { world in
            try await prepare(world)
            func count(_ source: ReadSource) async -> String {
                let sums = [Aggregation(.count(upTo: nil), alias: "k"), Aggregation(.sum(FieldPathSegments("n")), alias: "s")]
                do {
                    let answer = try await world.client.aggregate(ClientQuery(.collection("c")), sums, from: source)
                    return answer.values.map { "\($0.alias) \($0.value)" }.joined(separator: " ")
                } catch { return "\(error.code)" }
            }
            world.network.failNextWrites(count: .max, with: .resourceExhausted)
            await world.write(.set("c/mine", ("n", .integer(10))))
            #expect(await count(.default) == "k integer(2) s integer(3)")
            #expect(await count(.server) == "k integer(2) s integer(3)")
            #expect(await count(.cache) == "k integer(2) s integer(11)")
            world.network.goOffline()
            #expect(await count(.default) == "k integer(2) s integer(11)")
            #expect(await count(.server) == "unavailable")
            #expect(await count(.cache) == "k integer(2) s integer(11)")
            world.network.goOnline()
            try await world.client.setNetworkEnabled(false)
            #expect(await count(.default) == "k integer(2) s integer(11)")
            #expect(await count(.cache) == "k integer(2) s integer(11)")
        }
    }

    // T144, SY-136
    @Test func `vector searches are the server's, or made over the cache`() async throws {
        try await ClientFixture.with { world in
            func vector(_ x: Double) -> Value { .vector([x, 0]) }
            try await world.network.server.document("v/a").setData(["v": FieldValue.vector([1, 0] as [Double])])
            try await world.network.server.document("v/b").setData(["v": FieldValue.vector([5, 0] as [Double])])
            #expect(await world.read("v/a", .default).hasPrefix("{"))
            var query = StructuredQuery.collection("v")
            query.nearest = VectorSearch(field: FieldPathSegments("v"), vector: [4, 0], measure: .euclidean, limit: 3)
            #expect(await world.run(query, .default) == "[b a]")
            await world.goOffline()
            await world.write(.set("v/mine", ("v", vector(3))))
            #expect(await world.run(query, .default) == "unavailable")
            #expect(await world.run(query, .server) == "unavailable")
            #expect(await world.run(query, .cache) == "[mine a] fc pw")
        }
    }

    @Test func `a read that is cancelled ends`() async throws {
        try await ClientFixture.with { world in
            world.network.goSilent()
            let reading = Task { await world.read("c/a", .default) }
            reading.cancel()
            #expect(await reading.value == "cancelled")
        }
    }
}
