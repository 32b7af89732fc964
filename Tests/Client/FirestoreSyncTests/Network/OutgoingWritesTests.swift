// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// The batches in flight, and how far the queue was sent.
@Suite struct OutgoingWritesTests {
    private func batch(_ id: BatchID) -> PendingBatch {
        PendingBatch(id: id, user: .unauthenticated, localWriteTime: 0, baseWrites: [], writes: [.set("c/\(id)")])
    }

    @Test func `a new batch is next only if everything before it was taken`() {
        var outgoing = OutgoingWrites()
        #expect(!outgoing.isNext(1))
        outgoing.tookAll(upTo: 0)
        #expect(outgoing.isNext(1) && !outgoing.isNext(2))
        outgoing.append(batch(1))
        #expect(outgoing.isNext(2) && outgoing.hasAll(upTo: 1) && !outgoing.hasAll(upTo: 2))
        outgoing.append(batch(4))
        #expect(!outgoing.isNext(5) && outgoing.isNext(2))
        outgoing.removeAll()
        #expect(!outgoing.isNext(2) && outgoing.isEmpty)
    }

    @Test func `the window is full at a number of batches or a number of bytes`() {
        var outgoing = OutgoingWrites()
        let server = FakeServer()
        for id in 1..<BatchID(server.writeWindow) { outgoing.append(batch(id)) }
        #expect(outgoing.room(in: server)?.batches == 1)
        outgoing.append(batch(10))
        #expect(outgoing.room(in: server) == nil)
        _ = outgoing.removeFirst()
        outgoing.remove(5)
        #expect(outgoing.room(in: server)?.batches == 2)
    }

    @Test func `batches are recorded as sent ahead, but not beyond the newest that may be sent`() {
        var outgoing = OutgoingWrites()
        #expect(outgoing.mark(for: 1, newest: 1_000) == 101 && outgoing.mark(for: 1, newest: 7) == 7)
        outgoing.recorded(upTo: 7)
        #expect(outgoing.mark(for: 7, newest: 7) == nil && outgoing.mark(for: 8, newest: 7) == 8)
        outgoing.resume(nil, sentUpTo: 3)
        #expect(outgoing.doubtful == 3 && outgoing.mark(for: 4, newest: 4) == 4)
    }

    @Test func `a batch that was just stored is sent without a read of the queue`() throws {
        let world = try ServedEngine()
        world.engine.write([.set("c/a")]) { _ in }
        world.answerHandshake()
        var reads = 0
        world.engine.store.willRun = { (operation) throws(FirestoreError) in if operation == .nextBatch { reads += 1 } }
        for _ in 0..<5 { world.engine.write([.set("c/b")]) { _ in } }
        #expect(reads == 0 && world.server.batches.count == 6)
        try world.close()
    }
}
