// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A handler that receives the result of a sign-in, or an error.
public typealias AuthDataResultCallback = (AuthDataResult?, (any Error)?) -> Void

/// The result of signing in or of linking a credential.
public final class AuthDataResult: NSObject, Sendable {
    /// The signed-in user.
    public let user: User
    /// Details about the sign-in; nil if no request was made.
    public let additionalUserInfo: AdditionalUserInfo?
    /// The credential that the provider has issued, an ``OAuthCredential``; nil if there is none.
    public let credential: AuthCredential?

    init(user: User, outcome: SignInOutcome?) {
        self.user = user
        additionalUserInfo = outcome.map { AdditionalUserInfo($0) }
        credential = outcome?.credential
    }
}

/// Details about a sign-in: the user's profile at the provider, and whether the account is new.
public final class AdditionalUserInfo: NSObject, Sendable {
    private let rawUserInfo: String?
    /// The id of the provider; empty if it is not known.
    public let providerID: String
    /// The user's name at the provider.
    public let username: String?
    /// Whether the account was created by this sign-in.
    public let isNewUser: Bool

    init(_ outcome: SignInOutcome) {
        rawUserInfo = outcome.rawUserInfo
        providerID = outcome.providerID ?? ""
        username = outcome.username
        isNewUser = outcome.isNewUser
    }

    /// The user's profile at the provider, as JSON values.
    public var profile: [String: Any]? {
        rawUserInfo.flatMap { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any] }
    }
}
