// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSync

/// How much is in flight at a time (SY-50).
@Suite struct WriteWindowTests {
    @Test func `large batches wait in the cache, not in memory`() throws {
        let fixture = try ServedEngine()
        fixture.engine.setNetworkEnabled(false)
        let text = Value.string(String(repeating: "x", count: 1_000_000))
        for number in 0..<8 { fixture.engine.write([.set("c/\(number)", ("text", text))], completion: { _ in }) }
        fixture.engine.setNetworkEnabled(true)
        fixture.answerHandshake()
        // Ten are allowed, but no more than what exceeds four megabytes.
        #expect(fixture.engine.outstandingWriteCount == 5 && fixture.server.batches.count == 5)
        try fixture.acknowledge(at: 5)
        #expect(fixture.engine.outstandingWriteCount == 5 && fixture.server.batches.count == 5)
        for version in 6...12 { try fixture.acknowledge(at: Int64(version)) }
        #expect(try fixture.cache.store.pendingBatches().isEmpty)
    }
}
