// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreSync

/// The change of the user that the store has not made yet (SY-77, decision 44).
@Suite struct UserTransitionTests {
    private let alice = SyncUser(uid: "alice")

    @Test func `only writes without a user during a sign-in are held`() {
        var users = UserTransition()
        #expect(!users.holdsNewWrites(of: .unauthenticated))
        users.hold.set(true)
        #expect(users.holdsNewWrites(of: .unauthenticated) && !users.holdsNewWrites(of: alice))
        users.begin(alice)
        #expect(!users.holdsNewWrites(of: .unauthenticated))
    }

    @Test func `writes fail while the cache still shows the user before`() {
        var users = UserTransition()
        #expect(users.missing(.unauthenticated) == nil)
        users.begin(alice)
        #expect(users.missing(.unauthenticated)?.code == .unavailable && users.missing(alice) == nil)
        users.end()
        #expect(users.missing(.unauthenticated) == nil)
    }

    @Test func `a change of the user ends the hold, and each queue is mentioned once`() {
        var users = UserTransition()
        users.hold.add(3)
        users.hold.add(3)
        #expect(users.hold.batches == [3])
        users.end()
        #expect(users.hold.batches.isEmpty)
        let areNew = [users.mention(alice), users.mention(alice)]
        #expect(areNew == [true, false])
    }
}
