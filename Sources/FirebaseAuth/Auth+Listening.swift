// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What a listener is removed with.
public typealias AuthStateDidChangeListenerHandle = any NSObjectProtocol

/// What a listener of tokens is removed with.
public typealias IDTokenDidChangeListenerHandle = any NSObjectProtocol

extension Auth {
    /// Posted on the queue of the callbacks after every sign-in and sign-out; the object is the `Auth` instance.
    public static let authStateDidChangeNotification = NSNotification.Name("FIRAuthStateDidChangeNotification")

    /// Calls `listener` with the current user once, soon, and after every sign-in and sign-out.
    ///
    /// It is called on the queue of the settings, the main queue by default, never during this call. A change of the token or of the
    /// account does not call it. Keep the handle to remove the listener; it stays until then.
    public func addStateDidChangeListener(_ listener: @escaping (Auth, User?) -> Void) -> any NSObjectProtocol {
        add(.state, listener)
    }

    /// Removes a listener. On the queue of the callbacks, it is not called any more after this.
    public func removeStateDidChangeListener(_ listenerHandle: any NSObjectProtocol) { session.remove(listenerHandle) }

    /// Calls `listener` with the current user once, soon, and after every change of the user or of the token.
    ///
    /// It is called on the queue of the settings, the main queue by default, never during this call.
    public func addIDTokenDidChangeListener(_ listener: @escaping (Auth, User?) -> Void) -> any NSObjectProtocol {
        add(.token, listener)
    }

    /// Removes a listener of tokens. On the queue of the callbacks, it is not called any more after this.
    public func removeIDTokenDidChangeListener(_ listenerHandle: any NSObjectProtocol) { session.remove(listenerHandle) }

    private func add(_ kind: UserListener.Kind, _ body: @escaping (Auth, User?) -> Void) -> UserListener {
        let listener = UserListener(
            kind,
            UserCallback { [weak self] user in
                if let self { body(self, user) }
            })
        session.add(listener)
        return listener
    }

    /// The current user now, and after every sign-in and sign-out, as an asynchronous sequence.
    ///
    /// Every state is delivered; states that a slow loop has not taken are kept. The listener is removed with the iterator.
    public var authStateChanges: UserSequence { UserSequence(kind: .state, auth: self) }

    /// The current user now, and after every change of the user or of the token, as an asynchronous sequence.
    public var idTokenChanges: UserSequence { UserSequence(kind: .token, auth: self) }

    /// The states of an `Auth` instance, one after the other; each iterator has a separate listener.
    public struct UserSequence: AsyncSequence, Sendable {
        /// The signed-in user; nil if none is signed in.
        public typealias Element = User?
        /// There are no errors.
        public typealias Failure = Never

        let kind: UserListener.Kind
        let auth: Auth

        /// Starts a listener.
        public func makeAsyncIterator() -> Iterator {
            let (stream, continuation) = AsyncStream.makeStream(of: User?.self, bufferingPolicy: .unbounded)
            // Not through the queue of the callbacks, which a program without a main run loop never runs.
            let listener = UserListener(
                kind, UserCallback { continuation.yield($0) }, isDirect: true, onEnd: { continuation.finish() })
            continuation.onTermination = { [session = auth.session] _ in session.remove(listener) }
            auth.session.add(listener)
            return Iterator(base: stream.makeAsyncIterator())
        }

        /// Ends its listener when it is destroyed.
        public struct Iterator: AsyncIteratorProtocol {
            var base: AsyncStream<User?>.AsyncIterator

            /// The next state; nil when the task is cancelled or the app was deleted.
            public mutating func next() async -> User?? { await base.next() }
        }
    }
}
