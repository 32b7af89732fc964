// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreArchive
import FirestoreCore
import FirestoreStorage
import TestSupport
import Testing

@Suite struct ArchiveVerificationTests {
    private static func archive(_ store: any ArchiveStore, seed: UInt64) async throws -> ArchivedDatabase {
        var generator = SeededGenerator(seed: seed)
        let database = try ArchivedDatabase(store)
        for round in 0..<3 {
            for _ in 0..<4 {
                try await database.commitRandomly(&generator)
                try await database.archiver.archiveCommits()
            }
            await database.archiver.copy()
            if round == 1 { try await database.restart() }
            if round == 0 { database.clock.advance(microseconds: 7_300_000_000) }
        }
        return database
    }

    /// OT-22
    @Test("each damaged object is found, however it is damaged")
    func damage() async throws {
        let store = MemoryArchive()
        let database = try await Self.archive(store, seed: 5)
        #expect(try await database.findings() == [])
        let other = MemoryArchive()
        let stranger = try await Self.archive(other, seed: 6)
        var generator = SeededGenerator(seed: 1)
        for name in store.names {
            let bytes = try #require(store[name])
            var flipped = bytes
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            flipped[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
            let sibling = store.names.first { $0 != name && $0.split(separator: "/").dropLast() == name.split(separator: "/").dropLast() }
            let kind = name.split(separator: "/").dropLast().last
            let strange = other.names.last { $0.split(separator: "/").dropLast().last == kind }
            let damages: [[UInt8]?] = [
                flipped, Array(bytes.dropLast(.random(in: 1...bytes.count, using: &generator))), bytes + [0], bytes + bytes, [],
                sibling.flatMap { store[$0] }, strange.flatMap { other[$0] },
            ]
            for damage in damages {
                guard let damage, damage != bytes else { continue }
                store[name] = damage
                #expect(try await database.findings() != [], Comment(rawValue: "\(name), \(damages.firstIndex(of: damage)!)"))
            }
            store[name] = bytes
        }
        for name in store.names where !name.contains("/leases/") && !name.hasSuffix("done") && !name.contains("/as-of/") {
            let bytes = store[name]
            store[name] = nil
            let isLast = name == store.names.last { $0.contains("/journal/") }
            if !isLast { #expect(try await database.findings() != [], "\(name)") }
            store[name] = bytes
        }
        store["test/%28default%29/stranger"] = [1]
        #expect(try await database.findings() == ["test/%28default%29/stranger: this is not an object of an archive"])
        await database.close()
        await stranger.close()
    }

    @Test("sound archives give no alarm", arguments: 0..<TestScale.pick(quick: 5 as UInt64, full: 1_000))
    func sound(seed: UInt64) async throws {
        let database = try await Self.archive(MemoryArchive(), seed: seed &+ 100)
        let findings = try await database.findings()
        #expect(findings == [])
        await database.close()
    }

    @Test("a journal that leads somewhere else is found, although each object is sound")
    func wrongJournal() async throws {
        let store = MemoryArchive()
        let database = try await Self.archive(store, seed: 5)
        let names = store.names.filter { $0.contains("/journal/") }
        let name = names[names.count / 2]
        let bytes = try #require(store[name])
        var forged: [UInt8] = []
        try ArchiveSegment.read(bytes, name: name) { (segment, _) throws(FirestoreError) in
            var commits = segment.commits
            let last = commits.removeLast()
            let changes = last.changes.map { change in
                CommittedChange(
                    key: change.key, old: change.old,
                    new: change.new == nil
                        ? Document(key: change.key, createTime: last.time, updateTime: last.time, fields: .empty) : nil)
            }
            commits.append(CommittedChanges(time: last.time, changes: changes))
            forged += try ArchiveSegment(
                history: segment.history, lease: segment.lease, after: segment.after, previous: segment.previous, settings: segment.settings,
                commits: commits
            ).encoded()
        }
        store[name] = forged
        #expect(try await database.findings() != [])
        await database.close()
    }
}
