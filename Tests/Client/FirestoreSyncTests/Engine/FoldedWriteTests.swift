// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSync

/// Writes that were not sent yet become one (SY-D31).
@Suite struct FoldedWriteTests {
    private static let keys = ["c/a", "c/b"].map { DocumentKey(trusted: $0) }
    private static let paths = [["n"], ["m"], ["m", "x"], ["m", "y"], ["m", "x", "z"]].map { FieldPathSegments($0) }

    // MARK: Which

    private static let foldable: [(Write, Write)] = [
        (.set("c/a"), .set("c/a")), (.patch("c/a", "n", .null), .set("c/a")), (.set("c/a"), .patch("c/a", "n", .null)),
        (.set("c/a"), .update("c/a", "n", .null)), (.patch("c/a", "n", .null), .patch("c/a", "m", .null)),
        (.patch("c/a", "n", .null), .update("c/a", "m", .null)), (.update("c/a", "n", .null), .update("c/a", "m", .null)),
    ]

    private static let unlike: [(Write, Write)] = [
        (.set("c/a"), .set("c/b")), (.set("c/a"), .delete("c/a")), (.delete("c/a"), .set("c/a")), (.set("c/a"), .increment("c/a")),
        (.increment("c/a"), .set("c/a")), (.update("c/a", "n", .null), .set("c/a")), (.set("c/a"), .set("c/a", precondition: .exists(true))),
        (.set("c/a", precondition: .exists(false)), .update("c/a", "n", .null)),
        (.update("c/a", "n", .null), .patch("c/a", "n", .null)),
        (.set("c/a"), .patch("c/a", "n", .null, precondition: .updateTime(DocumentVersion(microseconds: 1)))),
    ]

