// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreSync

/// When work is tried again that failed because of the store (SY-159).
@Suite struct RecoveryOrderTests {
    @Test func `work is tried in its order, and not while the timer runs`() {
        var recovery = StoreRecovery()
        #expect(recovery.isEmpty && recovery.next == nil)
        let areFirst = [recovery.add({ _ in }, holdsNetwork: false), recovery.add({ _ in }, holdsNetwork: true)]
        #expect(areFirst == [true, false])
        recovery.wait()
        #expect(recovery.next == nil)
        recovery.timerFired()
        #expect(recovery.next != nil)
    }

    @Test func `the network may be used again when no work that holds it is left`() {
        var recovery = StoreRecovery()
        for holds in [true, true, false] { _ = recovery.add({ _ in }, holdsNetwork: holds) }
        let mayResume = [recovery.finishFirst(), recovery.finishFirst(), recovery.finishFirst()]
        #expect(mayResume == [false, true, false])
    }

    @Test func `failures in a row are counted until a success`() {
        var recovery = StoreRecovery()
        var counts = [recovery.failed(.queue), recovery.failed(.queue), recovery.failed(.token)]
        recovery.succeeded(.queue)
        counts.append(recovery.failed(.queue))
        #expect(counts == [1, 2, 1, 1])
        _ = recovery.add({ _ in }, holdsNetwork: false)
        counts = [recovery.failedAgain(), recovery.failedAgain()]
        _ = recovery.finishFirst()
        counts.append(recovery.failedAgain())
        #expect(counts == [1, 2, 1])
    }
}
