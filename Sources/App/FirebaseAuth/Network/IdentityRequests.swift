// SPDX-License-Identifier: Apache-2.0
import HearthBase

#if Remote
    import Foundation

    /// Several groups of fields in one body.
    struct JoinedFields: Encodable {
        let groups: [any Encodable]

        func encode(to encoder: any Encoder) throws {
            for group in groups { try group.encode(to: encoder) }
        }
    }

    /// Any request of an app with tenants.
    struct TenantFields: Encodable {
        var tenantId: String?
    }

    /// Any request that issues tokens. With a token, for the account that it belongs to.
    struct SignInFields: Encodable {
        var idToken: String?
        let returnSecureToken = true
    }

    /// `signUp`, `signInWithPassword`
    struct PasswordRequest: Encodable {
        var email: String
        var password: String
    }

    /// `signInWithEmailLink`
    struct EmailLinkRequest: Encodable {
        var email: String
        var oobCode: String
    }

    /// `signInWithCustomToken`
    struct CustomTokenRequest: Encodable {
        var token: String
    }

    /// `signInWithIdp`
    struct ProviderRequest: Encodable {
        let postBody: String
        let requestUri = "http://localhost"
        let returnIdpCredential = true

        init(_ assertion: ProviderAssertion) {
            let fields = [
                ("providerId", assertion.providerID), ("id_token", assertion.idToken), ("access_token", assertion.accessToken),
                ("nonce", assertion.rawNonce), ("oauth_token_secret", assertion.secret),
            ]
            postBody = fields.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))" } }.joined(separator: "&")
        }
    }

    /// `lookup`, `delete`
    struct AccountRequest: Encodable {
        var idToken: String
    }

    /// `update`
    struct UpdateRequest: Encodable {
        let email: String?
        let password: String?
        private(set) var displayName: String?
        private(set) var photoUrl: String?
        private(set) var deleteAttribute: [String]?
        let deleteProvider: [String]?

        init(_ changes: AccountChanges) {
            (email, password) = (changes.email, changes.password)
            deleteProvider = changes.removedProviders.isEmpty ? nil : changes.removedProviders
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
        }
    }

    /// `resetPassword`, and `update` for codes of other kinds
    struct CodeRequest: Encodable {
        var oobCode: String
        var newPassword: String?
    }

    /// `sendOobCode`
    struct MessageRequest: Encodable {
        let requestType: String
        private(set) var email: String?
        private(set) var idToken: String?
        private(set) var newEmail: String?

        init(_ kind: CodeMessage.Kind) {
            switch kind {
            case .passwordReset(let email): (requestType, self.email) = ("PASSWORD_RESET", email)
            case .signIn(let email): (requestType, self.email) = ("EMAIL_SIGNIN", email)
            case .verification(let idToken): (requestType, self.idToken) = ("VERIFY_EMAIL", idToken)
            case .verificationBeforeChange(let idToken, let email):
                (requestType, self.idToken, newEmail) = ("VERIFY_AND_CHANGE_EMAIL", idToken, email)
            }
        }
    }

    /// `sendOobCode`, with settings
    struct MessageSettings: Encodable {
        let continueUrl: String?
        let canHandleCodeInApp: Bool
        let iOSBundleId: String?
        let androidPackageName: String?
        let androidInstallApp: Bool?
        let androidMinimumVersion: String?
        let linkDomain: String?

        init(_ settings: ActionCodeSettings.Values) {
            let isForAndroid = settings.androidPackageName != nil
            continueUrl = settings.url?.absoluteString
            canHandleCodeInApp = settings.handleCodeInApp
            iOSBundleId = settings.iOSBundleID
            androidPackageName = settings.androidPackageName
            androidInstallApp = isForAndroid ? settings.androidInstallIfNotAvailable : nil
            androidMinimumVersion = isForAndroid ? settings.androidMinimumVersion : nil
            linkDomain = settings.linkDomain
        }
    }

    /// `createAuthUri`
    struct MethodsRequest: Encodable {
        var identifier: String
        /// Required, and without an effect.
        let continueUri = "http://localhost"
    }

    /// The tokens of Sign in with Apple that belong to an authorization code.
    struct RevocationRequest: Encodable {
        var providerId = "apple.com"
        /// An authorization code.
        var tokenType = "3"
        var token: String
        var idToken: String
    }

    struct TokenRequest: Encodable {
        var grantType: String
        var refreshToken: String
    }
#endif
