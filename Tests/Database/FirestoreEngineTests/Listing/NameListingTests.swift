// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

/// What lies below a document or in a collection, the missing ones included (DM-11, DM-12).
@Suite struct NameListingTests {
    /// Names around the slash, whose paths are not in the order of the names; numeric ids; an emptied collection.
    private static let written = [
        "c/a", "c/b", "c/a/x/1", "c/a-b/x/1", "c/a.c/y/1/z/1", "c/a!/x/1", "c/m/x/1", "c/__id10__/x/1", "c/__id9__",
        "c/__id2__/x/1/y/2", "c/\u{E9}/x/1", "c/\u{1F600}/x/1", "c/gone/x/1", "d-e/1", "d/1/f/2", "d.g/1/h/2", "\u{E9}/1", "gone/1",
    ]

    private func filled(_ engine: Engine) async throws {
        _ = try await engine.commit(Self.written.map { .set($0) }, context: .embedded)
        try await engine.commit(.delete("c/gone/x/1"), .delete("gone/1"))
    }

    private func ids(_ engine: Engine, under parent: String?, after: String? = nil, limit: Int = 100, at moment: ReadMoment = .latest) async throws -> [String] {
        let parent = parent.map { DocumentKey(trusted: $0) }
        return try await engine.collectionIDs(under: parent, after: after, limit: limit, options: ReadOptions(moment), context: .embedded).ids
    }

    private func keys(_ engine: Engine, in path: String, after: String? = nil, limit: Int = 100, at moment: ReadMoment = .latest) async throws -> [String] {
        let (collection, after) = (CollectionPath(trusted: path), after.map { DocumentKey(trusted: $0) })
        return try await engine.documentKeys(in: collection, after: after, limit: limit, options: ReadOptions(moment), context: .embedded).keys.map(\.path)
    }

    @Test("ids of collections are sorted, each once, without those that hold nothing any more", arguments: [1, 2, 100])
    func collections(limit: Int) async throws {
        let engine = try Engine.memory()
        try await filled(engine)
        let cases: [(String?, [String])] = [
            (nil, ["c", "d", "d-e", "d.g", "\u{E9}"]), ("c/a", ["x"]), ("c/a.c", ["y"]), ("c/a.c/y/1", ["z"]), ("c/b", []),
            ("c/gone", []), ("d/1", ["f"]), ("nowhere/1", []),
        ]
        for (parent, expected) in cases {
            var found: [String] = []
            while true {
                let page = try await ids(engine, under: parent, after: found.last, limit: limit)
                found += page
                if page.count < limit { break }
            }
            #expect(found == expected, "\(parent ?? "root")")
        }
        try await engine.checkAndShutDown()
    }

    @Test("documents of a collection come in the order of names, missing ones with something below them too", arguments: [1, 3, 100])
    func documents(limit: Int) async throws {
        let engine = try Engine.memory()
        try await filled(engine)
        let cases: [(String, [String])] = [
            ("c", ["__id2__", "__id9__", "__id10__", "a", "a!", "a-b", "a.c", "b", "m", "\u{E9}", "\u{1F600}"]),
            ("d", ["1"]), ("c/a.c/y", ["1"]), ("gone", []), ("none", []),
        ]
        for (collection, expected) in cases {
            var found: [String] = []
            while true {
                let page = try await keys(engine, in: collection, after: found.last, limit: limit)
                found += page
                if page.count < limit { break }
            }
            #expect(found == expected.map { collection + "/" + $0 })
        }
        await expectError(.invalidArgument) { try await keys(engine, in: "c", after: "d/1") }
        await expectError(.invalidArgument) { try await keys(engine, in: "c/d") }
        try await engine.checkAndShutDown()
    }

