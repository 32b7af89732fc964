// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

/// A request to change a user's name and picture.
///
/// A property that is not set keeps its value, and nil removes the value.
public final class UserProfileChangeRequest: NSObject, Sendable {
    private struct State {
        var name: AccountChanges.Text?
        var photo: AccountChanges.Text?
    }

    private let user: User
    private let state = Mutex(State())

    init(_ user: User) { self.user = user }

    /// The user's display name.
    public var displayName: String? {
        get {
            guard let name = state.withLock({ $0.name }) else { return user.displayName }
            return name.value
        }
        set { state.withLock { $0.name = newValue.map { .set($0) } ?? .removed } }
    }

    /// The URL of the user's picture.
    public var photoURL: URL? {
        get {
            guard let photo = state.withLock({ $0.photo }) else { return user.photoURL }
            return photo.value.flatMap(URL.init(string:))
        }
        set { state.withLock { $0.photo = newValue.map { .set($0.absoluteString) } ?? .removed } }
    }

    /// Sends the request. The properties of the user have the new values when this method returns.
    ///
    /// - Throws: `userDisabled`, `userNotFound` or `userTokenExpired`, which sign the user out; `networkError`.
    public func commitChanges() async throws {
        let (name, photo) = state.withLock { ($0.name, $0.photo) }
        try await publicly { try await user.change(AccountChanges(displayName: name, photoURL: photo)) }
    }

    /// Equivalent of ``commitChanges()`` with a completion handler.
    public func commitChanges(completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: user.session) { try await self.commitChanges() }
    }
}
