// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// Lookups of documents in limbo when the Listen stream breaks (SY-112).
@Suite struct LimboResumptionTests {
    /// A pending write has made room in the view for a document that is outside of the limit at the authority, which stays in limbo
    /// until the write is acknowledged.
    @Test func `a document that a lookup has received is not taken for missing when the lookup is resumed`() throws {
        let served = try ServedEngine()
        let query = StructuredQuery(
            scope: .collection(CollectionPath(trusted: "c")), orders: [SortOrder(path: FieldPathSegments("n"))], limit: 1)
        let all = SyncListener(to: .query("c")) { _ in }
        var shown: SyncSnapshot?
        served.engine.listen(all)
        served.engine.listen(SyncListener(to: .query(ClientQuery(query))) { shown = try? $0.get() })
        served.sync(2, at: 10, .found("c/a", 5, ("n", .integer(1))), .found("c/b", 5, ("n", .integer(2))))
        served.sync(4, at: 11, .found("c/a", 5, ("n", .integer(1))))
        served.engine.unlisten(all)
        served.engine.write([.patch("c/a", "n", .integer(3))], completion: { _ in })
        #expect(served.server.targets[1] == .beginning)
        served.sync(1, at: 12, .found("c/b", 5, ("n", .integer(2))))
        #expect(served.engine.activeLimboResolutions == [DocumentKey(trusted: "c/b"): 1])

        served.breakListenStream()
        if served.server.listen == nil { served.pass(.seconds(120), .listenBackoff) }
        #expect(served.server.targets[1] == .resumeToken(ByteSlice([UInt8]("t12".utf8))))
        // Nothing has changed since.
        served.sync(1, at: 13)
        #expect(try served.cache.look("c/b") == "{n: 2}")
        #expect(shown.map { Array($0.documents).map(\.key.path) } == ["c/b"])
        try served.close()
    }

    @Test func `a lookup that begins anew has not received its document`() {
        var tracker = LimboTracker(most: 10)
        _ = tracker.update(2, added: [DocumentKey(trusted: "c/a"), DocumentKey(trusted: "c/b")], removed: [])
        for id in [1, 3] as [TargetID] { tracker.received(id, true) }
        tracker.startOver { $0 == 3 }
        #expect(tracker.lookup(1)?.hasReceived == true)
        #expect(tracker.lookup(3)?.hasReceived == false)
    }
}
