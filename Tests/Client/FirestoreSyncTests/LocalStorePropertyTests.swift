// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSync

/// The local view that is stored equals the one that is computed at every look.
@Suite struct LocalStorePropertyTests {
    private static let keys = ["c/a", "c/b", "c/c"].map { DocumentKey(trusted: $0) }
    private static let paths = [["n"], ["m"], ["m", "x"], ["m", "y"], ["m", "x", "z"], ["l"]].map { FieldPathSegments($0) }

    private struct History {
        let cache: CacheFixture
        let target: TargetID
        var model = CacheModel()
        var random: SeededGenerator
        var version: Int64 = 10
        var log: [String] = []

        init(seed: UInt64, collection: LocalStore.Collection) throws {
            cache = try CacheFixture(collection: collection)
            target = try cache.listen("c")
            random = SeededGenerator(seed: seed)
            // Eager collection would forget what has no listener.
            try cache.store.noteViewChanges([ViewDifference(targetID: target, isFromCache: true, added: Set(keys), removed: [])])
        }

        mutating func number() -> Value { .integer(.random(in: 0..<9, using: &random)) }

        mutating func fields() -> FieldMap {
            var fields = FieldMap()
            for path in paths where Bool.random(using: &random) { fields[path] = number() }
            return fields
        }

        mutating func write() -> Write {
            let key = keys.randomElement(using: &random) ?? keys[0]
            let path = paths.randomElement(using: &random) ?? paths[0]
            let precondition: Precondition? = Bool.random(using: &random) ? .exists(true) : nil
            switch Int.random(in: 0..<7, using: &random) {
            case 0: return Write(key: key, operation: .set(FieldBytes(fields())))
            case 1: return Write(key: key, operation: .delete)
            case 2: return transform(key, path, .increment(.integer(.random(in: 1..<5, using: &random))), precondition)
            case 3: return transform(key, FieldPathSegments("l"), .appendMissingElements([number()]), precondition)
            case 4: return Write(key: key, operation: .patch(.empty, mask: [path]), precondition: precondition)
            default:
                var fields = FieldMap()
                fields[path] = number()
                return Write(key: key, operation: .patch(FieldBytes(fields), mask: [path]), precondition: precondition)
            }
        }

        private func transform(
            _ key: DocumentKey, _ path: FieldPathSegments, _ kind: FieldTransform.Kind, _ precondition: Precondition?
        ) -> Write {
            Write(
                key: key, operation: .patch(.empty, mask: []), precondition: precondition,
                transforms: [FieldTransform(path: path, kind: kind)])
        }

        mutating func step() throws {
            version += Int64.random(in: 0..<2, using: &random)
            switch Int.random(in: 0..<11, using: &random) {
            case 0..<4:
                let count = Int.random(in: 1..<4, using: &random)
                let writes = (0..<count).map { _ in write() }
                log.append("write \(writes)")
                model.write(try cache.store.write([writes])[0].batch)
            case 4, 5:
                guard let batch = model.queue.first else { return }
                version += 1
                let results = batch.writes.map { write -> Value? in write.transforms.isEmpty ? nil : number() }
                log.append("acknowledge \(batch.id) at \(version)")
                try cache.acknowledge(at: version, results: results.map { $0.map { [$0] } ?? [] })
                model.acknowledge(at: version, results: results)
            case 6:
                guard !model.queue.isEmpty else { return }
                log.append("reject")
                try cache.reject()
                model.reject()
            case 7:
                let user = [SyncUser.unauthenticated, SyncUser(uid: "bob")].randomElement(using: &random) ?? .unauthenticated
                log.append("user \(user)")
                _ = try cache.store.changeUser(to: user)
                model.changeUser(to: user)
            default:
                let key = keys.randomElement(using: &random) ?? keys[0]
                let fields = Int.random(in: 0..<4, using: &random) == 0 ? nil : fields()
                let isEvicted = fields == nil && Int.random(in: 0..<3, using: &random) == 0
                log.append("hear \(key) \(fields.map { "\($0)" } ?? "missing") at \(isEvicted ? 0 : version)")
                let document = fields.map { RemoteDocument.found(key.path, version, $0) } ?? .missing(key.path, isEvicted ? 0 : version)
                try cache.hear(document, at: isEvicted ? 0 : version, target: target)
                model.hear(key, fields, at: isEvicted ? 0 : version)
            }
        }

        func verify() throws {
            for key in keys {
                let (stored, expected) = (try cache.look(key.path), try model.look(key))
                #expect(stored == expected, "\(key) after \(log.suffix(8).joined(separator: "\n"))")
            }
            #expect(try cache.store.check() == [], "after \(log.suffix(8).joined(separator: "\n"))")
            let found = try keys.filter { try model.look($0).hasPrefix("{") }.map(\.path)
            #expect(try cache.paths(.collection("c")) == found)
        }
    }

    @Test(arguments: 0..<20) func `the materialised view is the naive merge`(seed: UInt64) throws {
        var history = try History(seed: seed, collection: seed % 4 == 0 ? .eager : .leastRecentlyUsed)
        for _ in 0..<120 {
            try history.step()
            try history.verify()
        }
    }
}
