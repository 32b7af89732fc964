// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import Foundation
import Testing

@testable import FirebaseAuth

/// When listeners are called, and with whom.
@Suite(.timeLimit(.minutes(2)))
struct ListenerTests {
    /// The ids that a listener was called with; `-` for none.
    final class Calls: Sendable {
        private let calls = Mutex<[String]>([])
        var all: [String] { calls.withLock { $0 } }
        func note(_ user: User?) { calls.withLock { $0.append(user?.uid ?? "-") } }
    }

    @Test func `both listeners are called once after they are added, also when no user is signed in`() async throws {
        let place = try AuthFixture()
        let auth = place.auth()
        let (states, tokens) = (Calls(), Calls())
        // The queue is held, to show that the call is not made during the registration.
        let (state, token) = place.queue.sync {
            let handles = (auth.addStateDidChangeListener { states.note($1) }, auth.addIDTokenDidChangeListener { tokens.note($1) })
            #expect(states.all.isEmpty && tokens.all.isEmpty)
            return handles
        }
        await place.drain()
        #expect(states.all == ["-"] && tokens.all == ["-"])
        auth.removeStateDidChangeListener(state)
        auth.removeIDTokenDidChangeListener(token)
    }

    @Test func `the state listener is called for users, the token listener for tokens too`() async throws {
        let place = try AuthFixture()
        let auth = place.auth()
        let (states, tokens) = (Calls(), Calls())
        let handles = [auth.addStateDidChangeListener { states.note($1) }, auth.addIDTokenDidChangeListener { tokens.note($1) }]
        let user = try await auth.signIn(withCustomToken: #"{"uid": "ada"}"#).user
        place.clock.advance(microseconds: 1_000_000)
        _ = try await user.getIDToken(forcingRefresh: true)
        // The same user once more: another token, not another state.
        try await auth.signIn(withCustomToken: #"{"uid": "ada"}"#)
        try await auth.signIn(withCustomToken: #"{"uid": "bert"}"#)
        try auth.signOut()
        try auth.signOut()
        await place.drain()
        #expect(states.all == ["-", "ada", "bert", "-"])
        #expect(tokens.all == ["-", "ada", "ada", "ada", "bert", "-"])
        for handle in handles { auth.removeStateDidChangeListener(handle) }
    }

    @Test func `a removed listener is not called any more`() async throws {
        let place = try AuthFixture()
        let auth = place.auth()
        let calls = Calls()
        let handle = auth.addStateDidChangeListener { calls.note($1) }
        await place.drain()
        try await auth.signInAnonymously()
        place.queue.sync { auth.removeStateDidChangeListener(handle) }
        let before = calls.all.count
        try auth.signOut()
        await place.drain()
        #expect(calls.all.count == before)
    }

    @Test func `a listener may call what it likes, on its queue`() async throws {
        let place = try AuthFixture()
        let auth = place.auth()
        let calls = Calls()
        let handle = auth.addStateDidChangeListener { auth, user in
            calls.note(auth.currentUser)
            if user != nil { try? auth.signOut() }
        }
        try await auth.signInAnonymously()
        await place.drain()
        await place.drain()
        #expect(auth.currentUser == nil)
        auth.removeStateDidChangeListener(handle)
    }

    @Test func `a sequence begins with the current user and misses nothing`() async throws {
        let auth = try AuthFixture().auth()
        var states = auth.authStateChanges.makeAsyncIterator()
        var tokens = auth.idTokenChanges.makeAsyncIterator()
        for name in ["ada", "bert"] { try await auth.signIn(withCustomToken: #"{"uid": "\#(name)"}"#) }
        _ = try await auth.currentUser?.getIDToken(forcingRefresh: true)
        try auth.signOut()
        var seen: [String] = []
        while let user = await states.next(), seen.count < 3 { seen.append(user?.uid ?? "-") }
        #expect(seen == ["-", "ada", "bert"])
        seen = []
        for _ in 0..<4 { seen.append(await tokens.next()??.uid ?? "-") }
        #expect(seen == ["-", "ada", "bert", "-"] || seen == ["-", "ada", "bert", "bert"])
    }

    @Test func `the notification is posted when the user changes`() async throws {
        let place = try AuthFixture()
        let auth = place.auth()
        let count = Mutex(0)
        let observer = NotificationCenter.default.addObserver(
            forName: Auth.authStateDidChangeNotification, object: auth, queue: nil
        ) { _ in count.withLock { $0 += 1 } }
        let user = try await auth.signInAnonymously().user
        place.clock.advance(microseconds: 1_000_000)
        _ = try await user.getIDToken(forcingRefresh: true)
        try auth.signOut()
        await place.drain()
        #expect(count.withLock { $0 } == 2)
        NotificationCenter.default.removeObserver(observer)
    }

    @Test func `completion handlers are called on the queue of the settings`() async throws {
        let place = try AuthFixture()
        let auth = place.auth()
        let uid = await withCheckedContinuation { continuation in
            auth.signInAnonymously { result, error in
                dispatchPrecondition(condition: .onQueue(place.queue))
                continuation.resume(returning: error == nil ? result?.user.uid : nil)
            }
        }
        #expect(uid == auth.currentUser?.uid && uid != nil)
        let error = await withCheckedContinuation { continuation in
            auth.signIn(withEmail: "a@b.c", password: "") { _, error in continuation.resume(returning: error) }
        }
        #expect(error as? AuthErrorCode == .wrongPassword)
    }
}
