// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreCore
import FirestoreServer
import TestSupport
import Testing

@testable import FirestoreArchive

/// An archive has one key, or none, from its first object on.
@Suite struct ArchiveKeyMarkTests {
    private static let keys = [ArchiveKey([UInt8](1...32))!, ArchiveKey([UInt8](33...64))!]

    /// The archive as a server with that key sees it.
    private static func opened(_ store: any ArchiveStore, _ key: ArchiveKey?) -> any ArchiveStore {
        key.map { EncryptedArchive(store, key: $0) } ?? store
    }

    private static func refusal(_ store: any ArchiveStore, _ key: ArchiveKey?) async -> String? {
        do throws(FirestoreError) {
            _ = try await ArchiveKeyCheck(opened(store, key)).checkOrLeave()
            return nil
        } catch {
            return error.code == .failedPrecondition ? error.message : "\(error)"
        }
    }

    /// What a server stores under a lease.
    private static func write(_ project: String, _ store: any ArchiveStore) async throws {
        let layout = ArchiveLayout(DatabaseID(projectID: project))
        let lease = ArchiveLease(number: 1, of: layout, history: 7, holder: "x", start: .none, now: 0)
        #expect(try await store.put(layout.lease(1), lease.bytes))
    }

    @Test("the first server says which key an archive has; another key, or none, is refused, also where nothing is stored yet")
    func firstServer() async throws {
        for (index, key) in [Self.keys[0], nil].enumerated() {
            let store = MemoryArchive()
            #expect(await Self.refusal(store, key) == nil)
            #expect(await Self.refusal(store, key) == nil)
            let others: [ArchiveKey?] = index == 0 ? [Self.keys[1], nil] : Self.keys
            for other in others {
                let refused = try #require(await Self.refusal(store, other))
                #expect(refused.contains(index == 1 ? "is not encrypted" : other == nil ? "give its key" : "another key"))
                await #expect(throws: FirestoreError.self) { _ = try await ArchiveKeyCheck(Self.opened(store, other)).check() }
            }
            #expect(try await ArchiveKeyCheck(Self.opened(store, key)).check() == nil)
            #expect(store.names == [ArchiveKeyMark.name])
            let text = String(decoding: try #require(store[ArchiveKeyMark.name]), as: UTF8.self)
            #expect(text.contains(#""key""#) == (key != nil))
            #expect(try await ArchiveContents.databases(in: store).isEmpty)
            #expect(try await ArchivedFileSet.all(in: store).isEmpty)
        }
        #expect(Self.keys[0].checkValue != Self.keys[1].checkValue)
        #expect(!Self.keys[0].checkValue.contains(Self.keys[0].identity.hexadecimal), "another code than that of objects")
    }

    @Test("an archive of an earlier version, without a mark, has the key of its objects")
    func withoutMark() async throws {
        for (index, key) in [Self.keys[0], nil].enumerated() {
            let others: [ArchiveKey?] = index == 0 ? [Self.keys[1], nil] : Self.keys
            for other in others {
                let store = MemoryArchive()
                try await Self.write("one", Self.opened(store, key))
                #expect(await Self.refusal(store, other) != nil)
                #expect(try await ArchiveKeyCheck(Self.opened(store, other)).check() == nil, "readers find out by the objects")
                #expect(store[ArchiveKeyMark.name] == nil)
                #expect(await Self.refusal(store, key) == nil)
                #expect(await Self.refusal(store, other) != nil)
            }
        }
    }

    @Test("a database under another key is named, and hides neither the others nor their backups")
    func mixed() async throws {
        let store = MemoryArchive()
        let encrypted = EncryptedArchive(store, key: Self.keys[0])
        let database = try ArchivedDatabase(encrypted)
        try await database.commit([.set("c/1", ("n", .integer(1)))])
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        let now = database.clock.now()
        _ = try await database.archiver.keep(KeptBase(id: "b", history: "", base: "", until: now + 1_000_000_000, created: now))
        let stranger = DatabaseID(projectID: "test", databaseID: "stranger")
        for (name, bytes) in store.names.map({ ($0, store[$0]) }) {
            guard let bytes, name.contains("/leases/") || name.contains("/kept/") else { continue }
            // In plain text.
            store[name.replacing("/%28default%29/", with: "/stranger/")] = bytes.dropFirst(SealedObject.overhead).map(\.self)
        }
        #expect(try await ArchiveKeyCheck(encrypted).checkOrLeave() == ["database stranger, project test"])
        #expect(try await database.findings() == [])
        let report = try await ArchiveVerification(stranger, in: encrypted, folder: database.folder.path).run()
        #expect(report.findings.count == 1 && report.findings[0].contains("is not encrypted"))
        let backups = ArchiveBackups(encrypted, clock: database.clock)
        #expect(try await backups.backups(ofProject: "test").map(\.id) == ["b"])
        try await backups.removeExpired()
        // Without the key nothing is taken for damage.
        let plain = try await ArchiveVerification(ArchivedDatabase.id, in: store, folder: database.folder.path).run()
        #expect(plain.findings.count == 1 && plain.findings[0].contains("give the key"))
        await database.close()
    }

    @Test("a damaged mark is reported, and replaced by one that fits the objects")
    func damaged() async throws {
        let store = MemoryArchive()
        let encrypted = EncryptedArchive(store, key: Self.keys[0])
        _ = try await ArchiveKeyCheck(encrypted).checkOrLeave()
        try await Self.write("one", encrypted)
        store[ArchiveKeyMark.name]?.removeLast(3)
        #expect(try await ArchiveKeyCheck(encrypted).check()?.contains("damaged") == true)
        #expect(await Self.refusal(store, nil) != nil)
        #expect(await Self.refusal(store, Self.keys[0]) == nil)
        #expect(try await ArchiveKeyCheck(encrypted).check() == nil)
        #expect(await Self.refusal(store, Self.keys[1]) != nil)
    }
}
