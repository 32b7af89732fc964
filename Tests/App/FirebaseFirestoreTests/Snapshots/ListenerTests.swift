// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation
import ModeSupport
import Testing

/// Listeners of documents and queries, and the changes they receive.
@Suite struct ListenerTests {
    let db = Scratch.firestore()

    @Test func `a document listener gets the state and the newest change`() async throws {
        let city = db.document("cities/SF")
        let told = Collector<Int?>()
        let registration = city.addSnapshotListener { snapshot, error in
            #expect(error == nil)
            told.append(snapshot?.get("n") as? Int)
        }
        #expect(await told.first(1) == [nil])
        try await city.setData(["n": 1])
        _ = await told.elements { $0.last == 1 }
        try await city.setData(["n": 2])
        _ = await told.elements { $0.last == 2 }
        try await city.delete()
        _ = await told.elements { $0.count > 1 && $0.last == .some(nil) }
        registration.remove()
        registration.remove()
    }

    @Test func `a query listener gets changes with their indices`() async throws {
        let cities = db.collection("cities")
        try await cities.document("b").setData(["n": 2])
        let told = Collector<[String]>()
        let registration = cities.order(by: "n").addSnapshotListener(includeMetadataChanges: true) { snapshot, _ in
            // With a cache, an acknowledgement is a snapshot without changes.
            guard let snapshot, Mode.can(.oneAuthority) || !snapshot.documentChanges.isEmpty else { return }
            told.append(
                snapshot.documentChanges.map { "\($0.type) \($0.document.documentID) \(Int($0.oldIndex)) \(Int($0.newIndex))" })
        }
        defer { registration.remove() }
        let none = NSNotFound
        #expect(await told.first(1).last == ["added b \(none) 0"])
        try await cities.document("a").setData(["n": 1])
        #expect(await told.first(2).last == ["added a \(none) 0"])
        try await cities.document("a").setData(["n": 3])
        #expect(await told.first(3).last == ["modified a 0 1"])
        try await cities.document("b").delete()
        #expect(await told.first(4).last == ["removed b 0 \(none)"])
    }

    @Test func `a document that leaves the query of one listener stays in that of another`() async throws {
        let cities = db.collection("cities")
        try await cities.document("a").setData(["n": 1])
        let (small, all) = (Collector<[String]>(), Collector<[String]>())
        let registrations = [
            cities.whereField("n", isLessThan: 5).addSnapshotListener { snapshot, _ in
                small.append(snapshot?.documents.map(\.documentID) ?? [])
            },
            cities.addSnapshotListener { snapshot, _ in all.append(snapshot?.documents.map(\.documentID) ?? []) },
        ]
        defer { for registration in registrations { registration.remove() } }
        _ = await small.elements { $0.last == ["a"] }
        _ = await all.elements { $0.last == ["a"] }
        try await cities.document("a").setData(["n": 7])
        try await cities.document("b").setData(["n": 2])
        #expect(await small.elements { $0.last?.contains("b") == true }.last == ["b"])
        #expect(await all.elements { $0.last?.contains("b") == true }.last == ["a", "b"])
    }

    @Test func `a listener sees the write made just before it`() async {
        let city = db.document("cities/SF")
        let told = Collector<Int?>()
        func start() -> any ListenerRegistration {
            city.setData(["n": 7])
            return city.addSnapshotListener(options: SnapshotListenOptions().withSource(.default)) { snapshot, _ in
                told.append(snapshot?["n"] as? Int)
            }
        }
        let registration = start()
        #expect(await told.first(1) == [7])
        registration.remove()
    }

    @Test func `a listener can remove itself from inside its callback`() async throws {
        let cities = db.collection("cities")
        let told = Collector<Int>()
        let own = Mutex<(any ListenerRegistration)?>(nil)
        let queue = db.settings.dispatchQueue
        func start() {
            queue.sync {
                let registration = cities.addSnapshotListener(options: SnapshotListenOptions()) { snapshot, _ in
                    told.append(snapshot?.count ?? -1)
                    own.withLock { $0 }?.remove()
                }
                own.withLock { $0 = registration }
            }
        }
        start()
        #expect(await told.first(1) == [0])
        try await cities.addDocument(data: [:])
        let other = Collector<Int>()
        let registration = cities.addSnapshotListener { snapshot, _ in other.append(snapshot?.count ?? -1) }
        #expect(await other.first(1) == [1])
        try await cities.addDocument(data: [:])
        _ = await other.elements { $0.last == 2 }
        registration.remove()
        #expect(told.elements == [0])
    }

    @Test func `dropping the registration does not stop the listener`() async throws {
        let city = db.document("cities/SF")
        let told = Collector<Int?>()
        func start() { city.addSnapshotListener { snapshot, _ in told.append(snapshot?["n"] as? Int) } }
        start()
        _ = await told.first(1)
        try await city.setData(["n": 1])
        #expect(await told.elements { $0.last == 1 }.last == 1)
    }

    @Test func `callbacks arrive on the queue of the settings`() async throws {
        let key = DispatchSpecificKey<Bool>()
        let queue = db.settings.dispatchQueue
        queue.setSpecific(key: key, value: true)
        let city = db.document("cities/SF")
        let onQueue: [Bool] = await [
            completion { done in city.setData([:]) { _ in done(DispatchQueue.getSpecific(key: key) == true) } },
            completion { done in city.getDocument { _, _ in done(DispatchQueue.getSpecific(key: key) == true) } },
            completion { done in
                db.runTransaction { _, _ in nil } completion: { _, _ in done(DispatchQueue.getSpecific(key: key) == true) }
            },
        ]
        #expect(onQueue == [true, true, true])
        let told = Collector<Bool>()
        let registration = city.addSnapshotListener { _, _ in told.append(DispatchQueue.getSpecific(key: key) == true) }
        #expect(await told.first(1) == [true])
        registration.remove()
    }

    @Test func `listen options are values`() {
        let options = SnapshotListenOptions().withIncludeMetadataChanges(true).withSource(.cache)
        #expect(options.includeMetadataChanges && options.source == .cache)
        #expect(SnapshotListenOptions().source == .default && !SnapshotListenOptions().includeMetadataChanges)
    }
}
