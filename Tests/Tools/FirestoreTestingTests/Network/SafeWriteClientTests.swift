// SPDX-License-Identifier: Apache-2.0
#if Remote
import FirebaseFirestore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// Writes with conditions behind a network, with a cache in between: MP-78.
@Suite struct SafeWriteClientTests {
    struct Counter: Codable { var n: Int }

    struct Town: Codable, VersionedModel {
        var population: Int
        static let schemaVersion = 1
        static let migrations: [ModelMigration] = [.step(from: 0) { $0.rename("pop", to: "population") }]
    }

    let network = TestNetwork(callbackQueue: DispatchQueue(label: "hearth.tests.updates"))
    let phone: Firestore
    var ref: DocumentReference { phone.document("c/a") }
    var onServer: DocumentReference { network.server.document("c/a") }

    init() { phone = network.firestore() }

    private func code(_ body: () async throws -> some Any) async -> FirestoreErrorCode.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? FirestoreErrorCode)?.code
        }
    }

    @Test func `an update as a type takes one read and one commit, past the cache`() async throws {
        try await onServer.setData(["n": 1, "x": 9])
        try await ref.update(as: Counter.self) { $0.n += 1 }
        #expect(try await onServer.getDocument().data() as? [String: Int] == ["n": 2, "x": 9])
        let snapshot = try await ref.getDocument(source: .server)
        #expect(snapshot.updateTime != nil && snapshot.createTime != nil)
        try await onServer.setData(["n": 7])
        #expect(await code { try await snapshot.update(as: Counter.self) { $0.n += 1 } } == .failedPrecondition)
        try await ref.update(as: Counter.self) { $0.n += 1 }
        #expect(try await onServer.getDocument()["n"] as? Int == 8)
    }

    @Test func `a pending write has no update time`() async throws {
        try await onServer.setData(["n": 1])
        _ = try await ref.getDocument()
        network.goOffline()
        try await ref.updateData(["n": 2])
        let pending = try await ref.getDocument(source: .cache)
        #expect(pending.metadata.hasPendingWrites && pending.updateTime == nil && pending.createTime == nil)
        #expect(await code { try await pending.update(as: Counter.self) { $0.n += 1 } } == .unavailable)
        network.goOnline()
        try await phone.waitForPendingWrites()
        #expect(try await ref.getDocument(source: .server).updateTime != nil)
    }

    @Test func `offline, calls with a condition fail, and those without are queued`() async throws {
        try await onServer.setData(["n": 1, "x": 9])
        let known = try await ref.getDocument()
        network.goOffline()
        // The client notices by a read.
        #expect(await code { try await ref.getDocument(source: .server) } == .unavailable)
        #expect(await code { try await ref.update(as: Counter.self) { $0.n += 1 } } == .unavailable)
        #expect(await code { try await known.update(as: Counter.self) { $0.n += 1 } } == .unavailable)
        #expect(await code { try await ref.setData(["n": 5], precondition: .exists) } == .unavailable)
        #expect(await code { try await ref.delete(precondition: .exists) } == .unavailable)
        #expect(try await phone.pendingWrites.current().isEmpty)
        // The last writer wins, and differences without a condition, work offline.
        try await ref.update(as: Counter.self, conflict: .lastWriterWins) { $0.n += 1 }
        let old = try await ref.getDocument(as: Counter.self)
        try await ref.updateData(from: old, to: Counter(n: old.n + 1)).saved
        // Now the document has writes of its own: a condition would have to wait for them.
        #expect(await code { try await ref.update(as: Counter.self) { $0.n += 1 } } == .unavailable)
        network.goOnline()
        try await phone.waitForPendingWrites()
        #expect(try await onServer.getDocument().data() as? [String: Int] == ["n": 3, "x": 9])
    }

    @Test func `a call with a condition waits for the queued writes of its document`() async throws {
        try await onServer.setData(["n": 1])
        network.latency = .milliseconds(5)
        ref.updateData(["n": 10], completion: nil)
        try await ref.update(as: Counter.self) { $0.n += 1 }
        #expect(try await onServer.getDocument()["n"] as? Int == 11)
        ref.updateData(["n": 20], completion: nil)
        try await ref.updateData(["m": 1], precondition: .exists)
        #expect(try await onServer.getDocument().data() as? [String: Int] == ["n": 20, "m": 1])
        ref.updateData(["n": 30], completion: nil)
        let batch = phone.batch().deleteDocument(ref, precondition: .exists)
        try await batch.commit()
        #expect(try await !onServer.getDocument().exists)
    }

    @Test func `many devices count, nothing is lost`() async throws {
        // MP row W7, with devices instead of tasks: conflicts are others' now.
        try await onServer.setData(["n": 0])
        let devices = (0..<3).map { _ in network.firestore() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices {
                group.addTask {
                    for _ in 0..<4 {
                        try await device.document("c/a").update(as: Counter.self, conflict: .retry(50)) { $0.n += 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await onServer.getDocument()["n"] as? Int == 12)
    }

    @Test func `a migration goes past the cache, and needs the server`() async throws {
        try await network.server.document("towns/a").setData(["pop": 1])
        #expect(try await phone.collection("towns").migrate(as: Town.self).migratedCount == 1)
        #expect(try await network.server.document("towns/a").getDocument()["schemaVersion"] as? Int == 1)
        try await phone.disableNetwork()
        #expect(await code { try await phone.collection("towns").migrate(as: Town.self) } == .unavailable)
    }
}
#endif
