// SPDX-License-Identifier: Apache-2.0
import HearthBase

#if Remote
    import FirestoreCore
    import Foundation

    /// The fields of requests; a method takes some of them.
    struct IdentityFields: Encodable {
        var email: String?
        var password: String?
        var newPassword: String?
        var newEmail: String?
        var displayName: String?
        var photoUrl: String?
        var deleteAttribute: [String]?
        var deleteProvider: [String]?
        var idToken: String?
        var token: String?
        var tenantId: String?
        var oobCode: String?
        var requestType: String?
        var requestUri: String?
        var postBody: String?
        var identifier: String?
        var continueUri: String?
        var continueUrl: String?
        var canHandleCodeInApp: Bool?
        var iOSBundleId: String?
        var androidPackageName: String?
        var androidInstallApp: Bool?
        var androidMinimumVersion: String?
        var linkDomain: String?
        var returnSecureToken: Bool?
        var returnIdpCredential: Bool?

        mutating func fill(_ assertion: ProviderAssertion) {
            let fields = [
                ("providerId", assertion.providerID), ("id_token", assertion.idToken), ("access_token", assertion.accessToken),
                ("nonce", assertion.rawNonce), ("oauth_token_secret", assertion.secret),
            ]
            postBody = fields.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))" } }.joined(separator: "&")
            requestUri = "http://localhost"
            returnIdpCredential = true
        }

        mutating func fill(_ changes: AccountChanges) {
            (email, password) = (changes.email, changes.password)
            var removed: [String] = []
            switch changes.displayName {
            case .set(let name): displayName = name
            case .removed: removed.append("DISPLAY_NAME")
            case nil: break
            }
            switch changes.photoURL {
            case .set(let url): photoUrl = url
            case .removed: removed.append("PHOTO_URL")
            case nil: break
            }
            if !removed.isEmpty { deleteAttribute = removed }
            if !changes.removedProviders.isEmpty { deleteProvider = changes.removedProviders }
        }

        mutating func fill(_ settings: ActionCodeSettings.Values) {
            continueUrl = settings.url?.absoluteString
            canHandleCodeInApp = settings.handleCodeInApp
            iOSBundleId = settings.iOSBundleID
            if settings.androidPackageName != nil {
                androidPackageName = settings.androidPackageName
                androidInstallApp = settings.androidInstallIfNotAvailable
                androidMinimumVersion = settings.androidMinimumVersion
            }
            linkDomain = settings.linkDomain
        }
    }

    struct EmptyAnswer: Decodable {}

    /// The answer to every method that signs in, and to `update`.
    struct SignInAnswer: Decodable {
        var email: String?
        var idToken: String?
        var refreshToken: String?
        var expiresIn: String?
        var isNewUser: Bool?
        var providerId: String?
        var rawUserInfo: String?
        var screenName: String?
        var needConfirmation: Bool?
        var mfaPendingCredential: String?
        var oauthIdToken: String?
        var oauthAccessToken: String?
        var oauthTokenSecret: String?

        /// Counted from the request: renewing early is better than late.
        func tokens(asked: Int64) -> IDTokens? {
            guard let idToken, let refreshToken else { return nil }
            return IDTokens(
                idToken: idToken, refreshToken: refreshToken, expiry: asked + (expiresIn.flatMap { Int64($0) } ?? 3600) * 1_000_000)
        }

        func provider(of method: SignInMethod) -> String? {
            switch method {
            case .anonymous, .customToken: providerId
            case .newAccount, .password, .emailLink: providerId ?? EmailAuthProvider.id
            case .provider(let assertion): providerId ?? assertion.providerID
            }
        }

        var credential: AuthCredential? {
            guard let providerId, oauthIdToken != nil || oauthAccessToken != nil else { return nil }
            return OAuthCredential(
                ProviderAssertion(
                    providerID: providerId, idToken: oauthIdToken, accessToken: oauthAccessToken, secret: oauthTokenSecret))
        }
    }

    struct LookupAnswer: Decodable {
        struct Account: Decodable {
            struct Provider: Decodable {
                var providerId: String
                var rawId: String?
                var federatedId: String?
                var email: String?
                var displayName: String?
                var photoUrl: String?
                var phoneNumber: String?
            }

            var localId: String
            var email: String?
            var emailVerified: Bool?
            var displayName: String?
            var photoUrl: String?
            var phoneNumber: String?
            var tenantId: String?
            var passwordHash: String?
            var providerUserInfo: [Provider]?
            var createdAt: String?
            var lastLoginAt: String?

            var profile: AccountProfile {
                AccountProfile(
                    uid: localId, email: email, isEmailVerified: emailVerified ?? false, displayName: displayName, photoURL: photoUrl,
                    phoneNumber: phoneNumber, tenantID: tenantId, hasPassword: passwordHash?.isEmpty == false,
                    providers: (providerUserInfo ?? []).map { provider in
                        ProviderProfile(
                            providerID: provider.providerId, uid: provider.rawId ?? provider.federatedId ?? provider.email ?? localId,
                            email: provider.email, displayName: provider.displayName, photoURL: provider.photoUrl,
                            phoneNumber: provider.phoneNumber)
                    },
                    createdAt: createdAt.flatMap { Int64($0) }, lastSignInAt: lastLoginAt.flatMap { Int64($0) })
            }
        }

        var users: [Account]?
    }

    struct CodeAnswer: Decodable {
        var requestType: String?
        var email: String?
        var newEmail: String?
    }

    /// The tokens of Sign in with Apple that belong to an authorization code.
    struct RevocationRequest: Encodable {
        var providerId = "apple.com"
        /// An authorization code.
        var tokenType = "3"
        var token: String
        var idToken: String
    }

    struct MethodsAnswer: Decodable {
        var signinMethods: [String]?
    }

    struct TokenRequest: Encodable {
        var grantType: String
        var refreshToken: String
    }

    struct TokenAnswer: Decodable {
        var idToken: String
        var refreshToken: String?
        var expiresIn: String?

        private enum CodingKeys: String, CodingKey {
            case idToken = "id_token"
            case refreshToken = "refresh_token"
            case expiresIn = "expires_in"
        }
    }
#endif
