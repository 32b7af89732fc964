// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreEngine

@Suite struct RoundObserverTests {
    @Test func `a round costs the same, however many there were before`() {
        let observers = RoundObservers()
        let seen = Mutex((count: 0, last: DocumentVersion.none))
        let handle = observers.add(owner: 1) { time in seen.withLock { $0 = ($0.count + 1, time) } }
        // Each of them made the call deeper once: long before the last, the stack was full.
        for number in 1...200_000 { observers.roundEnded(for: [1], through: DocumentVersion(microseconds: Int64(number))) }
        #expect(seen.withLock { $0.count } == 200_000)
        #expect(seen.withLock { $0.last } == DocumentVersion(microseconds: 200_000))
        handle.cancel()
        observers.roundEnded(for: [1], through: DocumentVersion(microseconds: 200_001))
        #expect(seen.withLock { $0.count } == 200_000)
        #expect(observers.isEmpty)
    }
}
