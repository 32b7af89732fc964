// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The signed-in user, as the other products of an app see them: FirebaseAuth provides it, Firestore asks it.
///
/// The app retains it (`FirebaseApp.userTokens`), so that neither product imports the other.
package protocol UserTokenProvider: AnyObject, Sendable {
    /// The id of the signed-in user; nil when signed out. Returns immediately.
    var userID: String? { get }

    /// The token of the signed-in user, if it is there without waiting, expired or not: for its claims. Returns immediately.
    var knownToken: UserToken? { get }

    /// A token that identifies the user to a server; nil when signed out.
    ///
    /// - Parameter forcingRefresh: Whether to fetch a new token, because a server has rejected the last one.
    func token(forcingRefresh: Bool) async throws -> UserToken?

    /// Calls `body` after every change of the user or the token, on any thread, until the observation is dropped.
    func observe(_ body: @escaping @Sendable () -> Void) -> any UserTokenObservation

    /// Whether a sign-in has begun and not ended yet: with a user, or without one. Returns immediately.
    var isSigningIn: Bool { get }

    /// Calls `body` after every change of `isSigningIn`, on any thread, until the observation is dropped. The observers of `observe(_:)`
    /// learn of the new user before this call.
    func observeSignIns(_ body: @escaping @Sendable () -> Void) -> (any UserTokenObservation)?
}

extension UserTokenProvider {
    package var knownToken: UserToken? { nil }

    package var isSigningIn: Bool { false }

    package func observeSignIns(_ body: @escaping @Sendable () -> Void) -> (any UserTokenObservation)? { nil }
}

/// Ends with its last reference.
package protocol UserTokenObservation: AnyObject, Sendable {}

/// The credentials that a user presents to a server.
package struct UserToken: Sendable {
    package let value: String
    package let expires: Date
    /// Whether the token proves something. Those of an emulator or a local account do not, and may be sent without encryption.
    package let isSecret: Bool

    package init(_ value: String, expires: Date, isSecret: Bool = true) {
        self.value = value
        self.expires = expires
        self.isSecret = isSecret
    }
}