    @Test("listings at a past moment show the state of that moment, despite later changes")
    func past() async throws {
        var random = RandomWatching(seed: 99)
        let clock = ManualClock(microseconds: 1_700_000_000_000_000)
        let engine = try Engine.memory(clock: clock)
        var moments: [(time: DocumentVersion, ids: [[String]], keys: [[String]])] = []
        let (parents, collections) = ([nil, "c/1", "d/1", "d/\u{E9}"], ["c", "d", "c/1/c", "d/1/c"])
        var known: Set<DocumentKey> = []
        for _ in 0..<60 {
            let commit = random.commit(on: known.sorted())
            for operation in commit {
                if case .delete(let key) = operation { known.remove(key) } else { known.insert(operation.key) }
            }
            let time = try await engine.commit(commit.map(\.write), context: .embedded).commitTime
            clock.advance(microseconds: 1_000)
            var moment = (time: time, ids: [[String]](), keys: [[String]]())
            for parent in parents { moment.ids.append(try await ids(engine, under: parent)) }
            for collection in collections { moment.keys.append(try await keys(engine, in: collection)) }
            // What is there now is what a naive look finds.
            for (collection, keys) in zip(collections, moment.keys) {
                let wanted = Set(known.compactMap { key -> DocumentKey? in
                    guard key.path.utf8.starts(with: (collection + "/").utf8) else { return nil }
                    let id = key.path.utf8.dropFirst(collection.utf8.count + 1).prefix { $0 != UInt8(ascii: "/") }
                    return DocumentKey(collection: CollectionPath(trusted: collection), id: String(decoding: id, as: UTF8.self))
                })
                #expect(keys.map { DocumentKey(trusted: $0) } == wanted.sorted())
            }
            moments.append(moment)
        }
        for moment in moments {
            for (parent, expected) in zip(parents, moment.ids) {
                #expect(try await ids(engine, under: parent, at: .past(moment.time)) == expected)
            }
            for (collection, expected) in zip(collections, moment.keys) {
                #expect(try await keys(engine, in: collection, at: .past(moment.time)) == expected)
            }
        }
        await engine.shutdown()
    }

    @Test("partitions cut a collection group in order into parts of about the same size, all of it together") // QR-70
    func partitions() async throws {
        let engine = try Engine.memory()
        var writes: [Write] = []
        for number in 0..<300 { writes.append(.set("g/\(number)")) }
        for number in 0..<100 { writes.append(.set("p/\(number % 7)/g/\(number)")) }
        for number in 0..<50 { writes.append(.set("g/150/g/\(number)")) }
        _ = try await engine.commit(writes, context: .embedded)
        let all = try await engine.run(.group("g"), context: .embedded).documents.map(\.key)
        for count in [1, 2, 7, 30, 449, 450, 10_000, .max] {
            let cuts = try await engine.partitions(of: .group("g"), count: count, options: .latest, context: .embedded).keys
            #expect(cuts == cuts.sorted() && cuts.count <= count && Set(cuts).count == cuts.count)
            #expect(cuts.count == min(count, all.count - 1))
            let bounds = [all[0]] + cuts
            let sizes = bounds.indices.map { index in
                all.count { $0 >= bounds[index] && (index + 1 == bounds.count || $0 < bounds[index + 1]) }
            }
            #expect(sizes.reduce(0, +) == all.count && sizes.max()! - sizes.min()! <= 1, "\(count)")
        }
        let none = try await engine.partitions(of: .group("none"), count: 5, options: .latest, context: .embedded)
        #expect(none.keys.isEmpty)
        let rejected: [StructuredQuery] = [
            .collection("g"), .group("g").filter("a", .equal, .null), .group("g").window(limit: 3), .group("g").window(offset: 1, limit: nil),
            .group("g").ordered(by: "a"),
        ]
        for query in rejected {
            await expectError(.invalidArgument) { try await engine.partitions(of: query, count: 5, options: .latest, context: .embedded) }
        }
        await expectError(.invalidArgument) { try await engine.partitions(of: .group("g"), count: 0, options: .latest, context: .embedded) }
        await engine.shutdown()
    }

    @Test("a group of very many collections is cut between collections")
    func manyCollections() async throws {
        let engine = try Engine.memory()
        for start in stride(from: 0, to: 5_000, by: 500) {
            _ = try await engine.commit((start..<start + 500).map { .set("u/\($0)/g/1") }, context: .embedded)
        }
        let cuts = try await engine.partitions(of: .group("g"), count: 9, options: .latest, context: .embedded).keys
        #expect(cuts.count == 9 && cuts == cuts.sorted())
        await engine.shutdown()
    }
}
