// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Everything simultaneously, from many threads: for the thread sanitizer, and for what must hold anyhow.
@Suite struct ManyThreadsTests {
    @Test func `writers, readers, listeners and transactions share one instance`() async throws {
        let db = Scratch.firestore()
        let items = db.collection("items")
        let counter = db.document("counters/one")
        let told = Collector<Int>()
        let registration = items.addSnapshotListener { snapshot, _ in told.append(snapshot?.documents.count ?? -1) }
        try await withThrowingTaskGroup { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0..<10 {
                        try await items.document("\(writer)-\(number)").setData(["n": number, "w": writer])
                        try await counter.setData(["n": FieldValue.increment(Int64(1))], merge: true)
                    }
                }
                group.addTask {
                    for _ in 0..<5 {
                        let snapshot = try await items.whereField("n", isGreaterThan: 4).getDocuments()
                        #expect(snapshot.documents.allSatisfy { ($0["n"] as? Int ?? 0) > 4 })
                        let temporary = items.addSnapshotListener { snapshot, _ in _ = snapshot?.documentChanges }
                        temporary.remove()
                    }
                }
                group.addTask { _ = try? await db.runTransaction { transaction, _ in
                    _ = try? transaction.getDocument(counter)
                    return nil
                } }
            }
            try await group.waitForAll()
        }
        #expect(try await counter.getDocument()["n"] as? Int == 80)
        _ = await told.elements { $0.last == 80 }
        #expect(told.elements == told.elements.sorted())
        registration.remove()
        try await db.terminate()
    }

    @Test func `a snapshot can be read by many threads`() async throws {
        let db = Scratch.firestore()
        let batch = db.batch()
        for number in 0..<50 { batch.setData(["n": number], forDocument: db.document("items/\(number)")) }
        try await batch.commit()
        let snapshot = try await db.collection("items").order(by: "n").getDocuments()
        let sums = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    snapshot.documents.reduce(0) { $0 + ($1["n"] as? Int ?? 0) } + snapshot.documentChanges.count
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums == Array(repeating: 1_275, count: 8))
    }
}
