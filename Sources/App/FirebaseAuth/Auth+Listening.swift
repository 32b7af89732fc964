// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
public import Foundation

/// A handle that removes a listener of sign-ins and sign-outs.
public typealias AuthStateDidChangeListenerHandle = any NSObjectProtocol & Sendable

/// A handle that removes a listener of tokens.
public typealias IDTokenDidChangeListenerHandle = any NSObjectProtocol & Sendable

extension Auth {
    /// A notification after every sign-in and sign-out, posted on the callback queue. Its object is the `Auth` instance.
    public static let authStateDidChangeNotification = NSNotification.Name("FIRAuthStateDidChangeNotification")

    /// Adds a listener that is called with the current user, once at first and then after every sign-in and sign-out.
    ///
    /// The listener is called on the callback queue of the ``settings``, the main queue by default, and never during this method. Changes
    /// of the token or the profile do not call it. Keep the handle to remove the listener.
    public func addStateDidChangeListener(_ listener: @escaping (Auth, User?) -> Void) -> any NSObjectProtocol & Sendable {
        add(.state, listener)
    }

    /// Removes a listener. If called on the callback queue, the listener is not called again.
    public func removeStateDidChangeListener(_ listenerHandle: any NSObjectProtocol) { session.remove(listenerHandle) }

    /// Adds a listener that is called with the current user, once at first and then after every change of the user or the token.
    ///
    /// The listener is called on the callback queue of the ``settings``, the main queue by default, and never during this method.
    public func addIDTokenDidChangeListener(_ listener: @escaping (Auth, User?) -> Void) -> any NSObjectProtocol & Sendable {
        add(.token, listener)
    }

    /// Removes a listener of tokens. If called on the callback queue, the listener is not called again.
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

    /// An asynchronous sequence of the current user: once at first, and then after every sign-in and sign-out.
    ///
    /// Every change is delivered: changes wait until the loop takes them. The listener is removed when the iterator is destroyed.
    public var authStateChanges: UserSequence { UserSequence(kind: .state, auth: self) }

    /// An asynchronous sequence of the current user: once at first, and then after every change of the user or the token.
    public var idTokenChanges: UserSequence { UserSequence(kind: .token, auth: self) }

    /// The successive users of an `Auth` instance. Each iterator has a separate listener.
    public struct UserSequence: AsyncSequence, Sendable {
        /// The signed-in user; nil if none is signed in.
        public typealias Element = User?
        /// The sequence does not fail.
        public typealias Failure = Never

        let kind: UserListener.Kind
        let auth: Auth

        /// Adds a listener and returns an iterator of its users.
        public func makeAsyncIterator() -> Iterator {
            let (stream, continuation) = AsyncStream.makeStream(of: User?.self, bufferingPolicy: .unbounded)
            // Not through the queue of the callbacks, which a program without a main run loop never runs.
            let listener = UserListener(
                kind, UserCallback { continuation.yield($0) }, isDirect: true, onEnd: { continuation.finish() })
            continuation.onTermination = { [session = auth.session] _ in session.remove(listener) }
            auth.session.add(listener)
            return Iterator(base: stream.makeAsyncIterator())
        }

        /// An iterator of users. It removes its listener when it is destroyed.
        public struct Iterator: AsyncIteratorProtocol {
            var base: AsyncStream<User?>.AsyncIterator

            /// Returns the next user; nil when the task is cancelled or the app was deleted.
            public mutating func next() async -> User?? { await base.next() }
        }
    }
}

extension NSNotification.Name {
    /// The notification that is posted when a user signs in or out. Same as ``Auth/authStateDidChangeNotification``.
    public static var AuthStateDidChange: NSNotification.Name { Auth.authStateDidChangeNotification }
}
