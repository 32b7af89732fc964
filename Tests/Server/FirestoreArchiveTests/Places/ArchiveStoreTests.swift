// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreArchive
import FirestoreCore
import TestSupport
import Testing

/// What every kind of archive promises. // OT-15; the bucket's are in `Tests/Clients/archive`.
@Suite(.timeLimit(.minutes(2)))
struct ArchiveStoreTests {
    @Test(arguments: LocalArchive.allCases)
    func `an object is stored once, and returned as it is`(kind: LocalArchive) async throws {
        try await kind.run { store async throws in
            #expect(try await store.get("a/b") == nil)
            #expect(try await store.put("a/b", [1, 2, 3]))
            #expect(try await !store.put("a/b", [4]))
            #expect(try await !store.put("a/b", [1, 2, 3]))
            #expect(try await store.get("a/b") == [1, 2, 3])
            #expect(try await store.put("a/empty", []))
            #expect(try await store.get("a/empty") == [])
            for name in ["a/c", "x/y/z"] { #expect(try await store.get(name) == nil) }
        }
    }

    @Test(arguments: LocalArchive.allCases)
    func `a removed object is gone, and its name is free`(kind: LocalArchive) async throws {
        try await kind.run { store async throws in
            #expect(try await store.put("a/b", [1]))
            try await store.delete("a/b")
            try await store.delete("a/b")
            try await store.delete("x/y")
            #expect(try await store.get("a/b") == nil)
            #expect(try await store.list("", after: nil, limit: 10).isEmpty)
            #expect(try await store.put("a/b", [2]))
        }
    }

    @Test(arguments: LocalArchive.allCases)
    func `of many writers of one name exactly one succeeds`(kind: LocalArchive) async throws {
        try await kind.run { store async throws in
            let results = await withTaskGroup(of: Bool?.self) { group in
                for writer in 0..<16 { group.addTask { try? await store.put("lease-1", [UInt8(writer)]) } }
                return await group.reduce(into: [Bool?]()) { $0.append($1) }
            }
            #expect(results.filter { $0 == true }.count == 1 && results.filter { $0 == false }.count == 15)
        }
    }

    @Test(arguments: LocalArchive.allCases)
    func `names that are not valid are refused by every call`(kind: LocalArchive) async throws {
        try await kind.run { store async throws in
            for name in ["", "../a", "a/../../b", "a//b", "a\u{0}"] {
                await expectError(.invalidArgument, mentioning: "is not a name of an object") { try await store.put(name, [1]) }
                await expectError(.invalidArgument) { try await store.get(name) }
                await expectError(.invalidArgument) { try await store.delete(name) }
            }
        }
    }

    @Test(arguments: LocalArchive.allCases)
    func `a listing has a prefix, a beginning and a length, and the order of bytes`(kind: LocalArchive) async throws {
        try await kind.run { store async throws in
            let names = ["a-b", "a/b/c", "a/b/d", "a/e", "a0", "b/1", "é"]
            for name in names.reversed() { #expect(try await store.put(name, Array(name.utf8))) }
            func list(_ prefix: String, _ after: String? = nil, _ limit: Int = 100) async throws -> [String] {
                let objects = try await store.list(prefix, after: after, limit: limit)
                #expect(objects.allSatisfy { $0.size == $0.name.utf8.count })
                return objects.map(\.name)
            }
            #expect(try await list("") == names)
            #expect(try await list("a/") == ["a/b/c", "a/b/d", "a/e"])
            #expect(try await list("a/b") == ["a/b/c", "a/b/d"])
            #expect(try await list("a") == ["a-b", "a/b/c", "a/b/d", "a/e", "a0"])
            #expect(try await list("", "a/b/c", 2) == ["a/b/d", "a/e"])
            #expect(try await list("", "a/b") == ["a/b/c", "a/b/d", "a/e", "a0", "b/1", "é"])
            #expect(try await list("a/", "a/b/zz", 1) == ["a/e"])
            #expect(try await list("a/", "a/z") == [])
            #expect(try await list("", nil, 0) == [])
            for prefix in ["c/", "../", "a//", "a/b/c/"] { #expect(try await list(prefix) == []) }
        }
    }

    @Test func `a folder lists like memory, whatever the names, the prefix and the beginning`() async throws {
        for seed in 0..<UInt64(TestScale.pick(quick: 15, full: 300)) {
            var generator = SeededGenerator(seed: seed)
            let folder = try ScratchFolder()
            defer { withExtendedLifetime(folder) {} }
            let (tested, model) = (DirectoryArchive(path: folder.path), MemoryArchive())
            for _ in 0..<25 {
                let name = randomName(&generator)
                // An object cannot have the name of a folder.
                let isFolder = model.names.contains { $0.utf8.starts(with: (name + "/").utf8) || name.utf8.starts(with: ($0 + "/").utf8) }
                if isFolder { continue }
                if Int.random(in: 0..<5, using: &generator) == 0 {
                    try await tested.delete(name)
                    try await model.delete(name)
                } else {
                    let bytes = [UInt8](repeating: 7, count: Int.random(in: 0...9, using: &generator))
                    let (isStored, isExpected) = (try await tested.put(name, bytes), try await model.put(name, bytes))
                    #expect(isStored == isExpected)
                }
            }
            for _ in 0..<20 {
                let prefix = String(randomName(&generator).prefix(Int.random(in: 0...4, using: &generator)))
                let after = Bool.random(using: &generator) ? randomName(&generator) : nil
                let limit = Int.random(in: 0...6, using: &generator)
                let (found, expected) = (
                    try await tested.list(prefix, after: after, limit: limit), try await model.list(prefix, after: after, limit: limit)
                )
                #expect(found == expected, "seed \(seed), prefix \(prefix), after \(after ?? "-"), limit \(limit)")
            }
        }
    }

    @Test(arguments: LocalArchive.allCases)
    func `the check of a place passes, and leaves nothing`(kind: LocalArchive) async throws {
        try await kind.run { store async throws in
            try await store.checkContract(in: "check-1")
            #expect(try await store.list("", after: nil, limit: 10).isEmpty)
        }
    }

    @Test func `the check finds a place that replaces objects, and one that lists too little`() async throws {
        await expectError(.failedPrecondition, mentioning: "replaces objects") { try await ReplacingArchive().checkContract(in: "c") }
        let torn = FaultyArchive(MemoryArchive()) { $0.kind == .list ? .tear(after: 1) : nil }
        await expectError(.failedPrecondition, mentioning: "listing") { try await torn.checkContract(in: "c") }
    }
}

/// A place that ignores the condition of a write.
private struct ReplacingArchive: ArchiveStore {
    let store = MemoryArchive()

    var description: String { "replacing" }
    func put(_ name: String, _ bytes: [UInt8]) async throws(FirestoreError) -> Bool {
        store[name] = bytes
        return true
    }
    func get(_ name: String) async throws(FirestoreError) -> [UInt8]? { store[name] }
    func list(_ prefix: String, after: String?, limit: Int) async throws(FirestoreError) -> [ArchiveObject] {
        try await store.list(prefix, after: after, limit: limit)
    }
    func delete(_ name: String) async throws(FirestoreError) { store[name] = nil }
}
