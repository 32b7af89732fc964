// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseFirestore
import FirestoreCore
import Foundation
import ModeSupport
import TestSupport
import Testing

/// Embedded, and with a cache: listeners come before the completion of the write that changed what they show (SY-32, SY-61).
@Suite(.enabled(if: Mode.current == .embedded), .timeLimit(.minutes(2))) struct WriteOrderTests {
    @Test func `a listener is called before the completion of each write that it shows`() async throws {
        let db = Scratch.firestore()
        let shown = Mutex(-1)
        let late = Mutex<[Int]>([])
        let listener = db.document("c/a").addSnapshotListener { snapshot, _ in
            shown.withLock { $0 = snapshot?.get("n") as? Int ?? 0 }
        }
        await eventually("the first snapshot") { shown.withLock { $0 } == 0 }
        for n in 1...200 {
            db.document("c/a").setData(["n": n]) { _ in
                let isLate = shown.withLock { $0 } < n
                if isLate { late.withLock { $0.append(n) } }
            }
            if n % 10 == 0 { try await db.waitForPendingWrites() }
        }
        try await db.waitForPendingWrites()
        await eventually("the last snapshot") { shown.withLock { $0 } == 200 }
        #expect(late.withLock { $0 } == [])
        listener.remove()
        try await db.terminate()
    }

    @Test func `a listener that is being called when the write is acknowledged is called again before its completion`() async throws {
        let db = Scratch.firestore()
        let events = Mutex<[String]>([])
        let acknowledged = DispatchSemaphore(value: 0)
        let listener = db.collection("c").addSnapshotListener { snapshot, _ in
            let count = snapshot?.count ?? -1
            events.withLock { $0.append("shown \(count)") }
            guard count == 0 else { return }
            let receipt = db.document("c/a").setData(["n": 1]) { _ in events.withLock { $0.append("done") } }
            Task {
                try await receipt.acknowledged
                acknowledged.signal()
            }
            acknowledged.wait()
        }
        await eventually("all calls") { events.withLock { $0.count } == 3 }
        #expect(events.withLock { $0 } == ["shown 0", "shown 1", "done"])
        listener.remove()
        try await db.terminate()
    }
}