    @Test func `sets and patches of one document, whose outcome is the same`() {
        for (first, second) in Self.foldable { #expect(first.folded(with: second) != nil, "\(first) \(second)") }
        for (first, second) in Self.unlike { #expect(first.folded(with: second) == nil, "\(first) \(second)") }
    }

    // MARK: What comes out

    private struct Random {
        var generator: SeededGenerator

        mutating func fields() -> FieldMap {
            var fields = FieldMap()
            for path in paths where Bool.random(using: &generator) { fields[path] = .integer(.random(in: 0..<9, using: &generator)) }
            return fields
        }

        mutating func write() -> Write {
            let key = keys.randomElement(using: &generator) ?? keys[0]
            let precondition: Precondition? = Bool.random(using: &generator) ? .exists(true) : nil
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: return Write(key: key, operation: .set(FieldBytes(fields())))
            case 1: return Write(key: key, operation: .delete)
            case 2: return .increment(key.path)
            default:
                let mask = paths.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
                let written = fields()
                var new = FieldMap()
                for path in mask where Bool.random(using: &generator) { new[path] = written[path] }
                return Write(key: key, operation: .patch(FieldBytes(new), mask: mask), precondition: precondition)
            }
        }
    }

    /// What a server makes of batches: a batch whose precondition does not hold changes nothing.
    private static func apply(_ batches: [[Write]], to documents: [DocumentKey: FieldBytes]) -> [DocumentKey: FieldBytes] {
        var documents = documents
        for write in batches.joined() {
            var remote = RemoteState()
            if let fields = documents[write.key] { remote = RemoteState(kind: .found, fields: fields) }
            var application = LocalApplication(write.key, remote)
            application.apply(write, at: TimestampValue(microsecondsSince1970: 0))
            documents[write.key] = application.kind == .found ? application.fields : nil
        }
        return documents
    }

    private static func batches(_ cache: CacheFixture) throws -> [[Write]] { try cache.store.pendingBatches().map(\.writes) }

    @Test(arguments: 0..<60) func `the documents are the same with it as without`(seed: UInt64) throws {
        var random = Random(generator: SeededGenerator(seed: seed))
        let (plain, folding) = (try CacheFixture(), try CacheFixture())
        var server: [DocumentKey: FieldBytes] = [:]
        for key in Self.keys where Bool.random(using: &random.generator) {
            let fields = random.fields()
            server[key] = FieldBytes(fields)
            for cache in [plain, folding] { try cache.hear(.found(key.path, 5, fields), at: 5) }
        }
        for _ in 0..<12 {
            let write = random.write()
            _ = try plain.store.write([[write]])
            _ = try folding.store.write([[write]], foldingAfter: 0)
            for key in Self.keys { #expect(try plain.look(key.path) == folding.look(key.path), "\(write)") }
        }
        let (one, other) = (try Self.batches(plain), try Self.batches(folding))
        #expect(one.count == 12 && other.count <= one.count)
        let (expected, folded) = (Self.apply(one, to: server), Self.apply(other, to: server))
        for key in Self.keys {
            #expect(try expected[key].map(CacheFixture.short) == folded[key].map(CacheFixture.short), "\(one) \(other)")
        }
        #expect(try folding.store.check() == [])
    }

    @Test func `a deletion inside a map has a batch of its own, unless the map was written`() throws {
        let inside = FieldPathSegments(["m", "x"])
        let deletion = Write(key: Self.keys[0], operation: .patch(.empty, mask: [inside]))
        #expect(Write.patch("c/a", "n", .null).folded(with: deletion) == nil)
        #expect(Write.patch("c/a", "m", .map(FieldMap([("x", .null)]))).folded(with: deletion) != nil)
    }

    @Test func `a write does not become too long`() throws {
        let cache = try CacheFixture()
        let text = Value.string(String(repeating: "x", count: 300 << 10))
        for field in ["a", "b", "c"] { _ = try cache.store.write([[.patch("c/a", field, text)]], foldingAfter: 0) }
        #expect(try Self.batches(cache).count == 3)
    }

    // MARK: In the engine

    private func fixture() throws -> ServedEngine { try ServedEngine { $0.coalescesWrites = true } }

    @Test func `calls of one batch end together`() throws {
        let fixture = try fixture()
        var (ids, ended): ([BatchID], [Int]) = ([], [])
        for number in 1...3 {
            fixture.engine.write([.patch("c/a", "n\(number)", .integer(Int64(number)))], saved: { ids.append($0) }) { _ in ended.append(number) }
        }
        fixture.engine.write([.set("c/b")], saved: { ids.append($0) }) { _ in ended.append(4) }
        fixture.engine.write([.patch("c/a", "n4", .null)], saved: { ids.append($0) }) { _ in ended.append(5) }
        #expect(ids == [1, 1, 1, 2, 3])
        #expect(try fixture.cache.look("c/a") == "{n1: 1, n2: 2, n3: 3, n4: null}*")
        fixture.answerHandshake()
        #expect(fixture.server.batches.map { $0.map(\.key.path) } == [["c/a"], ["c/b"], ["c/a"]])
        try fixture.acknowledge(at: 10)
        #expect(ended == [1, 2, 3])
        try fixture.acknowledge(at: 11)
        try fixture.acknowledge(at: 12)
        #expect(ended == [1, 2, 3, 4, 5])
        #expect(try fixture.cache.look("c/a") == "{n1: 1, n2: 2, n3: 3, n4: null}+")
    }

    @Test func `what was sent, or may have been, stays as it is`() throws {
        let folder = try ScratchFolder()
        do {
            let fixture = try ServedEngine(file: folder.file("cache.db")) { $0.coalescesWrites = true }
            fixture.engine.write([.set("c/a")]) { _ in }
            fixture.answerHandshake()
            fixture.engine.write([.patch("c/a", "n", .null)]) { _ in }
            #expect(try fixture.cache.store.pendingBatches().map(\.id) == [1, 2])
            fixture.breakWriteStream()
            fixture.engine.write([.patch("c/a", "n", .null)]) { _ in }
            #expect(try fixture.cache.store.pendingBatches().map(\.id) == [1, 2, 3])
            try fixture.close()
        }
        let fixture = try ServedEngine(file: folder.file("cache.db")) { $0.coalescesWrites = true }
        fixture.engine.write([.patch("c/a", "n", .null)]) { _ in }
        fixture.engine.write([.patch("c/a", "m", .null)]) { _ in }
        #expect(try fixture.cache.store.pendingBatches().map(\.id) == [1, 2, 3, 4])
        try fixture.close()
    }

    @Test func `a canceled batch ends all its calls`() throws {
        let fixture = try fixture()
        var failed = 0
        for _ in 0..<2 { fixture.engine.write([.set("c/a")]) { if case .failure = $0 { failed += 1 } } }
        try fixture.engine.cancel(1)
        #expect(try failed == 2 && fixture.cache.look("c/a") == "")
    }

    @Test func `only if it is asked for`() throws {
        let fixture = try ServedEngine()
        for _ in 0..<2 { fixture.engine.write([.set("c/a")]) { _ in } }
        #expect(try fixture.cache.store.pendingBatches().map(\.id) == [1, 2])
    }
}
