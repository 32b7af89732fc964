// SPDX-License-Identifier: Apache-2.0
#if Remote
    import FirestoreCore
    import Foundation

    /// The Identity Toolkit over HTTP: Google's service, `hearth serve --auth`, or the official emulator.
    struct NetworkIdentity: IdentityBackend {
        let endpoint: IdentityEndpoint
        let configuration: IdentityConfiguration

        init(_ endpoint: IdentityEndpoint, _ configuration: IdentityConfiguration) {
            self.endpoint = endpoint.with(apiKey: configuration.apiKey)
            self.configuration = configuration
        }

        // MARK: Signing in

        func signIn(_ method: SignInMethod, linkingTo idToken: String?) async throws(AuthFailure) -> SignInOutcome {
            var request = IdentityFields()
            request.idToken = idToken
            request.returnSecureToken = true
            let name: String
            switch method {
            case .anonymous: name = "signUp"
            case .newAccount(let email, let password):
                name = "signUp"
                (request.email, request.password) = (email, password)
            case .password(let email, let password):
                name = "signInWithPassword"
                (request.email, request.password) = (email, password)
            case .emailLink(let email, let code):
                name = "signInWithEmailLink"
                (request.email, request.oobCode) = (email, code)
            case .customToken(let token):
                name = "signInWithCustomToken"
                request.token = token
            case .provider(let assertion):
                name = "signInWithIdp"
                request.fill(assertion)
            }
            let asked = configuration.clock.now()
            let answer: SignInAnswer = try await accounts(name, request)
            if answer.needConfirmation == true {
                var failure = AuthFailure(.accountExistsWithDifferentCredential)
                failure.email = answer.email
                throw failure
            }
            if answer.mfaPendingCredential != nil {
                throw AuthFailure(.secondFactorRequired, "the account has a second factor, which is not supported")
            }
            guard let tokens = answer.tokens(asked: asked) else {
                throw AuthFailure(.internalError, "the accounts server has not issued a token")
            }
            return SignInOutcome(
                tokens: tokens, isNewUser: answer.isNewUser ?? (name == "signUp" && idToken == nil),
                providerID: answer.provider(of: method), rawUserInfo: answer.rawUserInfo, username: answer.screenName,
                credential: answer.credential)
        }

        func refresh(_ refreshToken: String) async throws(AuthFailure) -> IDTokens {
            let asked = configuration.clock.now()
            let answer: TokenAnswer = try await endpoint.post(
                .tokens, "token", TokenRequest(grantType: "refresh_token", refreshToken: refreshToken), headers: headers)
            return IDTokens(
                idToken: answer.idToken, refreshToken: answer.refreshToken ?? refreshToken,
                expiry: asked + (Int64(answer.expiresIn ?? "") ?? 3600) * 1_000_000)
        }

        // MARK: Accounts

        func lookup(_ idToken: String) async throws(AuthFailure) -> AccountProfile {
            var request = IdentityFields()
            request.idToken = idToken
            let answer: LookupAnswer = try await accounts("lookup", request)
            guard let account = answer.users?.first else { throw AuthFailure(.userNotFound) }
            return account.profile
        }

        func update(_ idToken: String, _ changes: AccountChanges) async throws(AuthFailure) -> IDTokens? {
            var request = IdentityFields()
            request.idToken = idToken
            request.returnSecureToken = true
            request.fill(changes)
            let asked = configuration.clock.now()
            let answer: SignInAnswer = try await accounts("update", request)
            return answer.tokens(asked: asked)
        }

        func delete(_ idToken: String) async throws(AuthFailure) {
            var request = IdentityFields()
            request.idToken = idToken
            let _: EmptyAnswer = try await accounts("delete", request)
        }

        // MARK: Codes

        func send(_ message: CodeMessage) async throws(AuthFailure) {
            var request = IdentityFields()
            switch message.kind {
            case .passwordReset(let email): (request.requestType, request.email) = ("PASSWORD_RESET", email)
            case .signIn(let email): (request.requestType, request.email) = ("EMAIL_SIGNIN", email)
            case .verification(let idToken): (request.requestType, request.idToken) = ("VERIFY_EMAIL", idToken)
            case .verificationBeforeChange(let idToken, let email):
                (request.requestType, request.idToken, request.newEmail) = ("VERIFY_AND_CHANGE_EMAIL", idToken, email)
            }
            if let settings = message.settings { request.fill(settings) }
            let _: EmptyAnswer = try await accounts("sendOobCode", request)
        }

        func redeem(_ code: String, newPassword: String?) async throws(AuthFailure) -> CodeContent {
            var request = IdentityFields()
            (request.oobCode, request.newPassword) = (code, newPassword)
            let answer: CodeAnswer = try await accounts("resetPassword", request)
            return CodeContent(requestType: answer.requestType ?? "", email: answer.email, newEmail: answer.newEmail)
        }

        func apply(_ code: String) async throws(AuthFailure) {
            var request = IdentityFields()
            request.oobCode = code
            let _: EmptyAnswer = try await accounts("update", request)
        }

        func signInMethods(of email: String) async throws(AuthFailure) -> [String] {
            var request = IdentityFields()
            // The URL is required and has no effect.
            (request.identifier, request.continueUri) = (email, "http://localhost")
            let answer: MethodsAnswer = try await accounts("createAuthUri", request)
            return answer.signinMethods ?? []
        }

        func revoke(authorizationCode: String, _ idToken: String) async throws(AuthFailure) {
            // Neither the emulator nor Hearth has the method, which needs the keys of the app's registration with Apple.
            guard endpoint.server == nil else {
                throw AuthFailure(.operationNotAllowed, "this accounts server does not revoke tokens of Apple; only Google's service does")
            }
            let _: EmptyAnswer = try await endpoint.post(
                .accounts, "accounts:revokeToken", RevocationRequest(token: authorizationCode, idToken: idToken), headers: headers,
                version: "v2")
        }

        // MARK: Requests

        private func accounts<Answer: Decodable>(_ method: String, _ request: IdentityFields) async throws(AuthFailure) -> Answer {
            var request = request
            request.tenantId = configuration.options().tenantID
            return try await endpoint.post(.accounts, "accounts:\(method)", request, headers: headers)
        }

        private var headers: [(name: String, value: String)] {
            var headers = [(name: "X-Client-Version", value: "Hearth/\(LibraryVersion.text)")]
            // A language comes from the app; a header cannot contain every text.
            if let language = configuration.options().languageCode, !language.isEmpty,
                language.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            {
                headers.append((name: "X-Firebase-Locale", value: language))
            }
            return headers
        }
    }
#endif
