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
            let (name, request) = Self.request(method)
            let asked = configuration.clock.now()
            let answer: SignInAnswer = try await accounts(name, [SignInFields(idToken: idToken)] + request)
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

        private static func request(_ method: SignInMethod) -> (name: String, [any Encodable]) {
            switch method {
            case .anonymous: ("signUp", [])
            case .newAccount(let email, let password): ("signUp", [PasswordRequest(email: email, password: password)])
            case .password(let email, let password): ("signInWithPassword", [PasswordRequest(email: email, password: password)])
            case .emailLink(let email, let code): ("signInWithEmailLink", [EmailLinkRequest(email: email, oobCode: code)])
            case .customToken(let token): ("signInWithCustomToken", [CustomTokenRequest(token: token)])
            case .provider(let assertion): ("signInWithIdp", [ProviderRequest(assertion)])
            }
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
            let answer: LookupAnswer = try await accounts("lookup", [AccountRequest(idToken: idToken)])
            guard let account = answer.users?.first else { throw AuthFailure(.userNotFound) }
            return account.profile
        }

        func update(_ idToken: String, _ changes: AccountChanges) async throws(AuthFailure) -> IDTokens? {
            let asked = configuration.clock.now()
            let answer: SignInAnswer = try await accounts("update", [SignInFields(idToken: idToken), UpdateRequest(changes)])
            return answer.tokens(asked: asked)
        }

        func delete(_ idToken: String) async throws(AuthFailure) {
            let _: EmptyAnswer = try await accounts("delete", [AccountRequest(idToken: idToken)])
        }

        // MARK: Codes

        func send(_ message: CodeMessage) async throws(AuthFailure) {
            let settings: [any Encodable] = message.settings.map { [MessageSettings($0)] } ?? []
            let _: EmptyAnswer = try await accounts("sendOobCode", [MessageRequest(message.kind)] + settings)
        }

        func redeem(_ code: String, newPassword: String?) async throws(AuthFailure) -> CodeContent {
            let answer: CodeAnswer = try await accounts("resetPassword", [CodeRequest(oobCode: code, newPassword: newPassword)])
            return CodeContent(requestType: answer.requestType ?? "", email: answer.email, newEmail: answer.newEmail)
        }

        func apply(_ code: String) async throws(AuthFailure) {
            let _: EmptyAnswer = try await accounts("update", [CodeRequest(oobCode: code)])
        }

        func signInMethods(of email: String) async throws(AuthFailure) -> [String] {
            let answer: MethodsAnswer = try await accounts("createAuthUri", [MethodsRequest(identifier: email)])
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

        private func accounts<Answer: Decodable>(_ method: String, _ fields: [any Encodable]) async throws(AuthFailure) -> Answer {
            let body = JoinedFields(groups: fields + [TenantFields(tenantId: configuration.options().tenantID)])
            return try await endpoint.post(.accounts, "accounts:\(method)", body, headers: headers)
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
