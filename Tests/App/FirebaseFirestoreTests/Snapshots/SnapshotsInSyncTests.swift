// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// `addSnapshotsInSyncListener` (LS-58).
@Suite struct SnapshotsInSyncListenerTests {
    let db = Scratch.firestore()

    @Test func `a listener for snapshots in sync fires at registration, and after every listener that a change concerns`() async throws {
        let story = Collector<String>()
        let queue = db.settings.dispatchQueue
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let ready = Collector<Int>()
        let registrations = [
            db.collection("cities").addSnapshotListener { _, _ in
                story.append("cities")
                ready.append(1)
            },
            db.document("cities/SF").addSnapshotListener { _, _ in
                story.append("SF")
                ready.append(1)
            },
            db.document("cities/LA").addSnapshotListener { _, _ in ready.append(1) },
        ]
        _ = await ready.first(3)
        let synced = Collector<[String]>()
        let observer = db.addSnapshotsInSyncListener {
            synced.append(DispatchQueue.getSpecific(key: key) == true ? story.elements : ["elsewhere"])
        }
        let first = ["SF", "cities"]
        let second = ["SF", "SF", "cities", "cities"]
        let third = ["SF", "SF", "cities", "cities", "cities"]
        #expect(await synced.first(1).last?.sorted() == first)
        try await db.document("cities/SF").setData(["n": 1])
        _ = await synced.elements { $0.last?.sorted() == second }
        // Affects no listener.
        try await db.document("rivers/Po").setData(["n": 1])
        try await db.document("cities/Rome").setData(["n": 1])
        // The round of the listeners' first snapshots may end after the registration, and is then reported, too.
        let all = await synced.elements { $0.last?.sorted() == third }.map { $0.sorted() }
        #expect(all == [first, second, third] || all == [first, first, second, third])
        observer.remove()
        observer.remove()
        for registration in registrations { registration.remove() }
    }

    @Test func `on a terminated instance it is never called`() async throws {
        try await db.terminate()
        let calls = Collector<Bool>()
        let registration = db.addSnapshotsInSyncListener { calls.append(true) }
        db.settings.dispatchQueue.sync {}
        #expect(calls.elements.isEmpty)
        registration.remove()
    }
}
