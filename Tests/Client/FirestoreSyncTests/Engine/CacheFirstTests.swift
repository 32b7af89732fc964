// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSync

/// One-shot reads that the cache answers if it can (SY-D27).
@Suite struct CacheFirstTests {
    private final class Reader {
        var snapshots: [SyncSnapshot] = []
    }

    private func read(_ fixture: ServedEngine, _ target: ClientTarget, prefersCache: Bool = true) -> Reader {
        let reader = Reader()
        let options = SyncListener.Options(includeMetadataChanges: true, waitsForSync: true, prefersCache: prefersCache)
        fixture.engine.listen(SyncListener(to: target, options: options) { if case .success(let snapshot) = $0 { reader.snapshots.append(snapshot) } })
        return reader
    }

    @Test func `what is cached is the answer, and the server's follows`() throws {
        let fixture = try ServedEngine { $0.offlineAfter = .zero }
        try fixture.cache.hear(.found("c/a", 5), at: 5)
        let reader = read(fixture, .document(DocumentKey(trusted: "c/a")))
        #expect(reader.snapshots.map(\.isFromCache) == [true])
        fixture.sync(2, at: 10, .found("c/a", 9, ("n", .integer(1))))
        #expect(reader.snapshots.map(\.isFromCache) == [true, false])
        #expect(try fixture.cache.look("c/a") == "{n: 1}")
        let waiting = read(fixture, .query(ClientQuery(.collection("c"))), prefersCache: false)
        #expect(waiting.snapshots.isEmpty)
    }

    @Test func `what is not cached waits for the server, as long as usual`() throws {
        let fixture = try ServedEngine { $0.offlineAfter = .zero }
        let (document, query) = (read(fixture, .document(DocumentKey(trusted: "c/a"))), read(fixture, .query(ClientQuery(.collection("c")))))
        #expect(document.snapshots.isEmpty && query.snapshots.isEmpty)
        #expect(fixture.timers.running[.onlineState] == .seconds(10))
        fixture.pass(.seconds(10), .onlineState)
        #expect(document.snapshots.count == 1 && query.snapshots.count == 1)
    }
}
