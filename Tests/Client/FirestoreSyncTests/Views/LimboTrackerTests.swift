// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreSync

struct LimboTrackerTests {
    private func key(_ id: Int) -> DocumentKey { DocumentKey(trusted: "c/\(id)") }

    // SY-109
    @Test func `lookups have odd targets, in the order in which documents came`() {
        var tracker = LimboTracker(most: 100)
        #expect(tracker.update(2, added: [key(1), key(2)], removed: []) == [.listen(key(1), 1), .listen(key(2), 3)])
        #expect(tracker.active == [key(1): 1, key(2): 3])
    }

    // T121
    @Test func `more than the most wait for their turn`() {
        var tracker = LimboTracker(most: 2)
        _ = tracker.update(2, added: (1...4).map(key), removed: [])
        #expect(tracker.waiting == [key(3), key(4)])
        #expect(tracker.ended(1) == [.listen(key(3), 5)])
        #expect(tracker.update(2, added: [], removed: [key(2)]) == [.unlisten(3), .listen(key(4), 7)])
        #expect(tracker.waiting.isEmpty)
    }

    // T120
    @Test func `a lookup lives as long as one target needs it`() {
        var tracker = LimboTracker(most: 100)
        #expect(tracker.update(2, added: [key(1)], removed: []) == [.listen(key(1), 1)])
        #expect(tracker.update(4, added: [key(1)], removed: []) == [])
        #expect(tracker.remove(2) == [])
        #expect(tracker.remove(4) == [.unlisten(1)])
        #expect(tracker.active.isEmpty)
    }

    @Test func `a waiting document that is no longer in limbo is forgotten`() {
        var tracker = LimboTracker(most: 1)
        _ = tracker.update(2, added: [key(1), key(2), key(3)], removed: [])
        #expect(tracker.update(2, added: [], removed: [key(2)]) == [])
        #expect(tracker.waiting == [key(3)])
    }

    // SY-112
    @Test func `a lookup knows its document once the server has sent it`() {
        var tracker = LimboTracker(most: 1)
        _ = tracker.update(2, added: [key(1)], removed: [])
        #expect(tracker.lookup(1)?.hasReceived == false)
        tracker.received(1, true)
        #expect(tracker.lookup(1)?.hasReceived == true)
        #expect(tracker.lookup(3) == nil)
    }
}
