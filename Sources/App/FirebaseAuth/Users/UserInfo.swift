// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A user's profile at a provider.
public protocol UserInfo: NSObjectProtocol, Sendable {
    /// The provider: `password`, `google.com`, `apple.com` and so on; `Firebase` for the account itself.
    var providerID: String { get }
    /// The id of the user at the provider.
    var uid: String { get }
    /// The user's name.
    var displayName: String? { get }
    /// The user's picture.
    var photoURL: URL? { get }
    /// The user's e-mail address.
    var email: String? { get }
    /// The user's phone number.
    var phoneNumber: String? { get }
}

/// An entry of `User.providerData`.
final class ProviderUserInfo: NSObject, UserInfo {
    private let profile: ProviderProfile

    init(_ profile: ProviderProfile) { self.profile = profile }

    var providerID: String { profile.providerID }
    var uid: String { profile.uid }
    var displayName: String? { profile.displayName }
    var photoURL: URL? { profile.photoURL.flatMap(URL.init(string:)) }
    var email: String? { profile.email }
    var phoneNumber: String? { profile.phoneNumber }
}

/// The times at which an account was created and used.
public final class UserMetadata: NSObject, Sendable {
    /// When the account was created.
    public let creationDate: Date?
    /// When the user last signed in.
    public let lastSignInDate: Date?

    init(_ profile: AccountProfile) {
        func date(_ milliseconds: Int64?) -> Date? { milliseconds.map { Date(timeIntervalSince1970: Double($0) / 1000) } }
        creationDate = date(profile.createdAt)
        lastSignInDate = date(profile.lastSignInAt)
    }
}
