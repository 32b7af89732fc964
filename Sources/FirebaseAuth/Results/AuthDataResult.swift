// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A handler of the result of a sign-in, or of an error.
public typealias AuthDataResultCallback = (AuthDataResult?, (any Error)?) -> Void

/// The result of a sign-in or of linking.
public final class AuthDataResult: NSObject, Sendable {
    /// The user, who is the current one now.
    public let user: User
    /// What the provider says of the user, and whether the account is new; nil if no request was made.
    public let additionalUserInfo: AdditionalUserInfo?
    /// A credential of the provider, if it issued one.
    public let credential: AuthCredential?

    init(user: User, outcome: SignInOutcome?) {
        self.user = user
        additionalUserInfo = outcome.map { AdditionalUserInfo($0) }
        credential = outcome?.credential
    }
}

/// What a provider says of a user at a sign-in.
public final class AdditionalUserInfo: NSObject, Sendable {
    private let rawUserInfo: String?
    /// The provider; empty if it does not say.
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

    /// What the provider has sent, as JSON values.
    public var profile: [String: Any]? {
        rawUserInfo.flatMap { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any] }
    }
}
