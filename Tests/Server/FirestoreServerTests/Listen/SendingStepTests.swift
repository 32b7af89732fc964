// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import Testing

@testable import FirestoreServer

struct SendingStepTests {
    @Test func `frames are made for a number of bytes: what the peer does not take is not copied for it`() {
        let documents = (0..<100).map { number in
            document("c/\(number)", ("t", .string(String(repeating: "x", count: 10_000))))
        }
        var pending = PendingStep()
        let batch = WatchBatch(readTime: at(1), basis: .nothing, changes: documents.map { .update($0) })
        pending.begin(1, batch, batch.changes)
        pending.fold(2, batch)
        var step = SendingStep(pending.take(), at: at(1), of: listenDatabase, history: nil)
        var (frames, rounds) = (0, 0)
        while !step.isDone {
            let made = step.next(64, bytes: 64 << 10) { Int32($0) }
            #expect(made.count <= 8)
            frames += made.count
            rounds += 1
        }
        #expect(frames >= 200 && rounds > 20)
    }
}
