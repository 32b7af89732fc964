// SPDX-License-Identifier: Apache-2.0
#if Remote
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

    struct MethodsAnswer: Decodable {
        var signinMethods: [String]?
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
